/** Orders and events of one market as its participants see them; matching and settlement are in the numeric core. */
import type { Command, Offer, UncountedMatches } from '../domain/command.ts'
import type { Depth } from '../domain/depth.ts'
import type { ExchangeEvent } from '../domain/exchange-event.ts'
import { InvariantError } from '../domain/errors.ts'
import { opposite, type OrderRequest, type Side } from '../domain/order.ts'
import type { MarketFees } from '../domain/market.ts'
import type { Refusal } from '../domain/refusal.ts'
import { NO_LIMIT } from './admission.ts'
import { NONE } from './book/order-slots.ts'
import type { RestingSnapshot } from './snapshot/exchange-snapshot.ts'
import { restingSnapshot } from './snapshot/resting-snapshot.ts'
import { LaterList } from './snapshot/later-list.ts'
import type { RestingOrder } from './exchange.ts'
import { OrderFee } from './fees.ts'
import { CROWD_ROW } from './ledger/ledger.ts'
import type { MarketRules } from './market-rules.ts'
import type { OrderState } from './order-state.ts'
import { MatchingCore, type MatchListener } from './matching-core.ts'
import { CANCELLED, FILLED, type OrderRecords } from './accounts/order-records.ts'
import { TradeHistories, type TradeRecorder } from './trade-histories.ts'

type PlaceCommand = Extract<Command, { type: 'place' }>

/** Amount in ledger units. */
interface Reservation {
  readonly row: number
  readonly asset: number
  readonly amount: bigint
}

const FIRST_SLOTS = 64
/** Shared fee of orders in a market without fees; it never changes. */
const NO_FEE = new OrderFee()

export class MarketOrders implements MatchListener {
  readonly #rules: MarketRules
  readonly #market: number
  readonly #core: MatchingCore
  readonly #shared: OrderState
  readonly #records: OrderRecords
  readonly #trades: TradeHistories
  /** Resting orders by their slot in the book; NONE for a free slot. */
  #ordersBySlot = new Int32Array(FIRST_SLOTS).fill(NONE)
  /** The order being matched, and its events so far. */
  #taker = NONE
  #time = 0
  #events: ExchangeEvent[] = []

  /** @param market  its place among the markets */
  constructor(rules: MarketRules, market: number, shared: OrderState, recorder: TradeRecorder) {
    this.#rules = rules
    this.#market = market
    this.#core = new MatchingCore(rules, shared.ledger, this)
    this.#shared = shared
    this.#records = shared.orders.records
    this.#trades = new TradeHistories(market, shared, recorder, this.#core)
  }

  /** Reason to reject `request` (decision 10); undefined if there is none. */
  refusal(request: OrderRequest, account: number, offers: readonly Offer[]): Refusal | undefined {
    const { symbol, side, qty } = request
    if (qty === 0) return { code: 'ORDER_REJECTED', message: 'qty is zero' }
    const limit = limitOf(request)
    if (request.type === 'LIMIT' && request.price === 0) return { code: 'ORDER_REJECTED', message: 'price is zero' }
    const code = this.#core.admission.refusal(account, side, limit, qty, offers)
    switch (code) {
      case undefined:
        return undefined
      case 'NO_LIQUIDITY':
        return { code, message: `no ${side === 'BUY' ? 'sell' : 'buy'} orders in ${symbol}` }
      case 'INSUFFICIENT_BALANCE': {
        const { baseAsset, quoteAsset } = this.#rules.config
        return { code, message: `not enough ${side === 'BUY' ? quoteAsset : baseAsset} available` }
      }
      case 'ORDER_REJECTED': {
        const own = this.#orderAt(this.#core.admission.ownMaker(account, side, limit, qty, offers))
        return { code, message: `would trade with own order ${this.#records.id(own)}` }
      }
    }
  }

  /**
   * Matches an admitted order, and lets the remainder of a limit order rest.
   *
   * @param account  row of the ledger
   * @param offers   available to it only, best first: orders of the crowd that are in no book
   * @param matches  undefined when they enter the statistics
   */
  place(
    { time, request, matches }: PlaceCommand,
    id: number,
    account: number,
    offers: readonly number[],
  ): readonly ExchangeEvent[] {
    const order = this.#shared.orders.enter(id, account, this.#market, request, time)
    const events: ExchangeEvent[] = [{ type: 'order-accepted', time, order: this.#records.view(order) }]
    this.#trades.begin(time, matches)
    this.#enter(order, offers, time, events, this.#rules.hasFees ? new OrderFee() : NO_FEE)
    return events
  }

  /**
   * Lets resting orders of one side take from offers, in their order. Their remainder rests again.
   *
   * @param offers   as for `place`, shared by all of them
   * @param matches  as for `place`
   */
  take(
    takers: readonly number[],
    offers: readonly number[],
    time: number,
    matches: UncountedMatches | undefined,
  ): readonly ExchangeEvent[] {
    const events: ExchangeEvent[] = []
    this.#trades.begin(time, matches)
    for (const order of takers) this.#enter(order, offers, time, events, this.#lift(order))
    return events
  }

  /** An order of the crowd that is in no book and in no list, to be offered; `withdraw` forgets it. */
  offer(id: number, request: OrderRequest, time: number): number {
    return this.#records.take(id, CROWD_ROW, this.#market, request, time)
  }

  withdraw(offers: readonly number[]): void {
    for (const offer of offers) this.#records.release(offer)
  }

  /** Takes a resting order off the book. */
  cancel(order: number, time: number): ExchangeEvent {
    const slot = this.#records.slot(order)
    this.#core.cancel(slot, this.#records.side(order))
    this.#ordersBySlot[slot] = NONE
    return this.#cancelRest(order, time)
  }

  /**
   * Reduces a resting order, which keeps its queue position.
   *
   * @param qty  fewer than are open
   */
  reduce(order: number, qty: number, time: number): ExchangeEvent {
    const records = this.#records
    this.#core.reduce(records.slot(order), records.side(order), qty)
    records.reduce(order, qty)
    return { type: 'order-reduced', time, order: records.view(order), lots: qty }
  }

  /**
   * Other fees from now on. Buy orders reserve for them, the oldest first; those that cannot are cancelled.
   *
   * @returns the cancellations
   */
  changeFees(fees: MarketFees, time: number): readonly ExchangeEvent[] {
    const records = this.#records
    const buys = Array.from(this.#core.book.ordersTo('BUY', 0), (slot) => this.#orderAt(slot))
    const oldestFirst = buys.toSorted((a, b) => records.id(a) - records.id(b)).map((order) => records.slot(order))
    return this.#core.changeFees(oldestFirst, fees).map((slot) => {
      const order = this.#orderAt(slot)
      this.#ordersBySlot[slot] = NONE
      return this.#cancelRest(order, time)
    })
  }

  onMatch(slot: number, price: number, qty: number): void {
    const maker = this.#orderAt(slot)
    this.#match(maker, price, qty)
    if (this.#records.remaining(maker) > 0) return
    this.#ordersBySlot[slot] = NONE
    this.#shared.orders.finish(maker)
  }

  #match(maker: number, price: number, qty: number): void {
    const records = this.#records
    const taker = this.#taker
    // No invariant(), because this is the hot path of the exchange.
    if (taker === NONE) throw new InvariantError('a match has a taker')
    const { makerFee, takerFee } = this.#core
    records.fill(maker, price, qty, makerFee)
    records.fill(taker, price, qty, takerFee)
    const trade = this.#trades.add(maker, taker, price, qty)
    this.#events.push({
      type: 'traded',
      time: this.#time,
      trade,
      maker: records.view(maker),
      taker: records.view(taker),
      makerFee,
      takerFee,
    })
  }

  /**
   * Resting orders of one side, in matching order.
   *
   * @param copies  all orders as they are now
   */
  snapshot(side: Side, copies: OrderRecords): LaterList<RestingSnapshot> {
    const slots = Array.from(this.#core.book.ordersTo(side, NO_LIMIT[opposite(side)]))
    const standing = slots.map((slot) => ({
      order: this.#orderAt(slot),
      exactFee: this.#core.feeOf(slot).exact,
    }))
    return LaterList.of(standing, ({ order, exactFee }) => restingSnapshot(copies.view(order), exactFee))
  }

  /**
   * Restores a resting order; those ahead of it in its queue are restored already. Its reservation is in the ledger.
   *
   * @param account  row of the ledger
   * @returns the order, not yet in a list of its account
   */
  restore(snapshot: RestingSnapshot, account: number): number {
    const { id, request, createdAt, status, remaining } = snapshot
    const order = this.#shared.orders.restore(id, account, this.#market, request, createdAt)
    const fee = BigInt(snapshot.fee)
    this.#records.restore(order, status, remaining, BigInt(snapshot.filledNotional), fee)
    const ownFee = new OrderFee(BigInt(snapshot.exactFee), fee)
    this.#rest(order, this.#core.rest(account, request.side, limitOf(request), remaining, ownFee))
    return order
  }

  /** Amounts to lock for each resting order, by row and asset of the ledger; the crowd's need none. */
  *reservations(): Generator<Reservation> {
    const { base, quote } = this.#rules
    for (const [slot, order] of this.#ordersBySlot.entries()) {
      if (order === NONE) continue
      const side = this.#records.side(order)
      const asset = side === 'BUY' ? quote : base
      yield { row: this.#records.account(order), asset, amount: this.#core.reservedFor(slot, side) }
    }
  }

  bestPrice(side: Side): number | undefined {
    return this.#core.book.bestPrice(side)
  }

  restingAt(side: Side, price: number): readonly RestingOrder[] {
    return Array.from(this.#core.book.ordersAt(side, price), (slot) => this.#restingOrder(slot))
  }

  restingTo(side: Side, price: number, lots: number): readonly RestingOrder[] {
    const resting: RestingOrder[] = []
    let reached = 0
    for (const slot of this.#core.book.ordersTo(side, price)) {
      if (reached >= lots) break
      const order = this.#restingOrder(slot)
      resting.push(order)
      reached += order.qty
    }
    return resting
  }

  depth(levels: number): Depth {
    return this.#core.book.depth(levels)
  }

  /** Matches an order, and appends the events. */
  #enter(order: number, offers: readonly number[], time: number, events: ExchangeEvent[], fee: OrderFee): void {
    const records = this.#records
    const account = records.account(order)
    const side = records.side(order)
    const limit = records.type(order) === 'LIMIT' ? records.price(order) : NO_LIMIT[side]
    this.#taker = order
    this.#time = time
    this.#events = events
    this.#core.begin(fee)
    if (offers.length > 0) this.#meet(order, limit, offers)
    const left = this.#core.match(account, side, limit, records.remaining(order))
    const slot = this.#core.restRemainder(account, side, limit, left)
    this.#taker = NONE
    this.#events = NO_EVENTS
    if (slot !== NONE) this.#rest(order, slot)
    else if (records.status(order) === FILLED) this.#shared.orders.finish(order)
    else events.push(this.#cancelRest(order, time))
  }

  /** Matches an order with its offers, and before each offer with orders that rest at its price or better. */
  #meet(order: number, limit: number, offers: readonly number[]): void {
    const records = this.#records
    const account = records.account(order)
    const side = records.side(order)
    const sign = side === 'BUY' ? 1 : -1
    for (const offer of offers) {
      const price = records.price(offer)
      if (price * sign > limit * sign) return
      this.#core.match(account, side, price, records.remaining(order))
      const qty = Math.min(records.remaining(order), records.remaining(offer))
      if (qty === 0) continue
      this.#core.takeOffer(account, side, price, qty)
      this.#match(offer, price, qty)
    }
  }

  #lift(order: number): OrderFee {
    const slot = this.#records.slot(order)
    const fee = this.#core.lift(slot, this.#records.side(order))
    this.#ordersBySlot[slot] = NONE
    return fee
  }

  #rest(order: number, slot: number): void {
    this.#records.setSlot(order, slot)
    if (slot >= this.#ordersBySlot.length) {
      const before = this.#ordersBySlot
      this.#ordersBySlot = new Int32Array(2 * Math.max(slot, before.length)).fill(NONE, before.length)
      this.#ordersBySlot.set(before)
    }
    this.#ordersBySlot[slot] = order
  }

  #cancelRest(order: number, time: number): ExchangeEvent {
    this.#records.setStatus(order, CANCELLED)
    const view = this.#records.view(order)
    this.#shared.orders.finish(order)
    return { type: 'order-cancelled', time, order: view }
  }

  #orderAt(slot: number): number {
    const order = this.#ordersBySlot[slot] ?? NONE
    if (order === NONE) throw new InvariantError(`no order rests in slot ${slot}`)
    return order
  }

  #restingOrder(slot: number): RestingOrder {
    const order = this.#orderAt(slot)
    return {
      orderId: this.#records.id(order),
      account: this.#shared.accounts[this.#records.account(order)]?.id ?? '',
      price: this.#core.book.slots.price(slot),
      qty: this.#records.remaining(order),
    }
  }
}

/** Shared and never modified: events come only while an order is matched. */
const NO_EVENTS: ExchangeEvent[] = []

const limitOf = (request: OrderRequest): number => (request.type === 'LIMIT' ? request.price : NO_LIMIT[request.side])
