/**
 * The service without its wire: a simulated market, the users who trade in it, and the time at which they do.
 *
 * Whoever asks or orders first brings the market to the present, so that what was due before a request has happened
 * before it. After a long sleep that takes more than one turn: until then the market's present is as far as it has
 * come.
 *
 * Its market may be renewed: what came in one life of it is not executed in another.
 */
import { setMaxListeners } from 'node:events'
import type { Command } from '../../domain/command.ts'
import type { ExchangeEvent } from '../../domain/exchange-event.ts'
import type { MarketConfig } from '../../domain/market.ts'
import { RateBudget, type RateLimits } from '../../domain/rate-window.ts'
import type { Clock } from '../../domain/time.ts'
import type { Exchange } from '../../exchange/exchange.ts'
import type { SimulatedMarkets } from '../../simulation/simulated-markets.ts'
import { renewing } from '../envelope/service-error.ts'
import { ServiceCounts } from './service-counts.ts'
import type { UserRegistry } from './user-registry.ts'

/** A market with who trades in it and its time: what is renewed as one. */
export interface ServedMarket {
  readonly simulated: SimulatedMarkets
  readonly users: UserRegistry
  readonly clock: Clock
  /** What has to come before the time can go on, such as more of a tape; undefined when nothing has to. */
  readonly awaited?: (() => Promise<void> | undefined) | undefined
  /** What is put off until somebody asks for the market. */
  readonly begin?: (() => void) | undefined
}

export interface ServiceParts extends ServedMarket {
  readonly limits: RateLimits
  /** Real milliseconds for which `catchUp()` keeps everybody else waiting at most; default: as long as it takes. */
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

  /** What has to come before the time can go on; undefined when nothing has to. */
  awaited(): Promise<void> | undefined {
    return this.#market.awaited?.()
  }

  /** Where the market is, or will be as soon as somebody asks for it; nothing is moved on. */
  get present(): number {
    return this.#begin === undefined ? this.simulated.queue.now() : this.#market.clock.now()
  }

  /** Does what was put off. */
  begin(): void {
    const begin = this.#begin
    this.#begin = undefined
    begin?.()
  }

  market(symbol: string): MarketConfig | undefined {
    return this.#marketsBySymbol.get(symbol)
  }

  /**
   * Lets everything happen that is due, and returns the time. It never goes back, whatever the clock says, and stands
   * still while something is awaited.
   *
   * @param longestRunMs  real milliseconds after which the rest is left to the next time
   * @throws {Error} the one that it was stopped with
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

  /** Whether something was left to the next time. */
  get isBehind(): boolean {
    return this.#isBehind
  }

  /** As `catchUp()`, when everything that had to come has come. */
  async catchUpFully(): Promise<number> {
    let now = this.catchUp(Number.POSITIVE_INFINITY)
    for (let awaited = this.awaited(); awaited !== undefined; awaited = this.awaited()) {
      await awaited
      now = this.catchUp(Number.POSITIVE_INFINITY)
    }
    return now
  }

  /**
   * For an engine whose invariant has failed, or whose state cannot be kept: from now on it takes and tells nothing
   * (decision 27).
   */
  stop(failure: Error): void {
    this.#failure ??= failure
  }

  /** From now on nothing more is taken in; what arrived before is finished until it is stopped. */
  beginClosing(): void {
    this.#closing.abort()
    this.#life.abort()
  }

  /** Ends the life of the market: until it has another, nothing is taken in. */
  beginRenewal(): void {
    this.#isRenewing = true
    this.#life.abort()
    this.#life = heardByMany()
  }

  /** Another life, with the same markets, and with whole budgets. */
  renew(market: ServedMarket): void {
    this.#market = market
    this.#begin = market.begin
    this.#isBehind = false
    this.#budgetsByKey.clear()
    this.#isRenewing = false
  }

  /** Of the market as it is now: aborted when it ends, by renewal or for good. */
  get life(): AbortSignal {
    return this.#life.signal
  }

  /** @throws {ServiceError} for what came in another life of the market, or between two */
  checkLife(life = this.life): void {
    if (this.#isRenewing || life !== this.life) throw renewing()
  }

  /** Aborted when it begins to close. */
  get closing(): AbortSignal {
    return this.#closing.signal
  }

  /** Why it has stopped; undefined when it has not. */
  get failure(): Error | undefined {
    return this.#failure
  }

  /** A command of a participant, now. */
  execute(command: Command): readonly ExchangeEvent[] {
    if (this.#failure !== undefined) throw this.#failure
    const events = this.simulated.execute(command)
    this.counts.executed(command, events)
    return events
  }

  /** Both buckets of a key; a new process begins with full ones. */
  budgetOf(keyId: string): RateBudget {
    let budget = this.#budgetsByKey.get(keyId)
    if (budget === undefined) {
      budget = new RateBudget(this.#limits)
      this.#budgetsByKey.set(keyId, budget)
    }
    return budget
  }
}

/** As many wait for it as there are requests that a fault delays. */
function heardByMany(): AbortController {
  const controller = new AbortController()
  setMaxListeners(0, controller.signal)
  return controller
}
