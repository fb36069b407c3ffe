/**
 * The orders of a group that wait for a price.
 */
import type { PriceRange } from '../../../adapter/intrabar-execution.ts'
import type { WaitEnd } from './group-parts.ts'
import { firstTouched, follow } from './reached-orders.ts'
import type { ConditionalOrder } from './conditional-order.ts'

export class GroupConditionals {
  readonly #onEnd: (id: string, why: WaitEnd) => void
  #all: readonly ConditionalOrder[] = []
  /** Began to wait behind a fill in the body of a candle that is not over: the rest of that body counts. */
  fresh: ConditionalOrder | undefined

  constructor(onEnd: (id: string, why: WaitEnd) => void) {
    this.#onEnd = onEnd
  }

  get all(): readonly ConditionalOrder[] {
    return this.#all
  }

  get areNone(): boolean {
    return this.#all.length === 0
  }

  resume(all: readonly ConditionalOrder[]): void {
    this.#all = all
  }

  find(id: string): ConditionalOrder | undefined {
    return this.#all.find((waiting) => waiting.id === id)
  }

  add(waiting: ConditionalOrder): void {
    this.#all = [...this.#all, waiting]
  }

  /** It is an order of the exchange now, or is to be. */
  remove(waiting: ConditionalOrder): void {
    this.#all = this.#all.filter((other) => other !== waiting)
  }

  drop(waiting: ConditionalOrder, why: WaitEnd): void {
    this.remove(waiting)
    this.#onEnd(waiting.id, why)
  }

  /** @param kept  the one that stays; default: none */
  dropAll(why: WaitEnd, kept?: ConditionalOrder): void {
    for (const waiting of this.#all) if (waiting !== kept) this.drop(waiting, why)
  }

  /** Orders that were to come to an open are there. */
  arm(): void {
    for (const waiting of this.#all) waiting.isArmed = true
  }

  /** @param isPausing  what was refused is not asked for now */
  firstTouched(reach: PriceRange, isPausing: boolean): ConditionalOrder | undefined {
    const asking = isPausing ? this.#all.filter(({ isDue }) => !isDue) : this.#all
    return firstTouched(asking, reach, this.fresh)
  }

  follow(reach: PriceRange): void {
    follow(this.#all, reach, this.fresh)
  }
}
