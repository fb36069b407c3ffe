/**
 * In-memory tape: rows of a test for a run, validated like a file.
 *
 * Invariant: it is played like the file that `csvOf` makes of it.
 */
import { createHash } from 'node:crypto'
import { InputError } from '../../domain/errors.ts'
import { faultMessage, parseUnits } from '../../domain/fixed-point.ts'
import { MAX_PRECISION } from '../../domain/market.ts'
import type { InspectedTape } from '../../store/tapes/inspected-tape.ts'
import type { TapeHead } from '../../store/tapes/blocks/stored-market.ts'
import { RowSpool } from '../../store/tapes/row-spool.ts'
import type { MarkedGap } from '../../tape/gap-marks.ts'
import { SIDE_BUY, SIDE_SELL, SIDE_UNKNOWN, type CandleBlock, type TapeBlock } from '../../tape/tape.ts'
import type { TapePrecisions } from '../../tape/tape-precisions.ts'
import { csvOf } from './csv-of.ts'
import type { TapeRows, TestCandle, TestTrade } from './tape-rows.ts'

export interface MemoryTape {
  /** Name for error messages. */
  readonly where: string
  /** BASE_QUOTE. */
  readonly symbol: string
  readonly rows: TapeRows
  /** Default: the fewest digits that hold every row. */
  readonly pricePrecision?: number | undefined
  readonly qtyPrecision?: number | undefined
  readonly gaps?: readonly MarkedGap[] | undefined
  /** Unix milliseconds up to which the market exists, if that is after its last row. */
  readonly until?: number | undefined
}

/** @throws {InputError} at the first row that is wrong */
export function inspectedOf(tape: MemoryTape): InspectedTape {
  const { rows, where } = tape
  const list = rows.kind === 'trades' ? rows.trades : rows.candles
  const [first] = list
  const last = list.at(-1)
  if (first === undefined || last === undefined) throw new InputError(where, 'expected at least one row')
  checkTimes(where, list, rows.kind === 'trades' ? 0 : rows.intervalMs)
  const precisions = precisionsOf(tape)
  const block =
    rows.kind === 'trades' ? tradeBlock(tape, rows.trades, precisions) : candleBlock(tape, rows.candles, precisions)
  const end = rows.kind === 'trades' ? last.time : last.time + rows.intervalMs
  return {
    source: { file: where, symbol: tape.symbol },
    info: {
      symbol: tape.symbol,
      kind: rows.kind,
      file: where,
      sha256: createHash('sha256').update(csvOf(rows)).digest('hex'),
      rows: list.length,
      emptyCandles: rows.kind === 'trades' ? 0 : rows.candles.filter(({ volume }) => Number(volume ?? 1) === 0).length,
      from: first.time,
      to: Math.max(end, tape.until ?? end),
      ...precisions,
      rowsAtPricePrecision: list.length,
      rowsAtQtyPrecision: list.length,
      hasSides: rows.kind === 'trades' && rows.trades.every(({ side }) => side !== undefined),
      hasConditions: false,
      ...(rows.kind === 'candles' && {
        intervalMs: rows.intervalMs,
        isAligned: rows.candles.every(({ time }) => time % rows.intervalMs === 0),
      }),
      notices: [],
    },
    gaps: tape.gaps,
    ...spooledRows(block, precisions, {
      symbol: tape.symbol,
      kind: rows.kind,
      intervalMs: rows.kind === 'candles' ? rows.intervalMs : null,
      hasConditions: false,
    }),
  }
}

function spooledRows(
  block: TapeBlock | CandleBlock,
  precisions: TapePrecisions,
  head: TapeHead,
): Pick<InspectedTape, 'rows'> {
  const spool = new RowSpool({ bytes: Number.MAX_SAFE_INTEGER })
  spool.add({ block, ...precisions })
  const spooled = spool.finish(head)
  return spooled === undefined ? {} : { rows: { form: 'spooled', spooled } }
}

function checkTimes(where: string, rows: readonly { readonly time: number }[], stepMs: number): void {
  let before = Number.NEGATIVE_INFINITY
  rows.forEach(({ time }, index) => {
    if (!Number.isSafeInteger(time) || time < 0) {
      throw new InputError(`${where}[${index}].time`, `expected whole Unix milliseconds, got ${String(time)}`)
    }
    if (time < before + stepMs) {
      throw new InputError(`${where}[${index}].time`, `expected a time not before ${before + stepMs}, got ${time}`)
    }
    before = time
  })
}

/** The fewest decimal digits that fit every row. */
export function digitsOf(rows: TapeRows): TapePrecisions {
  const isTrades = rows.kind === 'trades'
  const prices = isTrades
    ? rows.trades.map(({ price }) => price)
    : rows.candles.flatMap(({ open, high, low, close }) => [open, high, low, close])
  const quantities = isTrades ? rows.trades.map(({ qty }) => qty) : rows.candles.map(({ volume }) => volume)
  return { pricePrecision: mostDigits(prices), qtyPrecision: mostDigits(quantities) }
}

function precisionsOf({ rows, where, ...given }: MemoryTape): TapePrecisions {
  const fewest = digitsOf(rows)
  const digits = {
    pricePrecision: given.pricePrecision ?? fewest.pricePrecision,
    qtyPrecision: given.qtyPrecision ?? fewest.qtyPrecision,
  }
  if (Math.max(digits.pricePrecision, digits.qtyPrecision) <= MAX_PRECISION) return digits
  throw new InputError(where, `expected at most ${MAX_PRECISION} decimals in a price or a quantity`)
}

/** Decimal digits of the finest of them. */
const mostDigits = (texts: readonly (string | undefined)[]): number =>
  texts.reduce((most, text = '1') => Math.max(most, /\.(\d+)$/.exec(text)?.[1]?.length ?? 0), 0)

function units(place: string, text: string, decimals: number, isZeroAllowed = false): number {
  const parsed = typeof text === 'string' ? parseUnits(text, decimals) : undefined
  if (parsed === undefined) throw new InputError(place, `expected a decimal string, got ${typeof text}`)
  if (!parsed.ok) throw new InputError(place, faultMessage(parsed.fault, text, decimals))
  if (parsed.value > 0 || isZeroAllowed) return parsed.value
  throw new InputError(place, 'expected a value above 0')
}

function tradeBlock({ where }: MemoryTape, trades: readonly TestTrade[], precisions: TapePrecisions): TapeBlock {
  const { pricePrecision, qtyPrecision } = precisions
  const at = (index: number, field: string): string => `${where}[${index}].${field}`
  return {
    length: trades.length,
    time: Float64Array.from(trades, ({ time }) => time),
    price: Float64Array.from(trades, ({ price }, index) => units(at(index, 'price'), price, pricePrecision)),
    qty: Float64Array.from(trades, ({ qty = '1' }, index) => units(at(index, 'qty'), qty, qtyPrecision)),
    side: Uint8Array.from(trades, ({ side }) =>
      side === undefined ? SIDE_UNKNOWN : side === 'BUY' ? SIDE_BUY : SIDE_SELL,
    ),
    ids: undefined,
  }
}

function candleBlock({ where }: MemoryTape, candles: readonly TestCandle[], precisions: TapePrecisions): CandleBlock {
  const { pricePrecision, qtyPrecision } = precisions
  const prices = (field: 'open' | 'high' | 'low' | 'close'): Float64Array =>
    Float64Array.from(candles, (candle, index) => units(`${where}[${index}].${field}`, candle[field], pricePrecision))
  const [open, high, low, close] = [prices('open'), prices('high'), prices('low'), prices('close')]
  candles.forEach((_, index) => {
    const body = [open[index] ?? 0, close[index] ?? 0]
    if ((low[index] ?? 0) <= Math.min(...body) && (high[index] ?? 0) >= Math.max(...body)) return
    throw new InputError(`${where}[${index}]`, 'expected low <= open, close <= high')
  })
  return {
    length: candles.length,
    time: Float64Array.from(candles, ({ time }) => time),
    open,
    high,
    low,
    close,
    volume: Float64Array.from(candles, ({ volume = '1' }, index) =>
      units(`${where}[${index}].volume`, volume, qtyPrecision, true),
    ),
  }
}
