/**
 * Reports candles of an unsorted file that have the same time and different values. Sorted rows no longer know their line numbers, so the
 * file is read a second time.
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
      const before = `line ${first?.line ?? 0} has a different candle for ${isoTime(time)}`
      const error = new InputError(where, `duplicate time; ${before}`)
      if (bad === undefined) throw error
      bad.add(error, line, text)
    }
  }
}
