/**
 * Exchange adapter with fault injection: wraps another one, and rejects, delays or drops replies as planned.
 *
 * Invariant: it fulfils the contract of every adapter: one reply per request, never within the call, and before its
 * consequences. Known limit: while a reply is delayed, all account updates wait, as on a stalled connection.
 */
import type { Observable } from 'rxjs'
import type {
  AccountUpdate,
  ConnectionState,
  EarlierCandles,
  ExchangeAdapter,
  Placement,
  RecordedBooks,
  RequestOutcome,
  Reconciliation,
  ReportedCandles,
} from '../../adapter/exchange-adapter.ts'
import type { IntrabarExecution } from '../../adapter/intrabar-execution.ts'
import type { CandleLength } from '../../domain/candle-length.ts'
import type { Decimal } from '../../domain/decimal.ts'
import type { ExchangeError } from '../../domain/errors.ts'
import { isOpen } from '../../domain/order.ts'
import { HotStream } from '../../strategy/hot-stream.ts'
import type { MarketCandle, MarketTicker, MarketTrade } from '../../strategy/market-data.ts'
import type { MarketGap } from '../../strategy/market-gap.ts'
import type { MarketView } from '../../strategy/market-view.ts'
import type { OwnBalances, OwnOrder } from '../../strategy/own-order.ts'
import { checkTimes, SETTLED_AFTER_MS, UNKNOWN_AFTER_MS, type ExchangeFault } from './exchange-fault.ts'

type Reply = (outcome: RequestOutcome) => void
type Send = (reply: Reply) => void
type FaultOf<Type extends ExchangeFault['type']> = Extract<ExchangeFault, { readonly type: Type }>

/** An adapter with faults on purpose before one without. */
export class FaultyExchange implements ExchangeAdapter {
  /** Account updates as delivered. */
  readonly updates$ = new HotStream<AccountUpdate>()
  readonly #inner: ExchangeAdapter
  readonly #faultsByRequest: Map<number, ExchangeFault>
  readonly #line = new AccountLine()
  #requests = 0
  #balances: OwnBalances
  #openOrders: readonly OwnOrder[]

  /** @param faults  the last one of a request counts @throws {InputError} for one whose time is none */
  constructor(inner: ExchangeAdapter, faults: readonly ExchangeFault[]) {
    for (const fault of faults) checkTimes(fault)
    this.#inner = inner
    this.#faultsByRequest = new Map(faults.map((fault) => [fault.request, fault]))
    this.#balances = inner.balances()
    this.#openOrders = inner.openOrders()
    inner.updates$.subscribe((update) => {
      this.#line.send(() => {
        this.#report(update)
      })
    })
  }

  /** Plans a fault of the next request that has none. @throws {InputError} for one whose time is none */
  strikeNext(fault: ExchangeFault): void {
    checkTimes(fault)
    let request = this.#requests + 1
    while (this.#faultsByRequest.has(request)) request += 1
    this.#faultsByRequest.set(request, { ...fault, request })
  }

  get markets(): readonly MarketView[] {
    return this.#inner.markets
  }

  get connection(): ConnectionState {
    return this.#inner.connection
  }

  get connection$(): Observable<ConnectionState> {
    return this.#inner.connection$
  }

  get faults$(): Observable<ExchangeError> {
    return this.#inner.faults$
  }

  now(): number {
    return this.#inner.now()
  }

  trades(symbol: string): Observable<MarketTrade> {
    return this.#inner.trades(symbol)
  }

  get books(): RecordedBooks | undefined {
    return this.#inner.books
  }

  get series(): ExchangeAdapter['series'] {
    return this.#inner.series
  }

  insides(symbol: string): IntrabarExecution | undefined {
    return this.#inner.insides?.(symbol)
  }

  prices(symbol: string): Observable<Decimal> {
    return this.#inner.prices(symbol)
  }

  tickers(symbol: string): Observable<MarketTicker> {
    return this.#inner.tickers(symbol)
  }

  candles(symbol: string, interval: CandleLength): Observable<MarketCandle> {
    return this.#inner.candles(symbol, interval)
  }

  reportedCandles(symbol: string): readonly ReportedCandles[] {
    return this.#inner.reportedCandles(symbol)
  }

  earlierCandles(symbol: string, interval: CandleLength): EarlierCandles {
    return this.#inner.earlierCandles(symbol, interval)
  }

  afterCandles(...asked: Parameters<ExchangeAdapter['afterCandles']>): void {
    this.#inner.afterCandles(...asked)
  }

  gaps(symbol: string): Observable<MarketGap> {
    return this.#inner.gaps(symbol)
  }

  balances(): OwnBalances {
    return this.#balances
  }

  openOrders(): readonly OwnOrder[] {
    return this.#openOrders
  }

  lastPrice(symbol: string): Decimal | undefined {
    return this.#inner.lastPrice(symbol)
  }

  place(placement: Placement, reply: Reply): void {
    this.#request(placement.reference, reply, (answered) => {
      this.#inner.place(placement, answered)
    })
  }

  cancel(orderId: string, reply: Reply): void {
    this.#request(undefined, reply, (answered) => {
      this.#inner.cancel(orderId, answered)
    })
  }

  /** False if a fault is planned: it then applies to the cancel that is sent instead. */
  cancelInside(orderId: string, reply: Reply): boolean {
    if (this.#faultsByRequest.has(this.#requests + 1)) return false
    const isDone = this.#inner.cancelInside?.(orderId, (outcome) => {
      this.#line.send(() => reply(outcome))
    })
    if (isDone === true) this.#requests += 1
    return isDone === true
  }

  withdraw(reference: number): boolean {
    return this.#inner.withdraw?.(reference) === true
  }

  after(delayMs: number, action: () => void): void {
    this.#inner.after(delayMs, action)
  }

  at(time: number, action: () => void): void {
    this.#inner.at(time, action)
  }

  async close(): Promise<void> {
    await this.#inner.close()
  }

  /** @param reference  of a placement, which is reconciled if its outcome is unknown */
  #request(reference: number | undefined, reply: Reply, send: Send): void {
    this.#requests += 1
    const fault = this.#faultsByRequest.get(this.#requests)
    switch (fault?.type) {
      case undefined:
        send((outcome) => {
          this.#line.send(() => reply(outcome))
        })
        break
      case 'refuse':
        this.#refuse(fault, reply)
        break
      case 'late':
        this.#answerLate(fault, reply, send)
        break
      case 'lost':
        this.#lose(fault, reference, reply, send)
        break
      case 'silence':
        this.#leaveUnknown(fault, reply, () => {
          this.#settle(reference, { type: 'ambiguous', reason: SILENCE })
        })
    }
  }

  #refuse({ code = 'ORDER_REJECTED' }: FaultOf<'refuse'>, reply: Reply): void {
    this.#inner.after(0, () => {
      this.#line.send(() => reply({ type: 'refused', refusal: { code, message: 'refused on purpose' } }))
    })
  }

  #answerLate({ lateMs }: FaultOf<'late'>, reply: Reply, send: Send): void {
    send((outcome) => {
      this.#line.hold()
      this.#inner.after(lateMs, () => {
        this.#line.release(() => reply(outcome))
      })
    })
  }

  #lose(fault: FaultOf<'lost'>, reference: number | undefined, reply: Reply, send: Send): void {
    const { isExecuted, settledAfterMs = SETTLED_AFTER_MS } = fault
    if (!isExecuted) {
      this.#leaveUnknown(fault, reply, () => {
        this.#inner.after(settledAfterMs, () => {
          this.#settle(reference, { type: 'absent' })
        })
      })
      return
    }
    send((outcome) => {
      // Its consequences are held until it is known whose they are.
      this.#line.hold()
      this.#leaveUnknown(fault, reply, () => {
        this.#inner.after(settledAfterMs, () => {
          this.#line.release(() => this.#reportSettled(reference, settlementOf(outcome)))
        })
      })
    })
  }

  #leaveUnknown(
    { unknownAfterMs = UNKNOWN_AFTER_MS }: FaultOf<'lost' | 'silence'>,
    reply: Reply,
    then: () => void,
  ): void {
    this.#inner.after(unknownAfterMs, () => {
      reply({ type: 'unknown', reason: SILENCE })
      then()
    })
  }

  #settle(reference: number | undefined, settlement: Reconciliation): void {
    this.#line.send(() => this.#reportSettled(reference, settlement))
  }

  /** The outcome of a cancel shows in its order only. */
  #reportSettled(reference: number | undefined, settlement: Reconciliation): void {
    if (reference !== undefined) this.updates$.push({ type: 'settled', reference, settlement })
  }

  #report(update: AccountUpdate): void {
    if (update.type === 'balances') this.#balances = update.balances
    if (update.type === 'order') {
      const { order } = update
      const others = this.#openOrders.filter(({ id }) => id !== order.id)
      if (!isOpen(order.status)) this.#openOrders = others
      else if (others.length === this.#openOrders.length) this.#openOrders = [order, ...others]
      else this.#openOrders = this.#openOrders.map((each) => (each.id === order.id ? order : each))
    }
    this.updates$.push(update)
  }
}

const SILENCE = 'no response arrived'

const settlementOf = (outcome: RequestOutcome): Reconciliation =>
  outcome.type === 'acknowledged' ? { type: 'adopted', order: outcome.order } : { type: 'absent' }

/** Account updates of a client in order; while there is a hold, they wait. */
class AccountLine {
  readonly #waiting: (() => void)[] = []
  #holds = 0

  /** Delivers now, or when no hold is left. */
  send(delivery: () => void): void {
    if (this.#holds > 0 || this.#waiting.length > 0) this.#waiting.push(delivery)
    else delivery()
  }

  hold(): void {
    this.#holds += 1
  }

  /** @param first  delivered before all that waits */
  release(first: () => void): void {
    this.#holds -= 1
    first()
    while (this.#holds === 0) {
      const next = this.#waiting.shift()
      if (next === undefined) return
      next()
    }
  }
}
