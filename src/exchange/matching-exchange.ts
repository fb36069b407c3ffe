/**
 * The exchange as a fold: validates commands, admits and matches orders, answers reads, and returns events.
 *
 * Purpose: the one set of rules behind the backtest, the emulator and paper trading. No clock, input or output, and no
 * random numbers: the time comes with the command.
 * Invariants: time never goes back. A rejected command changes nothing except the time. Equal commands give equal
 * events, byte for byte, also after a snapshot.
 * Known limitation: commands run one at a time, in one thread.
 * Complexity: linear in the orders that a command matches. A market buy, and any order where self-trades are rejected,
 * walks them once more to be admitted.
 * Source: docs/specification/trading-service.md, and docs/decisions for what it leaves open.
 */
import type { AuditLine } from '../domain/audit.ts'
import type { Balances } from '../domain/balances.ts'
import type { Candle } from '../domain/candle.ts'
import { type Command, CROWD, type Offer } from '../domain/command.ts'
import type { Depth } from '../domain/depth.ts'
import { assertNever, invariant, InvariantError } from '../domain/errors.ts'
import type { ExchangeEvent } from '../domain/exchange-event.ts'
import type { MarketConfig, MarketFees } from '../domain/market.ts'
import { opposite, type Order, type Side } from '../domain/order.ts'
import type { Portfolio } from '../domain/portfolio.ts'
import type { Refusal, RefusalCode } from '../domain/refusal.ts'
import type { Ticker } from '../domain/ticker.ts'
import type { Fill, Trade } from '../domain/trade.ts'
import { auditExchange } from './audit-exchange.ts'
import { NONE } from './book/order-slots.ts'
import type { ExchangeState } from './exchange-state.ts'
import type {
  CandleQuery,
  MarketAccess,
  OrderQuery,
  Print,
  RecordedRow,
  RestingOrder,
  RowPart,
  SnapshotExchange,
} from './exchange.ts'
import { Amount } from './ledger/amount.ts'
import { CROWD_ROW } from './ledger/ledger.ts'
import type { MarketOrders } from './market-orders.ts'
import type { MarketState } from './market-state.ts'
import { newestOf } from './records/number-ring.ts'
import type { BooksSnapshot, ExchangeSnapshot } from './snapshot/exchange-snapshot.ts'
import { type Cut, wholeOf } from './snapshot/later-list.ts'
import type { MarketStatistics } from './statistics/market-statistics.ts'
import { takeBooks, takeCut } from './take-snapshot.ts'

/**
 * Handle of one market, for callers that look it up once.
 *
 * A class, because every object literal with an accessor has a hidden class of its own: with many exchanges in a row,
 * as in a sweep, each use would be slow (megamorphic).
 */
class MarketHandle implements MarketAccess {
  readonly #state: ExchangeState
  readonly #market: MarketState
  readonly #orders: MarketOrders
  readonly #statistics: MarketStatistics

  constructor(state: ExchangeState, market: MarketState) {
    this.#state = state
    this.#market = market
    this.#orders = market.orders
    this.#statistics = market.statistics
  }

  get lastPrice(): number {
    return this.#statistics.lastPrice
  }

  bestPrice(side: Side): number | undefined {
    return this.#orders.bestPrice(side)
  }

  list(time: number, price: number, qty: number, isBuyerMaker: boolean): number {
    this.#state.advance(time)
    return this.#market.list(time, price, qty, isBuyerMaker)
  }

  enter(time: number, price: number, qty: number, part: RowPart): void {
    this.#state.advance(time)
    this.#market.enter(time, price, qty, part)
  }

  enterCandle(time: number, open: number, high: number, low: number, close: number, volume: number): void {
    this.#market.enterCandle(time, open, high, low, close, volume)
  }

  print(time: number, price: number, qty: number, isBuyerMaker: boolean): number {
    this.#state.advance(time)
    return this.#market.print(time, price, qty, isBuyerMaker)
  }
}

type PlaceCommand = Extract<Command, { type: 'place' }>
type CancelCommand = Extract<Command, { type: 'cancel' }>
type TakeCommand = Extract<Command, { type: 'take' }>
type ReduceCommand = Extract<Command, { type: 'reduce' }>
type CreditCommand = Extract<Command, { type: 'credit' }>

const refusal = (code: RefusalCode, message: string): Refusal => ({ code, message })

export class MatchingExchange implements SnapshotExchange {
  readonly markets: readonly MarketConfig[]
  readonly scales: ReadonlyMap<string, number>
  readonly #state: ExchangeState
  readonly #amount = new Amount()

  constructor(state: ExchangeState) {
    this.#state = state
    this.markets = state.markets
    this.scales = state.scales
  }

  get lastOrderId(): number {
    return this.#state.orderIds.last
  }

  execute(command: Command): readonly ExchangeEvent[] {
    this.#state.advance(command.time)
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
      default:
        return assertNever(command)
    }
  }

  /**
   * Other fees of a market from now on, for every fill. Resting buy orders reserve for them, the oldest first.
   *
   * @returns cancellations of those whose account cannot pay
   */
  changeFees(symbol: string, fees: MarketFees, time: number): readonly ExchangeEvent[] {
    this.#state.advance(time)
    return this.#state.market(symbol).orders.changeFees(fees, time)
  }

  print({ symbol, time, price, qty, isBuyerMaker }: Print): number {
    this.#state.advance(time)
    return this.#state.market(symbol).print(time, price, qty, isBuyerMaker)
  }

  list({ symbol, time, price, qty, isBuyerMaker }: Print): number {
    this.#state.advance(time)
    return this.#state.market(symbol).list(time, price, qty, isBuyerMaker)
  }

  enter({ symbol, time, price, qty, part }: RecordedRow): void {
    this.#state.advance(time)
    this.#state.market(symbol).enter(time, price, qty, part)
  }

  market(symbol: string): MarketAccess {
    return new MarketHandle(this.#state, this.#state.market(symbol))
  }

  bestPrice(symbol: string, side: Side): number | undefined {
    return this.#state.market(symbol).orders.bestPrice(side)
  }

  restingAt(symbol: string, side: Side, price: number): readonly RestingOrder[] {
    return this.#state.market(symbol).orders.restingAt(side, price)
  }

  restingTo(symbol: string, side: Side, price: number, lots = Infinity): readonly RestingOrder[] {
    return this.#state.market(symbol).orders.restingTo(side, price, lots)
  }

  depth(symbol: string, levels = Number.POSITIVE_INFINITY): Depth {
    return this.#state.market(symbol).orders.depth(levels)
  }

  ticker(symbol: string, now: number): Ticker {
    this.#checkNow(now)
    return this.#state.market(symbol).statistics.ticker(now)
  }

  trades(symbol: string, limit: number): readonly Trade[] {
    const { trades } = this.#state
    return newestOf(this.#state.market(symbol).statistics.trades, limit, (trade) => trades.view(trade))
  }

  candles(symbol: string, query: CandleQuery): readonly Candle[] {
    return this.#state.market(symbol).statistics.candles.read(query)
  }

  order(account: string, orderId: number): Order | undefined {
    const { orders } = this.#state
    const order = orders.find(this.#state.row(account), orderId)
    return order === NONE ? undefined : orders.records.view(order)
  }

  orders(account: string, query: OrderQuery): readonly Order[] {
    const market = query.symbol === undefined ? undefined : this.#state.marketsBySymbol.get(query.symbol)?.number
    if (query.symbol !== undefined && market === undefined) return []
    return this.#state.orders.page(this.#state.account(account).orders, market, query)
  }

  openOrders(account: string): readonly Order[] {
    return this.#state.orders.open(this.#state.account(account).orders)
  }

  fills(account: string, limit: number): readonly Fill[] {
    const { trades } = this.#state
    return newestOf(this.#state.account(account).fills, limit, (fill) => trades.fillView(fill))
  }

  balances(account: string): Balances {
    const row = this.#state.row(account)
    return new Map(
      this.#state.ledger.assets.map((asset, index) => [
        asset,
        { available: this.#state.ledger.available(row, index), locked: this.#state.ledger.locked(row, index) },
      ]),
    )
  }

  portfolio(account: string, now: number): Portfolio {
    this.#checkNow(now)
    return this.#state.valuation.portfolio(this.#state.account(account), now)
  }

  audit(): readonly AuditLine[] {
    return auditExchange(this.#state)
  }

  snapshot(withoutHistory?: ReadonlySet<string>): ExchangeSnapshot {
    return wholeOf<ExchangeSnapshot>(this.cut(withoutHistory))
  }

  books(): BooksSnapshot {
    return takeBooks(this.#state)
  }

  cut(withoutHistory?: ReadonlySet<string>): Cut<ExchangeSnapshot> {
    return takeCut(this.#state, withoutHistory)
  }

  #place(command: PlaceCommand): readonly ExchangeEvent[] {
    const { time, request, offers = NO_OFFERS } = command
    const market = this.#state.marketsBySymbol.get(request.symbol)
    if (market === undefined) {
      return orderRefused(command, refusal('MARKET_NOT_FOUND', `no market '${request.symbol}'`))
    }
    const price = request.type === 'LIMIT' ? request.price : 0
    invariant(isUnits(request.qty) && isUnits(price), 'an order is in whole ticks and lots')
    const row = this.#state.row(command.account)
    const reason = market.orders.refusal(request, row, bestFirst(request.side, offers))
    if (reason !== undefined) return orderRefused(command, reason)
    const account = this.#state.open(command.account).row
    if (offers.length === 0) return market.orders.place(command, this.#state.orderIds.next(), account, NO_RECORDS)
    const offered = this.#offered(market, request.side, offers, time)
    const events = market.orders.place(command, this.#state.orderIds.next(), account, offered)
    market.orders.withdraw(offered)
    return events
  }

  #cancel({ time, account, orderId }: CancelCommand): readonly ExchangeEvent[] {
    const { orders } = this.#state
    const order = orders.find(this.#state.row(account), orderId)
    if (order !== NONE && orders.records.isOpen(order)) {
      return [this.#state.marketOf(orders.records.market(order)).orders.cancel(order, time)]
    }
    const reason =
      order === NONE
        ? refusal('ORDER_NOT_FOUND', `no order ${orderId}`)
        : refusal('ORDER_NOT_CANCELLABLE', `order ${orderId} is finished`)
    return [{ type: 'cancel-refused', time, account, orderId, refusal: reason }]
  }

  #take({ time, symbol, orderIds, offers, matches }: TakeCommand): readonly ExchangeEvent[] {
    const market = this.#state.market(symbol)
    const { records } = this.#state.orders
    const takers = orderIds.map((id) => this.#state.orders.resting(id))
    const [first] = takers
    invariant(first !== undefined, 'somebody takes')
    invariant(new Set(takers).size === takers.length, 'each order takes once')
    const side = records.side(first)
    const isOfSide = (order: number): boolean => records.market(order) === market.number && records.side(order) === side
    invariant(takers.every(isOfSide), 'orders of one side of one market take')
    const offered = this.#offered(market, side, offers, time)
    const events = market.orders.take(takers, offered, time, matches)
    market.orders.withdraw(offered)
    return events
  }

  /**
   * Offers as orders of the crowd, best first; they are in no book.
   *
   * @param side  of the orders that receive them
   */
  #offered(market: MarketState, side: Side, offers: readonly Offer[], time: number): readonly number[] {
    if (offers.length === 0) return NO_RECORDS
    this.#state.open(CROWD)
    const offered = offers.map(({ price, qty }) => {
      invariant(isUnits(price) && price > 0 && isUnits(qty) && qty > 0, 'an offer is in whole ticks and lots')
      const { symbol } = market.config
      const request = { symbol, side: opposite(side), type: 'LIMIT', price, qty } as const
      return { price, order: market.orders.offer(this.#state.orderIds.next(), request, time) }
    })
    return bestFirst(side, offered).map(({ order }) => order)
  }

  #reduce({ time, account, orderId, qty }: ReduceCommand): readonly ExchangeEvent[] {
    const { orders } = this.#state
    const { records } = orders
    const order = orders.resting(orderId)
    // The account by its row: a state that is read back may name any.
    const isOfCrowd = this.#state.row(account) === CROWD_ROW && records.account(order) === CROWD_ROW
    invariant(isOfCrowd, 'the crowd alone reduces orders, its own')
    const isPart = isUnits(qty) && qty > 0 && qty < records.remaining(order)
    invariant(isPart, 'an order is reduced by whole lots, fewer than are open')
    return [this.#state.marketOf(records.market(order)).orders.reduce(order, qty, time)]
  }

  #credit({ time, account, asset, amount }: CreditCommand): readonly ExchangeEvent[] {
    const refused = (reason: Refusal): readonly ExchangeEvent[] => [
      { type: 'credit-refused', time, account, asset, amount, refusal: reason },
    ]
    const index = this.#state.ledger.assets.indexOf(asset)
    if (index < 0) return refused(refusal('ASSET_NOT_FOUND', `no asset '${asset}'`))
    if (account !== CROWD && this.#state.ledger.available(this.#state.row(account), index) + amount < 0n) {
      return refused(refusal('INSUFFICIENT_BALANCE', `not enough ${asset} available`))
    }
    const owner = this.#state.open(account)
    this.#state.ledger.credit(owner.row, index, this.#amount.set(amount))
    this.#state.valuation.credit(owner, index, amount, time)
    return [{ type: 'credited', time, account, asset, amount }]
  }

  #checkNow(now: number): void {
    if (now >= this.#state.time) return
    throw new InvariantError(`a read of ${now} is before the last command at ${this.#state.time}`)
  }
}

const NO_OFFERS: readonly Offer[] = []
const NO_RECORDS: readonly number[] = []

const orderRefused = ({ time, account, request }: PlaceCommand, reason: Refusal): readonly ExchangeEvent[] => [
  { type: 'order-refused', time, account, request, refusal: reason },
]

/** Offers in matching order for a taker of a side; stable for equal prices. */
const bestFirst = <T extends { readonly price: number }>(side: Side, offers: readonly T[]): readonly T[] =>
  offers.length === 0 ? offers : offers.toSorted((a, b) => (side === 'BUY' ? a.price - b.price : b.price - a.price))

const isUnits = (value: number): boolean => Number.isSafeInteger(value) && value >= 0
