/**
 * Closing times of recorded candles whose length is not fixed.
 *
 * Days, weeks and months close when the next one opens, as far as that one follows as the calendar says: a day of 23 or
 * 25 hours where the clocks are moved. Before a gap, and at the end of the tape, they close after one whole period.
 * Candles without a common length close when the next one opens, however late that is.
 * Invariant: a candle closes at or before the next one opens, unless the tape itself has candles that overlap.
 */
import { closeTimeOf } from '../domain/candle-length.ts'
import { isOfCalendar, leastStepOf, longestStepOf } from '../domain/calendar.ts'
import { DAY_MS, HOUR_MS } from '../domain/time.ts'
import { isCandleBlock, type CandleBlock, type RecordedBlock, type TapeInfo } from './tape.ts'

type LengthInfo = Pick<TapeInfo, 'intervalMs' | 'closesAtNext'>

/**
 * Milliseconds after a window whose opens are needed to close its last candle; 0 if each candle closes after its
 * interval.
 */
export function lookaheadMs({ intervalMs, closesAtNext = false }: LengthInfo): number {
  if (closesAtNext) return Number.POSITIVE_INFINITY
  return intervalMs !== undefined && isOfCalendar(intervalMs) ? longestStepOf(intervalMs) + 1 : 0
}

/** The same blocks with their closing times, each as soon as the block after it is known. */
export async function* withCandleEnds(
  blocks: AsyncIterable<RecordedBlock>,
  { intervalMs = 0, closesAtNext = false }: LengthInfo,
): AsyncGenerator<RecordedBlock, void, undefined> {
  const endOf = (open: number, next: number): number => {
    if (closesAtNext) return next === Number.POSITIVE_INFINITY ? open + intervalMs : next
    const step = next - open
    if (step >= leastStepOf(intervalMs) && step <= longestStepOf(intervalMs)) return next
    return closeTimeOf(open, intervalMs) + (intervalMs === DAY_MS ? movedClock(open, step) : 0)
  }
  let before: CandleBlock | undefined
  for await (const block of blocks) {
    if (!isCandleBlock(block)) yield block
    else if (block.length > 0) {
      if (before !== undefined) yield closed(before, block.time[0] ?? Number.NaN, endOf)
      before = block
    }
  }
  if (before !== undefined) yield closed(before, Number.POSITIVE_INFINITY, endOf)
}

/** Sunday, 1970-01-04. */
const FIRST_SUNDAY = 3

/** An hour more or less that a day before a gap has: clocks are moved on Sundays, all over the world. */
function movedClock(open: number, step: number): number {
  const moved = step - Math.round(step / DAY_MS) * DAY_MS
  const isSunday = Math.floor(open / DAY_MS + 1 / 2) % 7 === FIRST_SUNDAY
  return Math.abs(moved) === HOUR_MS && isSunday ? moved : 0
}

function closed(block: CandleBlock, next: number, endOf: (open: number, next: number) => number): CandleBlock {
  const { time, length } = block
  const end = new Float64Array(length)
  for (let row = 0; row < length; row += 1) {
    end[row] = endOf(time[row] ?? Number.NaN, row + 1 < length ? (time[row + 1] ?? Number.NaN) : next)
  }
  return { ...block, end }
}
