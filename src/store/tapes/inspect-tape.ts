/**
 * The first pass over a tape's file: everything is checked, and kept where there is room.
 */
import { InputError, invariant, throwIfAborted } from '../../domain/errors.ts'
import { setting } from '../../domain/setting-name.ts'
import { assetsOfSymbol, MAX_PRECISION } from '../../domain/market.ts'
import type { TapeInfo } from '../../tape/tape.ts'
import type { DecimalColumn } from '../csv/decimal-column.ts'
import type { RowIntake } from '../csv/row-intake.ts'
import type { RowSink, RowTotals } from '../csv/row-sink.ts'
import { formatUnits } from '../../domain/fixed-point.ts'
import { escapedExcerpt } from '../../domain/escape-controls.ts'
import type { TapePrecisions } from '../tape-precisions.ts'
import type { InspectedTape, TapeSource } from '../tape-source.ts'
import { gapNotices, readGapFile } from './gap-file.ts'
import { RowKeeper, type KeptRoom } from './kept-rows.ts'
import { TapePass, type OnBytesRead } from './tape-pass.ts'

export interface Inspection {
  /** Ends it early. */
  readonly signal?: AbortSignal | undefined
  /** Room in memory for its rows, behind which the disk comes; undefined to keep none. */
  readonly room?: KeptRoom | undefined
  readonly onBytesRead?: OnBytesRead | undefined
}

/**
 * Reads a file from beginning to end, and the file of gaps beside it.
 *
 * @throws {InputError} at the first row that is wrong, or naming the file or the setting
 * @throws {AbortError} when `signal` says so
 */
export async function inspectTape(
  source: TapeSource,
  { signal, room, onBytesRead }: Inspection = {},
): Promise<InspectedTape> {
  checkReading(source)
  const pass = new TapePass(source, onBytesRead)
  const keeper = room && new RowKeeper(room)
  for await (const rows of pass.rows()) {
    throwIfAborted(signal)
    keeper?.add(rows.currentBlock(), precisionsOf(rows))
    rows.dropBlock()
  }
  const info = infoOf(source, pass.intake, pass.sha256())
  const { sink } = pass.intake
  const kept = keeper?.finish(sink?.price.largest ?? 0, sink?.qty.largest ?? 0)
  const file = await readGapFile(source.file)
  if (file === undefined) return { source, info, ...(kept && { kept }) }
  const notices = [...info.notices, ...gapNotices(file, info)]
  return { source, info: { ...info, gaps: file.info, notices }, gaps: file.gaps, ...(kept && { kept }) }
}

const precisionsOf = ({ price, qty }: RowSink): TapePrecisions => ({
  pricePrecision: price.precision,
  qtyPrecision: qty.precision,
})

function checkReading({ symbol, candleInterval, pricePrecision, qtyPrecision }: TapeSource): void {
  if (symbol !== undefined) assetsOfSymbol(setting('tapes'), symbol)
  if (candleInterval !== undefined && !(Number.isSafeInteger(candleInterval) && candleInterval >= 1)) {
    const expected = `expected whole milliseconds, at least 1`
    throw new InputError(setting('candleInterval'), `${expected}, got ${candleInterval}`)
  }
  checkPrecision('pricePrecision', pricePrecision)
  checkPrecision('qtyPrecision', qtyPrecision)
}

function checkPrecision(name: 'pricePrecision' | 'qtyPrecision', precision: number | undefined): void {
  if (precision === undefined || (Number.isInteger(precision) && precision >= 0 && precision <= MAX_PRECISION)) return
  throw new InputError(setting(name), `expected decimals from 0 to ${MAX_PRECISION}, got ${precision}`)
}

function infoOf(source: TapeSource, intake: RowIntake, sha256: string): TapeInfo {
  const { plan, sink, symbolCell } = intake
  const symbol = source.symbol ?? symbolCell
  invariant(plan !== undefined && sink !== undefined && symbol !== undefined, 'a tape that was read has a symbol')
  const { kind } = plan
  const totals = sink.totals()
  const notices = [...noticesOf(source, intake), ...emptyNotice(totals), ...stepNotices(source, symbol, sink)]
  return { symbol, kind, file: source.file, sha256, ...totals, notices }
}

function noticesOf({ symbol }: TapeSource, { plan, sink, symbolCell }: RowIntake): readonly string[] {
  const notices: string[] = []
  const ignored = plan?.ignored ?? []
  if (ignored.length > 0) notices.push(`These columns are not used: ${ignored.join(', ')}.`)
  if (symbol !== undefined && symbolCell !== undefined && symbol !== symbolCell) {
    notices.push(`The symbol column says '${escapedExcerpt(symbolCell)}'; the tape is read as ${symbol}.`)
  }
  if (sink?.time.exact === false) notices.push('Times finer than a millisecond were rounded down.')
  return notices
}

function emptyNotice({ rows, emptyCandles }: RowTotals): readonly string[] {
  if (emptyCandles === 0) return []
  const have = emptyCandles === 1 ? 'has' : 'have'
  const them = emptyCandles === 1 ? 'it' : 'them'
  return [`${emptyCandles} of ${rows} candles ${have} no volume: the market is taken to be shut in ${them}.`]
}

/** Of fewer rows than these it says little that one is finer than all others. */
const ROWS_THAT_TELL = 10

/** One slip in one row makes every price, or every quantity, a thousand times as fine. */
function stepNotices(source: TapeSource, symbol: string, { rows, price, qty }: RowSink): readonly string[] {
  if (rows < ROWS_THAT_TELL) return []
  return [
    ...(source.pricePrecision === undefined ? stepNotice(source, price, `tick size of ${symbol}`, 'price') : []),
    ...(source.qtyPrecision === undefined ? stepNotice(source, qty, `lot size of ${symbol}`, 'quantity') : []),
  ]
}

function stepNotice({ file }: TapeSource, column: DecimalColumn, what: string, value: string): readonly string[] {
  const { precision, rowsAtPrecision, finestLine } = column
  if (precision === 0 || rowsAtPrecision !== 1 || finestLine === undefined) return []
  const comes = `comes from one row (${file}:${finestLine})`
  return [`The ${what}, ${formatUnits(1, precision)}, ${comes}: give the ${value} precision if that is a mistake.`]
}
