/**
 * Orders in a market recorded as candles: takers at an open trade with a ladder, resting orders are filled from the
 * whole candle.
 *
 * Invariant: decisions at an open depend only on candles that ended before it and on the open's price; decisions at an
 * end only on the candle that ends. Both sides are filled independently.
 */
import { CROWD, type Offer } from '../../domain/command.ts'
import { invariant } from '../../domain/errors.ts'
import type { ExchangeEvent } from '../../domain/exchange-event.ts'
import { isOpen, opposite, type OrderRequest, type Side, SIDES } from '../../domain/order.ts'
import { DAY_MS } from '../../domain/time.ts'
import type { Exchange, MarketAccess, RestingOrder } from '../../exchange/exchange.ts'
import type { LadderLevel } from '../liquidity/liquidity-model.ts'
import { TakenLots } from '../liquidity/taken-lots.ts'
import { lotsOfCrowd, tradedLots } from '../traded-lots.ts'
import { CandleEstimates, type CandleFigures } from './candle-estimates.ts'
import { type CandleTerms, lotsBeyond, mostLots } from './candle-terms.ts'
import type { RecordedCandle } from './recorded-candle.ts'

const LEVELS = 100
/**
 * Each level is 1/200 of the range after the one before; level k holds its odd number 2k + 1 times 1/10 000 of the
 * volume.
 */
const RANGE_PART = 200
const VOLUME_PART = 10_000

/**
 * Liquidity for a taker at the open of a candle: a ladder from half a spread away, less the lots still missing at its
 * front.
 *
 * The ladder costs R/3 x sqrt(q/V) on average, R and V being range and volume of the last candles. Taken lots come back
 * with time (half after 25 s) or with as much recorded volume, whichever is slower; a gap in the tape restores nothing.
 */
class CandleOffer {
  /** Lots taken, by side of the taker. */
  readonly #taken = { BUY: new TakenLots(), SELL: new TakenLots() }

  /**
   * Levels for a taker, best first; levels without remaining lots are left out.
   *
   * @param side    of the taker
   * @param open    ticks
   * @param wanted  lots; stops after the level that fills them
   */
  levels(side: Side, open: number, time: number, figures: CandleFigures, wanted: number): readonly LadderLevel[] {
    const sign = side === 'BUY' ? 1 : -1
    const levels: LadderLevel[] = []
    let missing = this.#taken[side].missing(time)
    let left = wanted
    for (let level = 0; level < LEVELS && left > 0; level += 1) {
      const price = open + sign * (figures.halfSpread + Math.floor((level * figures.range) / RANGE_PART))
      if (price <= 0 || !Number.isSafeInteger(price)) break
      const lots = Math.max(1, Math.floor(((2 * level + 1) * figures.volume) / VOLUME_PART))
      const absent = Math.min(missing, lots)
      missing -= absent
      if (lots > absent) levels.push({ price, qty: lots - absent })
      left -= lots - absent
    }
    return levels
  }

  took(side: Side, lots: number, time: number): void {
    this.#taken[side].take(lots, time)
  }

  /** @param lots  volume of a candle that is over */
  recorded(lots: number): void {
    this.#taken.BUY.record(lots)
    this.#taken.SELL.record(lots)
  }
}

const NOTHING: readonly ExchangeEvent[] = []
/** The statistics of the market are its candles. */
const UNCOUNTED = { matches: 'listed' } as const

export type MarketRequest = Extract<OrderRequest, { type: 'MARKET' }>

/** An order that the open has passed. */
interface PassedOrder {
  /** Its place among the orders that came before and after it. */
  readonly orderId: number
  /** @param before  events of this open so far */
  readonly execute: (before: readonly ExchangeEvent[]) => readonly ExchangeEvent[]
}

export class CandleOrders {
  readonly estimates: CandleEstimates
  /** May change between two candles. */
  fills: CandleTerms['fills']
  readonly #exchange: Exchange
  readonly #book: MarketAccess
  readonly #symbol: string
  readonly #intervalMs: number
  readonly #offer = new CandleOffer()
  /** Ticks; 0 before the first. */
  #open = 0
  /** End of the last candle. */
  #endedAt = Number.POSITIVE_INFINITY

  constructor(exchange: Exchange, symbol: string, terms: CandleTerms) {
    this.#exchange = exchange
    this.#book = exchange.market(symbol)
    this.#symbol = symbol
    this.#intervalMs = terms.intervalMs
    this.fills = terms.fills
    this.estimates = new CandleEstimates(terms.intervalMs, terms.spread)
  }

  /** The market opens; call before anything is done at the open. */
  begin({ open }: RecordedCandle): void {
    this.#open = open
  }

  /**
   * Fills resting orders that the open has passed, in order of arrival.
   *
   * @param others  that wait outside of the book
   */
  open({ time, open }: RecordedCandle, others: readonly PassedOrder[] = []): readonly ExchangeEvent[] {
    if (others.length === 0 && this.#isIdle()) return NOTHING
    const isJump = time > this.#endedAt || this.#intervalMs >= DAY_MS || this.fills === 'ideal'
    const limits = isJump ? this.#passedLimits(time, open) : []
    const events: ExchangeEvent[] = []
    for (const order of [...limits, ...others].sort((a, b) => a.orderId - b.orderId))
      events.push(...order.execute(events))
    return events
  }

  /** An order that arrives at the open. */
  place(time: number, account: string, request: OrderRequest): readonly ExchangeEvent[] {
    const { side, qty } = request
    const limit = request.type === 'LIMIT' ? request.price : undefined
    const offers = this.#offers(side, time, qty, limit)
    const events = this.#exchange.execute({ type: 'place', time, account, request, offers, ...UNCOUNTED })
    this.#note(side, time, events)
    return events
  }

  /**
   * Market order triggered inside the candle: filled entirely, half the spread and a usual jump worse than the trigger
   * price.
   */
  placeInside(time: number, account: string, request: MarketRequest, price: number): readonly ExchangeEvent[] {
    const away = this.fills === 'ideal' ? 0 : this.#stopDistance()
    const offer = { price: Math.max(1, request.side === 'BUY' ? price + away : price - away), qty: request.qty }
    return this.#exchange.execute({ type: 'place', time, account, request, offers: [offer], ...UNCOUNTED })
  }

  /** Fills at the end of a candle the resting orders that it passed. */
  fill(candle: RecordedCandle, endsAt = candle.time + this.#intervalMs): readonly ExchangeEvent[] {
    return this.#isIdle() ? NOTHING : SIDES.flatMap((side) => this.#fillResting(endsAt, side, candle))
  }

  /** Ends the candle: nothing more is filled in it, and the estimates learn from it. */
  end(candle: RecordedCandle, endsAt = candle.time + this.#intervalMs): void {
    this.#endedAt = endsAt
    this.#offer.recorded(candle.volume)
    this.estimates.learn(candle, endsAt)
  }

  /** True when nothing rests, as in most candles. */
  #isIdle(): boolean {
    return this.#book.bestPrice('BUY') === undefined && this.#book.bestPrice('SELL') === undefined
  }

  /** Limit orders beyond which the market opens. */
  #passedLimits(time: number, open: number): readonly PassedOrder[] {
    return SIDES.flatMap((side) =>
      this.#resting(side, side === 'BUY' ? open + 1 : open - 1).map((order) => ({
        orderId: order.orderId,
        execute: () => this.#takeAtOpen(time, side, order),
      })),
    )
  }

  #takeAtOpen(time: number, side: Side, { account, orderId, price, qty }: RestingOrder): readonly ExchangeEvent[] {
    const offers = this.#offers(side, time, qty, price)
    // An order before it may have ended it.
    const status = this.#exchange.order(account, orderId)?.status
    if (offers.length === 0 || status === undefined || !isOpen(status)) return []
    const symbol = this.#symbol
    const events = this.#exchange.execute({ type: 'take', time, symbol, orderIds: [orderId], offers, ...UNCOUNTED })
    this.#note(side, time, events)
    return events
  }

  /** Ticks. */
  #stopDistance(): number {
    const { figures } = this.estimates
    return (figures?.halfSpread ?? 1) + Math.ceil(figures?.jump ?? 0)
  }

  /** Fills resting orders of a side that the candle passed, best price first, then oldest first. */
  #fillResting(time: number, side: Side, candle: RecordedCandle): readonly ExchangeEvent[] {
    const fills = this.fills
    const [extreme, sign] = side === 'BUY' ? [candle.low, 1] : [candle.high, -1]
    const events: ExchangeEvent[] = []
    let given = 0
    // The orders with the best prices share the volume limit; later ones get nothing.
    const lotsInAll = fills === 'ideal' ? Infinity : mostLots(candle)
    for (const { price, qty } of this.#resting(side, extreme, lotsInAll)) {
      const most = fills === 'ideal' ? qty : lotsBeyond((price - extreme) * sign, candle, fills) - given
      const lots = Math.min(qty, most)
      if (lots <= 0) continue
      given += lots
      events.push(...this.#fill(time, side, price, lots))
    }
    return events
  }

  #fill(time: number, side: Side, price: number, qty: number): readonly ExchangeEvent[] {
    const request = { symbol: this.#symbol, side: opposite(side), type: 'LIMIT', price, qty } as const
    const events = this.#exchange.execute({ type: 'place', time, account: CROWD, request, ...UNCOUNTED })
    invariant(tradedLots(events) === qty, 'the crowd trades with what it has counted')
    return events
  }

  /** Your orders at `price` or better in matching order, until they add up to `lots`. */
  #resting(side: Side, price: number, lots = Infinity): readonly RestingOrder[] {
    return this.#exchange.bestPrice(this.#symbol, side) === undefined
      ? []
      : this.#exchange.restingTo(this.#symbol, side, price, lots)
  }

  #offers(side: Side, time: number, qty: number, limit: number | undefined): readonly Offer[] {
    if (qty === 0) return []
    const sign = side === 'BUY' ? 1 : -1
    return this.#levels(side, time, qty).filter(({ price }) => limit === undefined || price * sign <= limit * sign)
  }

  #levels(side: Side, time: number, qty: number): readonly Offer[] {
    if (this.fills === 'ideal') return this.#open === 0 ? [] : [{ price: this.#open, qty }]
    const { figures } = this.estimates
    return figures === undefined ? [] : this.#offer.levels(side, this.#open, time, figures, qty)
  }

  /** Lots taken from the crowd are missing from now on. */
  #note(side: Side, time: number, events: readonly ExchangeEvent[]): void {
    const taken = lotsOfCrowd(events)
    if (taken > 0) this.#offer.took(side, taken, time)
  }
}
