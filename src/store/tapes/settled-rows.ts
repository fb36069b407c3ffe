/**
 * Rows that came in any order, put into that of time, each once.
 */
import { leastStepOf } from '../../domain/calendar.ts'
import { InputError } from '../../domain/errors.ts'
import { openShiftMs } from '../../import/csv/candle-rows.ts'
import { CandleSteps } from '../../import/csv/candle-steps.ts'
import type { RowTotals } from '../../import/csv/row-sink.ts'
import type { TapeSource } from '../../import/tape-source.ts'
import { BlockGatherer } from './blocks/block-gatherer.ts'
import { scaledMarket } from './blocks/scaled-rows.ts'
import { storedFacts, type TapeHead } from './blocks/stored-market.ts'
import { SplitSteps } from '../../tape/split-steps.ts'
import { isCandleBlock, type CandleBlock } from '../../tape/tape.ts'
import { intervalOf, oddStepNotice, splitNotice } from './candle-interval.ts'
import type { KeptRoom } from './kept-bytes.ts'
import { KeptMarket, RowKeeper, type KeptRows } from './kept-rows.ts'
import { mergeRows } from './order/merge-rows.ts'
import { RowCursor } from './order/row-cursor.ts'
import { sortRows } from './order/sorted-rows.ts'

export interface SettledRows {
  readonly totals: RowTotals
  readonly duplicates: number
  /** Times with conflicting candles, one entry for each candle after the first of them. */
  readonly clashes: readonly number[]
  /** Times of candles that open before the previous one is over; they are not stored. */
  readonly early: readonly number[]
  readonly warnings: readonly string[]
  readonly kept: KeptRows
}

/**
 * @param keeper  its blocks are in order, each by itself
 * @param room    for the sorted rows
 * @throws {InputError} for a trade that contradicts another, and if there is not enough room
 */
export function settleRows(
  source: TapeSource,
  head: TapeHead,
  keeper: RowKeeper | undefined,
  room: KeptRoom | undefined,
): SettledRows {
  const { file } = source
  const unsorted = keeper?.finish(head)
  if (unsorted === undefined || room === undefined) {
    throw new InputError(file, 'the rows are not in the order of time, and there is no room to sort them')
  }
  const sorted = keptOf(file, head, room, (gatherer) => {
    sortRows(new KeptMarket(unsorted), (rows, start, end) => {
      gatherer.add(rows, start, end)
    })
  })
  let duplicates = 0
  const clashes: number[] = []
  const market = new KeptMarket(sorted)
  const settled = keptOf(file, head, room, (into) => {
    const incoming = new RowCursor(scaledMarket(market, storedFacts(head, market.entries)))
    const merge = {
      file,
      stored: new RowCursor([]),
      incoming,
      isChecked: false,
      idBefore: -1,
      into,
      onClash: (time: number) => clashes.push(time),
    }
    duplicates = mergeRows(merge).duplicates
  })
  if (head.kind === 'trades') return settledOf({ ...settled, head }, { duplicates, clashes, early: [], warnings: [] })
  const { steps, splits } = stepsOf(new KeptMarket(settled))
  const intervalMs = intervalOf(source, steps)
  const shiftMs = openShiftMs(source, intervalMs)
  const early = source.candleClose === 'next' ? [] : earlyTimes(new KeptMarket(settled), leastStepOf(intervalMs))
  const inTime = early.length === 0 ? settled : keptOf(file, head, room, leavingOut(new KeptMarket(settled), early))
  const kept = { ...inTime, head: { ...head, intervalMs }, shiftMs }
  return settledOf(kept, {
    duplicates,
    clashes,
    early,
    warnings: [...splitNotice(splits), ...oddStepNotice(source, intervalMs, steps)],
  })
}

const settledOf = (kept: KeptRows, found: Omit<SettledRows, 'kept' | 'totals'>): SettledRows => ({
  totals: storedFacts(kept.head, new KeptMarket(kept).entries),
  kept,
  ...found,
})

function keptOf(file: string, head: TapeHead, room: KeptRoom, give: (gatherer: BlockGatherer) => void): KeptRows {
  const keeper = new RowKeeper(room)
  const gatherer = new BlockGatherer((rows) => {
    keeper.add(rows)
  })
  give(gatherer)
  gatherer.end()
  const kept = keeper.finish(head)
  if (kept === undefined) throw new InputError(file, 'the disk has no room to sort the rows')
  return kept
}

function stepsOf(market: KeptMarket): { readonly steps: CandleSteps; readonly splits: SplitSteps } {
  const [steps, splits] = [new CandleSteps(), new SplitSteps()]
  eachCandle(market, ({ time, open, close }, row, precision) => {
    steps.add(time[row] ?? Number.NaN)
    splits.add(time[row] ?? Number.NaN, open[row] ?? 0, close[row] ?? 0, precision)
  })
  return { steps, splits }
}

function eachCandle(market: KeptMarket, take: (block: CandleBlock, row: number, precision: number) => void): void {
  for (const index of market.entries.keys()) {
    const { block, pricePrecision } = market.read(index)
    if (!isCandleBlock(block)) continue
    for (let row = 0; row < block.length; row += 1) take(block, row, pricePrecision)
  }
}

/** Times of candles that open before the one before them is over; such a one counts for none that follows. */
function earlyTimes(market: KeptMarket, leastStep: number): readonly number[] {
  const early: number[] = []
  let last = Number.NEGATIVE_INFINITY
  eachCandle(market, ({ time }, row) => {
    const at = time[row] ?? Number.NaN
    if (at - last < leastStep) early.push(at)
    else last = at
  })
  return early
}

/** All candles but those of some times. */
function leavingOut(market: KeptMarket, times: readonly number[]): (gatherer: BlockGatherer) => void {
  const left = new Set(times)
  return (gatherer) => {
    for (const index of market.entries.keys()) {
      const rows = market.read(index)
      const { time, length } = rows.block
      for (let row = 0; row < length; row += 1) {
        if (!left.has(time[row] ?? Number.NaN)) gatherer.add(rows, row, row + 1)
      }
    }
  }
}
