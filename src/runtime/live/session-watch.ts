/**
 * Observes a session: the trades of its markets for its figures, and counts of lost connections and unanswered
 * requests.
 */
import { Subscription } from 'rxjs'
import type { AccountUpdate, ExchangeAdapter, RequestOutcome } from '../../adapter/exchange-adapter.ts'
import type { RoundTrip } from '../../analysis/round-trip.ts'
import { isOpen } from '../../domain/order.ts'
import type { OwnFill } from '../../strategy/own-order.ts'
import type { Turn } from '../session/turn.ts'
import type { UseListener } from './outside-adapter.ts'
import { SessionFigures } from './session-figures.ts'
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

export class SessionWatch implements UseListener {
  readonly ledger: SessionLedger
  readonly figures: SessionFigures
  readonly #options: SessionWatchOptions
  readonly #counts = { unknown: 0, adopted: 0, absent: 0, ambiguous: 0, recoveredFills: 0, gaps: 0, lost: 0 }
  readonly #subscriptions = new Subscription()
  readonly #marked = new Set<string>()

  constructor(options: SessionWatchOptions) {
    const { adapter, quoteAsset, statsPeriodMs, onTrip } = options
    this.#options = options
    this.ledger = new SessionLedger(adapter.markets, adapter.startBalances ?? adapter.balances())
    this.figures = new SessionFigures({ ledger: this.ledger, quoteAsset, from: adapter.now(), statsPeriodMs, onTrip })
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
    this.figures.finish(time)
  }

  /** From now on the trades of a market are marks. */
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

  onPlaced({ type }: RequestOutcome): void {
    if (type === 'unknown') this.#counts.unknown += 1
  }

  #watchMarket(symbol: string): void {
    const { adapter } = this.#options
    this.#subscriptions.add(
      adapter.trades(symbol).subscribe((trade) => {
        this.figures.onTrade(adapter.now(), trade)
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
  }

  #onFill(fill: OwnFill): void {
    this.onMarket(fill.symbol)
    this.figures.onFill(this.#options.adapter.now(), fill)
  }
}
