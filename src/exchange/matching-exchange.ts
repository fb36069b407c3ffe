/**
 * The exchange itself: takes commands apart, lets orders in, matches, and answers reads.
 *
 * Invariant: time never goes back, and a refused command changes nothing.
 */
import type { AuditLine } from '../domain/audit.ts'
import type { Balances } from '../domain/balances.ts'
import type { Candle } from '../domain/candle.ts'
import { CROWD, type Command } from '../domain/command.ts'
import type { Depth } from '../domain/depth.ts'
import { assertNever, invariant, InvariantError } from '../domain/errors.ts'
import type { ExchangeEvent } from '../domain/exchange-event.ts'
import { ledgerScales, type MarketConfig } from '../domain/market.ts'
import type { Order, Side } from '../domain/order.ts'
import type { Portfolio } from '../domain/portfolio.ts'
import type { Refusal, RefusalCode } from '../domain/refusal.ts'
import type { Ticker } from '../domain/ticker.ts'
import type { Fill, Trade } from '../domain/trade.ts'
import { Account } from './account.ts'
import type {
  CandleQuery,
  Exchange,
  ExchangeConfig,
  HistoryLimits,
  OrderQuery,
  Print,
  RestingOrder,
} from './exchange.ts'
import { IdSequence } from './id-sequence.ts'
import { Amount } from './ledger/amount.ts'
import { CROWD_ROW, EMPTY_ROW, Ledger } from './ledger/ledger.ts'
import { LiveOrder } from './live-order.ts'
import { MarketState } from './market-state.ts'
import { OrderRegistry } from './order-registry.ts'
import { Valuation } from './valuation.ts'

type PlaceCommand = Extract<Command, { type: 'place' }>
type CancelCommand = Extract<Command, { type: 'cancel' }>
type CreditCommand = Extract<Command, { type: 'credit' }>

const refusal = (code: RefusalCode, message: string): Refusal => ({ code, message })

export class MatchingExchange implements Exchange {
  readonly markets: readonly MarketConfig[]
  readonly scales: ReadonlyMap<string, number>
  readonly #limits: HistoryLimits
  readonly #marketsBySymbol: ReadonlyMap<string, MarketState>
  readonly #accountsById = new Map<string, Account>()
  readonly #ledger: Ledger
  readonly #orders: OrderRegistry
  readonly #valuation: Valuation
  readonly #orderIds = new IdSequence()
  readonly #amount = new Amount()
  #time = 0

  constructor({ markets, quoteAsset, history }: ExchangeConfig) {
    this.markets = markets
    this.scales = ledgerScales(markets)
    this.#limits = history
    this.#ledger = new Ledger(this.scales)
    this.#orders = new OrderRegistry(history.orders)
    const shared = {
      ledger: this.#ledger,
      orders: this.#orders,
      orderIds: this.#orderIds,
      tradeIds: new IdSequence(),
      onFirstTrade: (market: MarketState): void => {
        this.#valuation.firstTrade(market, this.#accountsById.values())
      },
    }
    const states = markets.map((market) => new MarketState(market, this.scales, history, shared))
    this.#marketsBySymbol = new Map(states.map((state) => [state.config.symbol, state]))
    this.#valuation = new Valuation(quoteAsset, this.scales, states, this.#ledger)
  }

  get lastOrderId(): number {
    return this.#orderIds.last
  }

  execute(command: Command): readonly ExchangeEvent[] {
    this.#advance(command.time)
    switch (command.type) {
      case 'place':
        return this.#place(command)
      case 'cancel':
        return this.#cancel(command)
      case 'credit':
        return this.#credit(command)
      default:
        return assertNever(command)
    }
  }

  print(print: Print): number {
    this.#advance(print.time)
    return this.#market(print.symbol).print(print)
  }

  bestPrice(symbol: string, side: Side): number | undefined {
    return this.#market(symbol).trading.bestPrice(side)
  }

  restingAt(symbol: string, side: Side, price: number): readonly RestingOrder[] {
    return this.#market(symbol).trading.restingAt(side, price)
  }

  restingTo(symbol: string, side: Side, price: number): readonly RestingOrder[] {
    return this.#market(symbol).trading.restingTo(side, price)
  }

  depth(symbol: string, levels = Number.POSITIVE_INFINITY): Depth {
    return this.#market(symbol).trading.depth(levels)
  }

  ticker(symbol: string, now: number): Ticker {
    this.#checkNow(now)
    return this.#market(symbol).statistics.ticker(now)
  }

  trades(symbol: string, limit: number): readonly Trade[] {
    return this.#market(symbol).statistics.trades.newest(limit)
  }

  candles(symbol: string, query: CandleQuery): readonly Candle[] {
    return this.#market(symbol).statistics.candles.read(query)
  }

  order(account: string, orderId: number): Order | undefined {
    return this.#orders.of(account).find(orderId)
  }

  orders(account: string, { symbol, status, limit, page }: OrderQuery): readonly Order[] {
    const isAsked = (order: Order): boolean =>
      (symbol === undefined || order.symbol === symbol) && (status === undefined || order.status === status)
    return this.#orders
      .of(account)
      .all()
      .filter(isAsked)
      .slice((page - 1) * limit, page * limit)
  }

  openOrders(account: string): readonly Order[] {
    return this.#orders.of(account).open()
  }

  fills(account: string, limit: number): readonly Fill[] {
    return this.#accountsById.get(account)?.fills.newest(limit) ?? []
  }

  balances(account: string): Balances {
    const row = this.#row(account)
    return new Map(
      this.#ledger.assets.map((asset, index) => [
        asset,
        { available: this.#ledger.available(row, index), locked: this.#ledger.locked(row, index) },
      ]),
    )
  }

  portfolio(account: string, now: number): Portfolio {
    this.#checkNow(now)
    const owner = this.#accountsById.get(account) ?? new Account(account, EMPTY_ROW, this.#limits)
    return this.#valuation.portfolio(owner, now)
  }

  audit(): readonly AuditLine[] {
    return this.#ledger.audit()
  }

  #place({ time, account, request }: PlaceCommand): readonly ExchangeEvent[] {
    const refused = (reason: Refusal): readonly ExchangeEvent[] => [
      { type: 'order-refused', time, account, request, refusal: reason },
    ]
    const market = this.#marketsBySymbol.get(request.symbol)
    if (market === undefined) return refused(refusal('MARKET_NOT_FOUND', `no market '${request.symbol}'`))
    const price = request.type === 'LIMIT' ? request.price : 0
    invariant(isUnits(request.qty) && isUnits(price), 'an order is in whole ticks and lots')
    const reason = market.trading.refusal(request, this.#row(account))
    if (reason !== undefined) return refused(reason)
    return market.trading.place(new LiveOrder(this.#orderIds.next(), this.#open(account), request, time))
  }

  #cancel({ time, account, orderId }: CancelCommand): readonly ExchangeEvent[] {
    const orders = this.#orders.of(account)
    const order = orders.live(orderId)
    if (order !== undefined) return [this.#market(order.request.symbol).trading.cancel(order, time)]
    const reason =
      orders.find(orderId) === undefined
        ? refusal('ORDER_NOT_FOUND', `no order ${orderId}`)
        : refusal('ORDER_NOT_CANCELLABLE', `order ${orderId} is finished`)
    return [{ type: 'cancel-refused', time, account, orderId, refusal: reason }]
  }

  #credit({ time, account, asset, amount }: CreditCommand): readonly ExchangeEvent[] {
    const refused = (reason: Refusal): readonly ExchangeEvent[] => [
      { type: 'credit-refused', time, account, asset, amount, refusal: reason },
    ]
    const index = this.#ledger.assets.indexOf(asset)
    if (index < 0) return refused(refusal('ASSET_NOT_FOUND', `no asset '${asset}'`))
    if (account !== CROWD && this.#ledger.available(this.#row(account), index) + amount < 0n) {
      return refused(refusal('INSUFFICIENT_BALANCE', `not enough ${asset} available`))
    }
    const owner = this.#open(account)
    this.#ledger.credit(owner.row, index, this.#amount.set(amount))
    this.#valuation.credit(owner, index, amount, time)
    return [{ type: 'credited', time, account, asset, amount }]
  }

  /** The account's row in the ledger; the empty one before it is opened. */
  #row(account: string): number {
    return this.#accountsById.get(account)?.row ?? (account === CROWD ? CROWD_ROW : EMPTY_ROW)
  }

  /** The account, opened if need be. Not before a command is let in: a refused one leaves nothing behind. */
  #open(id: string): Account {
    const known = this.#accountsById.get(id)
    if (known !== undefined) return known
    const account = new Account(id, id === CROWD ? CROWD_ROW : this.#ledger.openAccount(), this.#limits)
    this.#accountsById.set(id, account)
    return account
  }

  #checkNow(now: number): void {
    invariant(now >= this.#time, `a read of ${now} is before the last command at ${this.#time}`)
  }

  // The two below are asked for every trade, and invariant() would write its message each time.

  #market(symbol: string): MarketState {
    const market = this.#marketsBySymbol.get(symbol)
    if (market === undefined) throw new InvariantError(`no market '${symbol}'`)
    return market
  }

  #advance(time: number): void {
    if (!Number.isSafeInteger(time) || time < this.#time) {
      throw new InvariantError(`time went back from ${this.#time} to ${time}`)
    }
    this.#time = time
  }
}

const isUnits = (value: number): boolean => Number.isSafeInteger(value) && value >= 0
