/**
 * Which corners an exchange is in, by what can be read of it.
 */
import { CROWD } from '../../../src/domain/command.ts'
import type { MarketConfig } from '../../../src/domain/market.ts'
import type { Order } from '../../../src/domain/order.ts'
import type { Exchange } from '../../../src/exchange/exchange.ts'
import type { Corner } from './corner-names.ts'

const WIDE = 2n ** 53n
const WIDEST = 2n ** 104n

/** @param now  not before the last command */
export function cornersOfState(exchange: Exchange, users: readonly string[], now: number): readonly Corner[] {
  const crowd = [...exchange.balances(CROWD).values()]
  return [
    ...when(
      'the crowd is short',
      crowd.some(({ available }) => available < 0n),
    ),
    ...exchange.markets.flatMap(({ symbol }) => cornersOfMarket(exchange, symbol, now)),
    ...users.flatMap((user) => cornersOfUser(exchange, user, now)),
  ]
}

const when = (corner: Corner, isReached: boolean): readonly Corner[] => (isReached ? [corner] : [])

function cornersOfMarket(exchange: Exchange, symbol: string, now: number): readonly Corner[] {
  const { lastPrice, volume } = exchange.ticker(symbol, now)
  const kept = exchange.trades(symbol, Infinity).reduce((sum, { qty }) => sum + BigInt(qty), 0n)
  return [
    ...when('a day passes without a trade', lastPrice > 0 && volume === 0n),
    ...when('a trade leaves the ticker of its market', volume > 0n && kept > volume),
    ...when('more trades than are kept', volume > kept),
  ]
}

function cornersOfUser(exchange: Exchange, user: string, now: number): readonly Corner[] {
  const { partial, equity, baselineEquity, positions } = exchange.portfolio(user, now)
  const locksTwice = locksOneAssetTwice(exchange.markets, exchange.openOrders(user))
  return [
    ...when('a holding has no price', partial),
    ...when('profit and loss', equity !== baselineEquity),
    ...when('an account locks one asset in two markets', locksTwice),
    ...positions.flatMap(({ available, locked }) => [
      ...when('a balance beyond 2^53', available > WIDE),
      ...when('a balance beyond 2^104', available > WIDEST),
      ...when('more than 2^53 is locked', locked > WIDE),
      ...when('more than 2^104 is locked', locked > WIDEST),
    ]),
  ]
}

function locksOneAssetTwice(markets: readonly MarketConfig[], orders: readonly Order[]): boolean {
  if (markets.length < 2) return false
  const locks = orders.map(({ symbol, side }) => {
    const market = markets.find((listed) => listed.symbol === symbol)
    return { symbol, asset: side === 'BUY' ? market?.quoteAsset : market?.baseAsset }
  })
  return locks.some((lock) => locks.some((other) => other.asset === lock.asset && other.symbol !== lock.symbol))
}
