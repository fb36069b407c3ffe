/**
 * Cancels of the open orders that would add to a position, while a loss holds the session.
 *
 * A limit that let the bids of a falling market stand would bound nothing. Each is cancelled until it is gone: a cancel
 * that was refused for its rate, or of which nobody knows, is sent again after a second.
 */
import type { ExchangeAdapter, RequestOutcome } from '../../../adapter/exchange-adapter.ts'

const RETRY_MS = 1_000

export interface SweepOptions {
  readonly adapter: Pick<ExchangeAdapter, 'openOrders' | 'after'>
  /** False when nothing is to be cancelled, or nothing can be any more. */
  readonly isOn: () => boolean
  readonly cancel: (orderId: string, reply: (outcome: RequestOutcome) => void) => void
}

export class EntrySweep {
  readonly #options: SweepOptions
  /** Orders whose cancel is on its way. */
  readonly #asked = new Set<string>()

  constructor(options: SweepOptions) {
    this.#options = options
  }

  /** Call whenever an order may be there that should not be. */
  sweep(): void {
    const { adapter, isOn } = this.#options
    if (!isOn()) return
    for (const { id, side } of adapter.openOrders()) if (side === 'BUY' && !this.#asked.has(id)) this.#cancel(id)
  }

  #cancel(id: string): void {
    const { adapter, cancel } = this.#options
    this.#asked.add(id)
    cancel(id, (outcome) => {
      if (outcome.type === 'acknowledged') return
      adapter.after(RETRY_MS, () => {
        this.#asked.delete(id)
        this.sweep()
      })
    })
  }
}
