/**
 * Gap file next to a tape: `btc_usd.gaps.csv` for `btc_usd.csv` and for `btc_usd.csv.gz`.
 *
 * A header `from,to,why`, then one gap per line: Unix milliseconds of the rows before and after it, and a reason up to
 * the end of the line. Invariant: gaps are in time order and do not overlap.
 */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { InputError } from '../../domain/errors.ts'
import { escapedExcerpt } from '../../domain/escape-controls.ts'
import type { MarkedGap } from '../../tape/gap-marks.ts'
import { NO_NOTICES, type Notices } from '../../tape/notices.ts'
import type { GapFileInfo, TapeInfo } from '../../tape/tape.ts'
import { WITHOUT_WAITING } from '../../import/file-bytes.ts'

export const GAP_HEADER = 'from,to,why'

export interface GapFile {
  readonly info: GapFileInfo
  readonly gaps: readonly MarkedGap[]
}

/** Name of the file of gaps of a tape, whether that is compressed or not. */
export const gapFileOf = (tape: string): string => `${tape.replace(/\.gz$/i, '').replace(/\.csv$/i, '')}.gaps.csv`

/** A line of the file, its line end included. */
export const gapLine = ({ from, to, why }: MarkedGap): string => `${from},${to},${why.replaceAll(/[\r\n]+/g, ' ')}\n`

/**
 * Reads the gap file of a tape; undefined if there is none.
 *
 * @param tape  as named by the user
 * @throws {InputError} at the invalid line, or naming the file
 */
export async function readGapFile(tape: string): Promise<GapFile | undefined> {
  const file = gapFileOf(tape)
  const bytes = await bytesOf(file)
  if (bytes === undefined) return undefined
  const gaps = parseGaps(file, bytes.toString('utf8'))
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  return { info: { file, sha256, count: gaps.length }, gaps }
}

/** Notices for the user about the gaps of a tape, in full sentences. */
export function gapNotices({ info, gaps }: GapFile, tape: Pick<TapeInfo, 'kind' | 'from' | 'to'>): Notices {
  if (gaps.length > 0 && tape.kind === 'candles') {
    return asNote(`The gaps in ${info.file} are not used, because candles already show where nothing traded.`)
  }
  const outside = gaps.filter(({ from, to }) => to <= tape.from || to > tape.to || from < tape.from).length
  if (outside === 0) return NO_NOTICES
  const what = `${outside} of ${gaps.length} gaps in ${info.file} are outside the rows of the tape`
  return { warnings: [`${what}: does the gap file belong to another tape?`], notes: [] }
}

const asNote = (note: string): Notices => ({ warnings: [], notes: [note] })

async function bytesOf(file: string): Promise<Buffer | undefined> {
  try {
    return await readFile(file, { flag: WITHOUT_WAITING })
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    const why = error instanceof Error ? error.message : String(error)
    throw new InputError(file, `cannot be read (${why})`, { cause: error })
  }
}

/** @throws {InputError} at the first line that is wrong */
export function parseGaps(file: string, text: string): readonly MarkedGap[] {
  const [header = '', ...lines] = text.replaceAll('\r\n', '\n').split('\n')
  if (header !== GAP_HEADER) {
    throw new InputError(`${file}:1`, `expected the header '${GAP_HEADER}', got '${escapedExcerpt(header)}'`)
  }
  if (lines.at(-1) === '') lines.pop()
  const gaps: MarkedGap[] = []
  lines.forEach((line, index) => {
    gaps.push(gapOf(`${file}:${index + 2}`, line, gaps.at(-1)))
  })
  return gaps
}

const GAP = /^(\d{1,16}),(\d{1,16}),(.*)$/

function gapOf(place: string, line: string, before: MarkedGap | undefined): MarkedGap {
  const [, from, to, why = ''] = GAP.exec(line) ?? []
  const gap = { from: Number(from), to: Number(to), why }
  if (!Number.isSafeInteger(gap.from) || !Number.isSafeInteger(gap.to)) {
    throw new InputError(place, `expected two times in Unix milliseconds and words, got '${escapedExcerpt(line)}'`)
  }
  if (gap.to < gap.from) throw new InputError(place, `expected an end not before ${gap.from}, got ${gap.to}`)
  if (before !== undefined && gap.from < before.to) {
    throw new InputError(place, `expected a gap not before the end of the one before, ${before.to}, got ${gap.from}`)
  }
  return gap
}
