/** The conditional orders of a group. */
import type { PriceRange } from '../../../adapter/intrabar-execution.ts'
import type { WaitEnd } from './group-parts.ts'
import { firstTouched, follow } from './triggered-orders.ts'
import type { ConditionalOrder } from './conditional-order.ts'

export class GroupConditionals {
  readonly #onEnd: (id: string, why: WaitEnd) => void
  #all: readonly ConditionalOrder[] = []
  /** Stop armed by a fill inside the current bar; evaluated against the remainder of that bar. */
  armedInsideCandle: ConditionalOrder | undefined

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

  /** Removes one that has become, or is about to become, an order at the exchange. */
  remove(waiting: ConditionalOrder): void {
    this.#all = this.#all.filter((other) => other !== waiting)
  }

  drop(waiting: ConditionalOrder, why: WaitEnd): void {
    this.remove(waiting)
    this.#onEnd(waiting.id, why)
  }

  /** @param spared  the one that stays; default: none */
  dropAll(why: WaitEnd, spared?: ConditionalOrder): void {
    for (const waiting of this.#all) if (waiting !== spared) this.drop(waiting, why)
  }

  /** Arms orders that were to arrive at an open. */
  arm(): void {
    for (const waiting of this.#all) waiting.isArmed = true
  }

  /** @param isPausing  skips refused ones */
  firstTouched(reach: PriceRange, isPausing: boolean): ConditionalOrder | undefined {
    const asking = isPausing ? this.#all.filter(({ isDue }) => !isDue) : this.#all
    return firstTouched(asking, reach, this.armedInsideCandle)
  }

  follow(reach: PriceRange): void {
    follow(this.#all, reach, this.armedInsideCandle)
  }
}
