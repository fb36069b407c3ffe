/**
 * The time before a session's own, in which a strategy sees the market and nothing that it wants is sent.
 *
 * Known limit: without a count of the recorded candles, intervals of time stand for them, whether anything was traded
 * in them or not.
 */
import type { ExchangeAdapter } from '../../adapter/exchange-adapter.ts'
import { openTimeOf } from '../../domain/candle-length.ts'
import { isoTime } from '../../domain/time.ts'
import type { WarmupNeed } from '../../strategy/warmup.ts'

export interface WarmUpOptions {
  readonly adapter: Pick<ExchangeAdapter, 'now' | 'at'>
  readonly needs: readonly WarmupNeed[]
  /** Unix milliseconds at which the session begins to act; default: now. */
  readonly actsFrom: number | undefined
  /** Recorded candles before the session acts, by length; undefined where they are not counted. */
  readonly warmedUp?: ReadonlyMap<string, number> | undefined
  /** For the person who runs the strategy. */
  readonly log: (message: string) => void
  /** True while the past is shown by somebody else, who also tells how far it reaches; undefined where nobody does. */
  readonly isShown?: (() => boolean) | undefined
}

export class WarmUp {
  readonly #options: WarmUpOptions
  readonly #since: number
  readonly #actsFrom: number
  /** For good: a clock that is set back does not make it the past again. */
  #isActing: boolean
  #unsent = 0
  #isTold = false

  constructor(options: WarmUpOptions) {
    this.#options = options
    this.#since = options.adapter.now()
    this.#actsFrom = options.actsFrom ?? this.#since
    this.#isActing = this.#actsFrom <= this.#since
    this.#isTold = options.isShown !== undefined
  }

  /** Calls `begin` when the session begins to act, before anything that is told then. Call once. */
  start(begin: () => void): void {
    const { adapter, actsFrom } = this.#options
    if (this.#isActing) {
      begin()
      // Nothing came before the first row, and that is no news where no beginning was asked for.
      if (actsFrom !== undefined) this.#tell()
      return
    }
    adapter.at(this.#actsFrom - 1, begin)
    adapter.at(this.#actsFrom, () => {
      this.#tell()
    })
  }

  /** Whether the session acts by now. */
  get isOver(): boolean {
    const { adapter, isShown } = this.#options
    if (isShown?.() === true) return false
    this.#isActing ||= adapter.now() >= this.#actsFrom
    return this.#isActing
  }

  /** Whether intents are sent. Those that are not are counted. */
  admits(intents: number): boolean {
    const { adapter, needs, log } = this.#options
    if (!this.isOver) {
      this.#unsent += intents
      return false
    }
    const now = adapter.now()
    const [short] = this.#lacking(now)
    if (short !== undefined && !this.#isTold) {
      this.#isTold = true
      log(
        `the strategy orders after only ${this.#seen(short, now)} of the ${short.count} candles of ${short.length} that its warmup requests`,
      )
    }
    if (needs.length > 0 && short === undefined) this.#isTold = true
    return true
  }

  /** What was shown by somebody else was the last of the past. */
  end(): void {
    if (this.#unsent > 0) this.#options.log(`warm-up: ${this.#unsent} orders were not sent`)
  }

  #tell(): void {
    const { log } = this.#options
    const before = `before ${isoTime(this.#actsFrom)}`
    for (const need of this.#lacking(this.#actsFrom)) {
      log(`warm-up: only ${this.#seen(need, this.#actsFrom)} of ${need.count} candles of ${need.length} ${before}`)
    }
    if (this.#unsent > 0) log(`warm-up: ${this.#unsent} orders ${before} were not sent`)
  }

  #lacking(now: number): readonly WarmupNeed[] {
    if (this.#isTold) return []
    return this.#options.needs.filter((need) => this.#seen(need, now) < need.count)
  }

  /** Candles since it began to see; intervals of time where they were not counted. */
  #seen({ length, lengthMs }: WarmupNeed, now: number): number {
    const recorded = this.#options.warmedUp?.get(length)
    if (recorded !== undefined) return recorded + Math.max(0, Math.floor((now - this.#actsFrom) / lengthMs))
    const first = openTimeOf(this.#since + lengthMs - 1, lengthMs)
    return Math.max(0, Math.floor((now - first) / lengthMs))
  }
}
