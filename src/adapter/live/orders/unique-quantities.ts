/**
 * Quantities that no other order has at the same price, of those that are open and of the last day, so that an order is
 * told from all others by how it looks.
 */
import type { OrderRequest } from '../../../domain/order.ts'
import { DAY_MS } from '../../../domain/time.ts'
import { fingerprintOf } from './fingerprint.ts'
import type { Intent } from './intent.ts'

export class UniqueQuantities {
  /** When each was used last, Unix milliseconds. */
  readonly #usedAt = new Map<string, number>()

  readonly #current: () => readonly Intent[]

  /**
   * @param earlier  intents of an earlier session
   * @param current  those whose order is open, or may come yet, however old they are
   */
  constructor(earlier: readonly Intent[], current: () => readonly Intent[]) {
    this.#current = current
    for (const intent of earlier) this.#usedAt.set(fingerprintOf(intent), intent.sentAt)
  }

  /** @returns lots, as few below what is asked as can be; what is asked when every smaller quantity is used */
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
