/**
 * One order of the naive exchange: what was asked, and the list of its fills. Everything else about it is worked out anew
 * each time from that list.
 */
import { CROWD } from '../../src/domain/command.ts'
import { invariant } from '../../src/domain/errors.ts'
import { divideUp, powerOfTen } from '../../src/domain/fixed-point.ts'
import { FEE_RATE_ONE, parseFeeRate } from '../../src/domain/market.ts'
import type { MarketConfig } from '../../src/domain/market.ts'
import type { Order, OrderRequest, OrderStatus } from '../../src/domain/order.ts'

export interface NaiveFill {
  readonly price: number
  readonly qty: number
  readonly role: 'maker' | 'taker'
}

export interface NaiveOrder {
  readonly id: number
  readonly account: string
  readonly request: OrderRequest
  readonly market: NaiveMarket
  readonly createdAt: number
  readonly fills: NaiveFill[]
  cancelled: boolean
  /** Its place in the queue at its price: the lower is before. */
  rank: number
}

/** A market with what turns its ticks and lots into ledger units. */
export interface NaiveMarket {
  readonly config: MarketConfig
  /** Ledger units of the base asset of a number of lots. */
  readonly baseUnits: (lots: number) => bigint
  /** Ledger units of the quote asset of a number of ticks x lots. */
  readonly quoteUnits: (notional: bigint) => bigint
  /** 10^-8 of the notional. */
  readonly feeRate: Readonly<Record<'maker' | 'taker', bigint>>
  readonly higherFeeRate: bigint
}

export function naiveMarket(config: MarketConfig, scales: ReadonlyMap<string, number>): NaiveMarket {
  const extraDigits = (asset: string, digits: number): bigint => powerOfTen((scales.get(asset) ?? 0) - digits)
  const lot = extraDigits(config.baseAsset, config.qtyPrecision)
  const tickLot = extraDigits(config.quoteAsset, config.pricePrecision + config.qtyPrecision)
  const maker = parseFeeRate(`${config.symbol}.makerFeeBps`, config.makerFeeBps)
  const taker = parseFeeRate(`${config.symbol}.takerFeeBps`, config.takerFeeBps)
  return {
    config,
    baseUnits: (lots) => BigInt(lots) * lot,
    quoteUnits: (notional) => notional * tickLot,
    feeRate: { maker, taker },
    higherFeeRate: maker > taker ? maker : taker,
  }
}

export const notionalOf = (price: number, qty: number): bigint => BigInt(price) * BigInt(qty)

export const sum = (values: readonly bigint[]): bigint => values.reduce((total, value) => total + value, 0n)

const filledQty = (order: NaiveOrder): number => order.fills.reduce((total, fill) => total + fill.qty, 0)

export const remainingQty = (order: NaiveOrder): number => order.request.qty - filledQty(order)

export function limitPrice(order: NaiveOrder): number {
  invariant(order.request.type === 'LIMIT', `order ${order.id} has no limit price`)
  return order.request.price
}

/** The specification, section 3: a match may also move OPEN straight to FILLED. */
export function statusOf(order: NaiveOrder): OrderStatus {
  if (order.cancelled) return 'CANCELLED'
  if (remainingQty(order) === 0) return 'FILLED'
  return order.fills.length === 0 ? 'OPEN' : 'PARTIALLY_FILLED'
}

/** Exact fee over all fills, each at its own role's rate, in 10^-8 ledger units. */
function exactFee(order: NaiveOrder): bigint {
  if (order.account === CROWD) return 0n
  const { quoteUnits, feeRate } = order.market
  return sum(order.fills.map((fill) => quoteUnits(notionalOf(fill.price, fill.qty)) * feeRate[fill.role]))
}

/** Decision 12: the exact fee, rounded up once. */
export const feeOf = (order: NaiveOrder): bigint => divideUp(exactFee(order), FEE_RATE_ONE)

/** What a live order holds back of its account: quote ledger units for a buy, base ledger units for a sell (decision 12). */
export function reservationOf(order: NaiveOrder): bigint {
  const { baseUnits, quoteUnits, higherFeeRate } = order.market
  if (order.account === CROWD) return 0n
  if (order.request.side === 'SELL') return baseUnits(remainingQty(order))
  const rest = quoteUnits(notionalOf(limitPrice(order), remainingQty(order)))
  return rest + divideUp(exactFee(order) + rest * higherFeeRate, FEE_RATE_ONE) - feeOf(order)
}

/** The order as the exchange hands it out. */
export function snapshotOf(order: NaiveOrder): Order {
  const { request } = order
  return {
    id: order.id,
    userId: order.account,
    symbol: request.symbol,
    side: request.side,
    type: request.type,
    status: statusOf(order),
    ...(request.type === 'LIMIT' ? { price: request.price } : {}),
    qty: request.qty,
    filledQty: filledQty(order),
    filledNotional: sum(order.fills.map((fill) => notionalOf(fill.price, fill.qty))),
    fee: feeOf(order),
    createdAt: order.createdAt,
  }
}
