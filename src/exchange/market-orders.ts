/**
 * One market as its participants see it: orders with ids, and events. What is matched and settled, the core says in numbers.
 */
import type { Offer, UncountedMatches } from '../domain/command.ts'
import type { Depth } from '../domain/depth.ts'
import type { ExchangeEvent } from '../domain/exchange-event.ts'
import { invariant, InvariantError } from '../domain/errors.ts'
import { opposite, type OrderRequest, type Side } from '../domain/order.ts'
import type { Refusal } from '../domain/refusal.ts'
import type { Trade } from '../domain/trade.ts'
import type { Account } from './accounts/account.ts'
import { NONE } from './book/order-slots.ts'
import type { RestingSnapshot } from './snapshot/exchange-snapshot.ts'
import { LaterList } from './snapshot/later-list.ts'
import type { RestingOrder } from './exchange.ts'
import { OrderFee } from './fees.ts'
import type { Ledger } from './ledger/ledger.ts'
import { restingSnapshot, WorkingOrder } from './accounts/working-order.ts'
import type { MarketRules } from './market-rules.ts'
import { MatchingCore, NO_LIMIT, type MatchListener } from './matching-core.ts'
import type { OrderRegistry } from './accounts/order-registry.ts'

/** Takes each trade as it happens. */
export interface TradeRecorder {
  nextTradeId(): number
  /** @param matches  undefined when it enters the statistics */
  record(trade: Trade, matches: UncountedMatches | undefined): void
}

/** In ledger units. */
interface Reservation {
  readonly row: number
  readonly asset: number
  readonly amount: bigint
}

export class MarketOrders implements MatchListener {
  readonly #rules: MarketRules
  readonly #core: MatchingCore
  readonly #orders: OrderRegistry
  readonly #recorder: TradeRecorder
  /** Resting orders by their slot in the book. */
  readonly #ordersBySlot: (WorkingOrder | undefined)[] = []
  /** The order that is being matched, and what has happened to it. */
  #taker: WorkingOrder | undefined
  #time = 0
  #events: ExchangeEvent[] = []
  #matches: UncountedMatches | undefined

  constructor(rules: MarketRules, ledger: Ledger, orders: OrderRegistry, recorder: TradeRecorder) {
    this.#rules = rules
    this.#core = new MatchingCore(rules, ledger, this)
    this.#orders = orders
    this.#recorder = recorder
  }

  /** The reason to refuse `request` (decision 10); undefined when there is none. */
  refusal(request: OrderRequest, account: number, offers: readonly Offer[]): Refusal | undefined {
    const { symbol, side, qty } = request
    if (qty === 0) return { code: 'ORDER_REJECTED', message: 'qty is zero' }
    const limit = limitOf(request)
    if (request.type === 'LIMIT' && request.price === 0) return { code: 'ORDER_REJECTED', message: 'price is zero' }
    const code = this.#core.refusal(account, side, limit, qty, offers)
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
        const own = this.#orderAt(this.#core.ownMaker(account, side, limit, qty, offers))
        return { code, message: `would trade with own order ${own.id}` }
      }
    }
  }

  /**
   * Matches an order that is not refused, and lets the rest of a limit order rest.
   *
   * @param offers   to it alone, best first: orders of the crowd that are in no book
   * @param matches  undefined when they enter the statistics
   */
  place(
    order: WorkingOrder,
    offers: readonly WorkingOrder[],
    matches: UncountedMatches | undefined,
  ): readonly ExchangeEvent[] {
    const { createdAt: time } = order
    const events: ExchangeEvent[] = [{ type: 'order-accepted', time, order: order.view() }]
    this.#orders.enter(order)
    this.#matches = matches
    this.#enter(order, offers, time, events, new OrderFee())
    return events
  }

  /**
   * Lets resting orders of one side take from offers, in their order. What is left of them rests again.
   *
   * @param offers   as for `place`, to all of them together
   * @param matches  as for `place`
   */
  take(
    takers: readonly WorkingOrder[],
    offers: readonly WorkingOrder[],
    time: number,
    matches: UncountedMatches | undefined,
  ): readonly ExchangeEvent[] {
    const events: ExchangeEvent[] = []
    this.#matches = matches
    for (const order of takers) this.#enter(order, offers, time, events, this.#lift(order))
    return events
  }

  /** Takes a resting order off the book. */
  cancel(order: WorkingOrder, time: number): ExchangeEvent {
    this.#core.cancel(order.slot, order.side)
    this.#ordersBySlot[order.slot] = undefined
    return this.#cancelRest(order, time)
  }

  onMatch(slot: number, price: number, qty: number): void {
    const maker = this.#orderAt(slot)
    this.#match(maker, price, qty)
    if (maker.remaining > 0) return
    this.#ordersBySlot[slot] = undefined
    this.#orders.finish(maker)
  }

  #match(maker: WorkingOrder, price: number, qty: number): void {
    const taker = this.#taker
    invariant(taker !== undefined, 'a match has a taker')
    const { makerFee, takerFee } = this.#core
    maker.fill(price, qty, makerFee)
    taker.fill(price, qty, takerFee)
    const trade = tradeOf(this.#recorder.nextTradeId(), this.#time, maker, taker, price, qty)
    this.#recorder.record(trade, this.#matches)
    tellOwners(trade, maker, taker, makerFee, takerFee)
    this.#events.push({
      type: 'traded',
      time: this.#time,
      trade,
      maker: maker.view(),
      taker: taker.view(),
      makerFee,
      takerFee,
    })
  }

  /** Resting orders of one side, in the order in which they would be matched. */
  snapshot(side: Side): LaterList<RestingSnapshot> {
    const slots = this.#core.book.ordersTo(side, NO_LIMIT[opposite(side)])
    const standing = Array.from(slots, (slot) => this.#orderAt(slot).standing(this.#core.feeOf(slot).exact))
    return LaterList.of(standing, restingSnapshot)
  }

  /** Lets an order rest again; those ahead of it in its queue are there already. What it reserves is in the ledger. */
  restore(snapshot: RestingSnapshot, account: Account): WorkingOrder {
    const order = WorkingOrder.restore(snapshot, account)
    const { request, remaining, fee } = order
    const exactFee = BigInt(snapshot.exactFee)
    this.#rest(
      order,
      this.#core.rest(account.row, request.side, limitOf(request), remaining, new OrderFee(exactFee, fee)),
    )
    return order
  }

  /** What is to be set aside for each resting order, by row and asset of the ledger; the crowd's need nothing. */
  *reservations(): Generator<Reservation> {
    const { base, quote } = this.#rules
    for (const order of this.#ordersBySlot) {
      if (order === undefined) continue
      const { account, side, slot } = order
      yield { row: account.row, asset: side === 'BUY' ? quote : base, amount: this.#core.reservedFor(slot, side) }
    }
  }

  bestPrice(side: Side): number | undefined {
    return this.#core.book.bestPrice(side)
  }

  restingAt(side: Side, price: number): readonly RestingOrder[] {
    return Array.from(this.#core.book.ordersAt(side, price), (slot) => this.#restingOrder(slot))
  }

  restingTo(side: Side, price: number): readonly RestingOrder[] {
    return Array.from(this.#core.book.ordersTo(side, price), (slot) => this.#restingOrder(slot))
  }

  depth(levels: number): Depth {
    return this.#core.book.depth(levels)
  }

  /** Matches an order, and adds what happens to `events`. */
  #enter(
    order: WorkingOrder,
    offers: readonly WorkingOrder[],
    time: number,
    events: ExchangeEvent[],
    fee: OrderFee,
  ): void {
    const { request, account } = order
    const limit = limitOf(request)
    this.#taker = order
    this.#time = time
    this.#events = events
    this.#core.begin(fee)
    if (offers.length > 0) this.#meet(order, limit, offers)
    const left = this.#core.match(account.row, request.side, limit, order.remaining)
    const slot = this.#core.keep(account.row, request.side, limit, left)
    this.#taker = undefined
    this.#events = []
    if (slot !== NONE) this.#rest(order, slot)
    else if (order.status === 'FILLED') this.#orders.finish(order)
    else events.push(this.#cancelRest(order, time))
  }

  /** Matches an order with what is offered to it, and before each offer with what rests at its price or better. */
  #meet(order: WorkingOrder, limit: number, offers: readonly WorkingOrder[]): void {
    const { account, side } = order
    const sign = side === 'BUY' ? 1 : -1
    for (const offer of offers) {
      const price = limitOf(offer.request)
      if (price * sign > limit * sign) return
      this.#core.match(account.row, side, price, order.remaining)
      const qty = Math.min(order.remaining, offer.remaining)
      if (qty === 0) continue
      this.#core.takeOffer(account.row, side, price, qty)
      this.#match(offer, price, qty)
    }
  }

  #lift(order: WorkingOrder): OrderFee {
    const fee = this.#core.lift(order.slot, order.side)
    this.#ordersBySlot[order.slot] = undefined
    return fee
  }

  #rest(order: WorkingOrder, slot: number): void {
    order.slot = slot
    this.#ordersBySlot[slot] = order
  }

  #cancelRest(order: WorkingOrder, time: number): ExchangeEvent {
    order.status = 'CANCELLED'
    this.#orders.finish(order)
    return { type: 'order-cancelled', time, order: order.view() }
  }

  #orderAt(slot: number): WorkingOrder {
    const order = this.#ordersBySlot[slot]
    if (order === undefined) throw new InvariantError(`no order rests in slot ${slot}`)
    return order
  }

  #restingOrder(slot: number): RestingOrder {
    const { id, account, remaining } = this.#orderAt(slot)
    return { orderId: id, account: account.id, price: this.#core.book.slots.price(slot), qty: remaining }
  }
}

const limitOf = (request: OrderRequest): number => (request.type === 'LIMIT' ? request.price : NO_LIMIT[request.side])

function tradeOf(
  id: number,
  createdAt: number,
  maker: WorkingOrder,
  taker: WorkingOrder,
  price: number,
  qty: number,
): Trade {
  const isBuyerMaker = maker.side === 'BUY'
  const [buy, sell] = isBuyerMaker ? [maker, taker] : [taker, maker]
  return {
    id,
    symbol: taker.request.symbol,
    price,
    qty,
    buyOrderId: buy.id,
    sellOrderId: sell.id,
    buyerId: buy.account.id,
    sellerId: sell.account.id,
    isBuyerMaker,
    createdAt,
  }
}

/** Histories are read newest first, and the buy order's row of a self-trade stands before the sell order's. */
function tellOwners(trade: Trade, maker: WorkingOrder, taker: WorkingOrder, makerFee: bigint, takerFee: bigint): void {
  const tellMaker = (): void => {
    maker.account.fills.push({ trade, side: maker.side, orderId: maker.id, isMaker: true, fee: makerFee })
  }
  const tellTaker = (): void => {
    taker.account.fills.push({ trade, side: taker.side, orderId: taker.id, isMaker: false, fee: takerFee })
  }
  if (trade.isBuyerMaker) {
    tellTaker()
    tellMaker()
  } else {
    tellMaker()
    tellTaker()
  }
}
