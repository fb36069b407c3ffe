/**
 * Random markets, tight on purpose: three users and the crowd, ten prices, quantities 0 to 9, balances that cover one
 * to three orders. Wide generators find nothing.
 */
import type { MarketConfig } from '../../../src/domain/market.ts'
import type { HistoryLimits } from '../../../src/exchange/exchange.ts'
import type { Chance } from './chance.ts'
import { market } from './configs.ts'
import { randomLadder } from './price-ladder.ts'

export const USERS = ['alice', 'bob', 'carol'] as const

/** A market, and what a step's small numbers stand for. */
export interface RandomMarket {
  readonly config: MarketConfig
  /** Ticks of the prices 1, 2, 3 and so on; they rise. */
  readonly ladder: readonly number[]
  /** Lots in a quantity of 1. */
  readonly qtyUnit: number
}

const FEES = ['0', '0', '10', '33.3333', '7.0001', '0.0001', '9999.9999', '10000'] as const
const KEPT = [0, 1, 2, 5, Infinity] as const
const SYMBOLS = [
  ...Array.from({ length: 5 }, () => ['BTC_USD'] as const),
  ['BTC_USD', 'ETH_USD'],
  ['ETH_BTC', 'BTC_USD', 'ETH_USD'],
  ['BTC_EUR', 'BTC_USD'],
  ['BTC_USD', 'ETH_USD', 'SOL_USD'],
] as const
/** Of a large order: it sweeps what a few others have put there. */
export const MAX_QTY = 27
/** The last one makes the largest order of nearly as many lots as there can be. */
const QTY_UNITS = [1, 1, 7, 1_000, 123_456_789, Math.floor(Number.MAX_SAFE_INTEGER / MAX_QTY)] as const
/** Prices of a market, but of one that is deep. */
const PRICES = 10

const precision = (chance: Chance): number => (chance.oneIn(2) ? chance.pick([0, 0, 2, 8, 12]) : chance.below(13))

function randomMarket(chance: Chance, symbol: string, isDeep: boolean): RandomMarket {
  const rules = {
    pricePrecision: precision(chance),
    qtyPrecision: precision(chance),
    makerFeeBps: chance.pick(FEES),
    takerFeeBps: chance.pick(FEES),
    selfTrade: chance.pick(['allow', 'reject']),
  }
  const ladder = randomLadder(chance, isDeep ? chance.between(60, 250) : PRICES, isDeep)
  return { config: market(symbol, rules), ladder, qtyUnit: chance.pick(QTY_UNITS) }
}

/** @param isDeep  one market with hundreds of prices */
export const randomMarkets = (chance: Chance, isDeep: boolean): readonly RandomMarket[] =>
  (isDeep ? ['BTC_USD'] : chance.pick(SYMBOLS)).map((symbol) => randomMarket(chance, symbol, isDeep))

export const randomHistory = (chance: Chance): HistoryLimits => ({
  orders: chance.pick(KEPT),
  fills: chance.pick(KEPT),
  trades: chance.pick(KEPT),
  candles: chance.pick(KEPT),
})
