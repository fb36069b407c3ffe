/**
 * The exchange written twice: the obvious, slow, exact one, to keep the real one honest.
 *
 * It remembers lists of orders, trades and credits that only grow, and works everything out from them each time it is asked.
 * Known limit: each command and each read costs as much as all that has happened before.
 */
import { CROWD } from '../../src/domain/command.ts'
import type { Command, Offer, UncountedMatches } from '../../src/domain/command.ts'
import { assertNever, invariant } from '../../src/domain/errors.ts'
import type { ExchangeEvent } from '../../src/domain/exchange-event.ts'
import { ledgerScales } from '../../src/domain/market.ts'
import { isOpen } from '../../src/domain/order.ts'
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
import { auditOf, balanceOf, balancesOf } from './naive-ledger.ts'
import { feeOf, limitPrice, naiveMarket, remainingQty, snapshotOf, statusOf } from './naive-order.ts'
import type { NaiveMarket, NaiveOrder } from './naive-order.ts'
import { bookSide, fillsOf, lastOf, liveOrders, newestFirst, pricingRows, tradesOf } from './naive-state.ts'
import type { NaiveState } from './naive-state.ts'
import { candlesOf, depthSide, tickerOf } from './naive-statistics.ts'
import { portfolioOf } from './naive-valuation.ts'

type CommandOf<Type extends Command['type']> = Extract<Command, { type: Type }>

export const createNaiveExchange = (config: ExchangeConfig): Exchange => new NaiveExchange(config)

const refuse = (code: RefusalCode) => ({ code, message: code })

class NaiveExchange implements Exchange {
  readonly #state: NaiveState
  /** Orders in the order in which they were filled or cancelled. */
  readonly #finished: NaiveOrder[] = []
  #lastOrderId = 0
  #lastRank = 0
  #time = -Infinity

  constructor(config: ExchangeConfig) {
    const scales = ledgerScales(config.markets)
    const markets = config.markets.map((market) => naiveMarket(market, scales))
    this.#state = { config, scales, markets, credits: [], orders: [], trades: [], rows: [] }
  }

  get markets() {
    return this.#state.config.markets
  }

  get scales() {
    return this.#state.scales
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
      case 'credit':
        return this.#credit(command)
      default:
        return assertNever(command)
    }
  }

  print(print: Print): number {
    const id = this.list(print)
    this.enter({ ...print, part: 'whole' })
    return id
  }

  enter({ symbol, time, price, qty, part }: RecordedRow): void {
    this.#moveTo(time)
    this.#marketOf(symbol)
    invariant(price > 0 && qty > 0, 'a row is positive')
    this.#state.rows.push({ symbol, time, price, qty, part })
  }

  list({ symbol, time, price, qty, isBuyerMaker }: Print): number {
    this.#moveTo(time)
    const market = this.#marketOf(symbol)
    invariant(price > 0 && qty > 0, 'a print is positive')
    const id = this.#state.trades.length + 1
    const buyOrderId = this.#lastOrderId + 1
    const sellOrderId = this.#lastOrderId + 2
    this.#lastOrderId = sellOrderId
    const ids = { id, buyOrderId, sellOrderId, buyerId: CROWD, sellerId: CROWD }
    const trade = { ...ids, symbol, price, qty, isBuyerMaker, createdAt: time }
    this.#state.trades.push({ trade, market, buyerFee: 0n, sellerFee: 0n, isListed: true })
    return id
  }

  market(symbol: string): MarketAccess {
    this.#marketOf(symbol)
    return {
      bestPrice: (side) => this.bestPrice(symbol, side),
      print: (time, price, qty, isBuyerMaker) => this.print({ symbol, time, price, qty, isBuyerMaker }),
      list: (time, price, qty, isBuyerMaker) => this.list({ symbol, time, price, qty, isBuyerMaker }),
      enter: (time, price, qty, part) => {
        this.enter({ symbol, time, price, qty, part })
      },
      enterCandle: (time, open, high, low, close, volume) => {
        const row = { symbol, time, part: 'whole' } as const
        this.#state.rows.push(...[open, high, low].map((price) => ({ ...row, price, qty: 0 })))
        this.#state.rows.push({ ...row, price: close, qty: volume })
      },
      lastPrice: pricingRows(this.#state.rows, symbol).at(-1)?.price ?? 0,
    }
  }

  #moveTo(time: number): void {
    invariant(time >= this.#time, `time goes back from ${this.#time} to ${time}`)
    this.#time = time
  }

  #marketOf(symbol: string): NaiveMarket {
    const market = this.#state.markets.find(({ config }) => config.symbol === symbol)
    invariant(market !== undefined, `unknown market ${symbol}`)
    return market
  }

  // ---- place

  #place({ time, account, request, offers = [], matches: counts }: CommandOf<'place'>): readonly ExchangeEvent[] {
    const lastOrderId = this.#lastOrderId
    const makers = this.#offered(time, request.symbol, request.side, offers)
    const code = whyRefused(this.#state, account, request)
    if (code !== undefined) {
      this.#forget(makers)
      this.#lastOrderId = lastOrderId
      return [{ type: 'order-refused', time, account, request, refusal: refuse(code) }]
    }
    const matches = walk(this.#state, request)
    this.#lastOrderId += 1
    const market = this.#marketOf(request.symbol)
    const id = this.#lastOrderId
    const order: NaiveOrder = {
      id,
      account,
      request,
      market,
      createdAt: time,
      fills: [],
      cancelled: false,
      rank: this.#nextRank(),
    }
    this.#state.orders.push(order)

    const events: ExchangeEvent[] = [{ type: 'order-accepted', time, order: snapshotOf(order) }]
    for (const { maker, qty } of matches) events.push(this.#match(time, maker, order, qty, counts))
    if (request.type === 'MARKET' && isOpen(statusOf(order))) events.push(this.#finishCancelled(time, order))
    this.#forget(makers)
    return events
  }

  /** Offers as orders of the crowd, behind all that rest; to be forgotten when the command is over. */
  #offered(time: number, symbol: string, side: Side, offers: readonly Offer[]): readonly NaiveOrder[] {
    if (offers.length === 0) return []
    const market = this.#marketOf(symbol)
    const makers = offers.map(({ price, qty }): NaiveOrder => {
      this.#lastOrderId += 1
      const request = { symbol, side: side === 'BUY' ? 'SELL' : 'BUY', type: 'LIMIT', price, qty } as const
      const common = { account: CROWD, request, market, createdAt: time, fills: [], cancelled: false }
      return { id: this.#lastOrderId, ...common, rank: this.#nextRank() }
    })
    this.#state.orders.push(...makers)
    return makers.toSorted((a, b) => (limitPrice(a) - limitPrice(b)) * (side === 'BUY' ? 1 : -1))
  }

  #forget(makers: readonly NaiveOrder[]): void {
    for (const maker of makers) maker.cancelled ||= isOpen(statusOf(maker))
  }

  /** The offers as a list, from which each order in its turn takes what its limit allows. */
  #take({ time, symbol, orderIds, offers, matches: counts }: CommandOf<'take'>): readonly ExchangeEvent[] {
    const takers = orderIds.flatMap((id) =>
      this.#state.orders.filter((order) => order.id === id && isOpen(statusOf(order))),
    )
    const [first] = takers
    invariant(first !== undefined, 'somebody takes')
    const isBuy = first.request.side === 'BUY'
    const makers = this.#offered(time, symbol, first.request.side, offers)
    const events: ExchangeEvent[] = []
    for (const taker of takers) {
      for (const maker of makers) {
        const isGood = isBuy ? limitPrice(maker) <= limitPrice(taker) : limitPrice(maker) >= limitPrice(taker)
        const qty = Math.min(remainingQty(maker), remainingQty(taker))
        if (isGood && qty > 0) events.push(this.#match(time, maker, taker, qty, counts))
      }
      taker.rank = this.#nextRank()
    }
    this.#forget(makers)
    return events
  }

  #nextRank(): number {
    this.#lastRank += 1
    return this.#lastRank
  }

  #match(
    time: number,
    maker: NaiveOrder,
    taker: NaiveOrder,
    qty: number,
    counts: UncountedMatches | undefined,
  ): ExchangeEvent {
    const price = limitPrice(maker)
    const makerFee = this.#fill(maker, { price, qty, role: 'maker' })
    const takerFee = this.#fill(taker, { price, qty, role: 'taker' })
    const isBuyerMaker = maker.request.side === 'BUY'
    const [buy, sell] = isBuyerMaker ? [maker, taker] : [taker, maker]
    const trade: Trade = {
      id: this.#state.trades.length + 1,
      symbol: maker.request.symbol,
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
    const isOfCrowd = maker.account === CROWD && taker.account === CROWD
    const isListed = counts !== 'ours-listed' || !isOfCrowd
    this.#state.trades.push({ trade, market: maker.market, buyerFee, sellerFee, isListed })
    if (counts === undefined) this.#state.rows.push({ symbol: trade.symbol, time, price, qty, part: 'whole' })
    return { type: 'traded', time, trade, maker: snapshotOf(maker), taker: snapshotOf(taker), makerFee, takerFee }
  }

  /** Adds the fill and returns what it added to the order's fee. */
  #fill(order: NaiveOrder, fill: NaiveOrder['fills'][number]): bigint {
    const before = feeOf(order)
    order.fills.push(fill)
    if (statusOf(order) === 'FILLED') this.#finished.push(order)
    return feeOf(order) - before
  }

  // ---- cancel and credit

  #cancel({ time, account, orderId }: CommandOf<'cancel'>): readonly ExchangeEvent[] {
    const order = this.#visibleOrders(account).find(({ id }) => id === orderId)
    if (order !== undefined && isOpen(statusOf(order))) return [this.#finishCancelled(time, order)]
    const code = order === undefined ? 'ORDER_NOT_FOUND' : 'ORDER_NOT_CANCELLABLE'
    return [{ type: 'cancel-refused', time, account, orderId, refusal: refuse(code) }]
  }

  #finishCancelled(time: number, order: NaiveOrder): ExchangeEvent {
    order.cancelled = true
    this.#finished.push(order)
    return { type: 'order-cancelled', time, order: snapshotOf(order) }
  }

  #credit({ time, account, asset, amount }: CommandOf<'credit'>): readonly ExchangeEvent[] {
    const credit = { time, account, asset, amount }
    if (!this.scales.has(asset)) return [{ type: 'credit-refused', ...credit, refusal: refuse('ASSET_NOT_FOUND') }]
    const isOverdrawn = amount < 0n && -amount > balanceOf(this.#state, account, asset).available
    if (isOverdrawn && account !== CROWD) {
      return [{ type: 'credit-refused', ...credit, refusal: refuse('INSUFFICIENT_BALANCE') }]
    }
    if (amount !== 0n) this.#state.credits.push({ ...credit, rowsBefore: this.#state.rows.length })
    return [{ type: 'credited', ...credit }]
  }

  // ---- reads

  bestPrice(symbol: string, side: Side): number | undefined {
    this.#marketOf(symbol)
    return depthSide(this.#state, symbol, side, 1)[0]?.price
  }

  restingAt(symbol: string, side: Side, price: number): readonly RestingOrder[] {
    return this.restingTo(symbol, side, price).filter((order) => order.price === price)
  }

  restingTo(symbol: string, side: Side, price: number): readonly RestingOrder[] {
    this.#marketOf(symbol)
    const sign = side === 'BUY' ? 1 : -1
    return bookSide(this.#state, symbol, side)
      .map((order) => {
        const { qty, filledQty } = snapshotOf(order)
        return { orderId: order.id, account: order.account, price: limitPrice(order), qty: qty - filledQty }
      })
      .filter((order) => order.price * sign >= price * sign)
  }

  depth(symbol: string, levels = Infinity) {
    this.#marketOf(symbol)
    return {
      bids: depthSide(this.#state, symbol, 'BUY', levels),
      asks: depthSide(this.#state, symbol, 'SELL', levels),
    }
  }

  ticker(symbol: string, now: number) {
    this.#marketOf(symbol)
    this.#checkNow(now)
    return tickerOf(this.#state, symbol, now)
  }

  trades(symbol: string, limit: number): readonly Trade[] {
    this.#marketOf(symbol)
    return newestFirst(tradesOf(this.#state, symbol), Math.min(limit, this.#state.config.history.trades))
  }

  candles(symbol: string, query: CandleQuery) {
    this.#marketOf(symbol)
    return candlesOf(this.#state, symbol, query)
  }

  order(account: string, orderId: number): Order | undefined {
    const order = this.#visibleOrders(account).find(({ id }) => id === orderId)
    return order === undefined ? undefined : snapshotOf(order)
  }

  orders(account: string, { symbol, status, limit, page }: OrderQuery): readonly Order[] {
    const matching = this.#visibleOrders(account)
      .map(snapshotOf)
      .filter((order) => symbol === undefined || order.symbol === symbol)
      .filter((order) => status === undefined || order.status === status)
    return matching.slice((page - 1) * limit, page * limit)
  }

  openOrders(account: string): readonly Order[] {
    return this.#visibleOrders(account)
      .map(snapshotOf)
      .filter(({ status }) => isOpen(status))
  }

  fills(account: string, limit: number): readonly Fill[] {
    if (account === CROWD) return []
    const newest = this.#state.trades.toReversed()
    return newest
      .flatMap((trade) => fillsOf(trade, account))
      .slice(0, Math.min(limit, this.#state.config.history.fills))
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
    invariant(now >= this.#time, `now ${now} is before the last command at ${this.#time}`)
  }

  /** The account's live orders and the finished ones that are kept, newest first. */
  #visibleOrders(account: string): readonly NaiveOrder[] {
    const isOwn = (order: NaiveOrder): boolean => order.account === account
    const kept = account === CROWD ? 0 : this.#state.config.history.orders
    const finished = lastOf(this.#finished.filter(isOwn), kept)
    return [...liveOrders(this.#state).filter(isOwn), ...finished].toSorted((a, b) => b.id - a.id)
  }
}
