/**
 * Whether an order may enter, in the order of decision 10. Looks only; a refused order changes nothing.
 */
import type { OrderRequest } from '../domain/order.ts'
import type { Refusal } from '../domain/refusal.ts'
import type { Account } from './account.ts'
import { costWithFee } from './fees.ts'
import type { MarketState } from './market-state.ts'

/** Why `request` is refused; undefined when it is not. */
export function refusalOf(request: OrderRequest, account: Account, market: MarketState): Refusal | undefined {
  if (request.qty === 0) return { code: 'ORDER_REJECTED', message: 'qty is zero' }
  if (request.type === 'LIMIT' && request.price === 0) return { code: 'ORDER_REJECTED', message: 'price is zero' }
  if (request.type === 'MARKET' && market.book.walk(request).next().done === true) {
    return {
      code: 'NO_LIQUIDITY',
      message: `no ${request.side === 'BUY' ? 'sell' : 'buy'} orders in ${request.symbol}`,
    }
  }
  if (account.isCrowd) return undefined
  return balanceRefusal(request, account, market) ?? selfTradeRefusal(request, account, market)
}

function balanceRefusal(request: OrderRequest, account: Account, market: MarketState): Refusal | undefined {
  const { config } = market
  const { base, quote } = market.rules
  const [asset, name] = request.side === 'BUY' ? [quote, config.quoteAsset] : [base, config.baseAsset]
  const available = account.available[asset] ?? 0n
  if (needOf(request, market) <= available) return undefined
  return { code: 'INSUFFICIENT_BALANCE', message: `not enough ${name} available` }
}

/** The most that the order can take from the account, in ledger units. */
function needOf(request: OrderRequest, market: MarketState): bigint {
  if (request.side === 'SELL') return BigInt(request.qty) * market.rules.unitsPerLot
  if (request.type === 'LIMIT')
    return costWithFee(market.rules.cost(request.price, request.qty), market.rules.highestRate)
  let cost = 0n
  for (const { price, qty } of market.book.walk(request)) cost += market.rules.cost(price, qty)
  return costWithFee(cost, market.rules.takerRate)
}

function selfTradeRefusal(request: OrderRequest, account: Account, market: MarketState): Refusal | undefined {
  if (market.config.selfTrade === 'allow') return undefined
  for (const { maker } of market.book.walk(request)) {
    if (maker.account === account) return { code: 'ORDER_REJECTED', message: `would trade with own order ${maker.id}` }
  }
  return undefined
}
