/**
 * What an exchange must hold, kept from its events alone, and each event checked against what was before it: the third
 * opinion beside the exchange and its twin, and the only one that looks inside a walk over the book.
 *
 * It does not know whether a command had to be refused: the twin does.
 */
import { CROWD, type Command, type Offer } from '../../../src/domain/command.ts'
import { assertNever } from '../../../src/domain/errors.ts'
import type { ExchangeEvent } from '../../../src/domain/exchange-event.ts'
import { opposite, type Side } from '../../../src/domain/order.ts'
import type { Trade } from '../../../src/domain/trade.ts'
import type { ExchangeConfig } from '../../../src/exchange/exchange.ts'
import { digitsByAsset } from '../../twin/naive-numbers.ts'
import { law, mustBeSame } from './difference.ts'
import { ShadowLedger } from './shadow-ledger.ts'
import { ShadowMarket, ShadowOrder } from './shadow-order.ts'
import type { ShadowQueue } from './shadow-queue.ts'

/** What came of the offers to an order. */
export interface ShadowOffers {
  readonly taker: ShadowOrder
  readonly offered: readonly ShadowOrder[]
  /** The best that rested on the side of the order before it. */
  readonly ownBest: ShadowOrder | undefined
}

/** What came of a take. */
export interface ShadowTake {
  readonly takers: readonly ShadowOrder[]
  readonly offered: readonly ShadowOrder[]
  /** Who was behind each of the takers at its price before. */
  readonly behind: ReadonlyMap<ShadowOrder, readonly ShadowOrder[]>
}

type CommandOf<Type extends Command['type']> = Extract<Command, { type: Type }>
type EventOf<Type extends ExchangeEvent['type']> = Extract<ExchangeEvent, { type: Type }>

export class Shadow {
  readonly ledger: ShadowLedger
  readonly marketsBySymbol: ReadonlyMap<string, ShadowMarket>
  readonly ordersById = new Map<number, ShadowOrder>()
  /** The last ones, as they went. */
  take: ShadowTake | undefined
  offers: ShadowOffers | undefined
  lastOrderId = 0
  lastTradeId = 0
  #time = 0

  constructor({ markets }: ExchangeConfig) {
    const scales = digitsByAsset(markets)
    this.ledger = new ShadowLedger([...scales.keys()])
    this.marketsBySymbol = new Map(markets.map((config) => [config.symbol, new ShadowMarket(config, scales)]))
  }

  /** @param id  what the exchange gave the trade */
  print(time: number, id: number | undefined): void {
    this.#moveTo(time)
    this.lastTradeId += 1
    this.lastOrderId += 2
    law(id === this.lastTradeId, 'ids of trades go up by one')
  }

  enter(time: number): void {
    this.#moveTo(time)
  }

  /** Follows the events of one command; they must be all that it had to do. */
  follow(command: Command, events: readonly ExchangeEvent[]): void {
    this.#moveTo(command.time)
    const [first] = events
    law(first !== undefined || command.type === 'take', 'a command is answered')
    for (const event of events) law(event.time === command.time, "an event has its command's time")
    if (first?.type.endsWith('-refused') === true) {
      law(events.length === 1, 'a refusal is the whole answer')
      return
    }
    switch (command.type) {
      case 'place':
        this.#place(command, events)
        return
      case 'cancel':
        this.#cancel(command, events)
        return
      case 'take':
        this.#take(command, events)
        return
      case 'reduce':
        this.#reduce(command, events)
        return
      case 'credit':
        mustBeSame('credit', events, [{ ...command, type: 'credited' }])
        this.ledger.credit(command.account, command.asset, command.amount)
        return
      default:
        assertNever(command)
    }
  }

  #moveTo(time: number): void {
    law(time >= this.#time, 'time does not go back')
    this.#time = time
  }

  /** Offers stand behind what rests at their price, and go when the order has had its turn. */
  #place({ time, account, request, offers = [] }: CommandOf<'place'>, events: readonly ExchangeEvent[]): void {
    const market = this.marketsBySymbol.get(request.symbol)
    law(market !== undefined, 'an order is taken in a market that there is')
    const [queue, ownQueue] = request.side === 'BUY' ? [market.asks, market.bids] : [market.bids, market.asks]
    const offered = this.#offer(market, request.side, offers)
    this.lastOrderId += 1
    const taker = new ShadowOrder(this.lastOrderId, account, request, market, time)
    this.ordersById.set(taker.id, taker)
    mustBeSame('accepted', events[0], { type: 'order-accepted', time, order: taker.shown() })
    this.#reserve(taker)
    this.offers = { taker, offered, ownBest: ownQueue.first }
    for (const event of events.slice(1)) {
      law(taker.isOpen, 'nothing happens to an order that is finished')
      if (event.type === 'traded') this.#trade(taker, queue, event)
      else this.#finishCancelled(taker, event)
    }
    if (taker.isOpen) {
      law(request.type === 'LIMIT', 'a market order does not rest')
      law(queue.first === undefined || !accepts(taker, queue.first), 'no bid meets an ask')
      ownQueue.add(taker)
    }
    for (const offer of offered) offer.isCancelled = queue.remove(offer)
  }

  /** Offers as orders of the crowd. @param side  of those to whom they are made */
  #offer(market: ShadowMarket, side: Side, offers: readonly Offer[]): readonly ShadowOrder[] {
    const { symbol } = market.config
    return offers.map(({ price, qty }) => {
      this.lastOrderId += 1
      const request = { symbol, side: opposite(side), type: 'LIMIT', price, qty } as const
      const offer = new ShadowOrder(this.lastOrderId, CROWD, request, market, this.#time)
      this.ordersById.set(offer.id, offer)
      const queue = side === 'BUY' ? market.asks : market.bids
      queue.add(offer)
      return offer
    })
  }

  /** Each order in its turn takes as long as the best offer is good enough for it, and rests again. */
  #take({ symbol, orderIds, offers }: CommandOf<'take'>, events: readonly ExchangeEvent[]): void {
    const market = this.marketsBySymbol.get(symbol)
    const takers = orderIds.flatMap((id) => this.ordersById.get(id) ?? [])
    const side = takers[0]?.request.side ?? 'BUY'
    law(market !== undefined && takers.length === orderIds.length, 'orders of a market take')
    const [queue, ownQueue] = side === 'BUY' ? [market.asks, market.bids] : [market.bids, market.asks]
    const behind = new Map(takers.map((taker) => [taker, ownQueue.behind(taker)]))
    for (const taker of takers) law(ownQueue.remove(taker), 'an order that takes has rested')
    const offered = this.#offer(market, side, offers)
    const reported = events.values()
    for (const taker of takers) {
      while (taker.isOpen && queue.first !== undefined && accepts(taker, queue.first)) {
        const { value: event } = reported.next()
        law(event?.type === 'traded', 'an order takes all that it accepts')
        this.#trade(taker, queue, event)
      }
      if (taker.isOpen) ownQueue.add(taker)
    }
    law(reported.next().done === true, 'a take tells of its trades alone')
    for (const offer of offered) offer.isCancelled = queue.remove(offer)
    this.take = { takers, offered, behind }
  }

  #trade(taker: ShadowOrder, queue: ShadowQueue<ShadowOrder>, event: EventOf<'traded'>): void {
    const maker = queue.first
    law(maker !== undefined && accepts(taker, maker), 'an order trades only with what it accepts')
    law(maker.id === event.maker.id, 'a trade meets the oldest order at the best price')
    const { price } = maker
    const qty = Math.min(maker.remaining, taker.remaining)
    const makerFee = maker.fill(price, qty, 'maker')
    const takerFee = taker.fill(price, qty, 'taker')
    const trade = this.#tradeOf(maker, taker, price, qty)
    const reported = { trade, maker: maker.shown(), taker: taker.shown(), makerFee, takerFee }
    mustBeSame('traded', event, { type: 'traded', time: this.#time, ...reported })
    this.#settle(trade, maker, taker, makerFee, takerFee)
    if (!maker.isOpen) queue.remove(maker)
  }

  #tradeOf(maker: ShadowOrder, taker: ShadowOrder, price: number, qty: number): Trade {
    this.lastTradeId += 1
    const isBuyerMaker = maker.request.side === 'BUY'
    const [buy, sell] = isBuyerMaker ? [maker, taker] : [taker, maker]
    const ids = { buyOrderId: buy.id, sellOrderId: sell.id, buyerId: buy.account, sellerId: sell.account }
    const { symbol } = taker.request
    return { id: this.lastTradeId, symbol, price, qty, ...ids, isBuyerMaker, createdAt: this.#time }
  }

  /** First what is set free, then what is paid: decision 11 gives an improvement back at its fill. */
  #settle(trade: Trade, maker: ShadowOrder, taker: ShadowOrder, makerFee: bigint, takerFee: bigint): void {
    const { baseAsset, quoteAsset } = maker.market.config
    const cost = BigInt(trade.price) * BigInt(trade.qty) * maker.market.unitsPerNotional
    const base = BigInt(trade.qty) * maker.market.unitsPerLot
    this.#reserve(maker)
    this.#reserve(taker)
    this.ledger.move(trade.buyerId, quoteAsset, -cost, 0n)
    this.ledger.move(trade.sellerId, quoteAsset, cost, 0n)
    this.ledger.move(trade.sellerId, baseAsset, -base, 0n)
    this.ledger.move(trade.buyerId, baseAsset, base, 0n)
    this.ledger.move(maker.account, quoteAsset, -makerFee, 0n)
    this.ledger.move(taker.account, quoteAsset, -takerFee, 0n)
    this.ledger.takeFee(quoteAsset, makerFee + takerFee)
  }

  #cancel({ time, account, orderId }: CommandOf<'cancel'>, events: readonly ExchangeEvent[]): void {
    const order = this.ordersById.get(orderId)
    law(order?.isOpen === true && order.account === account, 'an account cancels its own live orders')
    const { bids, asks } = order.market
    law((order.request.side === 'BUY' ? bids : asks).remove(order), 'a live order rests')
    order.isCancelled = true
    this.#reserve(order)
    mustBeSame('cancelled', events, [{ type: 'order-cancelled', time, order: order.shown() }])
  }

  /** It stays in its queue. */
  #reduce({ time, orderId, qty }: CommandOf<'reduce'>, events: readonly ExchangeEvent[]): void {
    const order = this.ordersById.get(orderId)
    law(order?.isOpen === true && order.isOfCrowd, 'live orders of the crowd are reduced')
    law(qty < order.remaining, 'something is left of an order that is reduced')
    order.reducedQty += qty
    this.#reserve(order)
    mustBeSame('reduced', events, [{ type: 'order-reduced', time, order: order.shown(), lots: qty }])
  }

  /** The unfilled rest of a market order (decision 8). */
  #finishCancelled(taker: ShadowOrder, event: ExchangeEvent): void {
    const { bids, asks } = taker.market
    law(taker.request.type === 'MARKET', 'only a market order is cancelled without being asked')
    law((taker.request.side === 'BUY' ? asks : bids).first === undefined, 'a market order takes all that there is')
    taker.isCancelled = true
    mustBeSame('cancelled', event, { type: 'order-cancelled', time: taker.createdAt, order: taker.shown() })
  }

  /** Locks what the order needs now, or gives back what it no longer needs. */
  #reserve(order: ShadowOrder): void {
    const more = order.need - order.reserved
    if (more === 0n) return
    order.reserved += more
    this.ledger.move(order.account, order.spends, -more, more)
  }
}

function accepts(taker: ShadowOrder, maker: ShadowOrder): boolean {
  if (taker.request.type === 'MARKET') return true
  return taker.request.side === 'BUY' ? maker.price <= taker.price : maker.price >= taker.price
}
