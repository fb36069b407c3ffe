/**
 * The service without its wire: a simulated market, the users who trade in it, and the time at which they do.
 *
 * Whoever asks or orders first brings the market to the present, so that what was due before a request has happened before it. After a
 * long sleep that takes more than one turn: until then the market's present is as far as it has come.
 */
import type { Command } from '../../domain/command.ts'
import type { ExchangeEvent } from '../../domain/exchange-event.ts'
import type { MarketConfig } from '../../domain/market.ts'
import { RateBudget, type RateLimits } from '../../domain/rate-window.ts'
import type { Clock } from '../../domain/time.ts'
import type { Exchange } from '../../exchange/exchange.ts'
import type { SimulatedMarkets } from '../../simulation/simulated-markets.ts'
import { ServiceCounts } from './service-counts.ts'
import type { UserRegistry } from './user-registry.ts'

export interface ServiceParts {
  readonly simulated: SimulatedMarkets
  readonly users: UserRegistry
  readonly clock: Clock
  readonly limits: RateLimits
  /** What has to come before the time can go on, such as more of a tape; undefined when nothing has to. */
  readonly awaited?: (() => Promise<void> | undefined) | undefined
  /** Real milliseconds for which `catchUp()` keeps everybody else waiting at most; default: as long as it takes. */
  readonly longestRunMs?: number | undefined
}

export class Service {
  readonly simulated: SimulatedMarkets
  readonly users: UserRegistry
  readonly counts = new ServiceCounts()
  readonly #clock: Clock
  readonly #limits: RateLimits
  readonly #marketsBySymbol: ReadonlyMap<string, MarketConfig>
  readonly #budgetsByKey = new Map<string, RateBudget>()
  readonly #longestRunMs: number
  readonly #closing = new AbortController()
  #isBehind = false
  #failure: Error | undefined
  /** What has to come before the time can go on; undefined when nothing has to. */
  readonly awaited: () => Promise<void> | undefined

  constructor({ simulated, users, clock, limits, awaited, longestRunMs }: ServiceParts) {
    this.simulated = simulated
    this.users = users
    this.#clock = clock
    this.#limits = limits
    this.awaited = awaited ?? (() => undefined)
    this.#longestRunMs = longestRunMs ?? Number.POSITIVE_INFINITY
    this.#marketsBySymbol = new Map(simulated.exchange.markets.map((market) => [market.symbol, market]))
  }

  get exchange(): Exchange {
    return this.simulated.exchange
  }

  market(symbol: string): MarketConfig | undefined {
    return this.#marketsBySymbol.get(symbol)
  }

  /**
   * Lets everything happen that is due, and returns the time. It never goes back, whatever the clock says, and stands still while
   * something is awaited.
   *
   * @param longestRunMs  real milliseconds after which the rest is left to the next time
   * @throws {Error} the one that it was stopped with
   */
  catchUp(longestRunMs = this.#longestRunMs): number {
    if (this.#failure !== undefined) throw this.#failure
    const { queue } = this.simulated
    const now = Math.max(this.#clock.now(), queue.now())
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

  /** For an engine whose invariant has failed, or whose state cannot be kept: from now on it takes and tells nothing (decision 27). */
  stop(failure: Error): void {
    this.#failure ??= failure
  }

  /** From now on nothing more is taken in; what arrived before is finished until it is stopped. */
  beginClosing(): void {
    this.#closing.abort()
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
