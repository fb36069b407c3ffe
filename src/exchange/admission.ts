/**
 * Admission of orders (decision 10): the reason to reject an order, and the first own order that it would match.
 * Read-only.
 *
 * Invariant: an admitted order can pay for every match. Walking the book in numbers allocates nothing; with fees,
 * offers, or amounts beyond a double it uses bigints.
 */
import type { Offer } from '../domain/command.ts'
import type { Side } from '../domain/order.ts'
import type { BookSide } from './book/book-side.ts'
import type { Match, OrderBook } from './book/order-book.ts'
import { NONE } from './book/order-slots.ts'
import { costWithFee } from './fees.ts'
import { Amount } from './ledger/amount.ts'
import { CROWD_ROW, type Ledger } from './ledger/ledger.ts'
import type { MarketRules } from './market-rules.ts'

/** The limit of a market order: every price is good enough. */
export const NO_LIMIT = { BUY: Number.POSITIVE_INFINITY, SELL: 0 } as const

const NO_OFFERS: readonly Offer[] = []

/** Reason not to let in an order that is in whole ticks and lots (decision 10). */
export type AdmissionFault = 'NO_LIQUIDITY' | 'INSUFFICIENT_BALANCE' | 'ORDER_REJECTED'

export class Admission {
  readonly #rules: MarketRules
  readonly #ledger: Ledger
  readonly #book: OrderBook
  readonly #cost = new Amount()
  readonly #lots = new Amount()

  constructor(rules: MarketRules, ledger: Ledger, book: OrderBook) {
    this.#rules = rules
    this.#ledger = ledger
    this.#book = book
  }

  /**
   * Reason to reject an order, the first by decision 10; undefined if there is none. Read-only.
   *
   * @param account  row of the ledger
   * @param limit    ticks, or `NO_LIMIT`
   * @param qty      lots, more than 0
   * @param offers   available to this order only, best first
   */
  refusal(
    account: number,
    side: Side,
    limit: number,
    qty: number,
    offers: readonly Offer[] = NO_OFFERS,
  ): AdmissionFault | undefined {
    const isMarket = limit === NO_LIMIT[side]
    if (isMarket && this.#makersOf(side).best === NONE && offers.length === 0) return 'NO_LIQUIDITY'
    if (account === CROWD_ROW) return undefined
    const { base, quote, config } = this.#rules
    const isCovered =
      side === 'SELL'
        ? this.#ledger.covers(account, base, this.#lotsOf(qty))
        : this.#ledger.covers(
            account,
            quote,
            isMarket ? this.#marketCost(account, qty, offers) : this.#limitCost(limit, qty),
          )
    if (!isCovered) return 'INSUFFICIENT_BALANCE'
    return config.selfTrade === 'reject' && this.ownMaker(account, side, limit, qty, offers) !== NONE
      ? 'ORDER_REJECTED'
      : undefined
  }

  /** First order of the same account that an order would match; NONE if there is none. */
  ownMaker(account: number, side: Side, limit: number, qty: number, offers: readonly Offer[] = NO_OFFERS): number {
    const { slots } = this.#book
    if (offers.length > 0) {
      for (const { maker } of this.#walk(side, limit, qty, offers)) {
        if (maker !== NONE && slots.account(maker) === account) return maker
      }
      return NONE
    }
    const makers = this.#makersOf(side)
    const worstKey = makers.keyOf(limit)
    let left = qty
    for (let level = makers.best; left > 0 && level !== NONE; level = makers.worse(level)) {
      if (makers.keyOf(makers.priceOf(level)) < worstKey) return NONE
      for (let maker = makers.first(level); left > 0 && maker !== NONE; maker = slots.next(maker)) {
        if (slots.account(maker) === account) return maker
        left -= slots.remaining(maker)
      }
    }
    return NONE
  }

  #makersOf(side: Side): BookSide {
    return side === 'BUY' ? this.#book.asks : this.#book.bids
  }

  #limitCost(limit: number, qty: number): Amount {
    const { highestRate } = this.#rules
    if (!this.#rules.hasFees) return this.#costOf(limit, qty)
    return this.#cost.set(costWithFee(this.#rules.cost(limit, qty), highestRate))
  }

  /** The walk over the book, plus the fee; of a walk that the account cannot pay, enough to see that. */
  #marketCost(account: number, qty: number, offers: readonly Offer[]): Amount {
    const { quote, unitsPerNotional } = this.#rules
    const most = this.#ledger.mostAvailable(account, quote) / unitsPerNotional.number
    const isSlow = this.#rules.hasFees || offers.length > 0
    const notional = isSlow ? Number.NaN : this.#smallNotional(qty, most)
    if (Number.isSafeInteger(notional)) return this.#costOf(notional, 1)
    const available = this.#ledger.available(account, quote)
    let cost = 0n
    for (const match of this.#walk('BUY', NO_LIMIT.BUY, qty, offers)) {
      cost += this.#rules.cost(match.price, match.qty)
      if (cost > available) break
    }
    return this.#cost.set(costWithFee(cost, this.#rules.takerRate))
  }

  /** Matches of an order, best price first, in the book (`maker` is its slot) and among offers (NONE). */
  *#walk(side: Side, limit: number, qty: number, offers: readonly Offer[]): Generator<Match> {
    const sign = side === 'BUY' ? 1 : -1
    const isBehind = (price: number, other: number): boolean => price * sign >= other * sign
    const inBook = [...this.#book.walk(side, limit, qty)]
    const within = offers.filter(({ price }) => isBehind(limit, price)).map((offer) => ({ maker: NONE, ...offer }))
    let left = qty
    while (left > 0) {
      const [first, offer] = [inBook[0], within[0]]
      const next = first === undefined || (offer !== undefined && !isBehind(offer.price, first.price)) ? within : inBook
      const match = next.shift()
      if (match === undefined) return
      yield { ...match, qty: Math.min(left, match.qty) }
      left -= match.qty
    }
  }

  /** Ticks x lots of a market buy order, computed up to `most`; not a safe integer if it is not exact. */
  #smallNotional(qty: number, most: number): number {
    const { slots, asks } = this.#book
    let left = qty
    let notional = 0
    for (let level = asks.best; left > 0 && notional <= most && level !== NONE; level = asks.worse(level)) {
      const price = asks.priceOf(level)
      for (let slot = asks.first(level); left > 0 && notional <= most && slot !== NONE; slot = slots.next(slot)) {
        const taken = Math.min(left, slots.remaining(slot))
        notional += price * taken
        left -= taken
      }
    }
    return notional
  }

  #costOf(price: number, qty: number): Amount {
    return this.#cost.setProduct(price, qty, this.#rules.unitsPerNotional)
  }

  #lotsOf(qty: number): Amount {
    return this.#lots.setProduct(qty, 1, this.#rules.unitsPerLot)
  }
}
