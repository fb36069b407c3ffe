/**
 * Observes a session: figures of its own fills on its initial balances, marked to the public trades of its markets, and
 * counts of lost connections and unanswered requests.
 *
 * Data counts when it arrives. Two fills of one trade are a match of our own orders, so a fill waits for the next
 * event.
 */
import { Subscription } from 'rxjs'
import type { AccountUpdate, ExchangeAdapter, RequestOutcome } from '../../adapter/exchange-adapter.ts'
import type { RoundTrip } from '../../analysis/round-trip.ts'
import type { Decimal } from '../../domain/decimal.ts'
import { invariant } from '../../domain/errors.ts'
import { isOpen } from '../../domain/order.ts'
import { exactTrade, type MarketTrade } from '../../strategy/market-data.ts'
import type { OwnFill } from '../../strategy/own-order.ts'
import { AccountFigures, type MarkListener } from '../figures/account-figures.ts'
import type { Turn } from '../session/turn.ts'
import { SessionLedger } from './session-ledger.ts'

/** Counts of the session's requests and connection. */
export interface LiveCounts {
  /** Order creations without an answer. */
  readonly unknown: number
  /** Their outcomes, including those of an earlier session. */
  readonly adopted: number
  readonly absent: number
  readonly ambiguous: number
  /** Fills from before the session that no earlier session had reported. */
  readonly recoveredFills: number
  /** Periods with missing trades, in all watched markets. */
  readonly gaps: number
  /** Lost connections. */
  readonly lost: number
}

export interface SessionWatchOptions {
  readonly adapter: ExchangeAdapter
  readonly turn: Turn
  /** Asset in which the session is valued. */
  readonly quoteAsset: string
  /** Symbols that the session is known to use. */
  readonly named: ReadonlySet<unknown>
  /** Milliseconds between two samples of the returns. */
  readonly statsPeriodMs: number
  /** Receives every completed round trip. */
  readonly onTrip: (trip: RoundTrip) => void
}

export class SessionWatch {
  readonly ledger: SessionLedger
  readonly figures: AccountFigures
  readonly #options: SessionWatchOptions
  readonly #counts = { unknown: 0, adopted: 0, absent: 0, ambiguous: 0, recoveredFills: 0, gaps: 0, lost: 0 }
  readonly #subscriptions = new Subscription()
  readonly #marked = new Set<string>()
  readonly #listenersBySymbol: ReadonlyMap<string, MarkListener>
  #waiting: { readonly time: number; readonly fills: OwnFill[] } | undefined

  constructor(options: SessionWatchOptions) {
    const { adapter, quoteAsset, statsPeriodMs, onTrip } = options
    this.#options = options
    this.ledger = new SessionLedger(adapter.markets, adapter.startBalances ?? adapter.balances())
    const { markets, scales } = this.ledger
    const balances = this.ledger.balances()
    const setup = { markets, scales, balances, quoteAsset, from: adapter.now(), to: undefined, statsPeriodMs }
    this.figures = new AccountFigures(setup, onTrip)
    this.#listenersBySymbol = new Map(markets.map(({ symbol }) => [symbol, this.figures.market(symbol)]))
  }

  get counts(): LiveCounts {
    return this.#counts
  }

  start(): void {
    const { adapter } = this.#options
    this.#subscriptions.add(
      adapter.updates$.subscribe((update) => {
        this.#onUpdate(update)
      }),
    )
    this.#subscriptions.add(
      adapter.connection$.subscribe((state) => {
        if (state === 'disconnected') this.#counts.lost += 1
      }),
    )
    for (const symbol of this.#knownFromTheStart()) this.onMarket(symbol)
  }

  /** @param time  the last moment of the session */
  finish(time: number): void {
    this.#subscriptions.unsubscribe()
    this.#settleWaiting()
    this.figures.finish(time)
  }

  /** Market data was requested, or an order placed: from now on the trades of the market are marks. */
  onMarket(symbol: string): void {
    const { adapter, turn } = this.#options
    const isKnown = adapter.markets.some((market) => market.symbol === symbol)
    if (!isKnown || this.#marked.has(symbol) || this.#subscriptions.closed) return
    this.#marked.add(symbol)
    turn.outside(() => {
      this.#watchMarket(symbol)
    })
  }

  /** A fill from before the session, which counts as if it had arrived at the start. */
  onRecovered(fill: OwnFill): void {
    this.#counts.recoveredFills += 1
    this.#onFill(fill)
  }

  /** The answer to an order creation. */
  onPlaced({ type }: RequestOutcome): void {
    if (type === 'unknown') this.#counts.unknown += 1
  }

  #watchMarket(symbol: string): void {
    const { adapter } = this.#options
    this.#subscriptions.add(
      adapter.trades(symbol).subscribe((trade) => {
        this.#onTrade(adapter.now(), trade)
      }),
    )
    this.#subscriptions.add(
      adapter.gaps(symbol).subscribe(() => {
        this.#counts.gaps += 1
        this.figures.onGap(symbol, adapter.openOrders().filter((order) => order.symbol === symbol).length)
      }),
    )
  }

  /** The markets of the parameters, and those that price the holdings. */
  #knownFromTheStart(): readonly string[] {
    const { adapter, named, quoteAsset } = this.#options
    const balances = adapter.balances()
    return adapter.markets.flatMap((market) => {
      const held = balances.get(market.baseAsset)
      const isHeld = held !== undefined && !held.available.plus(held.locked).isZero()
      const isPricing = isHeld && market.quoteAsset === quoteAsset
      return isPricing || named.has(market.symbol) ? [market.symbol] : []
    })
  }

  #onUpdate(update: AccountUpdate): void {
    if (update.type === 'settled') this.#counts[update.settlement.type] += 1
    if (update.type === 'order' && isOpen(update.order.status)) this.onMarket(update.order.symbol)
    if (update.type === 'fill') this.#onFill(update.fill)
    if (update.type === 'transfer') this.#onTransfer(update.asset, update.amount)
  }

  #onTransfer(asset: string, amount: Decimal): void {
    this.#settleWaiting()
    this.ledger.transfer(asset, amount)
    this.figures.onTransfer(this.#options.adapter.now(), this.ledger.balances())
  }

  /** Our own trades are no marks. */
  #onTrade(time: number, trade: MarketTrade): void {
    if (trade.isOwn) return
    this.#settleWaiting()
    const listener = this.#listenersBySymbol.get(trade.symbol)
    invariant(listener !== undefined, `no market '${trade.symbol}'`)
    const { price, qty } = exactTrade(trade)
    listener.onRecorded(time, price, qty)
  }

  #onFill(fill: OwnFill): void {
    this.onMarket(fill.symbol)
    const isOfTheSameTrade = this.#waiting?.fills.some(({ tradeId, symbol }) => {
      return tradeId === fill.tradeId && symbol === fill.symbol
    })
    if (isOfTheSameTrade === true) this.#waiting?.fills.push(fill)
    else {
      this.#settleWaiting()
      this.#waiting = { time: this.#options.adapter.now(), fills: [fill] }
    }
  }

  #settleWaiting(): void {
    if (this.#waiting === undefined) return
    const { time, fills } = this.#waiting
    this.#waiting = undefined
    const isOwnMatch = fills.length > 1
    const read = fills.map((fill) => this.ledger.read(fill, time, isOwnMatch))
    for (const fill of read) this.ledger.add(fill)
    this.figures.onFills(read, this.ledger.balances())
  }
}
