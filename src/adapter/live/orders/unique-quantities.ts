/**
 * Quantities that no other order of the last day has at the same price, so that an order is told from all others by how it looks.
 */
import type { OrderRequest } from '../../../domain/order.ts'
import { fingerprintOf } from './fingerprint.ts'
import type { Intent } from './intent.ts'

const DAY_MS = 86_400_000

export class UniqueQuantities {
  /** When each was used last, Unix milliseconds. */
  readonly #usedAt = new Map<string, number>()

  /** @param intents  of an earlier session */
  constructor(intents: readonly Intent[]) {
    for (const intent of intents) this.#usedAt.set(fingerprintOf(intent), intent.sentAt)
  }

  /** @returns lots, as few below what is asked as can be; what is asked when every smaller quantity is used */
  take(request: OrderRequest, now: number): number {
    const qty = this.#free(request, now)
    this.#usedAt.set(fingerprintOf({ ...request, qty }), now)
    return qty
  }

  #free(request: OrderRequest, now: number): number {
    for (let { qty } = request; qty > 0; qty -= 1) {
      const usedAt = this.#usedAt.get(fingerprintOf({ ...request, qty }))
      if (usedAt === undefined || now >= usedAt + DAY_MS) return qty
    }
    return request.qty
  }
}
