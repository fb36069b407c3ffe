/**
 * The agents that trade in one market, each with an account of its own.
 *
 * They send ordinary commands on the market they are given, with the balances they are credited, as the event queue
 * runs: without a pause for a tape, or in real time. The same market, terms and generator give the same trades.
 */
import type { JumpableRandomGenerator } from 'pure-rand/types/JumpableRandomGenerator'
import { InputError, invariant } from '../../domain/errors.ts'
import type { ExchangeEvent } from '../../domain/exchange-event.ts'
import { powerOfTen } from '../../domain/fixed-point.ts'
import type { MarketConfig } from '../../domain/market.ts'
import type { Exchange } from '../../exchange/exchange.ts'
import type { SimulatedMarkets } from '../simulated-markets.ts'
import type { Agent } from './agent.ts'
import { AGENT_FACTORIES } from './agent-roster.ts'
import type { PopulationSnapshot, SavedStep } from './agent-snapshot.ts'
import type { AgentTerms } from './agent-terms.ts'
import { Chance } from './chance.ts'
import { AgentAccount } from './agent-account.ts'
import { FairValue } from './fair-value.ts'

/**
 * Initial balances of an agent in small orders: this much base asset, and the initial cost of this much more in the
 * quote asset.
 */
const BASE_STOCK = 1_000_000n
const QUOTE_STOCK = 4_000_000n

export class AgentPopulation {
  readonly #market: SimulatedMarkets
  readonly #config: MarketConfig
  readonly #terms: AgentTerms
  readonly #fairValue: FairValue
  readonly #agentsByName: ReadonlyMap<string, Agent>
  readonly #accountsByName: ReadonlyMap<string, AgentAccount>

  /** @param generator  used by the agents only */
  constructor(market: SimulatedMarkets, symbol: string, terms: AgentTerms, generator: JumpableRandomGenerator) {
    const config = market.exchange.markets.find((each) => each.symbol === symbol)
    invariant(config !== undefined, `no market '${symbol}'`)
    this.#market = market
    this.#config = config
    this.#terms = terms
    const chance = new Chance(generator)
    this.#fairValue = new FairValue(market.queue, chance.split(), terms)
    const { unitQty, pace } = terms
    const scene = { queue: market.queue, fairValue: this.#fairValue, unitQty, pace }
    const manned = [...AGENT_FACTORIES].map(([name, create]) => {
      const account = new AgentAccount(market, symbol, accountOf(symbol, name))
      return { name, account, agent: create(account, scene, chance.split()) }
    })
    this.#agentsByName = new Map(manned.map(({ name, agent }) => [name, agent]))
    this.#accountsByName = new Map(manned.map(({ account }) => [account.account, account]))
  }

  /** Symbol of its market. */
  get symbol(): string {
    return this.#config.symbol
  }

  /** Orders and cancels of the agents that were refused. */
  get refusals(): number {
    return [...this.#accountsByName.values()].reduce((sum, { refusals }) => sum + refusals, 0)
  }

  /** Credits every agent and lets them begin, at the present time of the queue. */
  start(): void {
    for (const account of this.#accountsByName.keys()) this.#credit(account)
    this.resume()
  }

  /** Starts agents that were credited in an earlier run; orders left open by that run are no longer theirs. */
  resume(): void {
    this.#listen()
    this.#fairValue.start()
    for (const agent of this.#agentsByName.values()) agent.start()
  }

  /** News that moves the fair value. @param move  change as a fraction, above -1 */
  shock(move: number): void {
    this.#fairValue.shock(move)
  }

  /** All agents cancel their orders, and send none until they come back. */
  withdraw(): void {
    for (const account of this.#accountsByName.values()) account.withdraw()
  }

  /** Agents that have withdrawn send orders again. */
  comeBack(): void {
    for (const account of this.#accountsByName.values()) account.comeBack()
  }

  save(): PopulationSnapshot {
    const agents = Array.from(this.#agentsByName, ([name, agent]) => ({ name, ...agent.save() }))
    return { symbol: this.#config.symbol, terms: this.#terms, fairValue: this.#fairValue.save(), agents }
  }

  /**
   * Continues from a snapshot, instead of a start.
   *
   * @param shiftMs  milliseconds by which everything is to come later, because the time has gone on
   * @returns all actions to come, which the caller must schedule in their order, with those of other markets
   * @throws {InputError} for agents that are not those of this version
   */
  restore({ fairValue, agents }: PopulationSnapshot, shiftMs: number): readonly SavedStep[] {
    this.#listen()
    if (agents.length !== this.#agentsByName.size) throw new InputError('agents', 'are not those of this version')
    const steps = agents.flatMap((saved) => {
      const agent = this.#agentsByName.get(saved.name)
      if (agent === undefined) throw new InputError('agents', `there is no agent '${saved.name}'`)
      return agent.restore(saved, shiftMs)
    })
    return [this.#fairValue.restore(fairValue, shiftMs), ...steps]
  }

  #listen(): void {
    this.#market.onEvents((events) => {
      for (const event of events) this.#hear(event)
    })
    for (const agent of this.#agentsByName.values()) agent.listen()
  }

  #hear(event: ExchangeEvent): void {
    for (const account of accountsOf(event)) this.#accountsByName.get(account)?.hear(event)
  }

  #credit(account: string): void {
    const { baseAsset, quoteAsset, pricePrecision, qtyPrecision } = this.#config
    const unitQty = BigInt(this.#terms.unitQty)
    const quoteUnits = QUOTE_STOCK * unitQty * BigInt(this.#terms.firstPrice)
    this.#creditUnits(account, baseAsset, BASE_STOCK * unitQty, qtyPrecision)
    this.#creditUnits(account, quoteAsset, quoteUnits, pricePrecision + qtyPrecision)
  }

  /** @param units  of 10^-`decimals` of the asset */
  #creditUnits(account: string, asset: string, units: bigint, decimals: number): void {
    const scale = this.#market.exchange.scales.get(asset) ?? decimals
    const amount = units * powerOfTen(scale - decimals)
    this.#market.execute({ type: 'credit', time: this.#market.queue.now(), account, asset, amount })
  }
}

/** Accounts of the agents of a market. */
export const accountsOfAgents = (symbol: string): readonly string[] =>
  Array.from(AGENT_FACTORIES.keys(), (name) => accountOf(symbol, name))

/** Accounts of all agents of an exchange; their history is not kept, because no client can ask for it. */
export const agentsOf = ({ markets }: Exchange): ReadonlySet<string> =>
  new Set(markets.flatMap(({ symbol }) => accountsOfAgents(symbol)))

const accountOf = (symbol: string, name: string): string => `${symbol}-${name}`

/** Accounts that an event concerns, each once, also in a self-trade. */
function accountsOf(event: ExchangeEvent): readonly string[] {
  switch (event.type) {
    case 'order-accepted':
    case 'order-cancelled':
    case 'order-reduced':
      return [event.order.userId]
    case 'traded':
      return [...new Set([event.maker.userId, event.taker.userId])]
    case 'order-refused':
    case 'cancel-refused':
    case 'credited':
    case 'credit-refused':
      return [event.account]
  }
}
