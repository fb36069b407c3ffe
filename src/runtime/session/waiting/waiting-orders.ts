/**
 * The orders of a session that wait, in groups: taken, listed, triggered by prices, given up by time or by the strategy.
 *
 * Invariant: what a strategy was told of, it was told behind the journal.
 */
import type { ExchangeAdapter } from '../../../adapter/exchange-adapter.ts'
import { toDecimal, type Decimal } from '../../../domain/decimal.ts'
import { invariant } from '../../../domain/errors.ts'
import type { Refusal } from '../../../domain/refusal.ts'
import type { PlaceIntent } from '../../../strategy/place-intent.ts'
import type { BracketIntent, OcoIntent, OwnWaitingOrder, WaitingIntent } from '../../../strategy/waiting-intent.ts'
import type { FreshBalances } from '../fresh-balances.ts'
import { ExitGroup, type ExitPlan, type GroupParts, type WaitEnd } from './exit-group.ts'
import { readBracket, readGroup, type BracketTerms, type GroupTerms } from './group-terms.ts'
import { PriceFeeds } from './price-feeds.ts'
import { WaitingOrder, type WaitingTerms } from './waiting-order.ts'
import { orderOf, type MarketOf } from './waiting-terms.ts'

/** Intents of which the session makes orders later. */
export type LaterIntent = WaitingIntent | OcoIntent | BracketIntent

export interface WaitingParts extends Pick<GroupParts, 'place' | 'cancel'> {
  readonly adapter: Pick<ExchangeAdapter, 'after' | 'isOfCandles' | 'lastPrice' | 'markets' | 'now' | 'prices'>
  readonly balances: FreshBalances
  readonly journal: {
    waits(id: string, group: string, terms: WaitingTerms): void
    triggered(id: string, price: Decimal): void
    waitOver(id: string, why: WaitEnd): void
  }
  /** One that could not become an order of its market. @param intent  that order */
  readonly refuse: (intent: PlaceIntent, refusal: Refusal) => void
}

const OF_CANDLES: Refusal = {
  code: 'ORDER_REJECTED',
  message:
    'orders wait for prices, and a market that was recorded as candles tells none inside of them: use a tape of trades',
}

const symbolOf = (terms: BracketTerms | GroupTerms): string => ('entry' in terms ? terms.entry.symbol : terms.symbol)

function firstOf(intent: LaterIntent): WaitingIntent | PlaceIntent {
  if (intent.type === 'bracket') return intent.entry
  if (intent.type !== 'oco') return intent
  const [first] = intent.orders
  invariant(first !== undefined, 'a group that was read has orders')
  return first
}

export class WaitingOrders {
  readonly #parts: WaitingParts
  readonly #marketOf: MarketOf
  readonly #feeds: PriceFeeds
  #groups: readonly ExitGroup[] = []
  #lastId = 0

  constructor(parts: WaitingParts) {
    this.#parts = parts
    this.#marketOf = (symbol) => parts.adapter.markets.find((market) => market.symbol === symbol)
    this.#feeds = new PriceFeeds(parts.adapter, (symbol, price) => {
      for (const group of this.#groups) if (group.symbol === symbol) group.onPrice(price)
    })
  }

  /** Oldest first. */
  list(symbol?: string): readonly OwnWaitingOrder[] {
    return this.#groups.flatMap((group) => (symbol === undefined || group.symbol === symbol ? group.views : []))
  }

  has(id: string): boolean {
    return this.#groups.some((group) => group.has(id))
  }

  /** @throws {Error} for a group of no orders, and for a price that is no number */
  take(intent: LaterIntent): void {
    const terms = intent.type === 'bracket' ? readBracket(intent, this.#marketOf) : readGroup(intent, this.#marketOf)
    if ('refusal' in terms) this.#parts.refuse(terms.order, terms.refusal)
    else if (this.#parts.adapter.isOfCandles?.(symbolOf(terms)) === true)
      this.#parts.refuse(orderOf(firstOf(intent)), OF_CANDLES)
    else if ('entry' in terms) this.#enter(terms)
    else this.#wait(terms)
  }

  /** One that waits, or all of a group. @param id  of either, that is there */
  cancel(id: string): void {
    for (const group of this.#groups) if (group.has(id)) group.cancel(id, 'cancelled', true)
    this.#listen()
  }

  /** All of a market, or of all. Their orders at the exchange are cancelled by whoever cancels all orders. */
  cancelAll(symbol?: string): void {
    for (const group of this.#groups) {
      if (symbol === undefined || group.symbol === symbol) group.cancel(group.id, 'cancelled', false)
    }
    this.#listen()
  }

  /** Nothing is triggered any more. */
  stop(): void {
    this.#groups = []
    this.#listen()
  }

  #enter({ entry, stop, target }: BracketTerms): void {
    const plan: ExitPlan = {
      stop: stop === undefined ? undefined : () => new WaitingOrder(this.#nextId(), stop),
      target,
      onWait: (waiting) => {
        this.#onWait(group, [waiting])
      },
    }
    const group = this.#begin(this.#nextId(), entry.symbol, toDecimal(0), plan)
    group.enter(entry)
    if (entry.type === 'limit' && entry.expires !== undefined)
      this.#at(entry.expires, () => {
        group.expireEntry()
      })
  }

  #wait({ symbol, waiting, resting, open, expires }: GroupTerms): void {
    const id = this.#nextId()
    const group = this.#begin(id, symbol, open, undefined)
    const isAlone = waiting.length + resting.length === 1
    const all = waiting.map((terms) => new WaitingOrder(isAlone ? id : this.#nextId(), terms))
    for (const order of resting) group.rest(order)
    for (const order of all) group.wait(order)
    this.#onWait(group, all)
    if (expires !== undefined)
      this.#at(expires, () => {
        group.cancel(group.id, 'expired', true)
      })
  }

  #begin(id: string, symbol: string, open: Decimal, plan: ExitPlan | undefined): ExitGroup {
    const { place, cancel, journal, balances } = this.#parts
    const group: ExitGroup = new ExitGroup(
      id,
      symbol,
      {
        ...{ place, cancel },
        onTriggered: (waiting, price) => {
          journal.triggered(waiting.id, price)
        },
        onWaitEnd: (ended, why) => {
          journal.waitOver(ended, why)
        },
        onChange: () => undefined,
        onOver: () => {
          this.#groups = this.#groups.filter((other) => other !== group)
          this.#listen()
        },
        whenBalanced: (action) => {
          balances.when(action)
        },
      },
      open,
      plan,
    )
    this.#groups = [...this.#groups, group]
    return group
  }

  /** They begin to wait: at a price that is there already they act at once. */
  #onWait(group: ExitGroup, waiting: readonly WaitingOrder[]): void {
    for (const { id, terms } of waiting) this.#parts.journal.waits(id, group.id, terms)
    this.#listen()
    const price = this.#parts.adapter.lastPrice(group.symbol)
    if (price !== undefined) group.onPrice(price)
  }

  #listen(): void {
    this.#feeds.watch(new Set(this.#groups.filter(({ hasWaiting }) => hasWaiting).map(({ symbol }) => symbol)))
  }

  /** Once more at most for a group that is over: then nothing of it is left to end. */
  #at(time: number, action: () => void): void {
    const { adapter } = this.#parts
    adapter.after(Math.max(0, time - adapter.now()), action)
  }

  #nextId(): string {
    this.#lastId += 1
    return `w${this.#lastId}`
  }
}
