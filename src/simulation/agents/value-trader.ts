/**
 * Has an opinion of its own near the fair value and waits with a limit order for a price that is better, until it has
 * waited long enough.
 */
import { Agent } from './agent.ts'
import { activityAt } from './daily-rhythm.ts'
import { drawnQty, drawnSide } from './drawn-order.ts'

const MEAN_PATIENCE_MS = 900_000
/** Spread of opinions, and the least and usual margin by which a price must be better: fractions of the price. */
const OPINION_SPREAD = 0.0008
const MIN_MARGIN = 0.0004
const USUAL_MARGIN = 0.0015
/** Order size in small orders. */
const SIZE = 8
const POSITION_LIMIT = 10_000

export class ValueTrader extends Agent {
  override start(): void {
    const { queue, pace } = this.scene
    const patience = this.chance.wait(MEAN_PATIENCE_MS / activityAt(queue.now()) / pace)
    this.account.later(patience, () => {
      this.account.cancelAll()
      this.#order()
      this.start()
    })
  }

  #order(): void {
    const { fairValue, unitQty } = this.scene
    const side = drawnSide(this.chance, this.account.position, POSITION_LIMIT * unitQty)
    const opinion = fairValue.price * (1 + OPINION_SPREAD * this.chance.bell())
    const margin = MIN_MARGIN + USUAL_MARGIN * this.chance.exponential()
    const price = Math.round(opinion * (side === 'BUY' ? 1 - margin : 1 + margin))
    this.account.limit(side, Math.max(1, price), drawnQty(this.chance, unitQty * SIZE))
  }
}
