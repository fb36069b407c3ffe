/**
 * Whether the naive exchange takes an order, and what it would meet (decisions 10, 11 and 13).
 */
import type { OrderRequest } from '../../src/domain/order.ts'
import type { RefusalCode } from '../../src/domain/refusal.ts'
import { balanceOf } from './naive-ledger.ts'
import type { NaiveMarket, NaiveOrder } from './naive-market.ts'
import { CROWD, must, oppositeOf, sum, withFee } from './naive-numbers.ts'
import { limitPrice, notionalOf, remainingQty } from './naive-order.ts'
import type { NaiveState } from './naive-state.ts'

/** A resting order that an incoming one meets, and how much of it. */
export interface NaiveMatch {
  readonly maker: NaiveOrder
  readonly qty: number
}

function accepts(request: OrderRequest, price: number): boolean {
  if (request.type === 'MARKET') return true
  return request.side === 'BUY' ? price <= request.price : price >= request.price
}

/** The resting orders that the request would be matched with, in price-time priority. */
export function walk({ book }: NaiveMarket, request: OrderRequest): readonly NaiveMatch[] {
  const matches: NaiveMatch[] = []
  let left = request.qty
  for (const maker of book[oppositeOf(request.side)]) {
    if (left === 0 || !accepts(request, limitPrice(maker))) break
    const qty = Math.min(left, remainingQty(maker))
    matches.push({ maker, qty })
    left -= qty
  }
  return matches
}

/** The most that an order can cost, in ledger units of the asset that it is paid in. */
function needOf(market: NaiveMarket, request: OrderRequest): { asset: string; amount: bigint } {
  const { baseAsset, quoteAsset } = market.config
  const cost = (notional: bigint, rate: bigint) => ({
    asset: quoteAsset,
    amount: withFee(market.quoteUnits(notional), rate),
  })
  if (request.side === 'SELL') return { asset: baseAsset, amount: market.baseUnits(request.qty) }
  if (request.type === 'LIMIT') return cost(notionalOf(request.price, request.qty), market.higherFeeRate)
  const walked = walk(market, request).map(({ maker, qty }) => notionalOf(limitPrice(maker), qty))
  return cost(sum(walked), market.feeRate.taker)
}

const isUnits = (value: number): boolean => Number.isSafeInteger(value) && value >= 0

/** The checks of decision 10, in its order; undefined when the order is taken. */
export function whyRefused(state: NaiveState, account: string, request: OrderRequest): RefusalCode | undefined {
  const { symbol, side, type, qty } = request
  const market = state.markets.find(({ config }) => config.symbol === symbol)
  if (market === undefined) return 'MARKET_NOT_FOUND'
  must(isUnits(qty) && (type === 'MARKET' || isUnits(request.price)), 'price and qty are ticks and lots')
  if (qty === 0 || (type === 'LIMIT' && request.price === 0)) return 'ORDER_REJECTED'
  if (type === 'MARKET' && market.book[oppositeOf(side)].length === 0) return 'NO_LIQUIDITY'
  if (account === CROWD) return undefined
  const { asset, amount } = needOf(market, request)
  if (amount > balanceOf(state, account, asset).available) return 'INSUFFICIENT_BALANCE'
  const meetsItself = walk(market, request).some(({ maker }) => maker.account === account)
  return market.config.selfTrade === 'reject' && meetsItself ? 'ORDER_REJECTED' : undefined
}
