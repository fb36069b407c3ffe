/**
 * Makes quantities unique per price among open orders and those of the last day, so that every order has its own
 * fingerprint.
 */
import type { OrderRequest } from '../../../domain/order.ts'
import { DAY_MS } from '../../../domain/time.ts'
import { fingerprintOf } from './fingerprint.ts'
import type { Intent } from './intent.ts'

export class UniqueQuantities {
  /** Last use of each, Unix milliseconds. */
  readonly #usedAt = new Map<string, number>()

  readonly #current: () => readonly Intent[]

  /**
   * @param earlier  intents of an earlier session
   * @param current  intents whose order is open or may still appear, of any age
   */
  constructor(earlier: readonly Intent[], current: () => readonly Intent[]) {
    this.#current = current
    for (const intent of earlier) this.#usedAt.set(fingerprintOf(intent), intent.sentAt)
  }

  /** @returns lots, reduced as little as possible; the requested ones if every smaller quantity is in use */
  take(request: OrderRequest, now: number): number {
    const qty = this.#free(request, now)
    this.#usedAt.set(fingerprintOf({ ...request, qty }), now)
    return qty
  }

  #free(request: OrderRequest, now: number): number {
    const current = new Set(this.#current().map(fingerprintOf))
    for (let { qty } = request; qty > 0; qty -= 1) {
      const fingerprint = fingerprintOf({ ...request, qty })
      const usedAt = this.#usedAt.get(fingerprint) ?? Number.NEGATIVE_INFINITY
      if (now >= usedAt + DAY_MS && !current.has(fingerprint)) return qty
    }
    return request.qty
  }
}
