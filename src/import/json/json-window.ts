/**
 * Sliding window over a JSON text, with the read position.
 *
 * Readers continue from `at`. If the buffer ends too early they are interrupted by an exception, and read again from
 * the last mark once there are more bytes. So readers are simple and synchronous, and the largest value is limited by
 * the buffer.
 */
import { isUtf8 } from 'node:buffer'
import { LINE_FEED } from '../../domain/ascii.ts'
import { InputError } from '../../domain/errors.ts'
import { escapedExcerpt } from '../../domain/escape-controls.ts'

/** Maximum size of a value, in bytes. */
export const MAX_VALUE_BYTES = 1024 * 1024

/** Maximum number of bytes added at a time. */
const PIECE_BYTES = 256 * 1024
/** Maximum length of an excerpt in a message, in bytes. */
const SHOWN_BYTES = 24

/** UTF-8 byte order mark, decoded as Latin-1. */
const UTF8_MARK = '\u00ef\u00bb\u00bf'
const UTF16 = 'expected UTF-8, got UTF-16: convert the file to UTF-8'
const NO_TEXT = 'expected UTF-8 text, got other bytes: is this a binary file or another encoding?'
const UTF16_MARKS = ['\u00ff\u00fe', '\u00fe\u00ff']

/** Thrown to request more bytes; never leaves the window. */
const CUT = new Error('more bytes are needed')

/** The value at the mark is larger than MAX_VALUE_BYTES. */
export class ValueTooLarge extends InputError {}

/** Number of bytes of an incomplete character at the end, 0 to 3. */
function unfinishedBytes(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0
    if (isFollowing(byte)) continue
    return characterBytes(byte) > back ? back : 0
  }
  return 0
}

/** Offset of the first invalid character; undefined if all are valid. */
function unsoundAt(bytes: Buffer): number | undefined {
  if (isUtf8(bytes)) return undefined
  for (let at = 0; ;) {
    const end = at + characterBytes(bytes[at] ?? 0)
    if (!isUtf8(bytes.subarray(at, end))) return at
    at = end
  }
}

const isFollowing = (byte: number): boolean => (byte & 0xc0) === 0x80

function characterBytes(lead: number): number {
  if (lead < 0xc0) return 1
  if (lead < 0xe0) return 2
  return lead < 0xf0 ? 3 : 4
}

export class JsonWindow {
  readonly file: string
  /** Valid UTF-8 up to `end`, and a zero at `end`. */
  bytes: Buffer = Buffer.alloc(1)
  /** One character per byte, with the indices of `bytes`. */
  text = ''
  end = 0
  at = 0
  /** Line of the read position, from 1. */
  line = 1
  /** Start of that line; negative if it is no longer in the buffer. */
  lineStart = 0

  readonly #chunks: AsyncIterator<Buffer>
  #waiting: Buffer = Buffer.alloc(0)
  /** Number of buffered bytes; those from `end` on are an incomplete character. */
  #held = 0
  #isWhole = false
  #fault: string | undefined
  #marked = { at: 0, line: 1, lineStart: 0 }

  /** @param chunks  each is valid until the next one is requested */
  constructor(file: string, chunks: AsyncIterable<Buffer>) {
    this.file = file
    this.#chunks = chunks[Symbol.asyncIterator]()
  }

  /** Releases everything before the read position. */
  mark(): void {
    const marked = this.#marked
    marked.at = this.at
    marked.line = this.line
    marked.lineStart = this.lineStart
  }

  rewind(): void {
    const { at, line, lineStart } = this.#marked
    this.at = at
    this.line = line
    this.lineStart = lineStart
  }

  /** Place of a byte in the present line: line and column from 1, the column in bytes. */
  placeOf(at: number): string {
    return this.#place(at, this)
  }

  /** True at the end of the text. */
  isOver(): boolean {
    if (this.at < this.end) return false
    if (!this.#isWhole) throw CUT
    if (this.#fault !== undefined) throw new InputError(this.placeOf(this.at), this.#fault)
    return true
  }

  /** True if a value that ends here may continue in the next bytes. */
  needsMore(at: number): boolean {
    return at >= this.end && !this.#isWhole
  }

  /** @throws {ValueTooLarge} if there are too many bytes between the mark and `at` */
  checkSize(at: number): void {
    if (at - this.#marked.at <= MAX_VALUE_BYTES) return
    const place = this.#place(this.#marked.at, this.#marked)
    throw new ValueTooLarge(place, `expected values of at most ${MAX_VALUE_BYTES} bytes, got a larger one`)
  }

  /** Throws an error about the text at `at`, independent of chunk boundaries. */
  fail(at: number, expected: string): never {
    this.checkSize(at)
    if (!this.#isWhole && this.end - at < SHOWN_BYTES) throw CUT
    if (at >= this.end && this.#fault !== undefined) throw new InputError(this.placeOf(at), this.#fault)
    throw new InputError(this.placeOf(at), `expected ${expected}, got ${this.#shown(at)}`)
  }

  /** Reads the first bytes, and skips a byte order mark. */
  async begin(): Promise<void> {
    while (this.end < UTF8_MARK.length && !this.#isWhole) await this.#more()
    if (!this.text.startsWith(UTF8_MARK)) return
    this.at = UTF8_MARK.length
    this.lineStart = this.at
    this.mark()
  }

  /** Runs a synchronous reader, again from the mark whenever it needs more bytes. */
  async step<T>(read: () => T): Promise<T> {
    for (;;) {
      try {
        const value = read()
        this.mark()
        return value
      } catch (error) {
        await this.recover(error)
      }
    }
  }

  /**
   * Returns to the mark and reads more bytes, if that is why reading stopped.
   *
   * @param error  thrown again if it has another reason
   * @throws {ValueTooLarge} if the buffer is too large already
   */
  async recover(error: unknown): Promise<void> {
    if (error !== CUT) throw error
    this.rewind()
    this.checkSize(this.#held)
    await this.#more()
  }

  async close(): Promise<void> {
    await this.#chunks.return?.()
  }

  /** Doubles the buffer from the mark on. */
  async #more(): Promise<void> {
    this.#forget(this.#marked.at)
    for (const enough = 2 * this.#held; this.#held <= enough && !this.#isWhole;) await this.#addPiece()
    const held = this.bytes.subarray(0, this.#held)
    const finished = this.#isWhole ? held : held.subarray(0, held.length - unfinishedBytes(held))
    const unsound = unsoundAt(finished)
    if (unsound !== undefined) {
      const isUtf16 = UTF16_MARKS.some((mark) => held.toString('latin1', 0, mark.length) === mark)
      this.#fault = isUtf16 && this.at === this.lineStart ? UTF16 : NO_TEXT
      this.#isWhole = true
      this.#held = unsound
      this.bytes[unsound] = 0
    }
    this.end = unsound ?? finished.length
    this.text = this.bytes.toString('latin1', 0, this.end)
  }

  #forget(before: number): void {
    this.bytes.copyWithin(0, before, this.#held)
    this.#held -= before
    this.at -= before
    this.lineStart -= before
    this.mark()
  }

  async #addPiece(): Promise<void> {
    if (this.#waiting.length === 0) {
      const next = await this.#chunks.next()
      if (next.done === true) {
        this.#isWhole = true
        this.bytes[this.#held] = 0
        return
      }
      this.#waiting = next.value
    }
    const piece = this.#waiting.subarray(0, PIECE_BYTES)
    this.#waiting = this.#waiting.subarray(piece.length)
    const held = this.#held + piece.length
    if (held >= this.bytes.length) {
      const room = Buffer.allocUnsafeSlow(2 * held + 1)
      this.bytes.copy(room, 0, 0, this.#held)
      this.bytes = room
    }
    piece.copy(this.bytes, this.#held)
    this.#held = held
    this.bytes[held] = 0
  }

  #place(at: number, { line, lineStart }: { readonly line: number; readonly lineStart: number }): string {
    return `${this.file}:${line}:${at - lineStart + 1}`
  }

  #shown(at: number): string {
    if (at >= this.end) return 'the end of the file'
    const byte = this.bytes[at]
    if (byte === LINE_FEED) return 'the end of the line'
    if (byte === 0) return 'a NUL byte: is this a binary file?'
    let to = Math.min(at + SHOWN_BYTES, this.end)
    const lineEnd = this.bytes.indexOf(LINE_FEED, at)
    if (lineEnd !== -1) to = Math.min(to, lineEnd)
    while (to < this.end && isFollowing(this.bytes[to] ?? 0)) to -= 1
    return `'${escapedExcerpt(this.bytes.toString('utf8', at, to))}'`
  }
}
