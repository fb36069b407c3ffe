/**
 * The exchange written twice: the obvious, exact one, to keep the real one honest.
 *
 * Sorted lists, lists that only grow, and sums in bigints; of the sources it takes types alone, and its numbers are its
 * own. Known limit: a command costs as much as there are orders open, and a read as all that has happened before.
 */
import type { Command, Offer, UncountedMatches } from '../../src/domain/command.ts'
import type { ExchangeEvent } from '../../src/domain/exchange-event.ts'
import type { Order, Side } from '../../src/domain/order.ts'
import type { RefusalCode } from '../../src/domain/refusal.ts'
import type { Fill, Trade } from '../../src/domain/trade.ts'
import type {
  CandleQuery,
  Exchange,
  ExchangeConfig,
  MarketAccess,
  OrderQuery,
  Print,
  RecordedRow,
  RestingOrder,
} from '../../src/exchange/exchange.ts'
import { walk, whyRefused } from './naive-admission.ts'
import { auditOf, balanceOf, balancesOf, bookCredit, bookTrade } from './naive-ledger.ts'
import { leave, rest } from './naive-book.ts'
import { enterRow } from './naive-market.ts'
import type { NaiveMarket, NaiveOrder } from './naive-market.ts'
import { CROWD, isLive, lastOf, must, oppositeOf } from './naive-numbers.ts'
import { fill, limitPrice, newOrder, remainingQty, shownOrder, statusOf } from './naive-order.ts'
import { candlesOf, depthOf, tickerOf } from './naive-statistics.ts'
import { accountOf, storedOrders, naiveState } from './naive-state.ts'
import type { NaiveState } from './naive-state.ts'
import { portfolioOf, pricesOf } from './naive-valuation.ts'

type CommandOf<Type extends Command['type']> = Extract<Command, { type: Type }>

export const createNaiveExchange = (config: ExchangeConfig): Exchange => new NaiveExchange(config)

const refuse = (code: RefusalCode) => ({ code, message: code })

class NaiveExchange implements Exchange {
  readonly #state: NaiveState
  #lastOrderId = 0
  #lastTradeId = 0
  #time = -Infinity

  constructor(config: ExchangeConfig) {
    this.#state = naiveState(config)
  }

  get markets() {
    return this.#state.config.markets
  }

  get scales() {
    return this.#state.digits
  }

  get lastOrderId() {
    return this.#lastOrderId
  }

  execute(command: Command): readonly ExchangeEvent[] {
    this.#moveTo(command.time)
    switch (command.type) {
      case 'place':
        return this.#place(command)
      case 'cancel':
        return this.#cancel(command)
      case 'take':
        return this.#take(command)
      case 'reduce':
        return this.#reduce(command)
      case 'credit':
        return this.#credit(command)
    }
  }

  print(print: Print): number {
    const id = this.list(print)
    this.enter({ ...print, part: 'whole' })
    return id
  }

  enter({ symbol, time, price, qty, part }: RecordedRow): void {
    this.#moveTo(time)
    must(price > 0 && qty > 0, 'a row is positive')
    enterRow(this.#marketOf(symbol), { time, price, qty, part })
  }

  list({ symbol, time, price, qty, isBuyerMaker }: Print): number {
    this.#moveTo(time)
    const market = this.#marketOf(symbol)
    must(price > 0 && qty > 0, 'a print is positive')
    const [buyOrderId, sellOrderId] = [this.#nextOrderId(), this.#nextOrderId()]
    const id = this.#nextTradeId()
    const parties = { buyOrderId, sellOrderId, buyerId: CROWD, sellerId: CROWD }
    market.trades.push({ id, symbol, price, qty, ...parties, isBuyerMaker, createdAt: time })
    return id
  }

  market(symbol: string): MarketAccess {
    const market = this.#marketOf(symbol)
    return {
      bestPrice: (side) => this.bestPrice(symbol, side),
      print: (time, price, qty, isBuyerMaker) => this.print({ symbol, time, price, qty, isBuyerMaker }),
      list: (time, price, qty, isBuyerMaker) => this.list({ symbol, time, price, qty, isBuyerMaker }),
      enter: (time, price, qty, part) => {
        this.enter({ symbol, time, price, qty, part })
      },
      enterCandle: (time, open, high, low, close, volume) => {
        for (const price of [open, high, low]) enterRow(market, { time, price, qty: 0, part: 'whole' })
        enterRow(market, { time, price: close, qty: volume, part: 'whole' })
      },
      lastPrice: market.pricing.at(-1)?.price ?? 0,
    }
  }

  #moveTo(time: number): void {
    must(time >= this.#time, `time goes back from ${this.#time} to ${time}`)
    this.#time = time
  }

  #marketOf(symbol: string): NaiveMarket {
    const market = this.#state.markets.find(({ config }) => config.symbol === symbol)
    must(market, `unknown market ${symbol}`)
    return market
  }

  #nextOrderId(): number {
    this.#lastOrderId += 1
    return this.#lastOrderId
  }

  #nextTradeId(): number {
    this.#lastTradeId += 1
    return this.#lastTradeId
  }

  // ---- place

  #place({ time, account, request, offers = [], matches: counts }: CommandOf<'place'>): readonly ExchangeEvent[] {
    const lastOrderId = this.#lastOrderId
    const makers = this.#offered(time, request.symbol, request.side, offers)
    makers.forEach(rest)
    const code = whyRefused(this.#state, account, request)
    if (code !== undefined) {
      makers.forEach(leave)
      this.#lastOrderId = lastOrderId
      return [{ type: 'order-refused', time, account, request, refusal: refuse(code) }]
    }
    const market = this.#marketOf(request.symbol)
    const order = newOrder(this.#nextOrderId(), account, request, market, time)
    const events: ExchangeEvent[] = [{ type: 'order-accepted', time, order: shownOrder(order) }]
    for (const { maker, qty } of walk(market, request)) events.push(this.#match(time, maker, order, qty, counts))
    makers.forEach(leave)
    if (!isLive(statusOf(order))) this.#finish(order)
    else if (request.type === 'MARKET') events.push(this.#finishCancelled(time, order))
    else {
      accountOf(this.#state, account).open.set(order.id, order)
      rest(order)
    }
    return events
  }

  /** Offers as orders of the crowd, the best first. @param side  of those to whom they are made */
  #offered(time: number, symbol: string, side: Side, offers: readonly Offer[]): readonly NaiveOrder[] {
    const better = side === 'BUY' ? 1 : -1
    return offers
      .map(({ price, qty }) => {
        const request = { symbol, side: oppositeOf(side), type: 'LIMIT', price, qty } as const
        return newOrder(this.#nextOrderId(), CROWD, request, this.#marketOf(symbol), time)
      })
      .toSorted((a, b) => (limitPrice(a) - limitPrice(b)) * better)
  }

  /** The offers as a list, from which each order in its turn takes what its limit allows. */
  #take({ time, symbol, orderIds, offers, matches: counts }: CommandOf<'take'>): readonly ExchangeEvent[] {
    const live = [...this.#state.accounts.values()].flatMap(({ open }) => [...open.values()])
    const takers = orderIds.flatMap((id) => live.filter((order) => order.id === id))
    const [first] = takers
    must(first, 'somebody takes')
    const isBuy = first.request.side === 'BUY'
    const makers = this.#offered(time, symbol, first.request.side, offers)
    const events: ExchangeEvent[] = []
    for (const taker of takers) {
      leave(taker)
      for (const maker of makers) {
        const isGood = isBuy ? limitPrice(maker) <= limitPrice(taker) : limitPrice(maker) >= limitPrice(taker)
        const qty = Math.min(remainingQty(maker), remainingQty(taker))
        if (isGood && qty > 0) events.push(this.#match(time, maker, taker, qty, counts))
      }
      if (isLive(statusOf(taker))) rest(taker)
      else this.#finish(taker)
    }
    return events
  }

  #match(
    time: number,
    maker: NaiveOrder,
    taker: NaiveOrder,
    qty: number,
    counts: UncountedMatches | undefined,
  ): ExchangeEvent {
    const { market } = maker
    const price = limitPrice(maker)
    const makerFee = fill(maker, price, qty, 'maker')
    const takerFee = fill(taker, price, qty, 'taker')
    if (!isLive(statusOf(maker))) this.#finish(maker)
    const isBuyerMaker = maker.request.side === 'BUY'
    const [buy, sell] = isBuyerMaker ? [maker, taker] : [taker, maker]
    const trade: Trade = {
      id: this.#nextTradeId(),
      symbol: market.config.symbol,
      price,
      qty,
      buyOrderId: buy.id,
      sellOrderId: sell.id,
      buyerId: buy.account,
      sellerId: sell.account,
      isBuyerMaker,
      createdAt: time,
    }
    const [buyerFee, sellerFee] = isBuyerMaker ? [makerFee, takerFee] : [takerFee, makerFee]
    bookTrade(this.#state, market, trade, { buyer: buyerFee, seller: sellerFee })
    this.#keepFill({ trade, side: 'SELL', orderId: sell.id, isMaker: !isBuyerMaker, fee: sellerFee }, sell)
    this.#keepFill({ trade, side: 'BUY', orderId: buy.id, isMaker: isBuyerMaker, fee: buyerFee }, buy)
    const isOfCrowd = maker.account === CROWD && taker.account === CROWD
    if (counts !== 'ours-listed' || !isOfCrowd) market.trades.push(trade)
    if (counts === undefined) enterRow(market, { time, price, qty, part: 'whole' })
    return { type: 'traded', time, trade, maker: shownOrder(maker), taker: shownOrder(taker), makerFee, takerFee }
  }

  #keepFill(row: Fill, { account }: NaiveOrder): void {
    accountOf(this.#state, account).fills.push(row)
  }

  /** Filled or cancelled: off the book and into the history. */
  #finish(order: NaiveOrder): void {
    const { open, finished } = accountOf(this.#state, order.account)
    leave(order)
    open.delete(order.id)
    finished.push(order)
  }

  // ---- cancel, reduce and credit

  #cancel({ time, account, orderId }: CommandOf<'cancel'>): readonly ExchangeEvent[] {
    const order = this.#find(account, orderId)
    if (order !== undefined && isLive(statusOf(order))) return [this.#finishCancelled(time, order)]
    const code = order === undefined ? 'ORDER_NOT_FOUND' : 'ORDER_NOT_CANCELLABLE'
    return [{ type: 'cancel-refused', time, account, orderId, refusal: refuse(code) }]
  }

  /** It stays where it is in the book. */
  #reduce({ time, account, orderId, qty }: CommandOf<'reduce'>): readonly ExchangeEvent[] {
    const order = accountOf(this.#state, account).open.get(orderId)
    must(order?.account === CROWD, 'the crowd reduces its own orders')
    must(Number.isSafeInteger(qty) && qty >= 1 && remainingQty(order) - qty >= 1, 'a part of an order is taken off it')
    order.takenOffQty += qty
    order.reserved = undefined
    return [{ type: 'order-reduced', time, order: shownOrder(order), lots: qty }]
  }

  #finishCancelled(time: number, order: NaiveOrder): ExchangeEvent {
    order.cancelled = true
    this.#finish(order)
    return { type: 'order-cancelled', time, order: shownOrder(order) }
  }

  #credit({ time, account, asset, amount }: CommandOf<'credit'>): readonly ExchangeEvent[] {
    const credit = { time, account, asset, amount }
    if (!this.scales.has(asset)) return [{ type: 'credit-refused', ...credit, refusal: refuse('ASSET_NOT_FOUND') }]
    const isOverdrawn = amount < 0n && -amount > balanceOf(this.#state, account, asset).available
    if (isOverdrawn && account !== CROWD) {
      return [{ type: 'credit-refused', ...credit, refusal: refuse('INSUFFICIENT_BALANCE') }]
    }
    if (amount !== 0n) {
      bookCredit(this.#state, account, asset, amount)
      const pricesBefore = pricesOf(this.#state, asset).length
      accountOf(this.#state, account).credits.push({ asset, amount, time, pricesBefore })
    }
    return [{ type: 'credited', ...credit }]
  }

  // ---- reads

  bestPrice(symbol: string, side: Side): number | undefined {
    return depthOf(this.#marketOf(symbol).book[side], 1)[0]?.price
  }

  restingAt(symbol: string, side: Side, price: number): readonly RestingOrder[] {
    return this.restingTo(symbol, side, price).filter((order) => order.price === price)
  }

  restingTo(symbol: string, side: Side, price: number, lots = Infinity): readonly RestingOrder[] {
    const sign = side === 'BUY' ? 1 : -1
    const all = this.#marketOf(symbol)
      .book[side].filter((order) => limitPrice(order) * sign >= price * sign)
      .map((order) => {
        const { id, account } = order
        return { orderId: id, account, price: limitPrice(order), qty: remainingQty(order) }
      })
    let ahead = 0n
    return all.filter(({ qty }) => {
      const isWithin = ahead < lots
      ahead += BigInt(qty)
      return isWithin
    })
  }

  depth(symbol: string, levels = Infinity) {
    const { book } = this.#marketOf(symbol)
    return { bids: depthOf(book.BUY, levels), asks: depthOf(book.SELL, levels) }
  }

  ticker(symbol: string, now: number) {
    this.#checkNow(now)
    return tickerOf(this.#marketOf(symbol), now)
  }

  trades(symbol: string, limit: number): readonly Trade[] {
    const kept = Math.min(limit, this.#state.config.history.trades)
    return lastOf(this.#marketOf(symbol).trades, kept).toReversed()
  }

  candles(symbol: string, query: CandleQuery) {
    return candlesOf(this.#marketOf(symbol), query, this.#state.config.history.candles)
  }

  order(account: string, orderId: number): Order | undefined {
    const order = this.#find(account, orderId)
    return order === undefined ? undefined : shownOrder(order)
  }

  orders(account: string, { symbol, status, limit, page }: OrderQuery): readonly Order[] {
    const open = [...accountOf(this.#state, account).open.values()]
    const matching = [...open, ...storedOrders(this.#state, account)]
      .filter((order) => symbol === undefined || order.request.symbol === symbol)
      .filter((order) => status === undefined || statusOf(order) === status)
      .toSorted((a, b) => b.id - a.id)
    return matching.slice((page - 1) * limit, page * limit).map(shownOrder)
  }

  openOrders(account: string): readonly Order[] {
    return [...accountOf(this.#state, account).open.values()].toReversed().map(shownOrder)
  }

  fills(account: string, limit: number): readonly Fill[] {
    const kept = account === CROWD ? 0 : this.#state.config.history.fills
    return lastOf(accountOf(this.#state, account).fills, Math.min(limit, kept)).toReversed()
  }

  balances(account: string) {
    return balancesOf(this.#state, account)
  }

  portfolio(account: string, now: number) {
    this.#checkNow(now)
    return portfolioOf(this.#state, account, now)
  }

  audit() {
    return auditOf(this.#state)
  }

  #checkNow(now: number): void {
    must(now >= this.#time, `now ${now} is before the last command at ${this.#time}`)
  }

  /** A live order of the account, or a finished one that is kept. */
  #find(account: string, orderId: number): NaiveOrder | undefined {
    const live = accountOf(this.#state, account).open.get(orderId)
    return live ?? storedOrders(this.#state, account).find(({ id }) => id === orderId)
  }
}
