/** The roster of agents that trade in a market, each with its style. */
import { opposite, type Side } from '../../domain/order.ts'
import type { AgentAccount } from './agent-account.ts'
import { Agent, type Scene } from './agent.ts'
import type { Chance } from './chance.ts'
import { activityAt } from './daily-rhythm.ts'
import { type MakerStyle, MarketMaker } from './market-maker.ts'

const MEAN_PATIENCE_MS = 900_000
/** Spread of opinions, and the least and usual margin by which a price must be better: fractions of the price. */
const OPINION_SPREAD = 0.0008
const MIN_MARGIN = 0.0004
const USUAL_MARGIN = 0.0015
/** Order size in small orders. */
const SIZE = 8
const VALUE_POSITION_LIMIT = 10_000

/**
 * Has an opinion of its own near the fair value and waits with a limit order for a price that is better, until it has
 * waited long enough.
 */
export class ValueTrader extends Agent<'act'> {
  protected override readonly steps = {
    act: (): void => {
      this.account.cancelAll()
      this.#order()
      this.start()
    },
  }

  override start(): void {
    const { queue, pace } = this.scene
    const patience = this.chance.wait(MEAN_PATIENCE_MS / activityAt(queue.now()) / pace)
    this.later(patience, 'act')
  }

  #order(): void {
    const { fairValue, unitQty } = this.scene
    const side = drawnSide(this.chance, this.account.position, VALUE_POSITION_LIMIT * unitQty)
    const opinion = fairValue.price * (1 + OPINION_SPREAD * this.chance.bell())
    const margin = MIN_MARGIN + USUAL_MARGIN * this.chance.exponential()
    const price = Math.round(opinion * (side === 'BUY' ? 1 - margin : 1 + margin))
    this.account.limit(side, Math.max(1, price), drawnQty(this.chance, unitQty * SIZE))
  }
}

const PAUSE_MS = { min: 30_000, max: 150_000 }
/** Lower limit of activity: at night pauses get longer, but less than for other agents. */
const MIN_ACTIVITY = 0.7
const SLICES = { min: 10, max: 120 }
/** Slice size in small orders. */
const SLICE_SIZE = { min: 1, max: 12 }
const SLICER_POSITION_LIMIT = 10_000

/**
 * Works through large orders in small slices at a steady pace, so that most minutes see a trade, and buyers and sellers
 * come in long runs.
 */
export class OrderSlicer extends Agent<'trade'> {
  protected override readonly state: { side: Side; sliceQty: number; slicesLeft: number } = {
    side: 'BUY',
    sliceQty: 0,
    slicesLeft: 0,
  }
  protected override readonly steps = {
    trade: (): void => {
      this.#trade()
      this.start()
    },
  }

  override start(): void {
    const { queue, pace } = this.scene
    const activity = Math.max(MIN_ACTIVITY, activityAt(queue.now())) * pace
    const pause = Math.ceil(this.chance.between(PAUSE_MS.min, PAUSE_MS.max) / activity)
    this.later(pause, 'trade')
  }

  #trade(): void {
    if (this.state.slicesLeft === 0) this.#takeOn()
    this.account.market(this.state.side, this.state.sliceQty)
    this.state.slicesLeft -= 1
  }

  #takeOn(): void {
    const { unitQty } = this.scene
    this.state.side = drawnSide(this.chance, this.account.position, SLICER_POSITION_LIMIT * unitQty)
    this.state.sliceQty = unitQty * this.chance.between(SLICE_SIZE.min, SLICE_SIZE.max)
    this.state.slicesLeft = this.chance.between(SLICES.min, SLICES.max)
  }
}

export interface TrendStyle {
  /** Milliseconds between two looks at the price, on average at pace 1. */
  readonly lookMs: number
  /** Time constant of an average in observations: after that many, older prices have a weight of one third. */
  readonly fast: number
  readonly slow: number
  /** It acts when the averages differ by this fraction. */
  readonly threshold: number
}

/** Both in small orders. */
const FULL_POSITION = 600
const SLICE = { min: 5, max: 60 }
const SLICE_MS = { min: 300, max: 6_000 }

/**
 * Trend follower: compares a fast and a slow moving average of the price, and moves to its full position by a series of
 * market orders when they diverge.
 *
 * It uses only the public book.
 */
export class TrendFollower extends Agent<'look' | 'trade'> {
  /** `target` is the position that it wants, in lots. */
  protected override readonly state: { fast: number | null; slow: number | null; target: number; isTrading: boolean } =
    {
      fast: null,
      slow: null,
      target: 0,
      isTrading: false,
    }
  protected override readonly steps = {
    look: (): void => {
      this.#look()
      this.start()
    },
    trade: (): void => {
      this.#trade()
    },
  }
  readonly #style: TrendStyle

  constructor(account: AgentAccount, scene: Scene, chance: Chance, style: TrendStyle) {
    super(account, scene, chance)
    this.#style = style
  }

  override start(): void {
    const meanMs = this.#style.lookMs / this.scene.pace
    this.later(this.chance.between(Math.ceil(meanMs / 2), Math.ceil(meanMs * 1.5)), 'look')
  }

  #look(): void {
    const middle = this.account.middle()
    if (middle === undefined) return
    const fast = (this.state.fast = averaged(this.state.fast, middle, this.#style.fast))
    const slow = (this.state.slow = averaged(this.state.slow, middle, this.#style.slow))
    const difference = fast / slow - 1
    if (Math.abs(difference) < this.#style.threshold) return
    this.state.target = FULL_POSITION * this.scene.unitQty * (difference > 0 ? 1 : -1)
    if (!this.state.isTrading) this.#trade()
  }

  /** Sends one slice towards the target, then schedules the next. */
  #trade(): void {
    const missing = this.state.target - this.account.position
    this.state.isTrading = missing !== 0
    if (!this.state.isTrading) return
    const slice = this.scene.unitQty * this.chance.between(SLICE.min, SLICE.max)
    this.account.market(missing > 0 ? 'BUY' : 'SELL', Math.min(slice, Math.abs(missing)))
    this.later(this.chance.between(SLICE_MS.min, SLICE_MS.max), 'trade')
  }
}

const averaged = (average: number | null, value: number, looks: number): number =>
  average === null ? value : average + (value - average) / looks

const MEAN_ARRIVAL_MS = 300_000
const FOLLOWER_PROBABILITY = 0.4
/** Upper limit of the probability of a follower in a storm. */
const MAX_FOLLOWER_PROBABILITY = 0.7
const SAME_SIDE_PROBABILITY = 0.7
const MEAN_FOLLOWER_MS = 2_000
/** News that moves the price by this fraction brings an order for sure. */
const STRONG_NEWS = 0.008
const MEAN_NEWS_REACTION_MS = 1_500
/** Position limit in small orders. */
const NOISE_POSITION_LIMIT = 20_000

/**
 * The many who trade for reasons of their own: market orders of all sizes, in bursts.
 *
 * Arrivals excite themselves (a Hawkes process as a branching one): an order may be followed by others, mostly on its
 * side, and each of those by others again. Strong news brings orders in its direction.
 * Invariant: an order has less than one follower on average, so that every burst ends.
 */
export class NoiseTaker extends Agent<'arrive' | 'order'> {
  protected override readonly steps = {
    arrive: (): void => {
      this.#order(drawnSide(this.chance, this.account.position, NOISE_POSITION_LIMIT * this.scene.unitQty))
      this.start()
    },
    order: (side: Side): void => {
      this.#order(side)
    },
  }

  override listen(): void {
    this.scene.fairValue.onNews((move) => this.#reactTo(move))
  }

  override start(): void {
    const { queue, pace } = this.scene
    this.later(this.chance.wait(MEAN_ARRIVAL_MS / activityAt(queue.now()) / pace), 'arrive')
  }

  #reactTo(move: number): void {
    if (!this.chance.happens(Math.abs(move) / STRONG_NEWS)) return
    this.later(this.chance.wait(MEAN_NEWS_REACTION_MS), 'order', move > 0 ? 'BUY' : 'SELL')
  }

  #order(side: Side): void {
    this.account.market(side, drawnQty(this.chance, this.scene.unitQty))
    const probability = Math.min(MAX_FOLLOWER_PROBABILITY, FOLLOWER_PROBABILITY * this.scene.fairValue.volatility)
    if (!this.chance.happens(probability)) return
    const next = this.chance.happens(SAME_SIDE_PROBABILITY) ? side : opposite(side)
    this.later(this.chance.wait(MEAN_FOLLOWER_MS), 'order', next)
  }
}

const LARGER_STILL = 0.55
const MAX_DOUBLINGS = 12
const ROUND_PROBABILITY = 0.35

/** Lots from `unitQty` to 2^13 times as much, the larger the rarer; many are round, as people like them. */
export function drawnQty(chance: Chance, unitQty: number): number {
  const qty = Math.floor(unitQty * chance.heavyTailed(LARGER_STILL, MAX_DOUBLINGS))
  return chance.happens(ROUND_PROBABILITY) ? firstDigitOf(qty) : qty
}

/**
 * Mean-reverting side: a position beyond `limit` lots is nearly always reduced, so no agent runs out of either asset
 * for good.
 */
export function drawnSide(chance: Chance, position: number, limit: number): Side {
  const buys = 0.5 - position / limit / 2
  return chance.happens(Math.min(0.95, Math.max(0.05, buys))) ? 'BUY' : 'SELL'
}

/** 4711 as 4000. */
function firstDigitOf(qty: number): number {
  let unit = 1
  while (unit * 10 <= qty) unit *= 10
  return qty - (qty % unit)
}

const TIGHT_MAKER: MakerStyle = {
  halfSpread: 0.000_000_5,
  tolerance: 0,
  levels: [
    { distance: 1, size: 10 },
    { distance: 5, size: 40 },
    { distance: 25, size: 150 },
    { distance: 120, size: 800 },
  ],
}

const WIDE_MAKER: MakerStyle = {
  halfSpread: 0.000_000_8,
  tolerance: 0,
  levels: [
    { distance: 1, size: 6 },
    { distance: 15, size: 120 },
    { distance: 300, size: 2_500 },
  ],
}

const DEEP_MAKER: MakerStyle = {
  halfSpread: 0.001_2,
  tolerance: 0.6,
  levels: [
    { distance: 1, size: 4_000 },
    { distance: 2, size: 8_000 },
    { distance: 4, size: 16_000 },
  ],
}

const TREND_OF_MINUTES: TrendStyle = { lookMs: 60_000, fast: 10, slow: 40, threshold: 0.002 }
const TREND_OF_HOURS: TrendStyle = { lookMs: 600_000, fast: 12, slow: 60, threshold: 0.006 }

type AgentFactory = (account: AgentAccount, scene: Scene, chance: Chance) => Agent

const maker =
  (style: MakerStyle): AgentFactory =>
  (account, scene, chance) =>
    new MarketMaker(account, scene, chance, style)

const trend =
  (style: TrendStyle): AgentFactory =>
  (account, scene, chance) =>
    new TrendFollower(account, scene, chance, style)

const noise: AgentFactory = (account, scene, chance) => new NoiseTaker(account, scene, chance)
const slicer: AgentFactory = (account, scene, chance) => new OrderSlicer(account, scene, chance)
const value: AgentFactory = (account, scene, chance) => new ValueTrader(account, scene, chance)

/** Agents by account name. Each gets its random stream in this order, so append new ones at the end. */
export const AGENT_FACTORIES: ReadonlyMap<string, AgentFactory> = new Map([
  ['maker-1', maker(TIGHT_MAKER)],
  ['maker-2', maker(WIDE_MAKER)],
  ['maker-3', maker(DEEP_MAKER)],
  ['noise-1', noise],
  ['noise-2', noise],
  ['slicer-1', slicer],
  ['trend-1', trend(TREND_OF_MINUTES)],
  ['trend-2', trend(TREND_OF_HOURS)],
  ['value-1', value],
  ['value-2', value],
  ['value-3', value],
  ['value-4', value],
])
