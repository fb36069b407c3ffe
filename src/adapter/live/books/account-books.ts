/**
 * The books of an account: what each strategy sees of them, and the check that compares them with the account.
 *
 * Invariant: a fill is in the book of its owner before its session receives it, also without a session.
 */
import type { Decimal } from '../../../domain/decimal.ts'
import type { Market } from '../../../domain/market.ts'
import { isReported } from '../../../store/state/live/persisted-intent.ts'
import type { MarketView } from '../../../strategy/market-view.ts'
import type { OwnBalances } from '../../../strategy/own-order.ts'
import type { AccountUpdate } from '../../exchange-adapter.ts'
import type { LiveExchange } from '../live-exchange.ts'
import { isSameBalances, withoutFills } from '../orders/account-baseline.ts'
import type { IntentStore } from '../orders/intent.ts'
import type { LiveOrderManager } from '../orders/live-order-manager.ts'
import type { AssumedFees } from '../orders/order-fees.ts'
import type { EarlierFills } from '../orders/reported-fills.ts'
import { BooksCheck } from './books-check.ts'
import type { Amounts } from './strategy-book.ts'
import { type BookStore, StrategyBooks } from './strategy-books.ts'

export interface AccountBooksParts {
  readonly markets: readonly Market[]
  readonly assets: readonly string[]
  readonly fees: AssumedFees
  readonly manager: LiveOrderManager
  /** Views of the strategies, by owner. */
  readonly exchanges: ReadonlyMap<string, LiveExchange>
  readonly store: Pick<IntentStore, 'intentOfOrder' | 'intents'>
  readonly bookStore?: BookStore | undefined
  readonly feed: { lastPrice(symbol: string): Decimal | undefined }
  /** Reads fills and balances again. */
  readonly readAgain: () => void
  readonly onWarning: (text: string) => void
}

export class AccountBooks {
  readonly books: StrategyBooks
  readonly #parts: AccountBooksParts
  readonly #check: BooksCheck
  /** Owners of books without a session: their fills are booked, and left to their next sessions. */
  readonly #absent = new Set<string>()

  constructor(parts: AccountBooksParts) {
    const { markets, assets, fees, manager, exchanges, store, bookStore, feed, readAgain, onWarning } = parts
    this.#parts = parts
    this.books = new StrategyBooks({
      ...{ assets, fees, own: manager.own, intents: manager.intents, store: bookStore },
      marketOf: (symbol) => markets.find((market) => market.symbol === symbol),
      lastPrice: (symbol) => feed.lastPrice(symbol),
      onTransfer: this.#onTransfer,
      isWritten: (owner) => exchanges.get(owner)?.isWritten === true,
      unreported: () =>
        store.intents().flatMap((intent) => {
          const isNeeded = !intent.isFinished || !isReported(intent)
          return isNeeded && intent.orderId !== undefined ? [intent.orderId] : []
        }),
    })
    this.#check = new BooksCheck({ books: this.books, manager, readAgain, onWarning })
  }

  /** @param join  creates the view of an owner */
  bookAbsent(join: (owner: string) => unknown): void {
    for (const owner of this.books.owners) if (!this.#parts.exchanges.has(owner)) this.onLeft(owner, join)
  }

  /** The session of an owner has ended. @param join  as for `bookAbsent` */
  onLeft(owner: string, join: (owner: string) => unknown): void {
    if (this.books.factsOf(owner) === undefined) return
    join(owner)
    this.#absent.add(owner)
  }

  /** Whether an owner has a book and no session. */
  isAbsent(owner: string): boolean {
    return this.#absent.has(owner)
  }

  /** Takes fills of an owner's orders from the files of its earlier sessions, before their intents have them. */
  onFiled(owner: string, fills: EarlierFills): void {
    if (this.books.factsOf(owner) === undefined) return
    for (const [orderId, rows] of fills) {
      const intent = this.#parts.store.intentOfOrder(orderId)
      if (intent?.owner === owner) this.books.onFiled(owner, intent, rows)
    }
  }

  /** The owner has a session from now on. */
  onJoined(owner: string): void {
    this.#absent.delete(owner)
  }

  /** From now on the strategies of these owners see and spend their books alone. */
  open(owners: readonly string[], markets: readonly MarketView[]): void {
    this.books.open(owners)
    this.#check.start()
    for (const exchange of this.#parts.exchanges.values()) {
      const balances = this.books.view(exchange.owner)
      if (balances === undefined) continue
      exchange.startBalances = withoutFills(balances, exchange.earlierFills, markets)
      exchange.report({ type: 'balances', balances })
    }
  }

  /** Passes on updates of an owner's orders, and the balances of its book after them. */
  report(owner: string, updates: readonly AccountUpdate[]): void {
    const exchange = this.#parts.exchanges.get(owner)
    this.books.onUpdates(owner, updates)
    for (const update of updates) exchange?.report(update)
    const balances = this.books.view(owner)
    if (balances !== undefined) exchange?.report({ type: 'balances', balances })
  }

  /** Passes on balances: those of its book to a strategy that has one, if they have changed. */
  emit(balances: OwnBalances): void {
    for (const exchange of this.#parts.exchanges.values()) {
      const own = this.books.view(exchange.owner)
      if (own === undefined) exchange.report({ type: 'balances', balances })
      else if (!isSameBalances(exchange.balances(), own)) exchange.report({ type: 'balances', balances: own })
    }
  }

  /** All sessions know their balances before any of them receives its transfer. */
  readonly #onTransfer = (asset: string, amounts: Amounts): void => {
    for (const owner of amounts.keys()) {
      const balances = this.books.view(owner)
      if (balances !== undefined) this.#parts.exchanges.get(owner)?.know(balances)
    }
    for (const [owner, amount] of amounts) this.report(owner, [{ type: 'transfer', asset, amount }])
  }

  /** Compares the books with an account that was read. */
  check(balances: OwnBalances): void {
    this.#check.look(balances)
  }
}
