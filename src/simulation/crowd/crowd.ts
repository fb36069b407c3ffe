/**
 * The recorded market as a participant: it trades in the same books as everyone else, as the account `crowd`.
 *
 * Purpose: recorded trades fill your orders by the rules of the exchange, not by a second fill simulator. The liquidity
 * model of the market decides how much the crowd shows.
 * Invariant: between commands it rests only at prices where orders of yours rest, as the queue ahead of them. So a
 * recorded trade that touches none of your orders is printed immediately, and no stale ladder can be hit by accident.
 * Known limitation: the crowd does not react to your orders, except that what you took is missing for a while.
 * Complexity: a recorded trade that touches no order costs a comparison with the best prices of yours.
 * Source: docs/how-it-works.md, docs/liquidity.md for the models, and docs/decisions/006, 009 and 021.
 */
import { CROWD, type UncountedMatches } from '../../domain/command.ts'
import { invariant } from '../../domain/errors.ts'
import type { ExchangeEvent } from '../../domain/exchange-event.ts'
import { isOpen, opposite, type Order, type OrderRequest, type Side } from '../../domain/order.ts'
import type { Exchange, MarketAccess } from '../../exchange/exchange.ts'
import type {
  LadderLevel,
  LiquidityModel,
  Reach,
  RecordedColumns,
  RecordedTrade,
} from '../liquidity/liquidity-model.ts'
import { takenFromCrowd, tradedLots } from '../traded-lots.ts'
import { BookFollower, type FollowerParts } from './book-follower.ts'
import { CrowdQueue } from './crowd-queue.ts'
import type { FrameFalls } from './frame-falls.ts'
import type { OwnResting } from './overtaken-orders.ts'

const MAX_TRADES = 4096

/** Recorded trades in columns, written down in their order to be learnt from later. */
export class WrittenTrades implements RecordedColumns {
  length = 0
  readonly time = new Float64Array(MAX_TRADES)
  readonly price = new Float64Array(MAX_TRADES)
  readonly qty = new Float64Array(MAX_TRADES)
  readonly isBuyerMaker = new Uint8Array(MAX_TRADES)

  get isFull(): boolean {
    return this.length === MAX_TRADES
  }

  /** Appends a trade; the caller checks that there is room. */
  push(time: number, price: number, qty: number, isBuyerMaker: boolean): void {
    const row = this.length
    this.time[row] = time
    this.price[row] = price
    this.qty[row] = qty
    this.isBuyerMaker[row] = isBuyerMaker ? 1 : 0
    this.length = row + 1
  }

  at(row: number): RecordedTrade {
    const [time = 0, price = 0, qty = 0] = [this.time[row], this.price[row], this.qty[row]]
    return { time, price, qty, isBuyerMaker: this.isBuyerMaker[row] === 1 }
  }
}

/**
 * Deferred updates of a liquidity model: recorded trades are buffered, and learnt in a batch when the model is next
 * queried.
 *
 * Invariant: a model obtained here has learnt every trade, each once and in order. A model without `learnAll` learns
 * each trade immediately.
 */
class DeferredUpdates {
  readonly #model: LiquidityModel
  readonly #learnAll: ((trades: RecordedColumns) => void) | undefined
  readonly #trades = new WrittenTrades()

  constructor(model: LiquidityModel) {
    this.#model = model
    this.#learnAll = model.learnAll?.bind(model)
  }

  get model(): LiquidityModel {
    if (this.#trades.length > 0) this.#report()
    return this.#model
  }

  /** True if the model need not decide how much of an unmatched trade is printed. */
  get isPrintedWhole(): boolean {
    return this.#learnAll !== undefined
  }

  add(time: number, price: number, qty: number, isBuyerMaker: boolean): void {
    if (this.#learnAll === undefined) {
      this.#model.learn({ time, price, qty, isBuyerMaker })
      return
    }
    this.#trades.push(time, price, qty, isBuyerMaker)
    if (this.#trades.isFull) this.#report()
  }

  #report(): void {
    this.#learnAll?.(this.#trades)
    this.#trades.length = 0
  }
}

/** Outcome of a recorded trade. */
export interface Meeting {
  /** Matches with resting orders; crowd against crowd for its queue. */
  readonly events: readonly ExchangeEvent[]
  /** Lots that are left to print. */
  readonly printed: number
}

/** Quarantined prints: recorded, but not yet accepted or rejected by the outlier filter. */
export interface HeldPrints {
  /** Worst of their prices for a taker, in ticks; undefined when there is none. */
  worstFor(side: Side): number | undefined
}

const NO_LADDER: readonly LadderLevel[] = []
const NOTHING_MET: readonly ExchangeEvent[] = []
const MAX_QTY = BigInt(Number.MAX_SAFE_INTEGER)

interface Sweep {
  readonly time: number
  readonly side: Side
  readonly price: number
  readonly lots: bigint
  readonly matches: UncountedMatches
}

export class Crowd {
  readonly #exchange: Exchange
  readonly #symbol: string
  readonly #book: MarketAccess
  readonly #queue: CrowdQueue
  readonly #updates: DeferredUpdates
  /** Undefined if the model follows no recorded book. */
  #follower: BookFollower | undefined
  readonly #isRecorded: boolean
  /** Undefined if no outlier filter is used. */
  held: HeldPrints | undefined

  /** @param isRecorded  true when a tape is played into the market: then no match enters its statistics */
  constructor(exchange: Exchange, symbol: string, model: LiquidityModel, isRecorded: boolean) {
    this.#isRecorded = isRecorded
    this.#exchange = exchange
    this.#symbol = symbol
    this.#book = exchange.market(symbol)
    this.#queue = new CrowdQueue(exchange, symbol)
    this.#updates = new DeferredUpdates(model)
    this.#follower = this.#followerOf(model)
  }

  #followerOf({ recordedBook }: LiquidityModel): BookFollower | undefined {
    if (recordedBook === undefined) return undefined
    const meet: FollowerParts['meet'] = (time, side, price, lots) => this.#meetLevel(time, side, price, lots)
    const ours: FollowerParts['ours'] = (side, price) => this.#oursAt(side, price)
    return new BookFollower({ followed: recordedBook, queue: this.#queue, access: this.#book, meet, ours })
  }

  /** Call once the model follows another recorded book, or none. */
  followAgain(): void {
    this.#follower = this.#followerOf(this.model)
  }

  /** Continues the queue of a restored exchange. Call before anything else. */
  takeOver(): void {
    this.#queue.takeOver()
  }

  /** True when a change of the recorded book would do nothing to any order: neither of the two below need be called. */
  get ignoresBook(): boolean {
    return this.#follower?.isIdle ?? true
  }

  /** Call before the recorded book changes. */
  beforeBook(): void {
    this.#follower?.beforeChange()
  }

  /** Call once a recorded trade has lowered the recorded book. */
  afterBookTrade(): void {
    this.#follower?.afterTrade()
  }

  /**
   * Call after a frame has changed the recorded book.
   *
   * @param falls  removals of single orders; undefined unless the recording is order-level
   * @returns changes of the queue ahead of resting orders, and fills that earlier trades should have caused
   */
  afterBook(time: number, falls: FrameFalls | undefined): readonly ExchangeEvent[] {
    return this.#follower?.afterChange(time, falls) ?? NOTHING_MET
  }

  /** The same of a quote. */
  afterQuote(time: number): readonly ExchangeEvent[] {
    return this.#follower?.afterChange(time, undefined) ?? NOTHING_MET
  }

  /**
   * Call after `afterBook`.
   *
   * @returns fills of resting orders that the other side of the recorded book reaches
   */
  crossedByBook(time: number): readonly ExchangeEvent[] {
    return this.#follower?.cross(time) ?? NOTHING_MET
  }

  /** It has learnt from every trade so far. */
  get model(): LiquidityModel {
    return this.#updates.model
  }

  /** True when a trade at `price` would meet nothing, and be printed whole: `meet` need not be called for it. */
  isUntouchedBy(price: number): boolean {
    return this.#updates.isPrintedWhole && this.#touchedSide(price) === undefined
  }

  /**
   * Matches a recorded trade with orders that rest at the prices it reaches. The caller, who has entered it into the
   * statistics, lists the remainder, then calls `learn`.
   */
  meet(trade: RecordedTrade, matches: UncountedMatches): Meeting {
    const side = this.#touchedSide(trade.price)
    if (side === undefined) return { events: NOTHING_MET, printed: this.model.remainder(trade, 0) }
    const { time, price } = trade
    this.#queue.withdrawBetter(time, side, price)
    const reach = this.model.reach(side, trade)
    const events = this.#sweep({
      time,
      side: opposite(side),
      price: reach.price,
      lots: this.#lots(side, reach),
      matches,
    })
    this.#queue.onEvents(time, events)
    this.#follower?.onMet(time, price, events)
    return { events, printed: this.model.remainder(trade, tradedLots(events)) }
  }

  /** Call for every recorded trade, after it was traded. */
  learn(time: number, price: number, qty: number, isBuyerMaker: boolean): void {
    this.#updates.add(time, price, qty, isBuyerMaker)
  }

  gap(): void {
    this.model.gap()
  }

  /** Places an order of yours, with the liquidity that the crowd shows it. */
  place(time: number, account: string, request: OrderRequest): readonly ExchangeEvent[] {
    const ladder = this.#ladderFor(time, request)
    if (request.type === 'MARKET' || ladder.length > 0 || this.#meetsOurs(request)) {
      return this.#take(time, account, request, ladder)
    }
    return this.#join(time, account, request)
  }

  /** Call after a resting order of yours was cancelled. */
  onCancelled(time: number, order: Order): void {
    this.#queue.left(time, order)
  }

  /** Lots of the crowd at a price, queued ahead of your orders. */
  queuedAt(side: Side, price: number): number {
    return this.#queue.lotsAt(side, price)
  }

  /** The crowd's ladder rests while the order is matched, and not a moment longer. */
  #take(
    time: number,
    account: string,
    request: OrderRequest,
    ladder: readonly LadderLevel[],
  ): readonly ExchangeEvent[] {
    const { symbol, side } = request
    const orderIds = ladder.map(({ price, qty }) => {
      const level = { symbol, side: opposite(side), type: 'LIMIT', price, qty } as const
      this.#enter(time, CROWD, level)
      return this.#exchange.lastOrderId
    })
    const events = this.#enter(time, account, request)
    const taken = takenFromCrowd(events)
    const lots = taken.reduce((sum, { qty }) => sum + qty, 0)
    if (lots > 0) this.model.took(side, lots, time, taken)
    for (const orderId of orderIds) this.#exchange.execute({ type: 'cancel', time, account: CROWD, orderId })
    this.#queue.onEvents(time, events)
    if (request.type === 'LIMIT' && comesToRest(events)) this.#queue.joined(side, request.price)
    return events
  }

  #join(time: number, account: string, request: Extract<OrderRequest, { type: 'LIMIT' }>): readonly ExchangeEvent[] {
    const { side, price, qty } = request
    if (price > 0 && qty > 0) this.#queue.topUp(time, side, price, this.model.queueAhead(side, price))
    const events = this.#enter(time, account, request)
    if (comesToRest(events)) this.#queue.joined(side, price)
    // A rejected order leaves no orders of the crowd.
    else this.#queue.tidy(time, side, price)
    return events
  }

  #enter(time: number, account: string, request: OrderRequest): readonly ExchangeEvent[] {
    return this.#exchange.execute(
      this.#isRecorded
        ? { type: 'place', time, account, request, matches: 'listed' }
        : { type: 'place', time, account, request },
    )
  }

  /** The ladder as far as the order reaches. */
  #ladderFor(time: number, request: OrderRequest): readonly LadderLevel[] {
    const { side, qty } = request
    const limitPrice = request.type === 'LIMIT' ? request.price : undefined
    if (limitPrice !== undefined && this.#follower?.isOutOfReach(side, limitPrice) === true) return NO_LADDER
    const queue = this.#queue
    const ladder = this.model.ladder({
      side,
      qty,
      time,
      limitPrice,
      ownBest: this.#book.bestPrice(side),
      heldPrice: this.held?.worstFor(side),
      // Evaluated lazily: most orders join the queue and need no ladder.
      get queued() {
        return queue.resting(opposite(side))
      },
    })
    if (limitPrice === undefined || ladder.length === 0) return ladder
    const sign = side === 'BUY' ? 1 : -1
    return ladder.filter(({ price }) => price * sign <= limitPrice * sign)
  }

  /** True if a limit order would match an order of yours. */
  #meetsOurs({ side, price }: Extract<OrderRequest, { type: 'LIMIT' }>): boolean {
    const best = this.#book.bestPrice(opposite(side))
    if (best === undefined) return false
    return side === 'BUY' ? best <= price : best >= price
  }

  #oursAt(side: Side, price: number): readonly OwnResting[] {
    return this.#exchange.restingAt(this.#symbol, side, price).flatMap(({ orderId, account, qty }) => {
      const order = account === CROWD ? undefined : this.#exchange.order(account, orderId)
      return order === undefined ? [] : [{ qty, createdAt: order.createdAt }]
    })
  }

  /** Side of your orders that a trade at `price` touches. Never both, because your own book is not crossed. */
  #touchedSide(price: number): Side | undefined {
    const bid = this.#book.bestPrice('BUY')
    if (bid !== undefined && bid >= price) return 'BUY'
    const ask = this.#book.bestPrice('SELL')
    return ask !== undefined && ask <= price ? 'SELL' : undefined
  }

  /** Lots of the reach that find a counterparty, with your orders limited to their share. */
  #lots(side: Side, { price, lots, ours }: Reach): bigint {
    const resting = this.#exchange.restingTo(this.#symbol, side, price, lots)
    let reached = 0n
    let ourLots = 0
    for (const order of resting) {
      const isOurs = order.account !== CROWD
      const room = isOurs ? ours - ourLots : order.qty
      const qty = Math.min(order.qty, room, lots - Number(reached))
      reached += BigInt(qty)
      if (isOurs) ourLots += qty
      if (qty < order.qty) break
    }
    return reached
  }

  /** Lots of the recorded book at a price, which our orders of `side` reach, meet them. */
  #meetLevel(time: number, side: Side, price: number, lots: number): readonly ExchangeEvent[] {
    const reached = this.#lots(side, { price, lots, ours: lots })
    const events = this.#sweep({ time, side: opposite(side), price, lots: reached, matches: 'listed' })
    this.#queue.onEvents(time, events)
    return events
  }

  /** Trades `lots` against resting orders down or up to `price`; the remainder does not rest. */
  #sweep({ time, side, price, lots, matches }: Sweep): readonly ExchangeEvent[] {
    const events: ExchangeEvent[] = []
    for (let left = lots; left > 0n; left -= MAX_QTY) {
      const qty = Number(left < MAX_QTY ? left : MAX_QTY)
      const request = { symbol: this.#symbol, side, type: 'LIMIT', price, qty } as const
      const happened = this.#exchange.execute({ type: 'place', time, account: CROWD, request, matches })
      const accepted = happened[0]?.type === 'order-accepted'
      invariant(accepted && tradedLots(happened) === qty, 'the crowd trades with what it has counted')
      // Pushed one by one: there may be more events than a call takes arguments.
      for (const event of happened) events.push(event)
    }
    return events
  }
}

/** True if the remainder of your limit order rests. */
function comesToRest(events: readonly ExchangeEvent[]): boolean {
  const last = events.at(-1)
  if (last?.type === 'order-accepted') return true
  return last?.type === 'traded' && isOpen(last.taker.status)
}
