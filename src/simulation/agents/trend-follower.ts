/**
 * Trend follower: compares a fast and a slow moving average of the price, and moves to its full position by a series of
 * market orders when they diverge.
 *
 * It uses only the public book.
 */
import { Agent } from './agent.ts'
import type { Chance } from './chance.ts'
import type { AgentAccount } from './agent-account.ts'
import type { Scene } from './scene.ts'

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

export class TrendFollower extends Agent {
  readonly #style: TrendStyle
  #fast: number | undefined
  #slow: number | undefined
  /** Position that it wants, in lots. */
  #target = 0
  #isTrading = false

  constructor(account: AgentAccount, scene: Scene, chance: Chance, style: TrendStyle) {
    super(account, scene, chance)
    this.#style = style
  }

  override start(): void {
    const meanMs = this.#style.lookMs / this.scene.pace
    this.account.later(this.chance.between(Math.ceil(meanMs / 2), Math.ceil(meanMs * 1.5)), () => {
      this.#look()
      this.start()
    })
  }

  #look(): void {
    const middle = this.account.middle()
    if (middle === undefined) return
    const fast = (this.#fast = averaged(this.#fast, middle, this.#style.fast))
    const slow = (this.#slow = averaged(this.#slow, middle, this.#style.slow))
    const difference = fast / slow - 1
    if (Math.abs(difference) < this.#style.threshold) return
    this.#target = FULL_POSITION * this.scene.unitQty * (difference > 0 ? 1 : -1)
    if (!this.#isTrading) this.#trade()
  }

  /** Sends one slice towards the target, then schedules the next. */
  #trade(): void {
    const missing = this.#target - this.account.position
    this.#isTrading = missing !== 0
    if (!this.#isTrading) return
    const slice = this.scene.unitQty * this.chance.between(SLICE.min, SLICE.max)
    this.account.market(missing > 0 ? 'BUY' : 'SELL', Math.min(slice, Math.abs(missing)))
    this.account.later(this.chance.between(SLICE_MS.min, SLICE_MS.max), () => this.#trade())
  }
}

const averaged = (average: number | undefined, value: number, looks: number): number =>
  average === undefined ? value : average + (value - average) / looks
