/**
 * Collects the status of a live process: saved for other processes, and passed on to displays.
 *
 * Invariant: a status that cannot be saved ends nothing, and is reported once.
 */
import type { LiveTime } from '../../adapter/live/live-time.ts'
import type { LiveStatus, StrategyStatus } from './live-status.ts'

export type AccountStatus = Pick<LiveStatus, 'connection' | 'stream' | 'dataAt' | 'budget' | 'undecided' | 'warnings'>
type BlockedMarket = LiveStatus['halts'][number]

/** Source of an account's status, and the place where it is saved. */
export interface LiveStatusSource {
  read(): AccountStatus
  /** @throws if it cannot be saved */
  save(status: LiveStatus): void
}

export interface StatusWatchOptions {
  readonly time: LiveTime
  readonly baseUrl: string
  readonly source: LiveStatusSource
  readonly blockedMarkets: () => readonly BlockedMarket[]
  readonly strategies: () => readonly StrategyStatus[]
  readonly events: () => LiveStatus['events']
  readonly onStatus: (status: LiveStatus) => void
  /** A market was blocked within the last second, or before the start. */
  readonly onHalt: (market: BlockedMarket) => void
  readonly onTrouble: (reason: string) => void
}

/** Maximum number of latest events; a screen has no room for more. */
const MAX_EVENTS = 50

export class StatusWatch {
  readonly #options: StatusWatchOptions
  readonly #startedAt: number
  #blocked: ReadonlySet<string> = new Set()
  #isTroubleReported = false

  constructor(options: StatusWatchOptions) {
    this.#options = options
    this.#startedAt = options.time.now()
  }

  look(): void {
    const { source, onStatus, onTrouble } = this.#options
    try {
      const status = this.#status()
      onStatus(status)
      source.save(status)
    } catch (error) {
      if (this.#isTroubleReported) return
      this.#isTroubleReported = true
      onTrouble(`the status cannot be saved: ${error instanceof Error ? error.message : ''}`)
    }
  }

  #status(): LiveStatus {
    const { time, baseUrl, source, blockedMarkets, strategies, events, onHalt } = this.#options
    const blocked = blockedMarkets()
    for (const market of blocked) if (!this.#blocked.has(market.symbol)) onHalt(market)
    this.#blocked = new Set(blocked.map(({ symbol }) => symbol))
    return {
      time: time.now(),
      startedAt: this.#startedAt,
      baseUrl,
      halts: blocked,
      ...source.read(),
      strategies: strategies(),
      events: events().slice(-MAX_EVENTS),
    }
  }
}
