/**
 * Matches an order that was let in: price, then time, at the resting order's price (decision 11).
 */
import type { ExchangeEvent } from '../domain/exchange-event.ts'
import { opposite } from '../domain/order.ts'
import type { Trade } from '../domain/trade.ts'
import type { BookSide } from './book-side.ts'
import { reservationOf } from './fees.ts'
import type { Ledger } from './ledger.ts'
import type { LiveOrder } from './live-order.ts'
import type { MarketState } from './market-state.ts'
import type { OrderRegistry } from './order-registry.ts'
import { reserveFor, settle } from './settlement.ts'

export class Matching {
  readonly #ledger: Ledger
  readonly #orders: OrderRegistry
  readonly #onFirstTrade: (market: MarketState) => void
  #lastTradeId = 0

  /** @param onFirstTrade  called after the first trade ever of a market */
  constructor(ledger: Ledger, orders: OrderRegistry, onFirstTrade: (market: MarketState) => void) {
    this.#ledger = ledger
    this.#orders = orders
    this.#onFirstTrade = onFirstTrade
  }

  nextTradeId(): number {
    this.#lastTradeId += 1
    return this.#lastTradeId
  }

  /** Takes the order's reservation, matches it, and lets the rest of a limit order rest. */
  place(market: MarketState, order: LiveOrder): readonly ExchangeEvent[] {
    const { createdAt: time, request } = order
    const events: ExchangeEvent[] = [{ type: 'order-accepted', time, order: order.snapshot() }]
    this.#orders.enter(order)
    if (request.type === 'LIMIT') reserveFor(this.#ledger, order, reservationOf(order))
    this.#match(market, order, events)
    if (order.status === 'FILLED') this.#orders.finish(order)
    else if (request.type === 'LIMIT') market.book.side(request.side).add(order)
    else events.push(this.#cancelRest(order, time))
    return events
  }

  /** Takes a resting order off the book. */
  cancel(market: MarketState, order: LiveOrder, time: number): ExchangeEvent {
    market.book.side(order.side).remove(order)
    return this.#cancelRest(order, time)
  }

  /** Enters a trade in the public statistics of its market. */
  record(market: MarketState, time: number, price: number, qty: number): void {
    const isFirst = market.statistics.lastPrice === 0
    market.statistics.record(time, price, qty)
    if (isFirst) this.#onFirstTrade(market)
  }

  #match(market: MarketState, taker: LiveOrder, events: ExchangeEvent[]): void {
    const side = market.book.side(opposite(taker.side))
    for (let maker = nextMaker(side, taker); maker !== undefined; maker = nextMaker(side, taker)) {
      events.push(this.#trade(market, maker, taker))
      if (maker.status !== 'FILLED') continue
      side.remove(maker)
      this.#orders.finish(maker)
    }
  }

  #trade(market: MarketState, maker: LiveOrder, taker: LiveOrder): ExchangeEvent {
    const trade = tradeOf(this.nextTradeId(), maker, taker)
    const fees = settle(this.#ledger, trade, maker, taker)
    const { createdAt: time } = taker
    this.record(market, time, trade.price, trade.qty)
    market.statistics.trades.push(trade)
    const makerFill = { trade, side: maker.side, orderId: maker.id, isMaker: true, fee: fees.makerFee }
    const takerFill = { trade, side: taker.side, orderId: taker.id, isMaker: false, fee: fees.takerFee }
    // Histories are read newest first, and the buy order's row of a self-trade stands before the sell order's.
    const [buyer, seller] = trade.isBuyerMaker ? [maker.account, taker.account] : [taker.account, maker.account]
    seller.fills.push(trade.isBuyerMaker ? takerFill : makerFill)
    buyer.fills.push(trade.isBuyerMaker ? makerFill : takerFill)
    return { type: 'traded', time, trade, maker: maker.snapshot(), taker: taker.snapshot(), ...fees }
  }

  #cancelRest(order: LiveOrder, time: number): ExchangeEvent {
    order.status = 'CANCELLED'
    if (order.request.type === 'LIMIT') reserveFor(this.#ledger, order, 0n)
    this.#orders.finish(order)
    return { type: 'order-cancelled', time, order: order.snapshot() }
  }
}

/** The resting order that `taker` meets next, if any. */
function nextMaker(side: BookSide, { remaining, request }: LiveOrder): LiveOrder | undefined {
  const { best } = side
  if (remaining === 0 || best === undefined) return undefined
  if (request.type === 'LIMIT' && !side.isReachedBy(request.price, best.price)) return undefined
  return best.first
}

function tradeOf(id: number, maker: LiveOrder, taker: LiveOrder): Trade {
  const isBuyerMaker = maker.side === 'BUY'
  const [buy, sell] = isBuyerMaker ? [maker, taker] : [taker, maker]
  return {
    id,
    symbol: taker.request.symbol,
    price: maker.price,
    qty: Math.min(maker.remaining, taker.remaining),
    buyOrderId: buy.id,
    sellOrderId: sell.id,
    buyerId: buy.account.id,
    sellerId: sell.account.id,
    isBuyerMaker,
    createdAt: taker.createdAt,
  }
}
