/**
 * Lines of candles that stand more than once in a file whose rows come in any order, with other figures. Rows that are sorted no longer know
 * their lines, so the file is read once more.
 */
import { InputError } from '../../domain/errors.ts'
import { isoTime } from '../../domain/time.ts'
import { BadRows } from '../csv/bad-rows.ts'
import type { TapeSource } from '../tape-source.ts'
import { TapePass } from './tape-pass.ts'

interface PlacedRow {
  readonly line: number
  readonly text: string
}

/**
 * @param times  Unix milliseconds, as the file has them
 * @param bad    takes each but the first of a time
 * @throws {InputError} naming two lines, without `bad`, or when there are too many
 */
export async function refuseClashes(
  source: TapeSource,
  times: readonly number[],
  bad: BadRows | undefined,
): Promise<void> {
  const found = new Map(times.map((time): [number, PlacedRow[]] => [time, []]))
  const onRow = (time: number, line: number, text: string): void => {
    found.get(time)?.push({ line, text })
  }
  const pass = new TapePass(source, { bad: new BadRows(Number.POSITIVE_INFINITY), onRow })
  for await (const rows of pass.rows()) rows.dropBlock()
  for (const [time, [first, ...others]] of found) {
    for (const { line, text } of others) {
      // The same row once more is counted as that.
      if (text === first?.text) continue
      const where = `${source.file}:${line}`
      const before = `line ${first?.line ?? 0} has a candle of ${isoTime(time)} with other figures`
      const error = new InputError(where, `expected each time once; ${before}`)
      if (bad === undefined) throw error
      bad.add(error, line, text)
    }
  }
}
