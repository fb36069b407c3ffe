/**
 * The tickers of one market: its stream's or, where there is none, those of reads.
 *
 * Invariant: none is told that is older than the last, that says the same as the last, or that is of a market without a trade.
 */
import type { Ticker } from '../../../domain/ticker.ts'
import type { LiveTime, LiveTimer } from '../live-time.ts'
import type { MarketReads } from '../rest/service-calls.ts'

export interface TickerFeedOptions {
  readonly symbol: string
  readonly reads: Pick<MarketReads, 'ticker'>
  readonly time: LiveTime
  readonly pollMs: number
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

  onTicker(ticker: Ticker): void {
    const last = this.#last
    if (this.#isClosed || ticker.lastPrice === 0) return
    if (last !== undefined && (ticker.timestamp < last.timestamp || saysTheSame(ticker, last))) return
    this.#last = ticker
    this.#options.onTicker(ticker)
  }

  close(): void {
    this.#isClosed = true
    this.#timer?.cancel()
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
      (ticker) => done(() => this.onTicker(ticker)),
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

const saysTheSame = (left: Ticker, right: Ticker): boolean =>
  left.lastPrice === right.lastPrice &&
  left.openPrice === right.openPrice &&
  left.high === right.high &&
  left.low === right.low &&
  left.volume === right.volume &&
  left.quoteVolume === right.quoteVolume
