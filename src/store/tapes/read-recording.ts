/** First pass over a recording: every row is validated, sorted if necessary, and stored. */
import { lengthText } from '../../domain/candle-length.ts'
import { InputError, invariant, throwIfAborted } from '../../domain/errors.ts'
import { escapedExcerpt } from '../../domain/escape-controls.ts'
import { formatUnits } from '../../domain/fixed-point.ts'
import { isoTime } from '../../domain/time.ts'
import { BadRows } from '../../import/csv/bad-rows.ts'
import { CandleRows, EARLY_HINT, openShiftMs } from '../../import/csv/candle-rows.ts'
import type { DecimalColumn } from '../../import/csv/decimal-column.ts'
import { PLAIN_READING, type Reading } from '../../import/csv/reading.ts'
import type { RowIntake } from '../../import/csv/row-intake.ts'
import type { RowSink, RowTotals } from '../../import/csv/row-sink.ts'
import type { TradeRows } from '../../import/csv/trade-rows.ts'
import { spellingNotice } from '../../import/formats/symbols.ts'
import type { TapeSource, TimeUnit } from '../../import/tape-source.ts'
import { listOf, type NoticeList } from '../../tape/notices.ts'
import type { StoredRows } from './blocks/block-codec.ts'
import { intervalOf, oddStepNotice, splitNotice } from './candle-interval.ts'
import type { SpoolRoom } from './block-spool.ts'
import { type SpooledRows, RowSpool } from './row-spool.ts'
import { sortedBlock } from './order/sorted-block.ts'
import { type SettledRows, settleRows } from './settled-rows.ts'
import { type PassOptions, TapePass } from './tape-pass.ts'

/**
 * Notices about its format and its columns.
 *
 * @param symbol  symbol of the tape
 */
function noticesOf(
  { symbol: given, precision }: TapeSource,
  { intake, reading }: TapePass,
  symbol: string,
): readonly string[] {
  const { plan, sink, leftOut } = intake
  const notices: string[] = []
  if (reading.dialect !== PLAIN_READING.dialect) notices.push(`Read as ${reading.dialect}.`)
  notices.push(...reading.notices)
  const ignored = plan?.ignored ?? []
  if (ignored.length > 0) notices.push(`These columns are not used: ${ignored.join(', ')}.`)
  notices.push(...symbolNotices(given, intake, reading, symbol))
  if (sink?.time.form === 'serial-days') notices.push('Times are spreadsheet day numbers.')
  if (sink?.time.isMixed === true)
    notices.push('The time unit changes within the file (milliseconds, microseconds or nanoseconds).')
  if (sink?.time.exact === false) notices.push('Times finer than a millisecond were rounded down.')
  if (intake.roundedCells > 0)
    notices.push(`${intake.roundedCells} values were rounded to ${String(precision)} decimals.`)
  for (const [what, count] of leftOut) notices.push(`Left out: ${what} (${count}).`)
  if (reading.isAnyOrder) notices.push('The rows were sorted by time.')
  return notices
}

function symbolNotices(
  given: string | undefined,
  { symbolCell }: RowIntake,
  { spelling }: Reading,
  symbol: string,
): readonly string[] {
  if (symbolCell === undefined) return given === undefined ? [`The market ${symbol} was taken from the file name.`] : []
  if (symbol === symbolCell) return []
  const isSpelled = given === undefined || spelling?.(symbolCell) === given
  if (isSpelled) return [spellingNotice(symbolCell, symbol)]
  return [`The symbol column says '${escapedExcerpt(symbolCell)}'; ${symbol} is used.`]
}

/** Notice about duplicate rows. */
const duplicateNotice = (duplicates: number): readonly string[] =>
  duplicates === 0
    ? []
    : [`${duplicates} identical duplicate ${duplicates === 1 ? 'row was' : 'rows were'} counted once.`]

/** Notice about candles without trades. */
function emptyNotice({ rows, emptyCandles }: RowTotals): readonly string[] {
  if (emptyCandles === 0 || emptyCandles === rows) return []
  const have = emptyCandles === 1 ? 'has' : 'have'
  const them = emptyCandles === 1 ? 'it' : 'them'
  return [`${emptyCandles} of ${rows} candles ${have} no volume: the market is assumed to be closed in ${them}.`]
}

/** Minimum of rows: with fewer, one finer row is not suspicious. */
const ROWS_THAT_REPORT = 10

/**
 * Warns if a single row needs the finest decimals: one typing error makes every price, or every quantity, a thousand
 * times as fine.
 */
function stepNotices(source: TapeSource, symbol: string, { rows, price, qty }: RowSink): readonly string[] {
  if (rows < ROWS_THAT_REPORT) return []
  return [
    ...(source.pricePrecision === undefined ? stepNotice(source, price, `tick size of ${symbol}`, 'price') : []),
    ...(source.qtyPrecision === undefined ? stepNotice(source, qty, `lot size of ${symbol}`, 'qty') : []),
  ]
}

function stepNotice({ file }: TapeSource, column: DecimalColumn, what: string, value: string): readonly string[] {
  const { precision, rowsAtPrecision, finestLine } = column
  if (precision === 0 || rowsAtPrecision !== 1 || finestLine === undefined) return []
  const comes = `comes from one row (${file}:${finestLine})`
  return [`The ${what}, ${formatUnits(1, precision)}, ${comes}: pass \`--${value}-precision\` if that is a mistake.`]
}

interface PlacedRow {
  readonly line: number
  readonly text: string
}

/**
 * Refuses candles of one time with different values. Sorted rows have no line numbers, so the file is read again.
 *
 * @param times  Unix milliseconds, as the file has them
 * @param bad    takes each but the first of a time
 * @throws {InputError} naming two lines, without `bad`, or when there are too many
 */
async function refuseClashes(source: TapeSource, times: readonly number[], bad: BadRows | undefined): Promise<void> {
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
async function refuseEarly(
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

export interface RecordingOptions extends PassOptions {
  /** Ends it early. */
  readonly signal?: AbortSignal | undefined
  /**
   * Memory budget for its rows, beyond which they go to disk; undefined to store none, possible only for sorted rows.
   */
  readonly room?: SpoolRoom | undefined
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
  readonly spooled: SpooledRows | undefined
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
  const spool = room && new RowSpool(room)
  for await (const rows of pass.rows()) {
    throwIfAborted(signal)
    spool?.add(storedRows(rows, pass.reading.isAnyOrder))
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
  const hasConditions = 'conditions' in sink && sink.conditions?.areReported === true
  const head = { symbol, kind: plan.kind, hasConditions }
  if (pass.reading.isAnyOrder) {
    const { warnings, ...sorted } = settleRows(source, { ...head, intervalMs: null }, spool, room)
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
  const spooled = spool?.finish({ ...head, intervalMs: totals.intervalMs ?? null }, shiftMs)
  const { duplicates } = sink
  const notes = [...notices, ...emptyNotice(totals), ...duplicateNotice(duplicates)]
  const warnings = [...read.warnings, ...stepNotices(source, symbol, sink)]
  return { ...shared, totals, duplicates, isSorted: false, ...listOf({ warnings, notes }), spooled }
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
