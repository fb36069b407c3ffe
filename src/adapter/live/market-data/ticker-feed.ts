/**
 * The tickers of one market: from its stream or, if there is none or it is silent during trading, from reads.
 *
 * Invariant: no ticker is emitted that is older than the last one, equal to it, or of a market without a trade. A time
 * ahead of the exchange's clock is replaced by the arrival time, so that no later ticker is older than it.
 */
import type { Ticker } from '../../../domain/ticker.ts'
import { LATE_MS, type LiveTime, type LiveTimer } from '../live-time.ts'
import type { MarketReads } from '../rest/service-calls.ts'
import type { ExchangeClock } from './exchange-clock.ts'

/** A ticker that arrived up to this long before a trade may belong to the trade. */
const TOGETHER_MS = 1_000
/**
 * Duration for which a stream must bring only tickers older than the last emitted one, in order, before the last one is
 * considered wrong.
 */
const MIN_OLDER_MS = 10_000

export interface TickerFeedOptions {
  readonly symbol: string
  readonly reads: Pick<MarketReads, 'ticker'>
  readonly time: LiveTime
  readonly clock: Pick<ExchangeClock, 'now' | 'isAhead'>
  readonly pollMs: number
  /** A ticker arrived by the stream. */
  readonly onStreamed: () => void
  readonly onWarning: (message: string) => void
  readonly onTicker: (ticker: Ticker) => void
  readonly onFault: (error: unknown) => void
}

export class TickerFeed {
  readonly #options: TickerFeedOptions
  #timer: LiveTimer | undefined
  #isReading = false
  #isStreamed = false
  #isClosed = false
  #last: Ticker | undefined
  /** Arrival time of the last ticker of the stream, monotonic milliseconds. */
  #arrivedAt = Number.NEGATIVE_INFINITY
  /** Timer that checks whether a ticker arrived for a trade. */
  #check: LiveTimer | undefined
  #isSilent = false
  readonly #older = new OlderTickers()

  constructor(options: TickerFeedOptions) {
    this.#options = options
  }

  start(): void {
    this.#read()
  }

  /** One read covers changes from before the subscription. */
  onSubscribed(): void {
    this.#isStreamed = true
    this.#read()
  }

  onNoStream(): void {
    this.#isStreamed = false
    this.#readLater()
  }

  onStreamTicker(ticker: Ticker): void {
    this.#arrivedAt = this.#options.time.monotonic()
    this.#isSilent = false
    this.#options.onStreamed()
    if (this.#isOlder(ticker) && !this.#older.isLasting(ticker.timestamp, this.#arrivedAt)) return
    this.#older.reset()
    this.#report(ticker)
  }

  /** A trade has changed the ticker: it is read if the stream does not bring it. */
  onTrade(): void {
    if (!this.#isStreamed || this.#isClosed || this.#check !== undefined) return
    this.#checkLater(this.#options.time.monotonic() - TOGETHER_MS)
  }

  /** @param since  no ticker has arrived from then on, monotonic milliseconds */
  #checkLater(since: number): void {
    const { time, pollMs } = this.#options
    const due = time.monotonic() + pollMs
    this.#check = time.after(pollMs, () => {
      this.#check = undefined
      // Tickers that arrived while the event loop was blocked are read before the next timer.
      if (time.monotonic() - due > LATE_MS) this.#checkLater(since)
      else if (this.#isStreamed && this.#arrivedAt < since) this.#readSilent()
    })
  }

  close(): void {
    this.#isClosed = true
    this.#timer?.cancel()
    this.#check?.cancel()
  }

  #isOlder({ timestamp }: Ticker): boolean {
    return this.#last !== undefined && timestamp < this.#last.timestamp
  }

  #onRead(ticker: Ticker): void {
    if (!this.#isOlder(ticker)) this.#report(ticker)
  }

  /** @param ticker  not older than the last */
  #report(ticker: Ticker): void {
    const { clock, onTicker } = this.#options
    if (this.#isClosed || ticker.lastPrice === 0) return
    if (this.#last !== undefined && saysTheSame(ticker, this.#last)) return
    const isAhead = clock.isAhead(ticker.timestamp)
    this.#last = isAhead ? { ...ticker, timestamp: clock.now() } : ticker
    if (isAhead) this.#warnOfAhead(ticker)
    onTicker(this.#last)
  }

  #warnOfAhead({ timestamp }: Ticker): void {
    const { symbol, clock, onWarning } = this.#options
    const seconds = Math.round((timestamp - clock.now()) / 1_000)
    onWarning(`${symbol}: the time of a ticker is ${seconds} s ahead of the clock; its arrival time is used instead`)
  }

  #readSilent(): void {
    const { symbol, pollMs, onWarning } = this.#options
    if (!this.#isSilent) {
      onWarning(
        `${symbol}: trades arrive, but the stream delivers no tickers; polling every ${pollMs / 1_000} s instead`,
      )
    }
    this.#isSilent = true
    this.#read()
  }

  #read(): void {
    if (this.#isReading || this.#isClosed) return
    const { symbol, reads, time, onFault } = this.#options
    this.#isReading = true
    const done = (report: () => void): void => {
      time.enter(() => {
        this.#isReading = false
        if (this.#isClosed) return
        report()
        if (!this.#isStreamed) this.#readLater()
      })
    }
    reads.ticker(symbol).then(
      (ticker) => done(() => this.#onRead(ticker)),
      (error: unknown) => done(() => onFault(error)),
    )
  }

  #readLater(): void {
    this.#timer?.cancel()
    this.#timer = this.#options.time.after(this.#options.pollMs, () => {
      if (!this.#isStreamed) this.#read()
    })
  }
}

/** Consecutive stream tickers that are older than the last emitted one. */
class OlderTickers {
  #since: number | undefined
  #newest = Number.NEGATIVE_INFINITY

  reset(): void {
    this.#since = undefined
  }

  /**
   * Whether they show that the service's clock is behind the last emitted ticker. @param now  monotonic milliseconds
   */
  isLasting(timestamp: number, now: number): boolean {
    if (this.#since === undefined || timestamp < this.#newest) this.#since = now
    this.#newest = timestamp
    return now - this.#since >= MIN_OLDER_MS
  }
}

const saysTheSame = (left: Ticker, right: Ticker): boolean =>
  left.lastPrice === right.lastPrice &&
  left.openPrice === right.openPrice &&
  left.high === right.high &&
  left.low === right.low &&
  left.volume === right.volume &&
  left.quoteVolume === right.quoteVolume
