/**
 * Matching engine of one market with settlement.
 *
 * Purpose: price-time priority; each match is at the price of the resting order and is settled in the ledger at once.
 * Numbers in, numbers out: accounts are ledger rows, resting orders are book slots, and the caller adds ids, histories
 * and events.
 * Invariants: an admitted order can pay for every match, so a match never fails. After each command no bid meets an
 * ask.
 * Known limitation: admission is a call of its own; an order that was not admitted may throw in the ledger.
 * Complexity: constant per match. Amounts below 2^104 in a market without fees allocate nothing; everything else uses
 * bigints.
 * Source: decisions 11 and 12 of docs/specification/decisions.md; docs/decisions/008-matching-in-flat-arrays.md.
 */
import { invariant } from '../domain/errors.ts'
import type { MarketFees } from '../domain/market.ts'
import { opposite, type Side } from '../domain/order.ts'
import { Admission, NO_LIMIT } from './admission.ts'
import type { BookSide } from './book/book-side.ts'
import { OrderBook } from './book/order-book.ts'
import { NONE } from './book/order-slots.ts'
import { OrderFee } from './fees.ts'
import { Amount } from './ledger/amount.ts'
import { CROWD_ROW, type Ledger } from './ledger/ledger.ts'
import type { MarketRules } from './market-rules.ts'

/** Receives a match when it is settled, before the maker leaves the book. It must not read or change the book. */
export interface MatchListener {
  /**
   * @param maker  slot of the resting order
   * @param price  ticks
   * @param qty    lots
   */
  onMatch(maker: number, price: number, qty: number): void
}

export class MatchingCore {
  readonly book = new OrderBook()
  readonly admission: Admission
  /** Fees of the last match, in ledger units of the quote asset. */
  makerFee = 0n
  takerFee = 0n
  readonly #rules: MarketRules
  readonly #ledger: Ledger
  readonly #listener: MatchListener
  /** Fees of resting orders with a fill, in a market with fees. */
  readonly #feesBySlot = new Map<number, OrderFee>()
  #takersFee = new OrderFee()
  readonly #cost = new Amount()
  readonly #lots = new Amount()

  constructor(rules: MarketRules, ledger: Ledger, listener: MatchListener) {
    this.#rules = rules
    this.#ledger = ledger
    this.#listener = listener
    this.admission = new Admission(rules, ledger, this.book)
  }

  /**
   * Matches an admitted order, and lets the remainder of a limit order rest.
   *
   * @returns the slot of the resting order; NONE if nothing rests
   */
  place(account: number, side: Side, limit: number, qty: number): number {
    // Without fees the shared fee object never changes, and no other is needed.
    if (this.#rules.hasFees) this.begin(new OrderFee())
    return this.restRemainder(account, side, limit, this.match(account, side, limit, qty))
  }

  /** Begins with the matches of an order. @param fee  of its fills so far */
  begin(fee: OrderFee): void {
    this.#takersFee = fee
  }

  /** Lets the rest of an order that was begun rest. @returns as `place` */
  restRemainder(account: number, side: Side, limit: number, left: number): number {
    if (left === 0 || limit === NO_LIMIT[side]) return NONE
    const slot = this.rest(account, side, limit, left, this.#takersFee)
    const { quote, base } = this.#rules
    this.#ledger.lock(account, side === 'BUY' ? quote : base, this.#reservation(slot, side, left))
    return slot
  }

  /** Adds an order to the book without matching. */
  rest(account: number, side: Side, price: number, qty: number, fee: OrderFee): number {
    const slot = this.book.slots.take(account, price, qty)
    if (fee.exact > 0n) this.#feesBySlot.set(slot, fee)
    this.book.side(side).append(slot)
    return slot
  }

  /** Takes a resting order off the book. */
  cancel(slot: number, side: Side): void {
    const { slots } = this.book
    const remaining = slots.remaining(slot)
    invariant(remaining > 0, 'an order that is cancelled rests')
    const { quote, base } = this.#rules
    const reserved = this.#reservation(slot, side, remaining)
    // Removed before the ledger update, so that its sums overlap with the memory access of the neighbours.
    this.book.side(side).remove(slot)
    this.#ledger.unlock(slots.account(slot), side === 'BUY' ? quote : base, reserved)
    this.#release(slot)
  }

  /**
   * Reduces a resting order, which keeps its queue position, and unlocks the difference.
   *
   * @param qty  fewer than remain
   */
  reduce(slot: number, side: Side, qty: number): void {
    const { slots } = this.book
    const { quote, base } = this.#rules
    const released = this.#released(slot, side, qty)
    this.book.side(side).reduce(slot, qty)
    this.#ledger.unlock(slots.account(slot), side === 'BUY' ? quote : base, released)
  }

  /**
   * Other fees from now on: each of the resting buy orders reserves for them.
   *
   * @param slots  of all resting buy orders
   * @returns slots of those that their accounts can no longer pay, which are taken off the book
   */
  changeFees(slots: readonly number[], fees: MarketFees): readonly number[] {
    const ledger = this.#ledger
    const { quote } = this.#rules
    const ownerOf = (slot: number): number => this.book.slots.account(slot)
    const reservedBefore = slots.map((slot) => this.reservedFor(slot, 'BUY'))
    this.#rules.changeFees(fees)
    return slots.filter((slot, index) => {
      ledger.unlock(ownerOf(slot), quote, this.#cost.set(reservedBefore[index] ?? 0n))
      const reserved = this.#reservation(slot, 'BUY', this.book.slots.remaining(slot))
      const isPaid = ledger.covers(ownerOf(slot), quote, reserved)
      if (isPaid) ledger.lock(ownerOf(slot), quote, reserved)
      else {
        this.book.bids.remove(slot)
        this.#release(slot)
      }
      return !isPaid
    })
  }

  /** Takes a resting order off the book, to be entered again. @returns the fee of its fills so far */
  lift(slot: number, side: Side): OrderFee {
    const fee = this.feeOf(slot)
    this.cancel(slot, side)
    return fee
  }

  /** The fee of a resting order. */
  feeOf(slot: number): OrderFee {
    return this.#feesBySlot.get(slot) ?? new OrderFee()
  }

  /** Locked amount of a resting order, in ledger units of the asset that it sells. */
  reservedFor(slot: number, side: Side): bigint {
    return this.#reservation(slot, side, this.book.slots.remaining(slot)).value
  }

  #makersOf(side: Side): BookSide {
    return side === 'BUY' ? this.book.asks : this.book.bids
  }

  /**
   * Matches an order that was begun with orders resting up to a limit.
   *
   * @returns unmatched lots
   */
  match(account: number, side: Side, limit: number, qty: number): number {
    const makers = this.#makersOf(side)
    const worstKey = makers.keyOf(limit)
    let left = qty
    while (left > 0 && makers.best !== NONE && makers.bestKey >= worstKey) {
      left = this.#matchBest(makers, account, side, left)
    }
    return left
  }

  /** The crowd trades with an order that was begun, out of an offer that is not in the book. */
  takeOffer(account: number, side: Side, price: number, qty: number): void {
    const ledger = this.#ledger
    const { base, quote, takerRate } = this.#rules
    const cost = this.#rules.cost(price, qty)
    this.makerFee = 0n
    this.takerFee = account === CROWD_ROW ? 0n : this.#takersFee.charge(cost, takerRate)
    const [buyer, seller] = side === 'BUY' ? [account, CROWD_ROW] : [CROWD_ROW, account]
    ledger.pay(buyer, seller, quote, this.#cost.set(cost))
    ledger.pay(seller, buyer, base, this.#lotsOf(qty))
    ledger.takeFee(account, quote, this.#cost.set(this.takerFee))
  }

  /** Matches with the best level and removes filled orders from it. */
  #matchBest(makers: BookSide, account: number, side: Side, wanted: number): number {
    const { slots } = this.book
    let maker = makers.first(makers.best)
    const price = slots.price(maker)
    let left = wanted
    while (left > 0 && maker !== NONE) {
      const resting = slots.remaining(maker)
      const qty = resting < left ? resting : left
      if (this.#rules.hasFees) this.#settleWithFees(maker, account, side, qty)
      else this.#settle(slots.account(maker), account, side, price, qty)
      slots.setRemaining(maker, resting - qty)
      this.#listener.onMatch(maker, price, qty)
      left -= qty
      if (qty < resting) break
      const next = slots.next(maker)
      this.#release(maker)
      maker = next
    }
    makers.advanceBest(maker, wanted - left)
    return left
  }

  /** The taker pays from its available balance: admission checked its whole need, and nothing happens in between. */
  #settle(owner: number, account: number, side: Side, price: number, qty: number): void {
    const ledger = this.#ledger
    const { base, quote } = this.#rules
    const cost = this.#costOf(price, qty)
    const lots = this.#lotsOf(qty)
    if (side === 'BUY') {
      ledger.pay(account, owner, quote, cost)
      ledger.payLocked(owner, account, base, lots)
    } else {
      ledger.payLocked(owner, account, quote, cost)
      ledger.pay(account, owner, base, lots)
    }
  }

  /**
   * Price improvement and reserves for a higher fee rate are released at the fill: the remainder locks only what it
   * needs.
   */
  #settleWithFees(maker: number, account: number, side: Side, qty: number): void {
    const ledger = this.#ledger
    const { slots } = this.book
    const { base, quote, makerRate, takerRate } = this.#rules
    const owner = slots.account(maker)
    const makerSide = opposite(side)
    const resting = slots.remaining(maker)
    const cost = this.#rules.cost(slots.price(maker), qty)
    const makersFee = this.feeOf(maker)
    const before = this.#reservation(maker, makerSide, resting).value
    this.makerFee = owner === CROWD_ROW ? 0n : makersFee.charge(cost, makerRate)
    this.takerFee = account === CROWD_ROW ? 0n : this.#takersFee.charge(cost, takerRate)
    if (makersFee.exact > 0n) this.#feesBySlot.set(maker, makersFee)
    const after = this.#reservation(maker, makerSide, resting - qty).value
    const amount = this.#cost
    ledger.unlock(owner, makerSide === 'BUY' ? quote : base, amount.set(before - after))
    const [buyer, seller] = side === 'BUY' ? [account, owner] : [owner, account]
    ledger.pay(buyer, seller, quote, amount.set(cost))
    ledger.pay(seller, buyer, base, this.#lotsOf(qty))
    ledger.takeFee(owner, quote, amount.set(this.makerFee))
    ledger.takeFee(account, quote, amount.set(this.takerFee))
  }

  #release(slot: number): void {
    if (this.#rules.hasFees) this.#feesBySlot.delete(slot)
    this.book.slots.release(slot)
  }

  /** Reservation of a resting order with `remaining` lots open: quote for a buy order, base for a sell order. */
  #reservation(slot: number, side: Side, remaining: number): Amount {
    if (side === 'SELL') return this.#lotsOf(remaining)
    const price = this.book.slots.price(slot)
    if (!this.#rules.hasFees) return this.#costOf(price, remaining)
    const cost = this.#rules.cost(price, remaining)
    return this.#cost.set(this.feeOf(slot).reservation(cost, this.#rules.highestRate))
  }

  /**
   * Reservation released when `qty` lots of a resting order go; the fee is rounded over the whole order, so it is not
   * additive.
   */
  #released(slot: number, side: Side, qty: number): Amount {
    if (!this.#rules.hasFees) return this.#reservation(slot, side, qty)
    const remaining = this.book.slots.remaining(slot)
    const before = this.#reservation(slot, side, remaining).value
    return this.#cost.set(before - this.#reservation(slot, side, remaining - qty).value)
  }

  #costOf(price: number, qty: number): Amount {
    return this.#cost.setProduct(price, qty, this.#rules.unitsPerNotional)
  }

  #lotsOf(qty: number): Amount {
    return this.#lots.setProduct(qty, 1, this.#rules.unitsPerLot)
  }
}
