/** Bytes cut at line ends, and a look at whether they are text at all. */
import { isUtf8 } from 'node:buffer'
import { LINE_FEED } from '../../domain/ascii.ts'
import { InputError } from '../../domain/errors.ts'

/** The longest line that is read, in bytes. */
export const MAX_LINE_BYTES = 1024 * 1024

const UTF8_MARK = Buffer.from([0xef, 0xbb, 0xbf])

const OTHER_FORMATS: readonly { readonly start: Buffer; readonly message: string }[] = [
  { start: Buffer.from([0xff, 0xfe]), message: 'expected UTF-8, got UTF-16: convert the file to UTF-8' },
  { start: Buffer.from([0xfe, 0xff]), message: 'expected UTF-8, got UTF-16: convert the file to UTF-8' },
  { start: Buffer.from('PK\u0003\u0004'), message: 'expected CSV, got a zip archive: unpack it first' },
  { start: Buffer.from('<!'), message: 'expected CSV, got HTML or XML' },
  { start: Buffer.from('<?'), message: 'expected CSV, got HTML or XML' },
  { start: Buffer.from('<html'), message: 'expected CSV, got HTML or XML' },
  { start: Buffer.from('<HTML'), message: 'expected CSV, got HTML or XML' },
  { start: Buffer.from('PAR1'), message: 'expected CSV, got Parquet' },
  { start: Buffer.from('{'), message: 'expected CSV, got JSON' },
  { start: Buffer.from('['), message: 'expected CSV, got JSON' },
]

/**
 * The same bytes without byte order mark, in pieces that end with a line feed; one is appended to a last line without.
 *
 * Only a line longer than MAX_LINE_BYTES has none: it comes alone and cut off, and nothing comes after it.
 *
 * @param chunks  none longer than MAX_LINE_BYTES; each is valid until the next one, as are the pieces
 * @throws {InputError} if the beginning is that of another format, or the file is empty
 */
export async function* wholeLines(
  file: string,
  chunks: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer, void, undefined> {
  let isFirst = true
  for await (const piece of cutAtLines(chunks)) {
    const lines = isFirst ? withoutMark(file, piece) : piece
    isFirst = false
    if (lines.length > 0) yield lines
  }
  if (isFirst) throw new InputError(file, 'expected CSV, got an empty file')
}

async function* cutAtLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of chunks) {
    const firstEnd = chunk.indexOf(LINE_FEED) + 1
    const head = firstEnd === 0 ? chunk : chunk.subarray(0, firstEnd)
    if (firstEnd === 0 || rest.length > 0) rest = Buffer.concat([rest, head])
    else rest = head
    if (rest.length > MAX_LINE_BYTES) {
      yield rest.subarray(0, MAX_LINE_BYTES)
      return
    }
    if (firstEnd === 0) continue
    yield rest
    const lastEnd = chunk.lastIndexOf(LINE_FEED) + 1
    if (lastEnd > firstEnd) yield chunk.subarray(firstEnd, lastEnd)
    rest = Buffer.from(chunk.subarray(lastEnd))
  }
  if (rest.length > 0) yield Buffer.concat([rest, Buffer.of(LINE_FEED)])
}

function withoutMark(file: string, beginning: Buffer): Buffer {
  const startsWith = (start: Buffer): boolean => beginning.subarray(0, start.length).equals(start)
  const other = OTHER_FORMATS.find(({ start }) => startsWith(start))
  if (other !== undefined) throw new InputError(file, other.message)
  return startsWith(UTF8_MARK) ? beginning.subarray(UTF8_MARK.length) : beginning
}

/** Number of bytes before the first line that cannot be read as text. */
export function soundLength(piece: Buffer): number {
  if (faultOf(piece) === undefined) return piece.length
  let start = 0
  while (start < piece.length && lineFault(piece, start) === undefined) start = piece.indexOf(LINE_FEED, start) + 1
  return start
}

/** Reason why the line that begins at `start` is not valid text; undefined if it is valid, or there is no line. */
export function lineFault(piece: Buffer, start: number): string | undefined {
  const end = piece.indexOf(LINE_FEED, start) + 1
  return start === piece.length ? undefined : faultOf(piece.subarray(start, end === 0 ? piece.length : end))
}

function faultOf(lines: Buffer): string | undefined {
  if (lines.includes(0)) return 'expected text, got a NUL byte: is this a binary file?'
  if (!isUtf8(lines)) return 'expected UTF-8 text, got other bytes: is this a binary file or another encoding?'
  if (lines.at(-1) !== LINE_FEED) return `expected lines of at most ${MAX_LINE_BYTES} bytes, got a longer one`
  return undefined
}
