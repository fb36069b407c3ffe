/**
 * Warm-up: the time before a session's own, in which a strategy receives market data and its intents are not sent.
 *
 * Known limitation: if recorded candles are not counted, intervals of time are counted instead, with or without trades.
 */
import type { ExchangeAdapter } from '../../adapter/exchange-adapter.ts'
import { openTimeOf } from '../../domain/candle-length.ts'
import { isoTime } from '../../domain/time.ts'
import type { KnownRows } from './series-call.ts'
import type { WarmupNeed } from '../../strategy/warmup.ts'

export interface WarmUpOptions {
  readonly adapter: Pick<ExchangeAdapter, 'now' | 'at'>
  readonly needs: readonly WarmupNeed[]
  /** Unix milliseconds from which the session acts; default: now. */
  readonly actsFrom: number | undefined
  /** Number of recorded candles before the session acts, by length; undefined if they are not counted. */
  readonly warmedUp?: ReadonlyMap<string, number> | undefined
  /** Logs to the operator. */
  readonly log: (message: string) => void
  /** True while another component replays history and reports how far it reaches; undefined if none does. */
  readonly isShown?: (() => boolean) | undefined
  /** Rows of series that the strategy had before: its intents because of them are not sent either. */
  readonly knownRows?: Pick<KnownRows, 'isShowing'> | undefined
}

export class WarmUp {
  readonly #options: WarmUpOptions
  readonly #since: number
  readonly #actsFrom: number
  /** Permanent: a clock that is set back does not restart the warm-up. */
  #isActing: boolean
  #unsent = 0
  #isReported = false

  constructor(options: WarmUpOptions) {
    this.#options = options
    this.#since = options.adapter.now()
    this.#actsFrom = options.actsFrom ?? this.#since
    this.#isActing = this.#actsFrom <= this.#since
    this.#isReported = options.isShown !== undefined
  }

  /** Calls `begin` when the session starts to act, before anything is emitted then. Call once. */
  start(begin: () => void): void {
    const { adapter, actsFrom } = this.#options
    if (this.#isActing) {
      begin()
      // There is nothing to report if no start was requested and no row came before.
      if (actsFrom !== undefined) this.#report()
      return
    }
    adapter.at(this.#actsFrom - 1, begin)
    adapter.at(this.#actsFrom, () => {
      this.#report()
    })
  }

  /** Whether the session acts by now. */
  get isOver(): boolean {
    const { adapter, isShown, knownRows } = this.#options
    if (isShown?.() === true || knownRows?.isShowing === true) return false
    this.#isActing ||= adapter.now() >= this.#actsFrom
    return this.#isActing
  }

  /** Whether intents are sent. Those that are not are counted. */
  admits(intents: number): boolean {
    const { adapter, needs, log, knownRows } = this.#options
    if (knownRows?.isShowing === true) {
      log('no order is sent because of a row of a series that the strategy had before it was started again')
      return false
    }
    if (!this.isOver) {
      this.#unsent += intents
      return false
    }
    const now = adapter.now()
    const [short] = this.#lacking(now)
    if (short !== undefined && !this.#isReported) {
      this.#isReported = true
      log(
        `the strategy orders after only ${this.#seen(short, now)} of the ${short.count} candles of ${short.length} that its warmup requests`,
      )
    }
    if (needs.length > 0 && short === undefined) this.#isReported = true
    return true
  }

  /** The other component has replayed the last of the history. */
  end(): void {
    if (this.#unsent > 0) this.#options.log(`warm-up: ${this.#unsent} orders were not sent`)
  }

  #report(): void {
    const { log } = this.#options
    const before = `before ${isoTime(this.#actsFrom)}`
    for (const need of this.#lacking(this.#actsFrom)) {
      log(`warm-up: only ${this.#seen(need, this.#actsFrom)} of ${need.count} candles of ${need.length} ${before}`)
    }
    if (this.#unsent > 0) log(`warm-up: ${this.#unsent} orders ${before} were not sent`)
  }

  #lacking(now: number): readonly WarmupNeed[] {
    if (this.#isReported) return []
    return this.#options.needs.filter((need) => this.#seen(need, now) < need.count)
  }

  /** Candles since the first received one; intervals of time if they were not counted. */
  #seen({ length, lengthMs }: WarmupNeed, now: number): number {
    const recorded = this.#options.warmedUp?.get(length)
    if (recorded !== undefined) return recorded + Math.max(0, Math.floor((now - this.#actsFrom) / lengthMs))
    const first = openTimeOf(this.#since + lengthMs - 1, lengthMs)
    return Math.max(0, Math.floor((now - first) / lengthMs))
  }
}
