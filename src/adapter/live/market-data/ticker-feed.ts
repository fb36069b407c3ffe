/**
 * The tickers of one market: its stream's or, where there is none or it is silent while there is trading, those of
 * reads.
 *
 * Invariant: none is told that is older than the last, that says the same as the last, or that is of a market without a
 * trade. A time ahead of the exchange's clock is not believed: it is taken to be that of the arrival, so that no later
 * ticker is older than it.
 */
import type { Ticker } from '../../../domain/ticker.ts'
import { LATE_MS, type LiveTime, type LiveTimer } from '../live-time.ts'
import type { MarketReads } from '../rest/service-calls.ts'
import type { ExchangeClock } from './exchange-clock.ts'

/** A ticker that came so shortly before a trade may be that of the trade. */
const TOGETHER_MS = 1_000
/**
 * So long a stream brings only tickers older than the last told, in an order of their own, before the last told is not
 * believed.
 */
const MIN_OLDER_MS = 10_000

export interface TickerFeedOptions {
  readonly symbol: string
  readonly reads: Pick<MarketReads, 'ticker'>
  readonly time: LiveTime
  readonly clock: Pick<ExchangeClock, 'now' | 'isAhead'>
  readonly pollMs: number
  /** A ticker came by the stream. */
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
  /** Of the stream, on the monotonic clock. */
  #arrivedAt = Number.NEGATIVE_INFINITY
  /** Looks whether a ticker came for a trade. */
  #check: LiveTimer | undefined
  #isSilent = false
  readonly #older = new OlderTickers()

  constructor(options: TickerFeedOptions) {
    this.#options = options
  }

  start(): void {
    this.#read()
  }

  /** What changed before the stream came is read once. */
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
    this.#tell(ticker)
  }

  /** There was a trade, so the ticker has changed: it is read where the stream does not bring it. */
  onTrade(): void {
    if (!this.#isStreamed || this.#isClosed || this.#check !== undefined) return
    this.#checkLater(this.#options.time.monotonic() - TOGETHER_MS)
  }

  /** @param since  no ticker has come from then on: on the monotonic clock */
  #checkLater(since: number): void {
    const { time, pollMs } = this.#options
    const due = time.monotonic() + pollMs
    this.#check = time.after(pollMs, () => {
      this.#check = undefined
      // The tickers of a time in which the loop was blocked are read before the next timer.
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
    if (!this.#isOlder(ticker)) this.#tell(ticker)
  }

  /** @param ticker  not older than the last */
  #tell(ticker: Ticker): void {
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
    const done = (tell: () => void): void => {
      time.enter(() => {
        this.#isReading = false
        if (this.#isClosed) return
        tell()
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

/** Tickers of a stream, one after another, that are older than the last that was told. */
class OlderTickers {
  #since: number | undefined
  #newest = Number.NEGATIVE_INFINITY

  reset(): void {
    this.#since = undefined
  }

  /** Whether they show that the service's clock is behind the last that was told. @param now  on the monotonic clock */
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
