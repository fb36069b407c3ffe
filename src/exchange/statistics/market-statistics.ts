/**
 * Public statistics of a market: recent trades, ticker, candles.
 *
 * A trade is only appended to a log; ticker and candles are computed when read, or when a chunk of trades is full. The
 * volume of quarantined prints is stored separately. Invariant: a read returns the same whenever earlier reads
 * happened.
 */
import { InvariantError } from '../../domain/errors.ts'
import { type Ticker, TICKER_WINDOW_MS } from '../../domain/ticker.ts'
import type { TradeRecords } from '../accounts/trade-records.ts'
import type { HistoryLimits } from '../exchange.ts'
import { NumberRing } from '../records/number-ring.ts'
import type { StatisticsSnapshot, TradeColumns } from '../snapshot/exchange-snapshot.ts'
import { type Cut, LaterList } from '../snapshot/later-list.ts'
import { CandleHistory } from './candle-history.ts'
import { TradeLog } from './trade-log.ts'
import { TradeWindow, type WindowFigures } from './trade-window.ts'

export const NO_VOLUME = { volume: 0n, quoteVolume: 0n } as const

/**
 * Difference between a ticker's volume and its price-forming trades: quarantined prints, and negative lots for those
 * confirmed later, which would be counted twice.
 */
export class VolumeCorrection {
  readonly #log = new TradeLog()
  readonly #window = new TradeWindow(this.#log)

  /** @param qty  lots of either sign */
  add(time: number, price: number, qty: number): void {
    if (this.#log.append(time, price, qty)) this.#log.forgetBelow(this.#window.dropUntil(time - TICKER_WINDOW_MS))
  }

  /** Volumes of (now - 24 h, now]. `now` never goes back. */
  figures(now: number): Pick<WindowFigures, 'volume' | 'quoteVolume'> {
    return this.#window.figures(now) ?? NO_VOLUME
  }

  /** @param now  Unix milliseconds up to which the window goes */
  snapshot(now: number): Cut<TradeColumns> {
    this.#window.dropUntil(now - TICKER_WINDOW_MS)
    return this.#window.snapshot()
  }
}

export class MarketStatistics {
  readonly #symbol: string
  /** See `TradeRecords`. */
  readonly trades: NumberRing
  readonly candles: CandleHistory
  readonly #log = new TradeLog()
  readonly #window = new TradeWindow(this.#log)
  /** Undefined in a market that has none. */
  #correction: VolumeCorrection | undefined
  /** Ticks and Unix milliseconds of the last trade ever; 0 before the first. */
  lastPrice = 0
  lastTime = 0
  #readAt = 0

  constructor(symbol: string, limits: HistoryLimits) {
    this.#symbol = symbol
    this.trades = new NumberRing(limits.trades)
    this.candles = new CandleHistory(symbol, limits.candles, this.#log, limits.shortestCandle)
  }

  record(time: number, price: number, qty: number): void {
    this.lastPrice = price
    this.lastTime = time
    if (this.#log.append(time, price, qty)) this.#tidy()
  }

  /** Adds lots to the ticker's volume only; negative lots take an earlier correction back. */
  correctVolume(time: number, price: number, qty: number): void {
    this.#correction ??= new VolumeCorrection()
    this.#correction.add(time, price, qty)
  }

  ticker(now: number): Ticker {
    // Not by invariant(): it would write its message for every ticker.
    if (now < this.lastTime || now < this.#readAt)
      throw new InvariantError(`ticker of ${now} is asked for after a later one`)
    this.#readAt = now
    const { lastPrice } = this
    const figures = this.#window.figures(now)
    const beside = this.#correction?.figures(now) ?? NO_VOLUME
    return {
      symbol: this.#symbol,
      lastPrice,
      openPrice: figures?.open ?? lastPrice,
      high: figures?.high ?? lastPrice,
      low: figures?.low ?? lastPrice,
      volume: (figures?.volume ?? 0n) + beside.volume,
      quoteVolume: (figures?.quoteVolume ?? 0n) + beside.quoteVolume,
      timestamp: now,
    }
  }

  /** @param copies  with its newest trades */
  snapshot(copies: TradeRecords): Cut<StatisticsSnapshot> {
    // Trades that have left the window may still be in the log, depending on its chunks.
    this.#window.dropUntil(this.lastTime - TICKER_WINDOW_MS)
    return {
      lastPrice: this.lastPrice,
      lastTime: this.lastTime,
      readAt: this.#readAt,
      trades: LaterList.ofRecords(this.trades.values(), (trade) => copies.view(trade)),
      window: this.#window.snapshot(),
      correction: this.#correction?.snapshot(this.lastTime) ?? { time: [], price: [], qty: [] },
      candles: this.candles.snapshot(),
    }
  }

  /** Restores new statistics, except the newest trades. */
  restore({ lastPrice, lastTime, readAt, window, correction, candles }: StatisticsSnapshot): void {
    this.lastPrice = lastPrice
    this.lastTime = lastTime
    this.#readAt = readAt
    window.time.forEach((time, row) => this.#log.append(time, window.price[row] ?? 0, window.qty[row] ?? 0))
    correction.time.forEach((time, row) => {
      this.correctVolume(time, correction.price[row] ?? 0, correction.qty[row] ?? 0)
    })
    this.candles.restore(candles)
  }

  #tidy(): void {
    this.candles.catchUp()
    this.#log.forgetBelow(this.#window.dropUntil(this.lastTime - TICKER_WINDOW_MS))
  }
}
