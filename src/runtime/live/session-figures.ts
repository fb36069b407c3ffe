/**
 * Figures of a session in real time: its own fills on its initial balances, marked to the public trades of its markets.
 *
 * Data counts when it arrives. Two fills of one trade are a match of our own orders, so a fill waits for the next
 * event.
 */
import type { RoundTrip } from '../../analysis/round-trip.ts'
import { invariant } from '../../domain/errors.ts'
import { exactTrade, type MarketTrade } from '../../strategy/market-data.ts'
import type { OwnFill } from '../../strategy/own-order.ts'
import { AccountFigures, type MarkListener } from '../figures/account-figures.ts'
import type { SessionLedger } from './session-ledger.ts'

export interface SessionFiguresOptions {
  readonly ledger: SessionLedger
  /** Asset in which the session is valued. */
  readonly quoteAsset: string
  /** Unix milliseconds. */
  readonly from: number
  /** Milliseconds between two samples of the returns. */
  readonly statsPeriodMs: number
  /** Receives every completed round trip. */
  readonly onTrip: (trip: RoundTrip) => void
}

export class SessionFigures {
  readonly account: AccountFigures
  readonly #ledger: SessionLedger
  readonly #listenersBySymbol: ReadonlyMap<string, MarkListener>
  #waiting: { readonly time: number; readonly fills: OwnFill[] } | undefined

  constructor({ ledger, quoteAsset, from, statsPeriodMs, onTrip }: SessionFiguresOptions) {
    const { markets, scales } = ledger
    const setup = { markets, scales, balances: ledger.balances(), quoteAsset, from, to: undefined, statsPeriodMs }
    this.account = new AccountFigures(setup, onTrip)
    this.#ledger = ledger
    this.#listenersBySymbol = new Map(markets.map(({ symbol }) => [symbol, this.account.market(symbol)]))
  }

  /** Our own trades are no marks. */
  onTrade(time: number, trade: MarketTrade): void {
    if (trade.isOwn) return
    this.#settleWaiting()
    const listener = this.#listenersBySymbol.get(trade.symbol)
    invariant(listener !== undefined, `no market '${trade.symbol}'`)
    const { price, qty } = exactTrade(trade)
    listener.onRecorded(time, price, qty)
  }

  onFill(time: number, fill: OwnFill): void {
    const isOfTheSameTrade = this.#waiting?.fills.some(({ tradeId, symbol }) => {
      return tradeId === fill.tradeId && symbol === fill.symbol
    })
    if (isOfTheSameTrade === true) this.#waiting?.fills.push(fill)
    else {
      this.#settleWaiting()
      this.#waiting = { time, fills: [fill] }
    }
  }

  /** @param openOrders  of the session in that market */
  onGap(symbol: string, openOrders: number): void {
    this.account.onGap(symbol, openOrders)
  }

  /** Call once, at the end. */
  finish(time: number): void {
    this.#settleWaiting()
    this.account.finish(time)
  }

  #settleWaiting(): void {
    if (this.#waiting === undefined) return
    const { time, fills } = this.#waiting
    this.#waiting = undefined
    const isOwnMatch = fills.length > 1
    const read = fills.map((fill) => this.#ledger.read(fill, time, isOwnMatch))
    for (const fill of read) this.#ledger.add(fill)
    this.account.onFills(read, this.#ledger.balances())
  }
}
