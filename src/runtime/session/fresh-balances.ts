/** Freshness of the balances: they are stale from a fill until the next balances, which include it. */
import type { AccountUpdate } from '../../adapter/exchange-adapter.ts'

export class FreshBalances {
  #isStale = false
  #waiting: (() => void)[] = []

  /** Call after all other listeners of the update. */
  onUpdate({ type }: AccountUpdate): void {
    if (type === 'fill') this.#isStale = true
    if (type !== 'balances') return
    this.#isStale = false
    const waiting = this.#waiting
    this.#waiting = []
    for (const action of waiting) action()
  }

  /** Now, or with the next balances. */
  when(action: () => void): void {
    if (this.#isStale) this.#waiting.push(action)
    else action()
  }
}
