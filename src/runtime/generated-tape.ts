/**
 * A tape that nobody recorded: what the agents trade with each other on our own exchange, from a seed.
 *
 * The same terms give the same trades on every machine and Node version.
 */
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus'
import { assetsOfSymbol, type MarketConfig } from '../domain/market.ts'
import type { Trade } from '../domain/trade.ts'
import { createExchange } from '../exchange/create-exchange.ts'
import { AgentPopulation } from '../simulation/agents/agent-population.ts'
import { agentTermsOf } from '../simulation/agents/agent-terms.ts'
import { EventQueue } from '../simulation/event-queue.ts'
import { createLiquidity } from '../simulation/liquidity/liquidity-models.ts'
import { SimulatedMarket } from '../simulation/simulated-market.ts'

export interface GeneratedTapeTerms {
  /** BASE_QUOTE. */
  readonly symbol: string
  /** Unix milliseconds, inclusive and exclusive. */
  readonly from: number
  readonly to: number
  /** A 32-bit integer. */
  readonly seed: number
}

const PRICE_PRECISION = 2
const QTY_PRECISION = 5
/** The agents remember for themselves what they need. */
const HISTORY = { orders: 0, fills: 0, trades: 0, candles: 1 }

/** @throws {InputError} when the symbol is not of the form BASE_QUOTE */
export function generatedMarket(symbol: string): MarketConfig {
  const { baseAsset, quoteAsset } = assetsOfSymbol('--symbol', symbol)
  const precisions = { pricePrecision: PRICE_PRECISION, qtyPrecision: QTY_PRECISION }
  const rules = { makerFeeBps: '0', takerFeeBps: '0', selfTrade: 'reject' } as const
  return { id: symbol, name: symbol, symbol, baseAsset, quoteAsset, ...precisions, ...rules }
}

/** Every trade in its order, made as it is asked for; in constant memory. */
export function* generatedTrades({ symbol, from, to, seed }: GeneratedTapeTerms): Generator<Trade, void, undefined> {
  const market = generatedMarket(symbol)
  const exchange = createExchange({ markets: [market], quoteAsset: market.quoteAsset, history: HISTORY })
  const queue = new EventQueue(from)
  // The model is never asked: without recorded trades the crowd has nothing to offer.
  const simulated = new SimulatedMarket(exchange, queue, () => createLiquidity('ideal'))
  const trades: Trade[] = []
  simulated.listen(symbol, { onTrade: (trade) => trades.push(trade) })
  new AgentPopulation(simulated, symbol, agentTermsOf(market), xoroshiro128plus(seed)).start()
  while (queue.nextTime < to) {
    queue.runNext()
    yield* trades.splice(0)
  }
}
