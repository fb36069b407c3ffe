/**
 * An adapter as a strategy's session uses it: its code runs outside the strategy's turn.
 *
 * During a strategy's turn the machine's clocks and timers throw, which sockets and stores need. Updates of the adapter
 * arrive in turns of their own.
 */
import { Observable } from 'rxjs'
import type { CandleLength } from '../../domain/candle-length.ts'
import type { Decimal } from '../../domain/decimal.ts'
import type { ExchangeError } from '../../domain/errors.ts'
import type {
  AccountUpdate,
  ConnectionState,
  EarlierCandles,
  ExchangeAdapter,
  Placement,
  RequestOutcome,
  ReportedCandles,
} from '../../adapter/exchange-adapter.ts'
import type { MarketCandle, MarketTicker, MarketTrade } from '../../strategy/market-data.ts'
import type { MarketGap } from '../../strategy/market-gap.ts'
import type { MarketView } from '../../strategy/market-view.ts'
import type { OwnBalances, OwnOrder } from '../../strategy/own-order.ts'
import type { Turn } from '../session/turn.ts'
import type { SessionWatch } from './session-watch.ts'

export class OutsideAdapter implements ExchangeAdapter {
  readonly markets: readonly MarketView[]
  readonly connection$: Observable<ConnectionState>
  readonly faults$: Observable<ExchangeError>
  readonly updates$: Observable<AccountUpdate>
  readonly #adapter: ExchangeAdapter
  readonly #turn: Turn
  /** Receives the session's requests to the adapter. */
  readonly #listener: Partial<Pick<SessionWatch, 'onMarket' | 'onPlaced'>>
  #isOver = false

  constructor(adapter: ExchangeAdapter, turn: Turn, listener: Partial<SessionWatch> = {}) {
    this.#adapter = adapter
    this.#turn = turn
    this.#listener = listener
    this.markets = adapter.markets
    this.connection$ = this.#stream(adapter.connection$)
    this.faults$ = this.#stream(adapter.faults$)
    this.updates$ = this.#stream(adapter.updates$)
  }

  now(): number {
    return this.#adapter.now()
  }

  get connection(): ConnectionState {
    return this.#adapter.connection
  }

  /** Without streams of their own: their rows are in memory. */
  get series(): ExchangeAdapter['series'] {
    return this.#adapter.series
  }

  trades(symbol: string): Observable<MarketTrade> {
    return this.#stream(this.#ofMarket(symbol, () => this.#adapter.trades(symbol)))
  }

  tickers(symbol: string): Observable<MarketTicker> {
    return this.#stream(this.#ofMarket(symbol, () => this.#adapter.tickers(symbol)))
  }

  candles(symbol: string, interval: CandleLength): Observable<MarketCandle> {
    return this.#stream(this.#ofMarket(symbol, () => this.#adapter.candles(symbol, interval)))
  }

  reportedCandles(symbol: string): readonly ReportedCandles[] {
    return this.#adapter.reportedCandles(symbol)
  }

  earlierCandles(symbol: string, interval: CandleLength): EarlierCandles {
    return this.#adapter.earlierCandles(symbol, interval)
  }

  afterCandles(symbol: string, interval: CandleLength, time: number, action: () => void): void {
    this.#turn.outside(() => {
      this.#adapter.afterCandles(symbol, interval, time, this.#untilEnd(action))
    })
  }

  prices(symbol: string): Observable<Decimal> {
    return this.#stream(this.#ofMarket(symbol, () => this.#adapter.prices(symbol)))
  }

  gaps(symbol: string): Observable<MarketGap> {
    return this.#stream(this.#outside(() => this.#adapter.gaps(symbol)))
  }

  balances(): OwnBalances {
    return this.#adapter.balances()
  }

  openOrders(): readonly OwnOrder[] {
    return this.#adapter.openOrders()
  }

  lastPrice(symbol: string): Decimal | undefined {
    return this.#adapter.lastPrice(symbol)
  }

  place(placement: Placement, reply: (outcome: RequestOutcome) => void): void {
    if (this.#isOver) return
    this.#turn.outside(() => {
      this.#listener.onMarket?.(placement.request.symbol)
      this.#adapter.place(
        placement,
        this.#untilEnd((outcome) => {
          this.#listener.onPlaced?.(outcome)
          reply(outcome)
        }),
      )
    })
  }

  cancel(orderId: string, reply: (outcome: RequestOutcome) => void): void {
    if (this.#isOver) return
    this.#turn.outside(() => {
      this.#adapter.cancel(orderId, this.#untilEnd(reply))
    })
  }

  after(delayMs: number, action: () => void): void {
    this.#turn.outside(() => {
      this.#adapter.after(delayMs, this.#untilEnd(action))
    })
  }

  at(time: number, action: () => void): void {
    this.#turn.outside(() => {
      this.#adapter.at(time, this.#untilEnd(action))
    })
  }

  /**
   * The session's files are complete: it sends nothing and runs no timer, and later answers are left for the account's
   * next session.
   */
  end(): void {
    this.#isOver = true
  }

  close(): Promise<void> {
    return this.#outside(() => this.#adapter.close())
  }

  #untilEnd<Reported extends unknown[]>(action: (...reported: Reported) => void): (...reported: Reported) => void {
    return (...reported) => {
      if (!this.#isOver) action(...reported)
    }
  }

  /** Passes the subscriber itself on, so that a value has no extra cost. */
  #stream<T>(stream: Observable<T>): Observable<T> {
    return new Observable((subscriber) => {
      this.#turn.outside(() => {
        stream.subscribe(subscriber)
      })
    })
  }

  #ofMarket<T>(symbol: string, read: () => T): T {
    return this.#outside(() => {
      this.#listener.onMarket?.(symbol)
      return read()
    })
  }

  #outside<T>(read: () => T): T {
    return this.#turn.outside(read)
  }
}
