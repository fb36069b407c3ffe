/**
 * The service without its transport: a simulated market, its users, and its time.
 *
 * Every request first brings the market to the present, so that earlier events are executed before it. After a long
 * idle time this takes several turns of the event loop; until then the present of the market lags.
 *
 * The market may be renewed: requests of one life are not executed in another.
 */
import { setMaxListeners } from 'node:events'
import type { Command } from '../../domain/command.ts'
import type { ExchangeEvent } from '../../domain/exchange-event.ts'
import type { MarketConfig } from '../../domain/market.ts'
import { RateBudget, type RateBudgetState, type RateLimits } from '../../domain/rate-window.ts'
import type { Clock } from '../../domain/time.ts'
import type { Exchange } from '../../exchange/exchange.ts'
import type { MarketPauses } from '../../simulation/market-pauses.ts'
import type { SimulatedMarkets } from '../../simulation/simulated-markets.ts'
import { renewing } from '../envelope/service-error.ts'
import { ServiceCounts } from './service-counts.ts'
import type { UserRegistry } from './user-registry.ts'

/** A market with its users and its time, renewed together. */
export interface ServedMarket {
  readonly simulated: SimulatedMarkets
  readonly users: UserRegistry
  readonly clock: Clock
  /** Data that must arrive before time can advance, such as more of a tape; undefined if there is none. */
  readonly awaited?: (() => Promise<void> | undefined) | undefined
  /** Work postponed until the first request. */
  readonly begin?: (() => void) | undefined
  /** Rate limits used so far, by key id; default: none. */
  readonly budgets?: readonly KeyBudget[] | undefined
}

/** The part of its rate limits that a key has used. */
export interface KeyBudget extends RateBudgetState {
  /** Public id of the key. */
  readonly key: string
}

export interface ServiceParts extends ServedMarket {
  readonly limits: RateLimits
  /** Maximum real milliseconds that `catchUp()` blocks; default: no limit. */
  readonly longestRunMs?: number | undefined
}

export class Service {
  readonly counts = new ServiceCounts()
  #market: ServedMarket
  readonly #limits: RateLimits
  readonly #marketsBySymbol: ReadonlyMap<string, MarketConfig>
  readonly #budgetsByKey = new Map<string, RateBudget>()
  readonly #longestRunMs: number
  readonly #closing = new AbortController()
  #life = heardByMany()
  #isRenewing = false
  #begin: (() => void) | undefined
  #isBehind = false
  #failure: Error | undefined

  constructor({ limits, longestRunMs, ...market }: ServiceParts) {
    this.#market = market
    this.#begin = market.begin
    this.#limits = limits
    this.#longestRunMs = longestRunMs ?? Number.POSITIVE_INFINITY
    this.#restoreBudgets(market)
    this.#marketsBySymbol = new Map(market.simulated.exchange.markets.map((each) => [each.symbol, each]))
  }

  get simulated(): SimulatedMarkets {
    return this.#market.simulated
  }

  get users(): UserRegistry {
    return this.#market.users
  }

  get exchange(): Exchange {
    return this.simulated.exchange
  }

  /** Markets that accept no orders at present. */
  get pauses(): MarketPauses {
    return this.simulated.pauses
  }

  /** Data that must arrive before time can advance; undefined if there is none. */
  awaited(): Promise<void> | undefined {
    return this.#market.awaited?.()
  }

  /** Market time, or the one it will have after the first request; does not advance it. */
  get present(): number {
    return this.#begin === undefined ? this.simulated.queue.now() : this.#market.clock.now()
  }

  /** Does the postponed work. */
  begin(): void {
    const begin = this.#begin
    this.#begin = undefined
    begin?.()
  }

  market(symbol: string): MarketConfig | undefined {
    return this.#marketsBySymbol.get(symbol)
  }

  /**
   * Executes everything that is due, and returns the time. Time never goes back, whatever the clock says, and stops
   * while data is awaited.
   *
   * @param longestRunMs  real milliseconds after which the rest is postponed
   * @throws {Error} with which the service was stopped
   */
  catchUp(longestRunMs = this.#longestRunMs): number {
    if (this.#failure !== undefined) throw this.#failure
    if (this.#begin !== undefined) this.begin()
    const { queue } = this.simulated
    const now = Math.max(this.#market.clock.now(), queue.now())
    if (queue.nextTime > now && this.awaited() === undefined) {
      this.#isBehind = false
      queue.advance(now)
      return now
    }
    return this.#runTo(now, longestRunMs)
  }

  #runTo(now: number, longestRunMs: number): number {
    const { queue } = this.simulated
    const end = performance.now() + longestRunMs
    while (queue.nextTime <= now && this.awaited() === undefined) {
      queue.runNext()
      if (performance.now() >= end) break
    }
    this.#isBehind = queue.nextTime <= now
    if (!this.#isBehind && this.awaited() === undefined) queue.advance(now)
    return queue.now()
  }

  /** True if due events were postponed. */
  get isBehind(): boolean {
    return this.#isBehind
  }

  /** Like `catchUp()`, after all awaited data has arrived. */
  async catchUpFully(): Promise<number> {
    let now = this.catchUp(Number.POSITIVE_INFINITY)
    for (let awaited = this.awaited(); awaited !== undefined; awaited = this.awaited()) {
      await awaited
      now = this.catchUp(Number.POSITIVE_INFINITY)
    }
    return now
  }

  /**
   * Stops the service after a failed invariant, or if the state cannot be saved: it accepts and returns nothing more
   * (decision 27).
   */
  stop(failure: Error): void {
    this.#failure ??= failure
  }

  /** Accepts no more requests; those that have arrived are finished until it is stopped. */
  beginClosing(): void {
    this.#closing.abort()
    this.#life.abort()
  }

  /** Ends the life of the market: no requests are accepted until the next one. */
  beginRenewal(): void {
    this.#isRenewing = true
    this.#life.abort()
    this.#life = heardByMany()
  }

  /** Starts another life with the same markets, with full budgets unless some are given. */
  renew(market: ServedMarket): void {
    this.#market = market
    this.#begin = market.begin
    this.#isBehind = false
    this.#budgetsByKey.clear()
    this.#restoreBudgets(market)
    this.#isRenewing = false
  }

  /** Signal of the present life: aborted when it ends, by renewal or closing. */
  get life(): AbortSignal {
    return this.#life.signal
  }

  /** @throws {ServiceError} for a request of another life, or between two */
  checkLife(life = this.life): void {
    if (this.#isRenewing || life !== this.life) throw renewing()
  }

  /** Aborted when closing begins. */
  get closing(): AbortSignal {
    return this.#closing.signal
  }

  /** Why it was stopped; undefined while running. */
  get failure(): Error | undefined {
    return this.#failure
  }

  /** Executes a command of a participant at present. */
  execute(command: Command): readonly ExchangeEvent[] {
    if (this.#failure !== undefined) throw this.#failure
    const events = this.simulated.execute(command)
    this.counts.executed(command, events)
    return events
  }

  /** Rate limits used so far. */
  budgets(): readonly KeyBudget[] {
    return Array.from(this.#budgetsByKey, ([key, budget]) => ({ key, ...budget.state }))
  }

  #restoreBudgets({ budgets = [] }: ServedMarket): void {
    for (const { key, ...state } of budgets) this.budgetOf(key).state = state
  }

  /** Both buckets of a key; full at the start of a process. */
  budgetOf(keyId: string): RateBudget {
    let budget = this.#budgetsByKey.get(keyId)
    if (budget === undefined) {
      budget = new RateBudget(this.#limits)
      this.#budgetsByKey.set(keyId, budget)
    }
    return budget
  }
}

/** A controller without a listener limit: every delayed request adds one. */
function heardByMany(): AbortController {
  const controller = new AbortController()
  setMaxListeners(0, controller.signal)
  return controller
}
