/**
 * One market as its participants see it: orders with ids, and events. What is matched and settled, the core says in numbers.
 */
import type { UncountedMatches } from '../domain/command.ts'
import type { Depth } from '../domain/depth.ts'
import type { ExchangeEvent } from '../domain/exchange-event.ts'
import { invariant, InvariantError } from '../domain/errors.ts'
import { opposite, type OrderRequest, type Side } from '../domain/order.ts'
import type { Refusal } from '../domain/refusal.ts'
import type { Trade } from '../domain/trade.ts'
import type { Account } from './accounts/account.ts'
import { NONE } from './book/order-slots.ts'
import type { RestingSnapshot } from './snapshot/exchange-snapshot.ts'
import type { RestingOrder } from './exchange.ts'
import { OrderFee } from './fees.ts'
import type { Ledger } from './ledger/ledger.ts'
import { WorkingOrder } from './accounts/working-order.ts'
import type { MarketRules } from './market-rules.ts'
import { MatchingCore, NO_LIMIT, type MatchListener } from './matching-core.ts'
import type { OrderRegistry } from './accounts/order-registry.ts'

/** Takes each trade as it happens. */
export interface TradeRecorder {
  nextTradeId(): number
  /** @param matches  undefined when it enters the statistics */
  record(trade: Trade, matches: UncountedMatches | undefined): void
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
  #events: ExchangeEvent[] = []
  #matches: UncountedMatches | undefined

  constructor(rules: MarketRules, ledger: Ledger, orders: OrderRegistry, recorder: TradeRecorder) {
    this.#rules = rules
    this.#core = new MatchingCore(rules, ledger, this)
    this.#orders = orders
    this.#recorder = recorder
  }

  /** The reason to refuse `request` (decision 10); undefined when there is none. */
  refusal(request: OrderRequest, account: number): Refusal | undefined {
    const { symbol, side, qty } = request
    if (qty === 0) return { code: 'ORDER_REJECTED', message: 'qty is zero' }
    const limit = limitOf(request)
    if (request.type === 'LIMIT' && request.price === 0) return { code: 'ORDER_REJECTED', message: 'price is zero' }
    const code = this.#core.refusal(account, side, limit, qty)
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
        const own = this.#orderAt(this.#core.ownMaker(account, side, limit, qty))
        return { code, message: `would trade with own order ${own.id}` }
      }
    }
  }

  /**
   * Matches an order that is not refused, and lets the rest of a limit order rest.
   *
   * @param matches  undefined when they enter the statistics
   */
  place(order: WorkingOrder, matches: UncountedMatches | undefined): readonly ExchangeEvent[] {
    const { createdAt: time, request } = order
    const events: ExchangeEvent[] = [{ type: 'order-accepted', time, order: order.view() }]
    this.#orders.enter(order)
    this.#taker = order
    this.#events = events
    this.#matches = matches
    const slot = this.#core.place(order.account.row, request.side, limitOf(request), request.qty)
    this.#taker = undefined
    this.#events = []
    if (slot !== NONE) this.#rest(order, slot)
    else if (order.status === 'FILLED') this.#orders.finish(order)
    else events.push(this.#cancelRest(order, time))
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
    const taker = this.#taker
    invariant(taker !== undefined, 'a match has a taker')
    const { makerFee, takerFee } = this.#core
    maker.fill(price, qty, makerFee)
    taker.fill(price, qty, takerFee)
    const trade = tradeOf(this.#recorder.nextTradeId(), maker, taker, price, qty)
    this.#recorder.record(trade, this.#matches)
    tellOwners(trade, maker, taker, makerFee, takerFee)
    this.#events.push({
      type: 'traded',
      time: taker.createdAt,
      trade,
      maker: maker.view(),
      taker: taker.view(),
      makerFee,
      takerFee,
    })
    if (maker.remaining > 0) return
    this.#ordersBySlot[slot] = undefined
    this.#orders.finish(maker)
  }

  /** Resting orders of one side, in the order in which they would be matched. */
  snapshot(side: Side): readonly RestingSnapshot[] {
    const slots = this.#core.book.ordersTo(side, NO_LIMIT[opposite(side)])
    return Array.from(slots, (slot) => this.#orderAt(slot).snapshot(this.#core.feeOf(slot).exact))
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

function tradeOf(id: number, maker: WorkingOrder, taker: WorkingOrder, price: number, qty: number): Trade {
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
    createdAt: taker.createdAt,
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
