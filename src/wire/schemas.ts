/**
 * The service's resources as schemas (section 2): what answers look like, for the OpenAPI document and for tests.
 */
import { z } from 'zod'
import { MAX_PRECISION } from '../domain/market.ts'
import { ORDER_STATUSES, ORDER_TYPES, SIDES } from '../domain/order.ts'

const decimal = z
  .string()
  .regex(/^\d+(\.\d+)?$/)
  .meta({ description: 'non-negative decimal' })
const signedDecimal = z
  .string()
  .regex(/^[+-]?\d+(\.\d+)?$/)
  .meta({ description: 'signed decimal' })
const dateTime = z.iso.datetime()
const unixMs = z.int().min(0).meta({ description: 'Unix milliseconds' })
const precision = z.int().min(0).max(MAX_PRECISION)
const side = z.enum(SIDES)
const symbol = z.string().meta({ description: 'BASE_QUOTE, as GET /markets lists it', examples: ['BTC_USD'] })

export const marketSchema = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    symbol,
    baseAsset: z.string(),
    quoteAsset: z.string(),
    pricePrecision: precision,
    qtyPrecision: precision,
  })
  .meta({ id: 'Market' })

export const orderSchema = z
  .strictObject({
    id: z.string(),
    userId: z.string(),
    symbol,
    side,
    type: z.enum(ORDER_TYPES),
    status: z.enum(ORDER_STATUSES),
    price: decimal.optional().meta({ description: 'limit orders only' }),
    qty: decimal,
    filledQty: decimal,
    averagePrice: decimal.optional().meta({ description: 'after at least one fill' }),
    createdAt: dateTime,
  })
  .meta({ id: 'Order' })

/** Decision 29. */
const requestDecimal = decimal.max(40)

export const orderRequestSchema = z
  .discriminatedUnion('type', [
    z.strictObject({ symbol, side, type: z.literal('LIMIT'), price: requestDecimal, qty: requestDecimal }),
    z.strictObject({ symbol, side, type: z.literal('MARKET'), qty: requestDecimal }),
  ])
  .meta({ id: 'OrderRequest' })

const publicTrade = {
  id: z.string(),
  symbol,
  price: decimal,
  qty: decimal,
  buyOrderId: z.string(),
  sellOrderId: z.string(),
  buyerId: z.string(),
  sellerId: z.string(),
  isBuyerMaker: z.boolean().meta({ description: 'true when the resting order was the buy order' }),
  createdAt: unixMs,
}

export const tradeSchema = z.strictObject(publicTrade).meta({ id: 'Trade' })

export const privateTradeSchema = z
  .strictObject({ ...publicTrade, side, orderId: z.string(), isMaker: z.boolean() })
  .meta({ id: 'PrivateTrade' })

export const tickerSchema = z
  .strictObject({
    event: z.literal('ticker'),
    symbol,
    lastPrice: decimal,
    openPrice: decimal,
    high: decimal,
    low: decimal,
    volume: decimal,
    quoteVolume: decimal,
    priceChange: signedDecimal,
    priceChangePercent: z.number(),
    timestamp: dateTime,
  })
  .meta({ id: 'Ticker' })

export const candleSchema = z
  .strictObject({ time: unixMs, symbol, open: decimal, high: decimal, low: decimal, close: decimal, volume: decimal })
  .meta({ id: 'Candle' })

export const balancesSchema = z
  .record(z.string(), z.strictObject({ available: decimal, locked: decimal }))
  .meta({ id: 'Balances' })

export const portfolioSchema = z
  .strictObject({
    quoteAsset: z.string(),
    equity: decimal,
    baselineEquity: decimal,
    pnl: signedDecimal,
    pnlPercent: signedDecimal,
    baselineAt: dateTime,
    asOf: dateTime,
    partial: z.boolean(),
    positions: z.array(
      z.strictObject({
        asset: z.string(),
        available: decimal,
        locked: decimal,
        total: decimal,
        markPrice: decimal,
        value: decimal,
      }),
    ),
  })
  .meta({ id: 'Portfolio' })

export const errorSchema = z
  .strictObject({
    error: z.strictObject({
      code: z.string(),
      message: z.string(),
      details: z.array(z.strictObject({ message: z.string(), field: z.string().optional() })).optional(),
    }),
    requestId: z.uuid(),
  })
  .meta({ id: 'Error' })
