/**
 * Synthetic tape: trades of the agents with each other on papertape's own exchange, from a seed.
 *
 * The same terms give the same trades on every machine and Node version; two markets of one seed are independent.
 */
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus'
import { assetsOfSymbol, type MarketConfig } from '../../domain/market.ts'
import type { Trade } from '../../domain/trade.ts'
import { createExchange } from '../../exchange/create-exchange.ts'
import { AgentPopulation } from './agent-population.ts'
import { agentTermsOf } from './agent-terms.ts'
import { EventQueue } from '../event-queue.ts'
import { IdealLiquidity } from '../liquidity/ideal.ts'
import { SimulatedMarkets } from '../simulated-markets.ts'
import { stirredSeed } from '../stirred-seed.ts'

export interface GeneratedTapeTerms {
  readonly market: MarketConfig
  /** Unix milliseconds, inclusive and exclusive. */
  readonly from: number
  readonly to: number
  /** A 32-bit integer. */
  readonly seed: number
}

const PRICE_PRECISION = 2
const QTY_PRECISION = 5
/** Minimal history: the agents store what they need themselves. */
const HISTORY = { orders: 0, fills: 0, trades: 0, candles: 1 }

/** @throws {InputError} at `where`, when the symbol is not of the form BASE_QUOTE */
export function generatedMarket(where: string, symbol: string): MarketConfig {
  const { baseAsset, quoteAsset } = assetsOfSymbol(where, symbol)
  const precisions = { pricePrecision: PRICE_PRECISION, qtyPrecision: QTY_PRECISION }
  const rules = { makerFeeBps: '0', takerFeeBps: '0', selfTrade: 'reject' } as const
  return { id: symbol, name: symbol, symbol, baseAsset, quoteAsset, ...precisions, ...rules }
}

/** Every trade, oldest first, generated lazily; past trades are not stored. */
export function* generatedTrades({ market, from, to, seed }: GeneratedTapeTerms): Generator<Trade, void, undefined> {
  const exchange = createExchange({ markets: [market], quoteAsset: market.quoteAsset, history: HISTORY })
  const queue = new EventQueue(from)
  // Any model would do: in a market without recorded trades the crowd has nothing to offer.
  const simulated = new SimulatedMarkets(exchange, queue, () => new IdealLiquidity())
  const trades: Trade[] = []
  simulated.listen(market.symbol, { onTrade: (trade) => trades.push(trade) })
  const generator = xoroshiro128plus(stirredSeed(seed, market.symbol))
  new AgentPopulation(simulated, market.symbol, agentTermsOf(market), generator).start()
  while (queue.nextTime < to) {
    queue.runNext()
    yield* trades.splice(0)
  }
}
