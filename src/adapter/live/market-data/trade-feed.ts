/**
 * Merges the trades of one market from its stream and from reads: decides when to read, and when to trust the stream.
 *
 * After each connect, stream trades are held until a read that began later has filled in what came before them. Then
 * they are emitted immediately as long as the stream is in order; otherwise they wait for reads again for a while. A
 * trade with an impossible time is quarantined: a read decides its place, and its time is corrected there.
 */
import { ExchangeError } from '../../../domain/errors.ts'
import type { WireTrade } from '../../../wire/wire-trade.ts'
import type { LiveTime, LiveTimer } from '../live-time.ts'
import type { MarketReads } from '../rest/service-calls.ts'
import { Backoff } from '../stream/backoff.ts'
import { ExchangeClock } from './exchange-clock.ts'
import type { MarketDataSettings } from './market-data-settings.ts'
import { RecentIds } from './recent-ids.ts'
import { SilentStream } from './silent-stream.ts'
import { MAX_READ, TradeSequence, type GapKind, type SequenceCounts } from './trade-sequence.ts'
import { withSoundTimes } from './trade-times.ts'

/** Number of trades emitted from the stream alone that triggers a read: a read shows at most twice as many. */
const MAX_UNPROVEN = MAX_READ / 2
/** Maximum number of held trades; reads show no more. */
const MAX_HELD = 4 * MAX_READ
const MAX_SEEN = 8 * MAX_READ
const FIRST_BACKOFF_MS = 1_000

export interface TradeFeedListener {
  /** First sight of a trade, emitted or not, except those from before the beginning. */
  onSeen(trade: WireTrade): void
  onTrade(trade: WireTrade): void
  onGap(from: number, to: number, kind: GapKind): void
  /** The history from before the beginning is known. */
  onBegin(): void
  /** A trade whose time is further ahead than an exchange's clock can be; its time is corrected. */
  onAhead(trade: WireTrade): void
  /** Reads show trades that the connected stream does not bring. */
  onSilent(): void
  /** `isCurrent` may have changed. */
  onCurrent(): void
  /** A read failed. */
  onFault(error: ExchangeError): void
}

export interface TradeFeedOptions {
  readonly symbol: string
  readonly reads: Pick<MarketReads, 'trades'>
  /** Whether there is a stream, which will state whether it offers these trades. */
  readonly isStreamed: boolean
  readonly time: LiveTime
  /** Returns numbers in [0, 1). */
  readonly random: () => number
  readonly settings: MarketDataSettings
  readonly listener: TradeFeedListener
}

export class TradeFeed {
  readonly sequence: TradeSequence
  readonly clock: ExchangeClock
  readonly #options: TradeFeedOptions
  readonly #backoff: Backoff
  /** `opening` until a read has filled in what came before it. */
  #stream: 'none' | 'opening' | 'open' = 'none'
  /** Connection counter, to know that a read began during the current one. */
  #connection = 0
  /** Whether stream trades are emitted immediately: nothing is held then. */
  #isImmediate = false
  /** Consecutive reads that showed none of the held trades. */
  #fruitless = 0
  /** True until the first connection's stream is subscribed, or known not to exist. */
  #isAwaitingStream: boolean
  readonly #seen = new RecentIds(MAX_SEEN)
  readonly #silence: SilentStream
  /** Held stream trades by id, in order of arrival. */
  readonly #held = new Map<string, WireTrade>()
  #distrustMs = 0
  /** Monotonic milliseconds. */
  #distrustedUntil = Number.NEGATIVE_INFINITY
  /** Whether trades arrived since the last read began. */
  #hasNews = false
  /**
   * Delay until the next read while nothing arrives: short after a trade, because a market that falls silent may have
   * lost its stream.
   */
  #quietMs: number
  #isBegun = false
  #isCurrent = false
  #isClosed = false
  #isReading = false
  /** Monotonic milliseconds. */
  #lastReadAt = Number.NEGATIVE_INFINITY
  #wantedAt = Number.POSITIVE_INFINITY
  #timer: LiveTimer | undefined
  /** Called after a read that has not begun yet. */
  #waiting: (() => void)[] = []

  constructor(options: TradeFeedOptions) {
    this.#options = options
    this.#backoff = new Backoff(FIRST_BACKOFF_MS, options.settings.mostBackoffMs, options.random)
    this.sequence = new TradeSequence(options.time.now(), options.listener)
    this.clock = new ExchangeClock(options.time)
    this.#isAwaitingStream = options.isStreamed
    this.#silence = new SilentStream(options.settings.confirmMs)
    this.#quietMs = options.settings.confirmMs
  }

  /** Whether the known trades are complete except for those in flight. */
  get isCurrent(): boolean {
    return this.#isCurrent
  }

  get isBegun(): boolean {
    return this.#isBegun
  }

  /** Whether no trade from now on can be missed: by the stream, or by reads if there is none. */
  get isFollowed(): boolean {
    return this.#isBegun && !this.#isAwaitingStream
  }

  /** The current source of emitted trades. */
  get source(): 'stream' | 'checked' | 'polled' {
    if (this.#stream === 'none') return 'polled'
    return this.#isImmediate ? 'stream' : 'checked'
  }

  get counts(): SequenceCounts {
    return this.sequence.counts
  }

  start(): void {
    this.#want(0)
  }

  close(): void {
    this.#isClosed = true
    this.#timer?.cancel()
  }

  /**
   * Calls `action` once every trade that has happened by now was emitted; synchronously if that is the case already.
   */
  whenWhole(action: () => void): void {
    if (this.#isImmediate) {
      action()
      return
    }
    this.#waiting.push(action)
    this.#want(0)
  }

  onSubscribed(): void {
    this.#connection += 1
    this.#stream = 'opening'
    this.#distrustedUntil = Number.NEGATIVE_INFINITY
    this.#distrustMs = 0
    this.#silence.reset()
    this.#want(0, true)
  }

  /** There is no stream for now. */
  onNoStream(): void {
    this.#held.clear()
    this.#isImmediate = false
    if (this.#stream !== 'none') this.#setCurrent(false)
    this.#stream = 'none'
    this.#followed()
    if (this.#isBegun) this.#want(0)
  }

  /** Another source shows that there was trading. */
  onTraded(): void {
    if (this.#isBegun) this.#want(this.#options.settings.confirmMs)
  }

  onStreamTrade(trade: WireTrade): void {
    if (this.#stream === 'none') return
    this.#silence.arrived(trade.id)
    if (this.sequence.has(trade.id) || this.#held.has(trade.id)) {
      this.sequence.duplicate()
      return
    }
    this.#hasNews = true
    this.#see(trade)
    if (this.clock.isAhead(trade.createdAt) || this.sequence.isFarBack(trade.createdAt)) {
      this.#distrust()
      this.#want(0)
      return
    }
    this.clock.arrived(trade.createdAt)
    if (!this.#isImmediate) this.#hold(trade)
    else if (!this.sequence.stream(trade)) this.#distrust()
    if (!this.#isImmediate || this.sequence.unprovenCount >= MAX_UNPROVEN) this.#want(0)
    else this.#want(this.#options.settings.confirmMs)
  }

  #hold(trade: WireTrade): void {
    this.#held.set(trade.id, trade)
    this.#fruitless = 0
    if (this.#held.size <= MAX_HELD) return
    const [oldest] = this.#held.keys()
    if (oldest !== undefined) this.#held.delete(oldest)
  }

  #distrust(): void {
    const { settings, time } = this.#options
    this.#distrustMs = Math.min(settings.mostDistrustMs, Math.max(settings.distrustMs, 2 * this.#distrustMs))
    this.#distrustedUntil = time.monotonic() + this.#distrustMs
    this.#isImmediate = false
  }

  /**
   * Reads in `delayMs`, or earlier if that is scheduled already.
   * @param isUrgent  ignores the minimum time between two reads
   */
  #want(delayMs: number, isUrgent = false): void {
    if (this.#isClosed) return
    const { settings, time } = this.#options
    const earliest = isUrgent ? time.monotonic() : this.#lastReadAt + settings.spacingMs
    const at = Math.max(time.monotonic() + delayMs, earliest)
    if (at >= this.#wantedAt) return
    this.#wantedAt = at
    if (!this.#isReading) this.#schedule()
  }

  #schedule(): void {
    const { time } = this.#options
    this.#timer?.cancel()
    this.#timer = time.after(Math.max(0, this.#wantedAt - time.monotonic()), () => this.#read())
  }

  #read(): void {
    const { symbol, reads, time, listener } = this.#options
    const connection = this.#stream === 'none' ? undefined : this.#connection
    const waiting = this.#waiting
    this.#waiting = []
    this.#isReading = true
    this.#hasNews = false
    this.#wantedAt = Number.POSITIVE_INFINITY
    this.#lastReadAt = time.monotonic()
    reads.trades(symbol, MAX_READ).then(
      (newestFirst) => {
        time.enter(() => {
          if (this.#isClosed) return
          this.#isReading = false
          this.#backoff.reset()
          this.#onRead(newestFirst, connection === this.#connection)
          for (const action of waiting) action()
          this.#wantNext()
        })
      },
      (error: unknown) => {
        time.enter(() => {
          if (this.#isClosed) return
          this.#isReading = false
          this.#waiting.unshift(...waiting)
          if (this.#stream !== 'open') this.#setCurrent(false)
          this.#wantedAt = time.monotonic() + this.#backoff.next()
          this.#schedule()
          listener.onFault(faultOf(error))
        })
      },
    )
  }

  /** @param isOfConnection  whether it began after the stream of this connection */
  #onRead(read: readonly WireTrade[], isOfConnection: boolean): void {
    const { listener } = this.#options
    if (this.#isBegun) this.#listen(read.toReversed().filter((trade) => this.#see(trade)))
    else this.clock.begin(read.map(({ createdAt }) => createdAt))
    const newestFirst = withSoundTimes(read, this.clock, (id) => this.sequence.timeOf(id))
    if (!this.#isBegun) {
      for (const { id } of newestFirst) this.#seen.add(id)
      this.sequence.begin(newestFirst)
      this.#isBegun = true
      listener.onBegin()
    } else if (this.sequence.read(newestFirst) === 'differs' && this.#isImmediate) {
      this.#distrust()
    }
    if (isOfConnection && this.#stream === 'opening') this.#stream = 'open'
    if (this.#stream === 'open') this.#followed()
    this.#sift(newestFirst)
    if (!this.#isImmediate && this.#isTrusted && this.#release()) this.#isImmediate = true
    this.#setCurrent(true)
  }

  get #isTrusted(): boolean {
    const { settings, time } = this.#options
    if (settings.confirm !== 'stream' || this.#stream !== 'open' || this.#silence.isSilent) return false
    return time.monotonic() >= this.#distrustedUntil
  }

  /** @returns false if it was seen before */
  #see(trade: WireTrade): boolean {
    if (!this.#seen.add(trade.id)) return false
    const { listener } = this.#options
    const wasAhead = this.clock.isAhead(trade.createdAt)
    if (!this.clock.accepts(trade.createdAt)) listener.onAhead(trade)
    // The exchange's clock was ahead, and the stream was right.
    else if (wasAhead) [this.#distrustMs, this.#distrustedUntil] = [0, Number.NEGATIVE_INFINITY]
    this.#quietMs = this.#options.settings.confirmMs
    listener.onSeen(trade)
    return true
  }

  /** @param unheard  first seen in a read */
  #listen(unheard: readonly WireTrade[]): void {
    const ids = unheard.map(({ id }) => id)
    if (this.#stream !== 'open' || !this.#silence.read(ids, this.#options.time.monotonic())) return
    this.#distrust()
    this.#options.listener.onSilent()
  }

  #followed(): void {
    if (!this.#isAwaitingStream) return
    this.#isAwaitingStream = false
    this.#options.listener.onCurrent()
  }

  /** Drops held trades that no later read can show. */
  #sift(newestFirst: readonly WireTrade[]): void {
    const before = this.#held.size
    const newest = newestFirst[0]?.createdAt ?? Number.NEGATIVE_INFINITY
    const oldest = newestFirst.at(-1)?.createdAt ?? Number.NEGATIVE_INFINITY
    for (const [id, trade] of this.#held) {
      const isKnown = this.sequence.has(id)
      if (!isKnown && trade.createdAt >= newest) continue
      this.#held.delete(id)
      if (isKnown) continue
      this.sequence.miss(trade)
      // A read is complete from its oldest trade on, so this one is not where its time says.
      if (trade.createdAt > oldest) this.#distrust()
    }
    this.#fruitless = this.#held.size < before ? 0 : this.#fruitless + 1
  }

  /** Emits held trades in order of arrival. @returns false if that is out of order: a later read decides */
  #release(): boolean {
    let last = this.sequence.last?.createdAt ?? Number.NEGATIVE_INFINITY
    for (const { createdAt } of this.#held.values()) {
      if (createdAt < last) return false
      last = createdAt
    }
    const held = [...this.#held.values()]
    this.#held.clear()
    for (const trade of held) this.sequence.stream(trade)
    return true
  }

  #wantNext(): void {
    const { confirmMs, idleMs, pollMs, spacingMs } = this.#options.settings
    if (this.#waiting.length > 0 || this.#stream === 'opening') this.#want(0)
    else if (this.#stream === 'none') this.#want(pollMs)
    else if (this.#isImmediate && this.#hasNews) this.#want(confirmMs)
    else if (this.#isImmediate) {
      this.#want(this.#quietMs)
      this.#quietMs = Math.min(idleMs, 2 * this.#quietMs)
    } else if (this.#silence.isSilent) this.#want(pollMs)
    else if (this.#held.size > 0) this.#want(Math.min(confirmMs, spacingMs * 2 ** this.#fruitless))
    else this.#want(confirmMs)
    if (this.#wantedAt < Number.POSITIVE_INFINITY) this.#schedule()
  }

  #setCurrent(isCurrent: boolean): void {
    if (this.#isCurrent === isCurrent) return
    this.#isCurrent = isCurrent
    this.#options.listener.onCurrent()
  }
}

export const faultOf = (error: unknown): ExchangeError =>
  error instanceof ExchangeError
    ? error
    : new ExchangeError('NO_ANSWER', error instanceof Error ? error.message : String(error), { cause: error })
