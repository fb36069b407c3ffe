/**
 * Works through large orders in small slices at a steady pace, so that most minutes see a trade, and buyers and sellers
 * come in long runs.
 */
import type { Side } from '../../domain/order.ts'
import { Agent } from './agent.ts'
import { activityAt } from './daily-rhythm.ts'
import { drawnSide } from './drawn-order.ts'

const PAUSE_MS = { min: 30_000, max: 150_000 }
/** Lower limit of activity: at night pauses get longer, but less than for other agents. */
const MIN_ACTIVITY = 0.7
const SLICES = { min: 10, max: 120 }
/** Slice size in small orders. */
const SLICE_SIZE = { min: 1, max: 12 }
const POSITION_LIMIT = 10_000

export class OrderSlicer extends Agent {
  #side: Side = 'BUY'
  #sliceQty = 0
  #slicesLeft = 0

  override start(): void {
    const { queue, pace } = this.scene
    const activity = Math.max(MIN_ACTIVITY, activityAt(queue.now())) * pace
    const pause = Math.ceil(this.chance.between(PAUSE_MS.min, PAUSE_MS.max) / activity)
    this.account.later(pause, () => {
      this.#trade()
      this.start()
    })
  }

  #trade(): void {
    if (this.#slicesLeft === 0) this.#takeOn()
    this.account.market(this.#side, this.#sliceQty)
    this.#slicesLeft -= 1
  }

  #takeOn(): void {
    const { unitQty } = this.scene
    this.#side = drawnSide(this.chance, this.account.position, POSITION_LIMIT * unitQty)
    this.#sliceQty = unitQty * this.chance.between(SLICE_SIZE.min, SLICE_SIZE.max)
    this.#slicesLeft = this.chance.between(SLICES.min, SLICES.max)
  }
}
