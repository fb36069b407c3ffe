/** First pass over a recording: every row is validated, sorted if necessary, and stored. */
import { invariant, throwIfAborted } from '../../domain/errors.ts'
import type { BadRows } from '../../import/csv/bad-rows.ts'
import { CandleRows, openShiftMs } from '../../import/csv/candle-rows.ts'
import type { Reading } from '../../import/csv/reading.ts'
import type { RowSink, RowTotals } from '../../import/csv/row-sink.ts'
import type { TradeRows } from '../../import/csv/trade-rows.ts'
import { listOf, type NoticeList } from '../../tape/notices.ts'
import type { TapeSource, TimeUnit } from '../../import/tape-source.ts'
import type { StoredRows } from './blocks/block-codec.ts'
import { intervalOf, oddStepNotice, splitNotice } from './candle-interval.ts'
import type { KeptRoom } from './kept-bytes.ts'
import { refuseClashes, refuseEarly } from './clashing-candles.ts'
import { RowKeeper, type KeptRows } from './kept-rows.ts'
import { sortedBlock } from './order/sorted-block.ts'
import { duplicateNotice, emptyNotice, noticesOf, stepNotices } from './recording-notices.ts'
import { settleRows, type SettledRows } from './settled-rows.ts'
import { TapePass, type PassOptions } from './tape-pass.ts'

export interface RecordingOptions extends PassOptions {
  /** Ends it early. */
  readonly signal?: AbortSignal | undefined
  /**
   * Memory budget for its rows, beyond which they go to disk; undefined to store none, possible only for sorted rows.
   */
  readonly room?: KeptRoom | undefined
}

/** A recording that was read once and found good. */
export interface Recording extends Required<NoticeList> {
  readonly symbol: string
  readonly kind: 'trades' | 'candles'
  readonly reading: Reading
  /** Lower-case hex SHA-256 of the file's bytes, and how many. */
  readonly sha256: string
  readonly bytes: number
  /** Totals of the stored rows. */
  readonly totals: RowTotals
  /** Rows that were there already, to the last figure. */
  readonly duplicates: number
  /** Counts of lines that are not rows of this market, by description. */
  readonly leftOut: ReadonlyMap<string, number>
  /** Form of its times: a unit of integers, or `iso` for dates. */
  readonly unit: TimeUnit | 'iso'
  /** Rows that were not in the order of time. */
  readonly isSorted: boolean
  /** Undefined if there was not enough room. */
  readonly kept: KeptRows | undefined
}

/**
 * Reads a file from beginning to end.
 *
 * @throws {InputError} at the first row that is wrong, or naming the file or the setting
 * @throws {AbortError} when `signal` says so
 */
export async function readRecording(source: TapeSource, options: RecordingOptions = {}): Promise<Recording> {
  const { signal, room, bad } = options
  const pass = new TapePass(source, options)
  const keeper = room && new RowKeeper(room)
  for await (const rows of pass.rows()) {
    throwIfAborted(signal)
    keeper?.add(storedRows(rows, pass.reading.isAnyOrder))
    rows.dropBlock()
  }
  const { intake } = pass
  const { plan, sink, symbol } = intake
  invariant(plan !== undefined && sink !== undefined && symbol !== undefined, 'a tape that was read has a symbol')
  const shared = {
    symbol,
    kind: plan.kind,
    reading: pass.reading,
    sha256: pass.sha256(),
    bytes: pass.bytes,
    leftOut: intake.leftOut,
    unit: sink.time.unit,
  }
  const notices = noticesOf(source, pass, symbol)
  const hasConditions = 'conditions' in sink && sink.conditions?.areTold === true
  const head = { symbol, kind: plan.kind, hasConditions }
  if (pass.reading.isAnyOrder) {
    const { warnings, ...sorted } = settleRows(source, { ...head, intervalMs: null }, keeper, room)
    const notes = [...notices, ...(await settledNotes(source, sorted, bad))]
    return { ...shared, ...sorted, isSorted: true, ...listOf({ warnings, notes }) }
  }
  const read = sink instanceof CandleRows ? readCandles(source, sink) : readTrades(sink)
  if (read === undefined) {
    bad?.restart()
    const { steps } = sink as CandleRows
    // The second reading knows the length, and names the candle that is too early.
    return await readRecording({ ...source, candleInterval: intervalOf(source, steps) }, options)
  }
  const { totals, shiftMs } = read
  const kept = keeper?.finish({ ...head, intervalMs: totals.intervalMs ?? null }, shiftMs)
  const { duplicates } = sink
  const notes = [...notices, ...emptyNotice(totals), ...duplicateNotice(duplicates)]
  const warnings = [...read.warnings, ...stepNotices(source, symbol, sink)]
  return { ...shared, totals, duplicates, isSorted: false, ...listOf({ warnings, notes }), kept }
}

/** @throws {InputError} for candles that conflict with others, without `bad` */
async function settledNotes(
  source: TapeSource,
  { totals, duplicates, clashes, early }: Omit<SettledRows, 'warnings'>,
  bad: BadRows | undefined,
): Promise<readonly string[]> {
  if (clashes.length > 0) await refuseClashes(source, clashes, bad)
  if (early.length > 0) await refuseEarly(source, early, totals.intervalMs ?? 0, bad)
  return [...emptyNotice(totals), ...duplicateNotice(duplicates)]
}

interface ReadRows {
  readonly totals: RowTotals
  /** Added to every time. */
  readonly shiftMs: number
  readonly warnings: readonly string[]
}

const readTrades = (rows: TradeRows): ReadRows => ({ totals: rows.totals(), shiftMs: 0, warnings: [] })

/** Undefined where some candle opens before the one before it is over, which is known now that the length is. */
function readCandles(source: TapeSource, rows: CandleRows): ReadRows | undefined {
  const { steps } = rows
  const intervalMs = intervalOf(source, steps)
  const isLengthNew = source.candleInterval === undefined && source.candleClose !== 'next'
  if (isLengthNew && steps.hasShort(intervalMs)) return undefined
  return {
    totals: rows.totals(intervalMs),
    shiftMs: openShiftMs(source, intervalMs),
    warnings: [...splitNotice(rows.splits), ...oddStepNotice(source, intervalMs, steps)],
  }
}

function storedRows(rows: RowSink, isAnyOrder: boolean): StoredRows {
  const block = rows.currentBlock()
  const precisions = { pricePrecision: rows.price.precision, qtyPrecision: rows.qty.precision }
  return { block: isAnyOrder ? sortedBlock(block) : block, ...precisions }
}
