/**
 * A recorded market and the orders of ours in it, as plainly as the model can be said: one list of resting orders,
 * sorted each time.
 *
 * The twin of the crowd and its exchange: it predicts every fill, print and queue. It knows no money: no order is
 * refused for it.
 */
import { opposite, type Side } from '../../../../src/domain/order.ts'
import { clipOf, impactSkewOf, driftOf, spreadOf, stepOf, type Learnt } from './naive-estimates.ts'
import {
  CROWD_NAME,
  merged,
  mergedQueue,
  sameMatch,
  totalOf,
  type BookView,
  type CancelStep,
  type Lots,
  type Match,
  type Outcome,
  type PlaceStep,
  type Quote,
  type Resting,
  type SessionSettings,
  type TradeStep,
} from './session.ts'

const LEVELS = 400
const TEN_MINUTES = 600_000
const HALF_BACK_MS = 25_000

/** What one order of ours took from the crowd. */
interface Taking {
  readonly side: Side
  readonly lots: number
  /** How far from the best price they were: ticks x lots. */
  readonly distance: number
  readonly time: number
  /** Recorded trades before it. */
  readonly after: number
}

/** A level of the ladder, so many ticks from its best price. */
interface Level {
  readonly distance: number
  qty: number
}

/** A resting order; an offer of the crowd's ladder looks the same. */
interface Entry {
  readonly order: string
  readonly side: Side
  readonly price: number
  qty: number
}

const NOTHING: Outcome = { matches: [], prints: [], fate: '' }

/** True when an order of `side` at `price` is strictly better than one at `other`. */
const isBetter = (side: Side, price: number, other: number): boolean => (side === 'BUY' ? price > other : price < other)

/** True when an order of `side` at `price` meets one of the other side at `other`; a market order meets any. */
const meets = (side: Side, price: number | undefined, other: number): boolean =>
  price === undefined || (side === 'BUY' ? price >= other : price <= other)

const isOurs = ({ order }: Entry): boolean => order !== CROWD_NAME

/** Best price first, and at one price in the order in which they came. */
const byPriority = (entries: readonly Entry[], side: Side): readonly Entry[] =>
  [...entries].sort((a, b) => (side === 'BUY' ? b.price - a.price : a.price - b.price))

export class NaiveCrowd implements BookView {
  readonly #settings: SessionSettings
  /** Resting orders of both sides in the order in which they came. */
  #book: Entry[] = []
  readonly #past: Learnt[] = []
  /** Since the last silence. */
  #takings: Taking[] = []
  /** Every order that was ever let in. */
  readonly #known = new Set<string>()

  constructor(settings: SessionSettings) {
    this.#settings = settings
  }

  // ---- what happens

  /** @param isFirstAfterGap  the tape has a gap before it: a jump of ids, the boundary of a file */
  record(trade: TradeStep, isFirstAfterGap: boolean): Outcome {
    const { price, qty } = trade
    const side = this.#touchedSide(price)
    const matches = side === undefined ? [] : this.#fillOurs(side, price, qty)
    this.#learn(trade, isFirstAfterGap)
    const printed = qty - totalOf(matches)
    return { matches, prints: printed === 0 ? [] : [{ price, qty: printed }], fate: '' }
  }

  place(step: PlaceStep): Outcome {
    const { time, order, side, price, qty } = step
    const ladder = this.#isBehindTheQuote(side, price) ? [] : this.#ladder(side, time)
    const offers = [...this.#sorted(opposite(side)), ...ladder]
    const met = byPriority(offers, opposite(side)).filter((offer) => meets(side, price, offer.price))
    if (price === undefined && met.length === 0) return { ...NOTHING, fate: 'is refused NO_LIQUIDITY' }
    this.#known.add(order)
    if (price !== undefined && met.length === 0) this.#topUp(side, price)
    const matches = this.#take(step, met)
    const rest = qty - totalOf(matches)
    if (rest === 0) return { matches, prints: [], fate: '' }
    if (price === undefined) return { matches, prints: [], fate: `lapses ${rest}` }
    this.#book.push({ order, side, price, qty: rest })
    return { matches, prints: [], fate: `rests ${rest}` }
  }

  cancel({ order }: CancelStep): Outcome {
    const found = this.#book.find((entry) => entry.order === order)
    if (found === undefined) {
      return {
        ...NOTHING,
        fate: this.#known.has(order) ? 'is refused ORDER_NOT_CANCELLABLE' : 'is refused ORDER_NOT_FOUND',
      }
    }
    this.#book = this.#book.filter((entry) => entry !== found)
    const lastOfOurs = this.#book.findLastIndex((entry) => entry.price === found.price && isOurs(entry))
    this.#book = this.#book.filter((entry, index) => entry.price !== found.price || index <= lastOfOurs)
    return { ...NOTHING, fate: 'is cancelled' }
  }

  // ---- what is there

  quote(): Quote | undefined {
    const last = this.#past.at(-1)
    if (last === undefined) return undefined
    const spread = this.#settings.spread ?? spreadOf(this.#past)
    const [bid, ask] = last.isSell ? [last.price, last.price + spread] : [last.price - spread, last.price]
    const drift = driftOf(this.#past, spread)
    const [takerBid, takerAsk] = last.isSell
      ? [last.price - drift, Math.max(last.price, last.price - drift + spread)]
      : [Math.min(last.price, last.price + drift - spread), last.price + drift]
    return { bid, ask, clip: clipOf(this.#past), step: stepOf(this.#past, spread), takerBid, takerAsk }
  }

  queue(price: number): readonly Resting[] {
    return mergedQueue(this.#book.filter((entry) => entry.price === price).map(({ order, qty }) => ({ order, qty })))
  }

  levels(side: Side): readonly Lots[] {
    const lots = this.#sorted(side).map(({ price, qty }) => ({ price, qty }))
    return merged(lots, (a, b) => a.price === b.price)
  }

  /** Lots that are still missing at `time` on the ladder that orders of `side` meet. */
  missing(side: Side, time: number): number {
    return this.#missing(side, time).lots
  }

  /** What the distances of the ladder that orders of `side` meet are multiplied with. */
  impactSkew(side: Side, time: number): number {
    return impactSkewOf(this.#past, side, time)
  }

  /** True when no one knows any more what the crowd shows. */
  isStale(time: number): boolean {
    return time - (this.#past.at(-1)?.time ?? -Infinity) > this.#staleAfter
  }

  // ---- a recorded trade

  /** The side of ours that it reaches; never both, for our book is not crossed. */
  #touchedSide(price: number): Side | undefined {
    return (['BUY', 'SELL'] as const).find((side) =>
      this.#book.some((entry) => entry.side === side && meets(side, entry.price, price)),
    )
  }

  #fillOurs(side: Side, price: number, qty: number): readonly Match[] {
    this.#book = this.#book.filter(
      (entry) => isOurs(entry) || entry.side !== side || !isBetter(side, entry.price, price),
    )
    const matches: Match[] = []
    let left = qty
    for (const entry of this.#sorted(side).filter((each) => this.#isReachedBy(price, each))) {
      const lots = Math.min(entry.qty, left)
      entry.qty -= lots
      left -= lots
      if (isOurs(entry)) {
        matches.push({ maker: entry.order, taker: CROWD_NAME, price: entry.price, qty: lots })
      }
      if (entry.qty > 0) break
    }
    this.#dropEmpty()
    return matches.filter((match) => match.qty > 0)
  }

  /** Under `through` the queue ahead has no end, and only a trade beyond the price passes it. */
  #isReachedBy(price: number, entry: Entry): boolean {
    return this.#settings.model === 'through'
      ? isBetter(entry.side, entry.price, price)
      : meets(entry.side, entry.price, price)
  }

  #learn({ time, price, qty, side }: TradeStep, isFirstAfterGap: boolean): void {
    const last = this.#past.at(-1)
    const afterGap = isFirstAfterGap || this.isStale(time)
    const isSell =
      side === undefined
        ? last !== undefined && (price === last.price ? last.isSell : price < last.price)
        : side === 'sell'
    if (this.isStale(time)) this.#takings = []
    this.#past.push({ time, price, qty, isSell, afterGap })
  }

  // ---- an order of ours

  /** What the crowd offers to an order of `side`, beside what it rests as queue. */
  #ladder(side: Side, time: number): readonly Entry[] {
    const quote = this.quote()
    if (quote === undefined || this.isStale(time)) return []
    const follows = this.#follows(quote, opposite(side), time)
    const { heldPrice } = this.#settings
    const front =
      side === 'BUY'
        ? Math.max(1, quote.takerAsk - follows, heldPrice ?? 1)
        : Math.min(quote.takerBid + follows, heldPrice ?? Infinity)
    const levels = this.#levels(quote, this.impactSkew(side, time)).map(({ distance, qty }) => ({
      order: CROWD_NAME,
      side: opposite(side),
      price: side === 'BUY' ? front + distance : front - distance,
      qty,
    }))
    const shown = levels.filter(({ price }) => price >= 1 && !this.#wouldMeetOurs(side, price))
    takeOff(shown, this.missing(side, time))
    for (const queued of this.#sorted(opposite(side)).filter((entry) => !isOurs(entry))) {
      // What the crowd rests as queue is a part of its ladder, not more than it.
      takeOff(
        shown.filter(({ price }) => !isBetter(opposite(side), price, queued.price)),
        queued.qty,
      )
    }
    return shown.filter(({ qty }) => qty > 0)
  }

  /** Every level, as if nothing had been taken. */
  #levels({ step, clip }: Quote, impactSkew: number): readonly Level[] {
    const { depth } = this.#settings
    return Array.from({ length: LEVELS }, (_, index) => ({
      distance: Math.floor((index * step * impactSkew) / 4),
      qty: Math.max(1, Math.floor((clip * depth * (16 + index)) / 64)),
    }))
  }

  /** Ticks by which the crowd comes after what our orders of `side` took. */
  #follows(quote: Quote, side: Side, time: number): number {
    const { lots, distance } = this.#missing(side, time)
    if (lots === 0) return 0
    const levels = this.#levels(quote, Math.min(this.impactSkew('BUY', time), this.impactSkew('SELL', time)))
    takeOff(levels, lots)
    const first = levels.find(({ qty }) => qty > 0) ?? levels.at(-1)
    return Math.floor(Math.min((first?.distance ?? 0) / 2, distance))
  }

  /** What is missing, and how far from the best price it was taken in the mean. */
  #missing(side: Side, time: number): { lots: number; distance: number } {
    let [lots, distance] = [0, 0]
    let last: Taking | undefined
    for (const taking of this.#takings.filter((each) => each.side === side)) {
      const left = this.#notBack(lots, last, taking.time, taking.after)
      distance = taking.distance + (lots === 0 ? 0 : distance * (left / lots))
      lots = left + taking.lots
      last = taking
    }
    return { lots: this.#notBack(lots, last, time, this.#past.length), distance: lots === 0 ? 0 : distance / lots }
  }

  /** How far from the best price an order of `side` finds its lots: ticks x lots. */
  #distanceOf(side: Side, time: number, lots: number): number {
    const quote = this.quote()
    if (quote === undefined) return 0
    const levels = this.#levels(quote, this.impactSkew(side, time))
    takeOff(levels, this.missing(side, time))
    const before = levels.map(({ qty }) => qty)
    takeOff(levels, lots)
    return levels.reduce((sum, { distance, qty }, index) => sum + distance * ((before[index] ?? 0) - qty), 0)
  }

  /** What has not come back of `missing` lots since the last taking, by time or by volume, whichever is slower. */
  #notBack(missing: number, last: Taking | undefined, time: number, recordedTrades: number): number {
    if (last === undefined) return missing
    const recorded = totalOf(this.#past.slice(last.after, recordedTrades))
    const byTime = (missing * HALF_BACK_MS) / (HALF_BACK_MS + time - last.time)
    return Math.floor(Math.max(byTime, missing - recorded))
  }

  /** An offer there would fill a resting order of ours, without a recorded trade. */
  #wouldMeetOurs(side: Side, price: number): boolean {
    return this.#book.some((entry) => entry.side === side && meets(side, entry.price, price))
  }

  /** Such a limit comes to rest in the queue of its price, though the drift may have brought the other side there. */
  #isBehindTheQuote(side: Side, price: number | undefined): boolean {
    const quote = this.quote()
    if (price === undefined || quote === undefined) return false
    return !isBetter(side, price, side === 'BUY' ? quote.bid : quote.ask)
  }

  #topUp(side: Side, price: number): void {
    const quote = this.quote()
    const { model, queue } = this.#settings
    if (quote === undefined || model !== 'tape') return
    if (isBetter(side, price, side === 'BUY' ? quote.bid : quote.ask)) return
    const there = this.#book.filter((entry) => entry.price === price && !isOurs(entry))
    const lacking = queue * quote.clip - totalOf(there)
    if (lacking > 0) this.#book.push({ order: CROWD_NAME, side, price, qty: lacking })
  }

  #take({ order, side, qty, time }: PlaceStep, met: readonly Entry[]): readonly Match[] {
    const matches: Match[] = []
    let left = qty
    let lotsOfCrowd = 0
    for (const offer of met) {
      const lots = Math.min(left, offer.qty)
      if (lots === 0) break
      offer.qty -= lots
      left -= lots
      if (!isOurs(offer)) lotsOfCrowd += lots
      matches.push({ maker: offer.order, taker: order, price: offer.price, qty: lots })
    }
    this.#dropEmpty()
    if (lotsOfCrowd > 0) {
      const distance = this.#distanceOf(side, time, lotsOfCrowd)
      this.#takings.push({ side, lots: lotsOfCrowd, distance, time, after: this.#past.length })
    }
    return merged(matches, sameMatch)
  }

  // ---- the book

  #sorted(side: Side): readonly Entry[] {
    return byPriority(
      this.#book.filter((entry) => entry.side === side),
      side,
    )
  }

  #dropEmpty(): void {
    this.#book = this.#book.filter(({ qty }) => qty > 0)
  }

  get #staleAfter(): number {
    return this.#settings.staleAfterMs ?? TEN_MINUTES
  }
}

/** Takes lots off the first entries. */
function takeOff(entries: readonly { qty: number }[], qty: number): void {
  let left = qty
  for (const entry of entries) {
    const lots = Math.min(left, entry.qty)
    entry.qty -= lots
    left -= lots
  }
}
