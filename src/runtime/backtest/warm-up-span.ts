/**
 * The time before a run that a strategy's warm-up takes, according to the recording: twenty daily candles of a share
 * are four weeks.
 *
 * Only intervals with trades that closed before the run begins count. With several markets the one that needs most
 * decides.
 */
import { isOfCalendar } from '../../domain/calendar.ts'
import { closeTimeOf, openTimeOf } from '../../domain/candle-length.ts'
import type { WarmupNeed } from '../../strategy/warmup.ts'
import { isCandleBlock, type RecordedBlock, type Tape } from '../../tape/tape.ts'
import { firstRowFrom } from '../../tape/window.ts'

/** A warm-up, as far as it was recorded. */
export interface WarmUpSpan {
  /** Unix milliseconds. */
  readonly begin: number
  /** Number of whole intervals since then, by the need's length; the minimum over all markets. */
  readonly counts: ReadonlyMap<string, number>
}

/**
 * @param tapes  of all markets of the run, at least one
 * @param from   beginning of the run, Unix milliseconds
 * @param begin  beginning that the user has chosen; undefined to find it
 */
export async function warmUpSpan(
  tapes: readonly Tape[],
  needs: readonly WarmupNeed[],
  from: number,
  begin: number | undefined,
): Promise<WarmUpSpan> {
  const symbols = [...new Set(tapes.map(({ info }) => info.symbol))]
  const counts = new Map<string, number>()
  let first = begin ?? from
  for (const need of needs) {
    for (const symbol of symbols) {
      const market = tapes.filter(({ info }) => info.symbol === symbol)
      const perNeed = partsOf(market, need)
      const begins = await beginsOf(market, need.lengthMs, need.count * perNeed, from, begin)
      const count = Math.floor(begins.length / perNeed)
      counts.set(need.length, Math.min(counts.get(need.length) ?? Number.POSITIVE_INFINITY, count))
      if (begin === undefined) first = Math.min(first, begins.at(-need.count * perNeed) ?? begins[0] ?? from)
    }
  }
  return { begin: first, counts }
}

/** Number of the tape's candles per needed one, if no calendar or grid defines where that begins; otherwise 1. */
function partsOf(market: readonly Tape[], { lengthMs }: WarmupNeed): number {
  const [{ info } = { info: undefined }] = market
  if (info?.intervalMs === undefined || info.isAligned === true || isOfCalendar(lengthMs)) return 1
  return Math.max(1, Math.ceil(lengthMs / info.intervalMs))
}

/** Opening times of the last whole intervals before the run, at least `count` of them if so many were recorded. */
async function beginsOf(
  market: readonly Tape[],
  lengthMs: number,
  count: number,
  from: number,
  begin: number | undefined,
): Promise<readonly number[]> {
  const first = Math.min(...market.map(({ info }) => info.from))
  for (let width = lengthMs * count; ; width *= 2) {
    const start = begin ?? Math.max(first, openTimeOf(from, lengthMs) - width)
    const begins = new Set<number>()
    for (const tape of market) await addBegins(begins, tape, lengthMs, [start, from])
    if (begin !== undefined || begins.size >= count || start <= first) return [...begins].toSorted((a, b) => a - b)
  }
}

type Range = readonly [from: number, to: number]

async function addBegins(begins: Set<number>, tape: Tape, lengthMs: number, [from, to]: Range): Promise<void> {
  const { intervalMs = 0, isAligned, from: first } = tape.info
  const isWhole = intervalMs === lengthMs || (isAligned === false && !isOfCalendar(lengthMs))
  for await (const block of tape.blocks({ from, to })) {
    if (isWhole) addCandles(begins, block, intervalMs, [from, to])
    else addIntervals(begins, block, lengthMs, [from <= first ? Number.NEGATIVE_INFINITY : from, to])
  }
}

/** Adds each candle that lies completely in a range. */
function addCandles(begins: Set<number>, block: RecordedBlock, intervalMs: number, [from, to]: Range): void {
  if (!isCandleBlock(block)) return
  const { time, volume, end, length } = block
  for (let row = firstRowFrom(block, from); row < length; row += 1) {
    const open = time[row] ?? Number.NaN
    if ((end?.[row] ?? closeTimeOf(open, intervalMs)) > to) return
    if ((volume[row] ?? 0) > 0) begins.add(open)
  }
}

/** Adds each UTC interval that lies completely in a range and has a row. */
function addIntervals(begins: Set<number>, block: RecordedBlock, lengthMs: number, [from, to]: Range): void {
  for (let row = 0; row < block.length;) {
    const open = openTimeOf(block.time[row] ?? Number.NaN, lengthMs)
    const close = closeTimeOf(open, lengthMs)
    if (close > to) return
    if (open >= from) begins.add(open)
    row = firstRowFrom(block, close, row)
  }
}
