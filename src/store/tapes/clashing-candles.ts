/**
 * Reports candles of an unsorted file that conflict with others: equal times with different values, and opens before
 * the previous candle is over. Sorted rows no longer have line numbers, so the file is read a second time.
 */
import { lengthText } from '../../domain/candle-length.ts'
import { InputError } from '../../domain/errors.ts'
import { isoTime } from '../../domain/time.ts'
import { BadRows } from '../../import/csv/bad-rows.ts'
import { EARLY_HINT } from '../../import/csv/candle-rows.ts'
import type { TapeSource } from '../../import/tape-source.ts'
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
  for (const [time, [first, ...others]] of await placesOf(source, times)) {
    for (const { line, text } of others) {
      // The same row once more is counted as that.
      if (text === first?.text) continue
      const before = `line ${first?.line ?? 0} has a different candle for ${isoTime(time)}`
      refuse(new InputError(`${source.file}:${line}`, `duplicate time; ${before}`), { line, text }, bad)
    }
  }
}

/**
 * @param times       of the candles that open too early, Unix milliseconds, as the file has them
 * @param intervalMs  length of a candle
 * @param bad         takes each
 * @throws {InputError} naming the line, without `bad`, or when there are too many
 */
export async function refuseEarly(
  source: TapeSource,
  times: readonly number[],
  intervalMs: number,
  bad: BadRows | undefined,
): Promise<void> {
  for (const [time, [row]] of await placesOf(source, times)) {
    if (row === undefined) continue
    const message = `expected a candle at least ${lengthText(intervalMs)} after the one before, got one at ${isoTime(time)}`
    refuse(new InputError(`${source.file}:${row.line}`, message, { hint: EARLY_HINT }), row, bad)
  }
}

function refuse(error: InputError, { line, text }: PlacedRow, bad: BadRows | undefined): void {
  if (bad === undefined) throw error
  bad.add(error, line, text)
}

/** The rows of each time, as the file has them. */
async function placesOf(
  source: TapeSource,
  times: readonly number[],
): Promise<ReadonlyMap<number, readonly PlacedRow[]>> {
  const found = new Map(times.map((time): [number, PlacedRow[]] => [time, []]))
  const onRow = (time: number, line: number, text: string): void => {
    found.get(time)?.push({ line, text })
  }
  const pass = new TapePass(source, { bad: new BadRows(Number.POSITIVE_INFINITY), onRow })
  for await (const rows of pass.rows()) rows.dropBlock()
  return found
}
