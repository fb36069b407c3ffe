/**
 * Fair value of the base asset: a random walk driven by news, with regimes of drift and volatility.
 *
 * Invariant: the price stays positive, and reverts towards its start the more strongly the further away it is.
 */
import { InputError, invariant } from '../../domain/errors.ts'
import { HOUR_MS } from '../../domain/time.ts'
import type { AgentTerms } from './agent-terms.ts'
import { activityAt } from './daily-rhythm.ts'
import type { Chance } from './chance.ts'
import { EVENT_KIND, type EventQueue, type QueuedEvent } from '../event-queue.ts'
import type { FairValueSnapshot, SavedStep } from './agent-snapshot.ts'

interface Regime {
  readonly meanHours: number
  /** Multiple of the usual volatility. */
  readonly volatility: number
  /** Fraction of the price an hour. */
  readonly drift: number
}

const CALM: Regime = { meanHours: 8, volatility: 0.6, drift: 0 }
const STORM: Regime = { meanHours: 2, volatility: 2.2, drift: 0 }
const RISE: Regime = { meanHours: 9, volatility: 0.9, drift: 0.0007 }
const FALL: Regime = { meanHours: 7, volatility: 1.1, drift: -0.0008 }

const REGIMES: Readonly<Record<string, Regime>> = { calm: CALM, storm: STORM, rise: RISE, fall: FALL }

const CALM_PROBABILITY = 0.45
/** Probability that a regime that is not calm is a storm. */
const STORM_PROBABILITY = 0.2

const MEAN_NEWS_MS = 30_000
/** Standard deviation of one piece of news at pace 1, as a fraction of the price. */
const USUAL_MOVE = 0.00038
const SURPRISE_PROBABILITY = 1 / 500
const SURPRISE_FACTOR = 6
/** Share of the distance to the first price that is made up for in an hour. */
const PULL_PER_HOUR = 1 / 1500

/** Limit of the price after news from outside, as a multiple of the first one. */
const MAX_SHOCK = 1_000

export class FairValue {
  readonly #queue: EventQueue
  readonly #chance: Chance
  readonly #firstPrice: number
  readonly #pace: number
  readonly #listeners: ((move: number) => void)[] = []
  #price: number
  #regime = CALM
  #regimeEndsAt: number
  #changedAt: number
  #next: QueuedEvent | undefined

  constructor(queue: EventQueue, chance: Chance, { firstPrice, pace }: AgentTerms) {
    this.#queue = queue
    this.#chance = chance
    this.#firstPrice = firstPrice
    this.#pace = pace
    this.#price = firstPrice
    this.#regimeEndsAt = this.#changedAt = queue.now()
  }

  /** Ticks, not whole ones. */
  get price(): number {
    return this.#price
  }

  /** Multiple of the usual volatility. */
  get volatility(): number {
    return this.#regime.volatility
  }

  /** @param listener  is called at every change, with the change as a fraction of the price before */
  onNews(listener: (move: number) => void): void {
    this.#listeners.push(listener)
  }

  start(): void {
    const now = this.#queue.now()
    const wait = this.#chance.wait(MEAN_NEWS_MS / activityAt(now) / this.#pace)
    this.#changeAt(now + wait)
  }

  /**
   * News from outside. The price stays within a thousandth and a thousand times the first one, so that agents can pay
   * it in whole ticks.
   *
   * @param move  change as a fraction of the price, above -1
   */
  shock(move: number): void {
    const least = Math.max(1, this.#firstPrice / MAX_SHOCK)
    const wanted = Math.min(this.#firstPrice * MAX_SHOCK, Math.max(least, this.#price * (1 + move)))
    this.#moveBy(wanted / this.#price - 1)
  }

  save(): FairValueSnapshot {
    const regime = Object.entries(REGIMES).find(([, each]) => each === this.#regime)?.[0]
    invariant(
      regime !== undefined && this.#next !== undefined,
      'a fair value that moves has a regime and a next change',
    )
    const next = { time: this.#next.time, sequence: this.#next.sequence, step: 'change' }
    const times = { regimeEndsAt: this.#regimeEndsAt, changedAt: this.#changedAt }
    return { chance: this.#chance.state, price: this.#price, regime, ...times, next }
  }

  /**
   * Continues from a snapshot.
   *
   * @param shiftMs  see `AgentPopulation`
   * @returns        the next change
   * @throws {InputError} for an unknown regime
   */
  restore({ chance, price, regime, next, ...times }: FairValueSnapshot, shiftMs: number): SavedStep {
    const known = Object.hasOwn(REGIMES, regime) ? REGIMES[regime] : undefined
    if (known === undefined) throw new InputError('agents', `there is no regime '${regime}'`)
    this.#chance.state = chance
    this.#price = price
    this.#regime = known
    this.#regimeEndsAt = times.regimeEndsAt + shiftMs
    this.#changedAt = times.changedAt + shiftMs
    const schedule = (): void => {
      this.#changeAt(next.time + shiftMs)
    }
    return { sequence: next.sequence, schedule }
  }

  #changeAt(time: number): void {
    this.#next = this.#queue.schedule(time, EVENT_KIND.timer, () => {
      this.#change()
      this.start()
    })
  }

  #change(): void {
    const now = this.#queue.now()
    if (now >= this.#regimeEndsAt) {
      this.#regime = this.#nextRegime()
      this.#regimeEndsAt = now + this.#chance.wait(this.#regime.meanHours * HOUR_MS)
    }
    const hours = (now - this.#changedAt) / HOUR_MS
    this.#changedAt = now
    const move = this.#regime.drift * hours - this.#distance() * PULL_PER_HOUR * hours + this.#surprise()
    this.#moveBy(move)
  }

  #moveBy(move: number): void {
    this.#price *= 1 + move
    for (const listener of this.#listeners) listener(move)
  }

  #surprise(): number {
    const factor = this.#chance.happens(SURPRISE_PROBABILITY) ? SURPRISE_FACTOR : 1
    return (USUAL_MOVE / Math.sqrt(this.#pace)) * this.#regime.volatility * factor * this.#chance.bell()
  }

  #distance(): number {
    return this.#price / this.#firstPrice - 1
  }

  #nextRegime(): Regime {
    if (this.#chance.happens(CALM_PROBABILITY)) return CALM
    if (this.#chance.happens(STORM_PROBABILITY)) return STORM
    const risesWith = 0.5 - this.#distance()
    return this.#chance.happens(Math.min(0.9, Math.max(0.1, risesWith))) ? RISE : FALL
  }
}
