/**
 * Polls the account's portfolio once a minute: a holding without a price is missing from its value, which must be
 * reported (specification, section 2, Portfolio).
 *
 * Invariant: a service that does not answer changes nothing, and never ends a session.
 */
import { ExchangeError } from '../../domain/errors.ts'
import type { LiveTime, LiveTimer } from '../../adapter/live/live-time.ts'
import type { WirePortfolio } from '../../wire/wire-portfolio.ts'

export interface PortfolioWatchOptions {
  readonly time: LiveTime
  /** Reads the current portfolio of the account. */
  readonly read: () => Promise<WirePortfolio>
  /** Called once each time the portfolio becomes partial. */
  readonly onWarning: (text: string) => void
  /** Reports an internal error. */
  readonly onError: (error: unknown) => void
}

const EACH_MS = 60_000

export class PortfolioWatch {
  readonly #options: PortfolioWatchOptions
  #timer: LiveTimer | undefined
  #warnings: readonly string[] = []
  #isClosed = false

  constructor(options: PortfolioWatchOptions) {
    this.#options = options
  }

  /** Current warnings; empty if there are none. */
  get warnings(): readonly string[] {
    return this.#warnings
  }

  /** Reads now, and then once a minute after each answer. */
  start(): void {
    void this.#look()
  }

  stop(): void {
    this.#isClosed = true
    this.#timer?.cancel()
  }

  async #look(): Promise<void> {
    const { time, read, onWarning, onError } = this.#options
    try {
      const { partial, equity, quoteAsset } = await read()
      const text = `the service has no price for some assets of the account, so its equity of ${equity} ${quoteAsset} is incomplete`
      if (partial && this.#warnings.length === 0 && !this.#isClosed) onWarning(text)
      this.#warnings = partial ? [text] : []
    } catch (error) {
      // Other reads of the account report a service that does not answer.
      if (!(error instanceof ExchangeError)) onError(error)
    }
    if (this.#isClosed) return
    this.#timer = time.after(EACH_MS, () => {
      void this.#look()
    })
  }
}
