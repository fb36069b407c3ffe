/**
 * The agents that trade in an emulator's markets, and cancellation of their orders after a restart, which keeps the
 * books but not the agents.
 */
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus'
import { CROWD } from '../../domain/command.ts'
import type { Exchange } from '../../exchange/exchange.ts'
import { accountsOfAgents, AgentPopulation } from '../../simulation/agents/agent-population.ts'
import { agentTermsOf } from '../../simulation/agents/agent-terms.ts'
import type { SimulatedMarkets } from '../../simulation/simulated-markets.ts'
import { stirredSeed } from '../../simulation/stirred-seed.ts'

/** A trade every few seconds in each market. */
const LIVELY_PACE = 20

/**
 * Starts agents in every market, at the present time of its queue.
 *
 * In a market with trades they continue from its last price, with their existing balances.
 */
export function startAgents(simulated: SimulatedMarkets, seed: number): void {
  const { exchange, queue } = simulated
  for (const market of exchange.markets) {
    const { symbol } = market
    const [last] = exchange.trades(symbol, 1)
    const usual = { ...agentTermsOf(market), pace: LIVELY_PACE }
    const terms = last === undefined ? usual : { ...usual, firstPrice: last.price }
    // Agents that continue must not repeat their random numbers.
    const ownSeed = stirredSeed(seed, symbol, last === undefined ? '' : String(queue.now()))
    const agents = new AgentPopulation(simulated, symbol, terms, xoroshiro128plus(ownSeed))
    if (areCredited(exchange, symbol)) agents.resume()
    else agents.start()
  }
}

/**
 * Cancels every open order of the crowd and of agents, whether they trade again or not; their history keeps them as
 * cancelled.
 *
 * @param time  Unix milliseconds, not before the exchange's
 */
export function cancelAbandonedOrders(exchange: Exchange, time: number): void {
  const agents = exchange.markets.flatMap(({ symbol }) => accountsOfAgents(symbol))
  for (const account of [CROWD, ...agents]) {
    for (const { id } of exchange.openOrders(account)) {
      exchange.execute({ type: 'cancel', time, account, orderId: id })
    }
  }
}

const areCredited = (exchange: Exchange, symbol: string): boolean =>
  accountsOfAgents(symbol).some((account) =>
    Array.from(exchange.balances(account).values()).some(({ available, locked }) => available + locked > 0n),
  )
