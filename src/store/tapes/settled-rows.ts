/** Rows that came in any order, put into that of time, each once. */
import { leastStepOf } from '../../domain/calendar.ts'
import { InputError } from '../../domain/errors.ts'
import { openShiftMs } from '../../import/csv/candle-rows.ts'
import { CandleSteps } from '../../import/csv/candle-steps.ts'
import type { RowTotals } from '../../import/csv/row-sink.ts'
import type { TapeSource } from '../../import/tape-source.ts'
import { SplitSteps } from '../../tape/split-steps.ts'
import { type CandleBlock, isCandleBlock } from '../../tape/tape.ts'
import type { StoredRows } from './blocks/block-codec.ts'
import { BlockGatherer } from './blocks/block-gatherer.ts'
import { scaledMarket } from './blocks/scaled-rows.ts'
import { storedFacts, type StoredMarket, type TapeHead } from './blocks/stored-market.ts'
import { intervalOf, oddStepNotice, splitNotice } from './candle-interval.ts'
import type { SpoolRoom } from './block-spool.ts'
import { SpooledMarket, type SpooledRows, RowSpool } from './row-spool.ts'
import { mergeRows } from './order/merge-rows.ts'
import { RowCursor } from './order/row-cursor.ts'

type OnRows = (rows: StoredRows, start: number, end: number) => void

interface OpenBlock {
  readonly cursor: RowCursor
  /** Tie-break: at one moment the lower place comes first. */
  readonly place: number
}

interface Waiting {
  readonly first: number
  readonly index: number
}

/**
 * Passes sorted runs of rows to `onRows`; rows of one moment by numeric id, otherwise in block order, reversed for
 * trades in descending order.
 *
 * A block is read when its first row is reached, so a nearly sorted file, or one in descending order, needs the memory
 * of a few blocks. Known limit: if every block spans the whole time, all of them are in memory.
 */
function sortRows(market: Pick<StoredMarket, 'head' | 'entries' | 'read'>, onRows: OnRows): void {
  const { entries, head } = market
  const areCandles = head.kind === 'candles'
  const isBackwards =
    !areCandles && entries.every(({ first }, at) => at === 0 || first <= (entries[at - 1]?.first ?? first))
  const waiting = entries.map(({ first }, index): Waiting => ({ first, index }))
  if (isBackwards) waiting.reverse()
  // Stable sort: blocks that begin at one moment keep their order.
  waiting.sort((one, other) => one.first - other.first)
  const open: OpenBlock[] = []
  let next = 0
  for (;;) {
    const time = open.reduce((least, { cursor }) => Math.min(least, cursor.time), Number.POSITIVE_INFINITY)
    const due = waiting[next]
    if (due !== undefined && due.first <= time) {
      open.push({ cursor: new RowCursor([market.read(due.index)]), place: areCandles ? due.index : next })
      next += 1
      continue
    }
    const least = leastOf(open)
    if (least === undefined) return
    takeRun(least.cursor, open, due?.first ?? Number.POSITIVE_INFINITY, onRows)
    if (least.cursor.time === Number.POSITIVE_INFINITY) open.splice(open.indexOf(least), 1)
  }
}

/** The one whose row comes next. */
function leastOf(open: readonly OpenBlock[]): OpenBlock | undefined {
  let [least] = open
  for (const each of open) if (least === undefined || isBefore(each, least)) least = each
  return least
}

function isBefore(one: OpenBlock, other: OpenBlock): boolean {
  if (one.cursor.time !== other.cursor.time) return one.cursor.time < other.cursor.time
  const [id, otherId] = [one.cursor.id ?? 0, other.cursor.id ?? 0]
  return id === otherId ? one.place < other.place : id < otherId
}

/** Rows up to the next of another block; one row where another has the same time. */
function takeRun(cursor: RowCursor, open: readonly OpenBlock[], due: number, onRows: OnRows): void {
  let until = due
  for (const other of open) if (other.cursor !== cursor) until = Math.min(until, other.cursor.time)
  if (until > cursor.time) {
    cursor.takeBefore(until, onRows)
    return
  }
  const taken = cursor.take()
  if (taken !== undefined) onRows(taken.rows, taken.row, taken.row + 1)
}

export interface SettledRows {
  readonly totals: RowTotals
  readonly duplicates: number
  /** Times with conflicting candles, one entry for each candle after the first of them. */
  readonly clashes: readonly number[]
  /** Times of candles that open before the previous one is over; they are not stored. */
  readonly early: readonly number[]
  readonly warnings: readonly string[]
  readonly spooled: SpooledRows
}

/**
 * @param spool  its blocks are in order, each by itself
 * @param room    for the sorted rows
 * @throws {InputError} for a trade that contradicts another, and if there is not enough room
 */
export function settleRows(
  source: TapeSource,
  head: TapeHead,
  spool: RowSpool | undefined,
  room: SpoolRoom | undefined,
): SettledRows {
  const { file } = source
  const unsorted = spool?.finish(head)
  if (unsorted === undefined || room === undefined) {
    throw new InputError(file, 'the rows are not in the order of time, and there is no room to sort them')
  }
  const sorted = spooledOf(file, head, room, (gatherer) => {
    sortRows(new SpooledMarket(unsorted), (rows, start, end) => {
      gatherer.add(rows, start, end)
    })
  })
  let duplicates = 0
  const clashes: number[] = []
  const market = new SpooledMarket(sorted)
  const settled = spooledOf(file, head, room, (into) => {
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
  const { steps, splits } = stepsOf(new SpooledMarket(settled))
  const intervalMs = intervalOf(source, steps)
  const shiftMs = openShiftMs(source, intervalMs)
  const early = source.candleClose === 'next' ? [] : earlyTimes(new SpooledMarket(settled), leastStepOf(intervalMs))
  const inTime =
    early.length === 0 ? settled : spooledOf(file, head, room, leavingOut(new SpooledMarket(settled), early))
  const spooled = { ...inTime, head: { ...head, intervalMs }, shiftMs }
  return settledOf(spooled, {
    duplicates,
    clashes,
    early,
    warnings: [...splitNotice(splits), ...oddStepNotice(source, intervalMs, steps)],
  })
}

const settledOf = (spooled: SpooledRows, found: Omit<SettledRows, 'spooled' | 'totals'>): SettledRows => ({
  totals: storedFacts(spooled.head, new SpooledMarket(spooled).entries),
  spooled,
  ...found,
})

function spooledOf(
  file: string,
  head: TapeHead,
  room: SpoolRoom,
  give: (gatherer: BlockGatherer) => void,
): SpooledRows {
  const spool = new RowSpool(room)
  const gatherer = new BlockGatherer((rows) => {
    spool.add(rows)
  })
  give(gatherer)
  gatherer.end()
  const spooled = spool.finish(head)
  if (spooled === undefined) throw new InputError(file, 'the disk has no room to sort the rows')
  return spooled
}

function stepsOf(market: SpooledMarket): { readonly steps: CandleSteps; readonly splits: SplitSteps } {
  const [steps, splits] = [new CandleSteps(), new SplitSteps()]
  eachCandle(market, ({ time, open, close }, row, precision) => {
    steps.add(time[row] ?? Number.NaN)
    splits.add(time[row] ?? Number.NaN, open[row] ?? 0, close[row] ?? 0, precision)
  })
  return { steps, splits }
}

function eachCandle(market: SpooledMarket, take: (block: CandleBlock, row: number, precision: number) => void): void {
  for (const index of market.entries.keys()) {
    const { block, pricePrecision } = market.read(index)
    if (!isCandleBlock(block)) continue
    for (let row = 0; row < block.length; row += 1) take(block, row, pricePrecision)
  }
}

/** Times of candles that open before the one before them is over; such a one counts for none that follows. */
function earlyTimes(market: SpooledMarket, leastStep: number): readonly number[] {
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
function leavingOut(market: SpooledMarket, times: readonly number[]): (gatherer: BlockGatherer) => void {
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
