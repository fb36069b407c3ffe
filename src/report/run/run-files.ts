/**
 * The CSV files of a run, row by row: write the header once, then a row for each order, fill, round trip and sample.
 *
 * Invariant: a row has as many fields as its header, and every amount is exact. Rows of which a run may have millions
 * are put together without a list, and only fields that may need quotes are searched.
 */
import type { EquitySample } from '../../analysis/equity-curve.ts'
import type { PeriodSample } from '../../analysis/returns/period-samples.ts'
import type { RoundTrip } from '../../analysis/round-trip.ts'
import type { Decimal } from '../../domain/decimal.ts'
import { formatTrimmed, formatUnits } from '../../domain/fixed-point.ts'
import type { Market } from '../../domain/market.ts'
import { averagePrice } from '../../domain/order.ts'
import { isoTime } from '../../domain/time.ts'
import type { MarketCandle } from '../../runtime/figures/market-candles.ts'
import { writeRequest } from '../../runtime/session/intent-request.ts'
import type { NoteRow } from '../../runtime/session/plot-commands.ts'
import type { RefusedRequest } from '../../runtime/session/refused-request.ts'
import { ExactFill } from '../../strategy/exact-fill.ts'
import { ExactOrder } from '../../strategy/exact-order.ts'
import type { PlaceIntent } from '../../strategy/intent.ts'
import type { OwnFill, OwnOrder } from '../../strategy/own-order.ts'
import { csvField, csvRow } from './csv-row.ts'
import { requestKey } from './refused-text.ts'

/** Header of orders.csv. */
export const ORDERS_HEADER = csvRow([
  'id',
  'symbol',
  'side',
  'type',
  'status',
  'price',
  'qty',
  'filled_qty',
  'average_price',
  'fee',
  'created_at',
  'tag',
  'reason',
])

/** Header of fills.csv. */
export const FILLS_HEADER = csvRow([
  'trade_id',
  'time_ms',
  'symbol',
  'side',
  'price',
  'qty',
  'order_id',
  'is_maker',
  'fee',
  'fee_asset',
])

/** Header of trades.csv. */
export const TRIPS_HEADER = csvRow([
  'symbol',
  'side',
  'opened_at',
  'closed_at',
  'qty',
  'entry',
  'exit',
  'profit',
  'return',
  'fees',
  'mae',
  'mfe',
  'fills',
  'tags',
])

/** Header of equity.csv and of periods.csv. @param hasTransfers  between strategies of a wallet */
export const equityHeader = (hasTransfers: boolean): string =>
  csvRow(['time_ms', 'equity', ...(hasTransfers ? ['factor'] : [])])

/** Header of candles.csv. */
export const CANDLES_HEADER = csvRow(['symbol', 'interval_ms', 'time_ms', 'open', 'high', 'low', 'close', 'volume'])

/**
 * A row of orders.csv: prices and quantities in the market's precisions, the fee in its quote asset, the time in ISO
 * 8601; no price for a market order, no average price before a fill.
 *
 * @param fee  over all fills of the order
 */
export function orderRow(order: OwnOrder, market: Market, fee: Decimal): string {
  const { price, qty, filledQty, averagePrice } = order instanceof ExactOrder ? order.cells : orderCells(order, market)
  const { id, symbol, side, type, status, createdAt, tag = '' } = order
  const amounts = `${price},${qty},${filledQty},${averagePrice},${fee.toFixed()}`
  return `${csvField(id)},${csvField(symbol)},${side},${type},${status},${amounts},${isoTime(createdAt)},${csvField(tag)},\n`
}

/**
 * A row of orders.csv for an order that was refused: by the number of its request, as it was asked for, at the time of
 * the refusal, with the code and the text of that as its reason.
 */
export function refusedRow({ reference, refusal, time }: RefusedRequest, intent: PlaceIntent): string {
  const { symbol, side, type, price = '', qty } = writeRequest(intent)
  return csvRow([
    requestKey(reference),
    symbol,
    side,
    type,
    'REFUSED',
    price,
    qty,
    '0',
    '',
    '0',
    isoTime(time),
    intent.tag ?? '',
    `${refusal.code}: ${refusal.message}`,
  ])
}

const orderCells = (order: OwnOrder, market: Market): ExactOrder['cells'] => ({
  price: order.price?.toFixed(market.pricePrecision) ?? '',
  qty: order.qty.toFixed(market.qtyPrecision),
  filledQty: order.filledQty.toFixed(market.qtyPrecision),
  averagePrice: order.averagePrice?.toFixed() ?? '',
})

/** A row of fills.csv, the time in Unix milliseconds. */
export function fillRow(fill: OwnFill, market: Market): string {
  const { price, qty, fee } = fill instanceof ExactFill ? fill.cells : fillCells(fill, market)
  const { tradeId, createdAt, symbol, side, orderId, isMaker } = fill
  return `${csvField(tradeId)},${createdAt},${csvField(symbol)},${side},${price},${qty},${csvField(orderId)},${isMaker},${fee},${csvField(market.quoteAsset)}\n`
}

const fillCells = (fill: OwnFill, market: Market): ExactFill['cells'] => ({
  price: fill.price.toFixed(market.pricePrecision),
  qty: fill.qty.toFixed(market.qtyPrecision),
  fee: fill.fee.toFixed(),
})

/**
 * A row of trades.csv, one round trip: largest quantity, average prices with 8 more digits than prices have, profit net
 * of fees and the fees in the quote asset, times in ISO 8601, and the tags of its orders separated by semicolons.
 */
export function tripRow(trip: RoundTrip, { pricePrecision, qtyPrecision }: Market): string {
  const { symbol, side, openedAt, closedAt, qty, entryQty, quoteScale, mae, mfe, fills, tags } = trip
  const entry = averagePrice(trip.entryNotional, entryQty, pricePrecision)
  const exit = averagePrice(trip.exitNotional, entryQty, pricePrecision)
  const [profit, fees] = [formatTrimmed(trip.pnl, quoteScale), formatTrimmed(trip.fees, quoteScale)]
  const results = `${entry},${exit},${profit},${trip.return},${fees},${mae},${mfe},${fills}`
  const span = `${isoTime(openedAt)},${isoTime(closedAt)},${formatUnits(qty, qtyPrecision)}`
  return `${csvField(symbol)},${side},${span},${results},${csvField(tags.join(';'))}\n`
}

/** Header of plots.csv. */
export const PLOTS_HEADER = csvRow(['time', 'name', 'value'])

/** Header of notes.csv. */
export const NOTES_HEADER = csvRow(['time', 'text'])

/** A row of plots.csv. @param time  Unix milliseconds */
export const plotRow = (time: string, name: string, value: string): string => `${time},${csvField(name)},${value}\n`

/** A row of notes.csv, the time in Unix milliseconds. */
export const noteRow = ({ time, text }: NoteRow): string => csvRow([String(time), text])

/**
 * A row of equity.csv, the time in Unix milliseconds.
 * @param factor  by which the equity continues that of before all transfers; undefined for a run without any
 */
export const equityRow = ({ time, equity }: EquitySample, valueScale: number, factor?: number): string =>
  csvRow([String(time), formatTrimmed(equity, valueScale), ...factorField(factor)])

/** A row of periods.csv, the time in Unix milliseconds; no equity where a holding had no price. */
export const periodRow = ({ time, isPartial, equity }: PeriodSample, valueScale: number, factor?: number): string =>
  csvRow([String(time), isPartial ? '' : formatTrimmed(equity, valueScale), ...factorField(factor)])

const factorField = (factor: number | undefined): readonly string[] => (factor === undefined ? [] : [String(factor)])

/** A row of candles.csv with its start in Unix milliseconds; no volume if it is too large to be exact. */
export function candleRow(
  candle: MarketCandle,
  { symbol, pricePrecision, qtyPrecision }: Market,
  intervalMs: number,
): string {
  const { time, open, high, low, close, volume } = candle
  const price = (ticks: number): string => formatUnits(BigInt(ticks), pricePrecision)
  const lots = volume === undefined ? '' : formatTrimmed(BigInt(volume), qtyPrecision)
  return `${csvField(symbol)},${intervalMs},${time},${price(open)},${price(high)},${price(low)},${price(close)},${lots}\n`
}
