/**
 * The many who trade for reasons of their own: market orders of all sizes, in bursts.
 *
 * Arrivals excite themselves (a Hawkes process as a branching one): an order may be followed by others, mostly on its
 * side, and each of those by others again. Strong news brings orders in its direction.
 * Invariant: an order has less than one follower on average, so that every burst ends.
 */
import { opposite, type Side } from '../../domain/order.ts'
import { Agent } from './agent.ts'
import { activityAt } from './daily-rhythm.ts'
import { drawnQty, drawnSide } from './drawn-order.ts'

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
const POSITION_LIMIT = 20_000

export class NoiseTaker extends Agent {
  override start(): void {
    this.scene.fairValue.onNews((move) => this.#reactTo(move))
    this.#awaitArrival()
  }

  #awaitArrival(): void {
    const { queue, pace, unitQty } = this.scene
    this.account.later(this.chance.wait(MEAN_ARRIVAL_MS / activityAt(queue.now()) / pace), () => {
      this.#order(drawnSide(this.chance, this.account.position, POSITION_LIMIT * unitQty))
      this.#awaitArrival()
    })
  }

  #reactTo(move: number): void {
    if (!this.chance.happens(Math.abs(move) / STRONG_NEWS)) return
    this.account.later(this.chance.wait(MEAN_NEWS_REACTION_MS), () => this.#order(move > 0 ? 'BUY' : 'SELL'))
  }

  #order(side: Side): void {
    this.account.market(side, drawnQty(this.chance, this.scene.unitQty))
    const probability = Math.min(MAX_FOLLOWER_PROBABILITY, FOLLOWER_PROBABILITY * this.scene.fairValue.volatility)
    if (!this.chance.happens(probability)) return
    const next = this.chance.happens(SAME_SIDE_PROBABILITY) ? side : opposite(side)
    this.account.later(this.chance.wait(MEAN_FOLLOWER_MS), () => this.#order(next))
  }
}
