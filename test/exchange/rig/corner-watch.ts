/**
 * Which corners one script reaches.
 *
 * Known limit: what is read of the exchange's state, and not of its events, is seen at full looks alone.
 */
import { CROWD } from '../../../src/domain/command.ts'
import type { ExchangeEvent } from '../../../src/domain/exchange-event.ts'
import { FEE_RATE_ONE } from '../../../src/domain/market.ts'
import type { Order } from '../../../src/domain/order.ts'
import type { Exchange } from '../../../src/exchange/exchange.ts'
import type { Corner } from './corner-names.ts'
import { cornersOfOffers, cornersOfRefusedOffers } from './corners-of-offers.ts'
import { cornersOfState } from './corners-of-state.ts'
import { ReductionWatch } from './corners-of-reduce.ts'
import { cornersOfTake } from './corners-of-take.ts'
import type { Action } from './random-commands.ts'
import type { Shadow } from './shadow.ts'
import type { ShadowQueue } from './shadow-queue.ts'
import type { ShadowOrder } from './shadow-order.ts'

/** What came of an action, and the exchange after it. */
interface Turn {
  readonly exchange: Exchange
  readonly action: Action
  readonly events: readonly ExchangeEvent[]
}

type Traded = Extract<ExchangeEvent, { type: 'traded' }>
type PlaceAction = Extract<Action, { do: 'execute' }>

const FAR_TICKS = 100_000
const FAR_LEVELS = 20
const MANY_LEVELS = 50
const MANY_ORDERS = 100
const MANY_ACCOUNTS = 20
const POWERS = [
  [2n ** 52n, 'a balance rises through 2^52', 'a balance falls through 2^52'],
  [2n ** 53n, 'a balance rises through 2^53', 'a balance falls through 2^53'],
  [2n ** 104n, 'a balance rises through 2^104', 'a balance falls through 2^104'],
] as const
const WIDE = 2n ** 53n
const WIDEST = 2n ** 104n

export class CornerWatch {
  readonly #reach: (corner: Corner) => void
  readonly #credited = new Set<string>()
  readonly #pricedSymbols = new Set<string>()
  readonly #tradedSymbols = new Set<string>()
  readonly #accountsWithOrders = new Set<string>()
  readonly #reductions = new ReductionWatch()
  #finishedOrders = 0
  #shadow: Shadow | undefined
  #users: readonly string[] = []

  constructor(reach: (corner: Corner) => void) {
    this.#reach = reach
  }

  /** @param shadow  follows the same commands, and has done so when `see` is called */
  begin(shadow: Shadow, accounts: readonly string[]): void {
    this.#shadow = shadow
    this.#users = accounts.filter((account) => account !== CROWD)
    shadow.ledger.onMove = (before, after) => this.#seeMove(before, after)
  }

  see({ exchange, action, events }: Turn): void {
    if (action.do !== 'execute') {
      this.#seeRecorded(exchange, action)
      return
    }
    const trades = events.filter((event) => event.type === 'traded')
    this.#note('a match enters no statistic', isUncounted(action) && trades.length > 0)
    this.#seeOffers(action, events, trades)
    if (action.command.type === 'place') this.#seePlacing(exchange, action, events, trades)
    if (action.command.type === 'take') this.#seeTake(trades)
    for (const corner of this.#reductions.cornersOf(events, this.#shadow)) this.#reach(corner)
    for (const traded of trades) {
      this.#seeTrade(exchange, traded)
      if (!isUncounted(action)) this.#seePricing(exchange, traded.trade.symbol)
    }
    for (const event of events) this.#seeEvent(exchange, event)
  }

  look(exchange: Exchange, now: number): void {
    for (const corner of cornersOfState(exchange, this.#users, now)) this.#reach(corner)
  }

  restarted(exchange: Exchange): void {
    this.#reach('an exchange is restored')
    for (const { symbol } of exchange.markets) {
      const market = this.#shadow?.marketsBySymbol.get(symbol)
      for (const first of [market?.bids.first, market?.asks.first]) {
        if (first === undefined) continue
        if (first.filledQty > 0) this.#reach('an exchange is restored with a partially filled order')
        const isReduced = first.filledQty > 0 && first.reducedQty > 0
        this.#note('an exchange is restored with an order that was reduced after a fill', isReduced)
        const queue = exchange.restingAt(symbol, first.request.side, first.price)
        if (queue.length >= 3) this.#reach('an exchange is restored with a queue of three at one price')
        const isTurned = queue.some(({ orderId }, place) => orderId < (queue[place - 1]?.orderId ?? 0))
        this.#note('an exchange is restored with a queue that a take has turned over', isTurned)
      }
    }
  }

  #seeRecorded(exchange: Exchange, action: Exclude<Action, PlaceAction>): void {
    if (action.do === 'print') this.#reach('a trade is printed')
    if (action.do === 'list') this.#reach('a trade is listed and enters no statistic')
    if (action.do !== 'enter') {
      if (action.do === 'print') this.#seePricing(exchange, action.print.symbol)
      return
    }
    const { part, symbol } = action.row
    this.#note('a print that is not believed adds volume alone', part === 'volume')
    this.#note('a print that is believed late adds no volume again', part === 'all-but-volume')
    if (part !== 'volume') this.#seePricing(exchange, symbol)
  }

  #note(corner: Corner, isReached: boolean): void {
    if (isReached) this.#reach(corner)
  }

  #seePlacing(
    exchange: Exchange,
    { command, over }: PlaceAction,
    events: readonly ExchangeEvent[],
    trades: readonly Traded[],
  ): void {
    const [first] = events
    if (command.type !== 'place' || first === undefined) return
    if (first.type === 'order-accepted') {
      this.#note('an order that needs exactly what is available is taken', over === 0)
      this.#note('an order of the same cost is taken with one unit to spare', over === 1)
      this.#seeWalk(first.order, events.at(-1), trades)
      this.#seeResting(exchange, first.order)
      return
    }
    if (first.type !== 'order-refused') return
    const { request, refusal } = first
    const isZero = request.qty === 0 || (request.type === 'LIMIT' && request.price === 0)
    const isShort = refusal.code === 'INSUFFICIENT_BALANCE'
    this.#note('an order that needs one unit more than is available is refused', isShort && over === -1)
    this.#note('an order of zero is refused', refusal.code === 'ORDER_REJECTED' && isZero)
    this.#note('a self-trade is refused', refusal.code === 'ORDER_REJECTED' && !isZero)
    this.#note('a market order finds no opposite order', refusal.code === 'NO_LIQUIDITY')
  }

  #seeOffers({ command, over }: PlaceAction, [first]: readonly ExchangeEvent[], trades: readonly Traded[]): void {
    if (command.type !== 'place' || command.offers === undefined || first === undefined) return
    const offers = this.#shadow?.offers
    const isTaken = first.type === 'order-accepted' && offers !== undefined
    const corners = isTaken ? cornersOfOffers(offers, trades, over) : cornersOfRefusedOffers(first, over)
    for (const corner of corners) this.#reach(corner)
  }

  #seeTake(trades: readonly Traded[]): void {
    const take = this.#shadow?.take
    if (take !== undefined) for (const corner of cornersOfTake(take, trades)) this.#reach(corner)
  }

  #seeWalk(order: Order, last: ExchangeEvent | undefined, trades: readonly Traded[]): void {
    const takesAndRests = last?.type === 'traded' && last.taker.status === 'PARTIALLY_FILLED'
    const isFilled = last?.type === 'traded' && last.taker.status === 'FILLED'
    this.#note('a limit order takes and rests with its remainder', takesAndRests)
    this.#note('a market order empties the book', last?.type === 'order-cancelled')
    this.#note('a market order is filled whole', order.type === 'MARKET' && isFilled)
    if (trades.length < 2) return
    const prices = trades.map(({ trade }) => trade.price)
    const atOnePrice = (price: number): number => prices.filter((other) => other === price).length
    const reach = Math.abs((prices.at(-1) ?? 0) - (prices[0] ?? 0))
    this.#note('an order sweeps three price levels', new Set(prices).size >= 3)
    this.#note('an order sweeps more than 100 000 ticks', reach > FAR_TICKS)
    this.#note(
      'an order meets a queue of three at one price',
      prices.some((price) => atOnePrice(price) >= 3),
    )
  }

  /** Where an order that was taken came to rest, if it did. */
  #seeResting(exchange: Exchange, { id, symbol, side }: Order): void {
    const order = this.#shadow?.ordersById.get(id)
    if (order?.isOpen !== true) return
    const best = exchange.bestPrice(symbol, side) ?? order.price
    const queue = side === 'BUY' ? order.market.bids : order.market.asks
    const [, second] = queue.depth(2)
    const behind = Math.abs(best - order.price)
    const ahead = best === order.price && second !== undefined ? Math.abs(best - second.price) : 0
    this.#note('an order rests more than 100 000 ticks behind the best', behind > FAR_TICKS)
    this.#note('an order improves the best by more than 100 000 ticks', ahead > FAR_TICKS)
    this.#note('an order rests at the lowest price', order.price === 1)
    this.#note('an order rests at the highest price', order.price === Number.MAX_SAFE_INTEGER)
    this.#note('a side of fifty price levels', queue.levelCount >= MANY_LEVELS)
    this.#seeFarLevels(queue, best)
    this.#note('an order rests where a hundred have come and gone', this.#finishedOrders >= MANY_ORDERS)
  }

  #seeFarLevels(queue: ShadowQueue<ShadowOrder>, best: number): void {
    if (queue.levelCount < FAR_LEVELS) return
    const far = queue.depth(Infinity).filter(({ price }) => Math.abs(best - price) > FAR_TICKS)
    this.#note('twenty price levels lie more than 100 000 ticks behind the best', far.length >= FAR_LEVELS)
  }

  #seeTrade(exchange: Exchange, { trade, maker, taker, makerFee, takerFee }: Traded): void {
    const isOfCrowd = (order: Order): boolean => order.userId === CROWD
    const [made, took] = [this.#shadow?.ordersById.get(maker.id), this.#shadow?.ordersById.get(taker.id)]
    if (made !== undefined) this.#seeFee(made, maker, makerFee)
    if (took !== undefined) this.#seeFee(took, taker, takerFee)
    const limit = taker.price ?? trade.price
    const cost = BigInt(trade.price) * BigInt(trade.qty) * (made?.market.unitsPerNotional ?? 0n)
    this.#note('a trade costs more than 2^53', cost > WIDE)
    this.#note('a trade costs more than 2^104', cost > WIDEST)
    this.#note('a resting order is filled in three parts', made?.makerFills === 3)
    this.#note('a limit buy fills better than its limit', taker.side === 'BUY' && limit > trade.price)
    this.#note('a limit sell fills better than its limit', taker.side === 'SELL' && limit < trade.price)
    this.#note('a self-trade is made', maker.userId === taker.userId && !isOfCrowd(maker))
    this.#note('the crowd makes a trade with a user', isOfCrowd(maker) && !isOfCrowd(taker))
    this.#note('the crowd takes a trade from a user', !isOfCrowd(maker) && isOfCrowd(taker))
    this.#note('the crowd trades with itself', isOfCrowd(maker) && isOfCrowd(taker))
    this.#seeMarkets(exchange, trade.symbol)
  }

  #seeFee({ exactFee, makerFills, takerFills }: ShadowOrder, order: Order, charged: bigint): void {
    this.#note('a fee is rounded up', exactFee % FEE_RATE_ONE !== 0n)
    this.#note('a fill is charged nothing because the last one was rounded up', exactFee > 0n && charged === 0n)
    this.#note('an order is charged as taker and as maker', order.fee > 1n && makerFills > 0 && takerFills > 0)
    this.#note('a seller is charged all that he gets', order.side === 'SELL' && exactFee > 0n && isAll(exactFee, order))
    this.#note('a fee of more than 2^53', charged > WIDE)
    this.#note('a fee of more than 2^104', charged > WIDEST)
  }

  #seeMarkets({ markets }: Exchange, symbol: string): void {
    if (markets.length < 3 || this.#tradedSymbols.has(symbol)) return
    this.#tradedSymbols.add(symbol)
    const traded = markets.filter((market) => this.#tradedSymbols.has(market.symbol))
    const digits = new Set(traded.map(({ pricePrecision, qtyPrecision }) => pricePrecision + qtyPrecision))
    const quotes = new Set(traded.map(({ quoteAsset }) => quoteAsset))
    this.#note(
      'three markets of one quote asset trade, each with its own digits',
      digits.size === 3 && quotes.size === 1,
    )
  }

  #seeMove(before: bigint, after: bigint): void {
    for (const [power, rises, falls] of POWERS) {
      if (before < power && after >= power) this.#reach(rises)
      if (before >= power && after < power) this.#reach(falls)
    }
  }

  #seeEvent(exchange: Exchange, event: ExchangeEvent): void {
    switch (event.type) {
      case 'traded':
        for (const { status } of [event.maker, event.taker]) if (status === 'FILLED') this.#finishedOrders += 1
        return
      case 'order-cancelled':
        this.#seeCancel(event.order)
        return
      case 'cancel-refused':
        this.#seeCancelRefused(event)
        return
      case 'credited':
        this.#note('a debit is taken', event.amount < 0n)
        if (event.amount > 0n) this.#credited.add(event.asset)
        return
      case 'credit-refused':
        this.#note('a debit is refused', event.refusal.code === 'INSUFFICIENT_BALANCE')
        this.#note('an unknown asset is credited', !exchange.scales.has(event.asset))
        return
      case 'order-accepted':
        this.#accountsWithOrders.add(event.order.userId)
        this.#note('twenty accounts have orders', this.#accountsWithOrders.size >= MANY_ACCOUNTS)
        return
      case 'order-refused':
      case 'order-reduced':
        return
    }
  }

  #seeCancel({ id, type, filledQty }: Order): void {
    this.#finishedOrders += 1
    if (type !== 'LIMIT') return
    const fills = this.#shadow?.ordersById.get(id)?.makerFills ?? 0
    this.#note('an open order is cancelled', filledQty === 0)
    this.#note('a partially filled order is cancelled', filledQty > 0)
    this.#note('a resting order is filled in three parts and cancelled', fills >= 3)
  }

  #seeCancelRefused({ account, orderId, refusal }: Extract<ExchangeEvent, { type: 'cancel-refused' }>): void {
    const order = this.#shadow?.ordersById.get(orderId)
    const isOther = order?.isOpen === true && order.account !== account
    const isForgotten = order?.isOpen === false && order.account === account && account !== CROWD
    const { code } = refusal
    this.#note("another's order is asked to be cancelled", isOther)
    this.#note('a finished order is asked to be cancelled', code === 'ORDER_NOT_CANCELLABLE')
    this.#note('a finished order that is forgotten is asked to be cancelled', isForgotten && code === 'ORDER_NOT_FOUND')
  }

  /** The first trade of a market gives a price to its base asset. */
  #seePricing({ markets }: Exchange, symbol: string): void {
    if (this.#pricedSymbols.has(symbol)) return
    this.#pricedSymbols.add(symbol)
    const base = markets.find((market) => market.symbol === symbol)?.baseAsset ?? ''
    this.#note('a credit joins the baseline at the first price', this.#credited.has(base))
  }
}

const isUncounted = ({ command }: PlaceAction): boolean => 'matches' in command

/** True when the exact fee is the whole of what the order sold for, at a rate of 10 000 basis points. */
const isAll = (exact: bigint, order: Order): boolean =>
  order.fee * FEE_RATE_ONE === exact && exact % order.filledNotional === 0n
