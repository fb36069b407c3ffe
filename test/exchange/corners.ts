/**
 * Counts the corners that random commands reached: a property that never met a corner says nothing of it.
 */
import { CROWD } from '../../src/domain/command.ts'
import type { ExchangeEvent } from '../../src/domain/exchange-event.ts'
import { FEE_RATE_ONE } from '../../src/domain/market.ts'
import type { MarketConfig } from '../../src/domain/market.ts'
import type { Order } from '../../src/domain/order.ts'
import type { Exchange } from '../../src/exchange/exchange.ts'
import { ExactFees } from './exact-fees.ts'
import { USERS } from './random-market.ts'
import type { Action } from './random-commands.ts'

const CORNERS = [
  'an order sweeps three price levels',
  'an order meets a queue of three at one price',
  'a limit order takes and rests with its remainder',
  'a market order empties the book',
  'a market order is filled whole',
  'a resting order is filled in three parts',
  'a limit buy fills better than its limit',
  'a limit sell fills better than its limit',
  'an order that needs exactly what is available is taken',
  'an order that needs one unit more than is available is refused',
  'an order of the same cost is taken with one unit to spare',
  'a self-trade is made',
  'a self-trade is refused',
  'an order of zero is refused',
  'a market order finds no opposite order',
  'an open order is cancelled',
  'a partially filled order is cancelled',
  "another's order is asked to be cancelled",
  'a finished order is asked to be cancelled',
  'a finished order that is forgotten is asked to be cancelled',
  'a fee is rounded up',
  'a fill is charged nothing because the last one was rounded up',
  'an order is charged as taker and as maker',
  'a seller is charged all that he gets',
  'the crowd makes a trade with a user',
  'the crowd takes a trade from a user',
  'the crowd trades with itself',
  'the crowd is short',
  'a debit is taken',
  'a debit is refused',
  'an unknown asset is credited',
  'a trade is printed',
  'a trade leaves the ticker of its market',
  'a day passes without a trade',
  'more trades than are kept',
  'a holding has no price',
  'a credit joins the baseline at the first price',
  'profit and loss',
  'an account locks one asset in two markets',
  'an amount beyond 2^53',
  'an amount beyond 2^104',
] as const

type Corner = (typeof CORNERS)[number]

/** What the exchange was before an action and what came of it. */
export interface Turn {
  readonly exchange: Exchange
  readonly action: Action
  readonly events: readonly ExchangeEvent[]
  readonly now: number
}

export class Corners {
  readonly #reached = new Map<Corner, number>(CORNERS.map((corner) => [corner, 0]))

  missed(): readonly Corner[] {
    return CORNERS.filter((corner) => this.#reached.get(corner) === 0)
  }

  report(): string {
    return [...this.#reached].map(([corner, count]) => `${String(count).padStart(8)}  ${corner}`).join('\n')
  }

  /** A new script begins: forgets the orders of the one before. */
  watch(): CornerWatch {
    return new CornerWatch((corner, isReached) => {
      if (isReached) this.#reached.set(corner, (this.#reached.get(corner) ?? 0) + 1)
    })
  }
}

type Traded = Extract<ExchangeEvent, { type: 'traded' }>

/** The corners of one script. */
class CornerWatch {
  readonly #note: (corner: Corner, isReached: boolean) => void
  readonly #fees = new ExactFees()
  readonly #fillsByOrder = new Map<number, number>()
  readonly #rolesByOrder = new Map<number, Set<string>>()
  readonly #finishedOwner = new Map<number, string>()
  readonly #ownerByLiveOrder = new Map<number, string>()
  readonly #credited = new Set<string>()
  readonly #pricedSymbols = new Set<string>()

  constructor(note: (corner: Corner, isReached: boolean) => void) {
    this.#note = note
  }

  see(turn: Turn): void {
    const trades = turn.events.filter((event) => event.type === 'traded')
    this.#seePlacing(turn, trades)
    for (const traded of trades) this.#seeTrade(turn.exchange, traded)
    for (const event of turn.events) this.#seeEvent(turn, event)
    this.#seePrint(turn)
    this.#seeState(turn)
  }

  #seePlacing({ action, events }: Turn, trades: readonly Traded[]): void {
    if (action.do !== 'execute' || action.command.type !== 'place') return
    const [first] = events
    const last = events.at(-1)
    const isTaken = first?.type === 'order-accepted'
    const code = first?.type === 'order-refused' ? first.refusal.code : undefined
    const { request } = action.command
    const isZero = request.qty === 0 || (request.type === 'LIMIT' && request.price === 0)
    const prices = trades.map(({ trade }) => trade.price)
    const queue = (price: number): number => prices.filter((other) => other === price).length
    this.#note('an order sweeps three price levels', new Set(prices).size >= 3)
    this.#note(
      'an order meets a queue of three at one price',
      prices.some((price) => queue(price) >= 3),
    )
    this.#note(
      'a limit order takes and rests with its remainder',
      request.type === 'LIMIT' && last?.type === 'traded' && last.taker.status === 'PARTIALLY_FILLED',
    )
    this.#note('a market order empties the book', last?.type === 'order-cancelled')
    this.#note(
      'a market order is filled whole',
      request.type === 'MARKET' && last?.type === 'traded' && last.taker.status === 'FILLED',
    )
    this.#note('an order that needs exactly what is available is taken', isTaken && action.over === 0)
    this.#note('an order of the same cost is taken with one unit to spare', isTaken && action.over === 1)
    this.#note(
      'an order that needs one unit more than is available is refused',
      code === 'INSUFFICIENT_BALANCE' && action.over === -1,
    )
    this.#note('an order of zero is refused', code === 'ORDER_REJECTED' && isZero)
    this.#note('a self-trade is refused', code === 'ORDER_REJECTED' && !isZero)
    this.#note('a market order finds no opposite order', code === 'NO_LIQUIDITY')
  }

  #seeTrade(exchange: Exchange, traded: Traded): void {
    const { trade, maker, taker, makerFee, takerFee } = traded
    const isOfCrowd = (order: Order): boolean => order.userId === CROWD
    this.#fees.add(exchange, traded)
    for (const [order, role] of [
      [maker, 'maker'],
      [taker, 'taker'],
    ] as const) {
      this.#fillsByOrder.set(order.id, (this.#fillsByOrder.get(order.id) ?? 0) + 1)
      this.#rolesByOrder.set(order.id, (this.#rolesByOrder.get(order.id) ?? new Set()).add(role))
      this.#seeFee(order, role === 'maker' ? makerFee : takerFee)
    }
    const limit = taker.price ?? trade.price
    this.#note('a resting order is filled in three parts', this.#fillsByOrder.get(maker.id) === 3)
    this.#note('a limit buy fills better than its limit', taker.side === 'BUY' && limit > trade.price)
    this.#note('a limit sell fills better than its limit', taker.side === 'SELL' && limit < trade.price)
    this.#note('a self-trade is made', maker.userId === taker.userId && !isOfCrowd(maker))
    this.#note('the crowd makes a trade with a user', isOfCrowd(maker) && !isOfCrowd(taker))
    this.#note('the crowd takes a trade from a user', !isOfCrowd(maker) && isOfCrowd(taker))
    this.#note('the crowd trades with itself', isOfCrowd(maker) && isOfCrowd(taker))
    this.#seePricing(exchange, trade.symbol)
  }

  #seeFee(order: Order, charged: bigint): void {
    const exact = this.#fees.of(order.id)
    const roles = this.#rolesByOrder.get(order.id) ?? new Set()
    this.#note('a fee is rounded up', exact % FEE_RATE_ONE !== 0n)
    this.#note('a fill is charged nothing because the last one was rounded up', exact > 0n && charged === 0n)
    this.#note('an order is charged as taker and as maker', order.fee > 1n && roles.size === 2)
    this.#note('a seller is charged all that he gets', order.side === 'SELL' && exact > 0n && isAll(exact, order))
  }

  #seeEvent({ exchange }: Turn, event: ExchangeEvent): void {
    switch (event.type) {
      case 'order-accepted':
        this.#ownerByLiveOrder.set(event.order.id, event.order.userId)
        return
      case 'traded':
        for (const order of [event.maker, event.taker]) if (order.status === 'FILLED') this.#finish(order)
        return
      case 'order-cancelled': {
        const isLimit = event.order.type === 'LIMIT'
        this.#note('an open order is cancelled', isLimit && event.order.filledQty === 0)
        this.#note('a partially filled order is cancelled', isLimit && event.order.filledQty > 0)
        this.#finish(event.order)
        return
      }
      case 'cancel-refused': {
        const { account, orderId, refusal } = event
        const wasOwn = this.#finishedOwner.get(orderId) === account
        const owner = this.#ownerByLiveOrder.get(orderId)
        this.#note("another's order is asked to be cancelled", owner !== undefined && owner !== account)
        this.#note('a finished order is asked to be cancelled', refusal.code === 'ORDER_NOT_CANCELLABLE')
        this.#note(
          'a finished order that is forgotten is asked to be cancelled',
          wasOwn && account !== CROWD && refusal.code === 'ORDER_NOT_FOUND',
        )
        return
      }
      case 'credited':
        this.#note('a debit is taken', event.amount < 0n)
        if (event.amount > 0n) this.#credited.add(event.asset)
        return
      case 'credit-refused':
        this.#note('a debit is refused', event.refusal.code === 'INSUFFICIENT_BALANCE')
        this.#note('an unknown asset is credited', !exchange.scales.has(event.asset))
        return
      case 'order-refused':
        return
    }
  }

  #finish(order: Order): void {
    this.#ownerByLiveOrder.delete(order.id)
    this.#finishedOwner.set(order.id, order.userId)
  }

  #seePrint({ exchange, action }: Turn): void {
    this.#note('a trade is printed', action.do === 'print')
    if (action.do === 'print') this.#seePricing(exchange, action.print.symbol)
  }

  /** The first trade of a market gives a price to its base asset. */
  #seePricing({ markets }: Exchange, symbol: string): void {
    const isFirst = !this.#pricedSymbols.has(symbol)
    this.#pricedSymbols.add(symbol)
    const base = markets.find((market) => market.symbol === symbol)?.baseAsset ?? ''
    this.#note('a credit joins the baseline at the first price', isFirst && this.#credited.has(base))
  }

  #seeState({ exchange, now }: Turn): void {
    for (const { symbol } of exchange.markets) this.#seeStatistics(exchange, symbol, now)
    const crowd = [...exchange.balances(CROWD).values()]
    this.#note(
      'the crowd is short',
      crowd.some(({ available }) => available < 0n),
    )
    for (const user of USERS) this.#seeUser(exchange, user, now)
  }

  #seeStatistics(exchange: Exchange, symbol: string, now: number): void {
    const { lastPrice, volume } = exchange.ticker(symbol, now)
    const all = exchange.trades(symbol, Infinity)
    const shown = all.reduce((sum, { qty }) => sum + BigInt(qty), 0n)
    this.#note('a day passes without a trade', lastPrice > 0 && volume === 0n)
    this.#note('a trade leaves the ticker of its market', volume > 0n && shown > volume)
    this.#note('more trades than are kept', volume > shown)
  }

  #seeUser(exchange: Exchange, user: string, now: number): void {
    const { partial, equity, baselineEquity } = exchange.portfolio(user, now)
    this.#note('a holding has no price', partial)
    this.#note('profit and loss', equity !== baselineEquity)
    const open = exchange.openOrders(user)
    this.#note('an account locks one asset in two markets', locksOneAssetTwice(exchange.markets, open))
    for (const { available } of exchange.balances(user).values()) {
      this.#note('an amount beyond 2^53', available > 2n ** 53n)
      this.#note('an amount beyond 2^104', available > 2n ** 104n)
    }
  }
}

/** True when the exact fee is the whole of what the order sold for, at a rate of 10 000 basis points. */
const isAll = (exact: bigint, order: Order): boolean =>
  order.fee * FEE_RATE_ONE === exact && exact % order.filledNotional === 0n

function locksOneAssetTwice(markets: readonly MarketConfig[], orders: readonly Order[]): boolean {
  const locks = orders.map(({ symbol, side }) => {
    const market = markets.find((listed) => listed.symbol === symbol)
    return { symbol, asset: side === 'BUY' ? market?.quoteAsset : market?.baseAsset }
  })
  return locks.some((lock) => locks.some((other) => other.asset === lock.asset && other.symbol !== lock.symbol))
}
