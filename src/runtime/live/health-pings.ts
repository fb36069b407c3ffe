/**
 * Pings a monitor while a session is healthy: its status arrives, and, if that matters, it is connected and its stream
 * is not lost.
 *
 * Silence is the alarm, so nothing is sent about trouble, and no ping is repeated. Invariant: at most one ping is in
 * flight.
 */
import type { MachineClocks } from '../../adapter/live/machine-clocks.ts'
import type { LiveStatus } from './live-status.ts'

export interface HealthPingsOptions {
  readonly clocks: Pick<MachineClocks, 'monotonic'>
  readonly everyMs: number
  /** False for what starts the process again, which brings no connection back. */
  readonly needsConnection: boolean
  /** Never rejects, and ends within some seconds. */
  readonly ping: () => Promise<{ readonly type: 'accepted' } | { readonly type: 'failed'; readonly reason: string }>
  /** The first of several pings in a row has failed. */
  readonly onTrouble: (reason: string) => void
}

export class HealthPings {
  readonly #options: HealthPingsOptions
  #sentAt = -Infinity
  #isInFlight = false
  #hasFailed = false

  constructor(options: HealthPingsOptions) {
    this.#options = options
  }

  /** Returns immediately, whatever the monitor does. */
  onStatus({ connection, stream }: Pick<LiveStatus, 'connection' | 'stream'>): void {
    const { clocks, everyMs, needsConnection } = this.#options
    const now = clocks.monotonic()
    const isHealthy = !needsConnection || (connection === 'connected' && stream !== 'lost')
    if (!isHealthy || this.#isInFlight || now - this.#sentAt < everyMs) return
    this.#sentAt = now
    this.#isInFlight = true
    void this.#send()
  }

  async #send(): Promise<void> {
    const outcome = await this.#options.ping()
    this.#isInFlight = false
    if (outcome.type === 'failed' && !this.#hasFailed) this.#options.onTrouble(outcome.reason)
    this.#hasFailed = outcome.type === 'failed'
  }
}
