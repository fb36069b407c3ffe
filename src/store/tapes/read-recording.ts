/**
 * The first pass over a recording: everything is checked, put in order where it is not, and kept.
 */
import { invariant, throwIfAborted } from '../../domain/errors.ts'
import type { Reading } from '../csv/reading.ts'
import type { RowSink, RowTotals } from '../csv/row-sink.ts'
import type { TimeUnit } from '../csv/time-column.ts'
import type { TapeSource } from '../tape-source.ts'
import type { StoredRows } from './blocks/block-codec.ts'
import type { KeptRoom } from './kept-bytes.ts'
import { refuseClashes } from './clashing-candles.ts'
import { RowKeeper, type KeptRows } from './kept-rows.ts'
import { sortedBlock } from './order/sorted-block.ts'
import { duplicateNotice, emptyNotice, noticesOf, stepNotices } from './recording-notices.ts'
import { settleRows } from './settled-rows.ts'
import { TapePass, type PassOptions } from './tape-pass.ts'

export interface RecordingOptions extends PassOptions {
  /** Ends it early. */
  readonly signal?: AbortSignal | undefined
  /** Room in memory for its rows, behind which the disk comes; undefined to keep none, which only rows in order allow. */
  readonly room?: KeptRoom | undefined
}

/** A recording that was read once and found good. */
export interface Recording {
  readonly symbol: string
  readonly kind: 'trades' | 'candles'
  readonly reading: Reading
  /** Lower-case hex SHA-256 of the file's bytes, and how many. */
  readonly sha256: string
  readonly bytes: number
  /** Of the rows that are kept. */
  readonly totals: RowTotals
  /** Rows that were there already, to the last figure. */
  readonly duplicates: number
  /** Lines that are no rows of this market, by what they are. */
  readonly leftOut: ReadonlyMap<string, number>
  /** Of its times: a unit of integers, or `iso` for dates. */
  readonly unit: TimeUnit | 'iso'
  /** Rows that were not in the order of time. */
  readonly isSorted: boolean
  readonly notices: readonly string[]
  /** Undefined where there was no room. */
  readonly kept: KeptRows | undefined
}

/**
 * Reads a file from beginning to end.
 *
 * @throws {InputError} at the first row that is wrong, or naming the file or the setting
 * @throws {AbortError} when `signal` says so
 */
export async function readRecording(source: TapeSource, options: RecordingOptions = {}): Promise<Recording> {
  const { signal, room } = options
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
    ...{ symbol, kind: plan.kind, reading: pass.reading, sha256: pass.sha256(), bytes: pass.bytes },
    leftOut: intake.leftOut,
    unit: sink.time.unit,
  }
  const notices = noticesOf(source, pass, symbol)
  const hasConditions = 'conditions' in sink && sink.conditions?.areTold === true
  if (pass.reading.isAnyOrder) {
    const sorted = settleRows(source, { symbol, kind: plan.kind, intervalMs: null, hasConditions }, keeper, room)
    if (sorted.clashes.length > 0) await refuseClashes(source, sorted.clashes, options.bad)
    const all = [...notices, ...emptyNotice(sorted.totals), ...duplicateNotice(sorted.duplicates)]
    return { ...shared, ...sorted, isSorted: true, notices: all }
  }
  const totals = sink.totals()
  const intervalMs = totals.intervalMs ?? null
  const shiftMs = source.candleTime === 'close' ? -(intervalMs ?? 0) : 0
  const kept = keeper?.finish({ symbol, kind: plan.kind, intervalMs, hasConditions }, shiftMs)
  const { duplicates } = sink
  const all = [...notices, ...emptyNotice(totals), ...duplicateNotice(duplicates), ...stepNotices(source, symbol, sink)]
  return { ...shared, totals, duplicates, isSorted: false, notices: all, kept }
}

function storedRows(rows: RowSink, isAnyOrder: boolean): StoredRows {
  const block = rows.currentBlock()
  const precisions = { pricePrecision: rows.price.precision, qtyPrecision: rows.qty.precision }
  return { block: isAnyOrder ? sortedBlock(block) : block, ...precisions }
}
