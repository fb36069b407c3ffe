/**
 * Cancels open orders that would add to a position, while a loss limit holds the session.
 *
 * Otherwise the bids of a falling market would fill beyond the limit. Each is cancelled until it is gone: a cancel that
 * was rate-limited, or has an unknown outcome, is sent again after a second.
 */
import type { ExchangeAdapter, RequestOutcome } from '../../../adapter/exchange-adapter.ts'

const RETRY_MS = 1_000

export interface SweepOptions {
  readonly adapter: Pick<ExchangeAdapter, 'openOrders' | 'after'>
  /** False if nothing is to be cancelled, or nothing can be any more. */
  readonly isOn: () => boolean
  readonly cancel: (orderId: string, reply: (outcome: RequestOutcome) => void) => void
}

export class EntrySweep {
  readonly #options: SweepOptions
  /** Orders whose cancel is in flight. */
  readonly #asked = new Set<string>()

  constructor(options: SweepOptions) {
    this.#options = options
  }

  /** Call whenever there may be an unwanted order. */
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
