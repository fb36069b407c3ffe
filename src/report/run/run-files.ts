/**
 * The CSV files of a run, row by row: write the header once, then a row for each order, fill and sample.
 *
 * Invariant: a row has as many fields as its header, and every amount is exact.
 */
import type { EquitySample } from '../../analysis/equity-curve.ts'
import type { Decimal } from '../../domain/decimal.ts'
import { formatTrimmed } from '../../domain/fixed-point.ts'
import type { Market } from '../../domain/market.ts'
import { isoTime } from '../../domain/time.ts'
import { ExactFill } from '../../strategy/exact-fill.ts'
import { ExactOrder } from '../../strategy/exact-order.ts'
import type { OwnFill, OwnOrder } from '../../strategy/own-order.ts'
import { csvRow } from './csv-row.ts'

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

/** Header of equity.csv. */
export const EQUITY_HEADER = csvRow(['time_ms', 'equity'])

/**
 * A row of orders.csv: prices and quantities in the market's precisions, the fee in its quote asset, the time in ISO 8601;
 * no price for a market order, no average price before a fill.
 *
 * @param fee  over all fills of the order
 */
export function orderRow(order: OwnOrder, market: Market, fee: Decimal): string {
  const { price, qty, filledQty, averagePrice } = order instanceof ExactOrder ? order.cells : orderCells(order, market)
  return csvRow([
    order.id,
    order.symbol,
    order.side,
    order.type,
    order.status,
    price,
    qty,
    filledQty,
    averagePrice,
    fee.toFixed(),
    isoTime(order.createdAt),
    order.tag ?? '',
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
  return csvRow([
    fill.tradeId,
    String(fill.createdAt),
    fill.symbol,
    fill.side,
    price,
    qty,
    fill.orderId,
    String(fill.isMaker),
    fee,
    market.quoteAsset,
  ])
}

const fillCells = (fill: OwnFill, market: Market): ExactFill['cells'] => ({
  price: fill.price.toFixed(market.pricePrecision),
  qty: fill.qty.toFixed(market.qtyPrecision),
  fee: fill.fee.toFixed(),
})

/** A row of equity.csv, the time in Unix milliseconds. */
export const equityRow = (sample: EquitySample, valueScale: number): string =>
  csvRow([String(sample.time), formatTrimmed(sample.equity, valueScale)])
