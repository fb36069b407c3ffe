/**
 * The orders of a group that wait for a price.
 */
import type { MarketReach } from '../../../adapter/market-reach.ts'
import type { WaitEnd } from './group-parts.ts'
import { firstTouched, follow } from './reached-orders.ts'
import type { WaitingOrder } from './waiting-order.ts'

export class GroupWaits {
  readonly #onEnd: (id: string, why: WaitEnd) => void
  #all: readonly WaitingOrder[] = []
  /** Began to wait behind a fill in the body of a candle that is not over: the rest of that body counts. */
  fresh: WaitingOrder | undefined

  constructor(onEnd: (id: string, why: WaitEnd) => void) {
    this.#onEnd = onEnd
  }

  get all(): readonly WaitingOrder[] {
    return this.#all
  }

  get areNone(): boolean {
    return this.#all.length === 0
  }

  resume(all: readonly WaitingOrder[]): void {
    this.#all = all
  }

  find(id: string): WaitingOrder | undefined {
    return this.#all.find((waiting) => waiting.id === id)
  }

  add(waiting: WaitingOrder): void {
    this.#all = [...this.#all, waiting]
  }

  /** It is an order of the exchange now, or is to be. */
  remove(waiting: WaitingOrder): void {
    this.#all = this.#all.filter((other) => other !== waiting)
  }

  drop(waiting: WaitingOrder, why: WaitEnd): void {
    this.remove(waiting)
    this.#onEnd(waiting.id, why)
  }

  /** @param kept  the one that stays; default: none */
  dropAll(why: WaitEnd, kept?: WaitingOrder): void {
    for (const waiting of this.#all) if (waiting !== kept) this.drop(waiting, why)
  }

  /** Orders that were to come to an open are there. */
  arm(): void {
    for (const waiting of this.#all) waiting.isArmed = true
  }

  /** @param isPausing  what was refused is not asked for now */
  firstTouched(reach: MarketReach, isPausing: boolean): WaitingOrder | undefined {
    const asking = isPausing ? this.#all.filter(({ isDue }) => !isDue) : this.#all
    return firstTouched(asking, reach, this.fresh)
  }

  follow(reach: MarketReach): void {
    follow(this.#all, reach, this.fresh)
  }
}
