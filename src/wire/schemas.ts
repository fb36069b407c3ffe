/** The service's resources as schemas (section 2): what answers look like, for the OpenAPI document and for tests. */
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
const side = z.enum(SIDES).meta({ id: 'Side' })
const orderType = z.enum(ORDER_TYPES).meta({ id: 'OrderType' })
/** Section 3. */
export const orderStatusSchema = z.enum(ORDER_STATUSES).meta({ id: 'OrderStatus' })
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
    type: orderType,
    status: orderStatusSchema,
    price: decimal.optional().meta({ description: 'limit orders only' }),
    qty: decimal,
    filledQty: decimal,
    averagePrice: decimal.optional().meta({ description: 'after at least one fill' }),
    createdAt: dateTime,
  })
  .meta({ id: 'Order' })

/** Decision 29. */
const requestDecimal = decimal.max(40)

const limitOrderRequest = z
  .strictObject({ symbol, side, type: z.literal('LIMIT'), price: requestDecimal, qty: requestDecimal })
  .meta({ id: 'LimitOrderRequest', description: 'an order at a limit price' })

const marketOrderRequest = z
  .strictObject({ symbol, side, type: z.literal('MARKET'), qty: requestDecimal })
  .meta({ id: 'MarketOrderRequest', description: 'an order at the prices of the book, without a limit price' })

export const orderRequestSchema = z
  .discriminatedUnion('type', [limitOrderRequest, marketOrderRequest])
  .meta({ id: 'OrderRequest', description: 'a limit or a market order, distinguished by its type' })

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

const balanceSchema = z.strictObject({ available: decimal, locked: decimal }).meta({ id: 'Balance' })

export const balancesSchema = z.record(z.string(), balanceSchema).meta({ id: 'Balances' })

const positionSchema = z
  .strictObject({
    asset: z.string(),
    available: decimal,
    locked: decimal,
    total: decimal,
    markPrice: decimal,
    value: decimal,
  })
  .meta({ id: 'Position' })

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
    positions: z.array(positionSchema),
  })
  .meta({ id: 'Portfolio' })

export const errorDetailSchema = z
  .strictObject({
    message: z.string().meta({ examples: ["expected an integer from 1 to 500, got '0'"] }),
    field: z
      .string()
      .optional()
      .meta({ examples: ['limit'] }),
  })
  .meta({ id: 'ErrorDetail', description: 'one field that is wrong' })

export const requestIdSchema = z.uuid().meta({
  description: 'the same as in the header X-Request-Id',
  examples: ['8c2f0a5e-6a3c-4b0e-9d55-6a2f3f1c9b10'],
})

export const errorSchema = z.strictObject({
  error: z.strictObject({ code: z.string(), message: z.string(), details: z.array(errorDetailSchema).optional() }),
  requestId: requestIdSchema,
})
