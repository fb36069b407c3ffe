/**
 * A recorded market and the orders of ours in it, as plainly as the model can be said: one list of resting orders, sorted each time.
 *
 * The twin of the crowd and its exchange: it predicts every fill, print and queue. It knows no money: no order is refused for it.
 */
import { opposite, type Side } from '../../../../src/domain/order.ts'
import { candleClipOf, clipOf, spreadOf, stepOf, type Learnt } from './naive-estimates.ts'
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

const LEVELS = 100
const TEN_MINUTES = 600_000
/** Of a trade that was made of a candle, makers get one lot in so many. */
const CANDLE_SHARE = 10

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
  /** Lots that orders of a side took from the crowd and that were not recorded again. */
  readonly #missing = { BUY: 0, SELL: 0 }
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

  place({ time, order, side, price, qty }: PlaceStep): Outcome {
    const offers = [...this.#sorted(opposite(side)), ...this.#ladder(side, time)]
    const met = byPriority(offers, opposite(side)).filter((offer) => meets(side, price, offer.price))
    if (price === undefined && met.length === 0) return { ...NOTHING, fate: 'is refused NO_LIQUIDITY' }
    this.#known.add(order)
    if (price !== undefined && met.length === 0) this.#topUp(side, price)
    const matches = this.#take(order, side, qty, met)
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
    const { spread: given, candleMs } = this.#settings
    const spread = given ?? (candleMs === undefined ? spreadOf(this.#past) : 1)
    const [bid, ask] = last.isSell ? [last.price, last.price + spread] : [last.price - spread, last.price]
    if (candleMs !== undefined) return { bid, ask, clip: candleClipOf(this.#past, candleMs), step: spread }
    return { bid, ask, clip: clipOf(this.#past), step: stepOf(this.#past, spread) }
  }

  queue(price: number): readonly Resting[] {
    return mergedQueue(this.#book.filter((entry) => entry.price === price).map(({ order, qty }) => ({ order, qty })))
  }

  levels(side: Side): readonly Lots[] {
    const lots = this.#sorted(side).map(({ price, qty }) => ({ price, qty }))
    return merged(lots, (a, b) => a.price === b.price)
  }

  /** Lots that are still missing on the ladder that orders of `side` meet. */
  missing(side: Side): number {
    return this.#missing[side]
  }

  /** True when nobody knows any more what the crowd shows. */
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
    let leftForOurs = this.#settings.candleMs === undefined ? qty : Math.floor(qty / CANDLE_SHARE)
    for (const entry of this.#sorted(side).filter((each) => this.#isReachedBy(price, each))) {
      const lots = Math.min(entry.qty, isOurs(entry) ? Math.min(left, leftForOurs) : left)
      entry.qty -= lots
      left -= lots
      if (isOurs(entry)) {
        leftForOurs -= lots
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
    for (const each of ['BUY', 'SELL'] as const) {
      this.#missing[each] = afterGap ? 0 : Math.max(0, this.#missing[each] - qty)
    }
    this.#past.push({ time, price, qty, isSell, afterGap })
  }

  // ---- an order of ours

  /** What the crowd offers to an order of `side`, beside what it rests as queue. */
  #ladder(side: Side, time: number): readonly Entry[] {
    const quote = this.quote()
    if (quote === undefined || this.isStale(time)) return []
    const [front, step] = side === 'BUY' ? [quote.ask, quote.step] : [quote.bid, -quote.step]
    const levels = Array.from({ length: LEVELS }, (_, index) => ({
      order: CROWD_NAME,
      side: opposite(side),
      price: front + index * step,
      qty: this.#settings.depth * quote.clip,
    }))
    const shown = levels.filter(({ price }) => price >= 1 && !this.#wouldMeetOurs(side, price))
    takeOff(shown, this.#missing[side])
    for (const queued of this.#sorted(opposite(side)).filter((entry) => !isOurs(entry))) {
      // What the crowd rests as queue is a part of its ladder, not more than it.
      takeOff(
        shown.filter(({ price }) => !isBetter(opposite(side), price, queued.price)),
        queued.qty,
      )
    }
    return shown.filter(({ qty }) => qty > 0)
  }

  /** An offer there would fill a resting order of ours, without a recorded trade. */
  #wouldMeetOurs(side: Side, price: number): boolean {
    return this.#book.some((entry) => entry.side === side && meets(side, entry.price, price))
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

  #take(order: string, side: Side, qty: number, met: readonly Entry[]): readonly Match[] {
    const matches: Match[] = []
    let left = qty
    for (const offer of met) {
      const lots = Math.min(left, offer.qty)
      if (lots === 0) break
      offer.qty -= lots
      left -= lots
      if (!isOurs(offer)) this.#missing[side] += lots
      matches.push({ maker: offer.order, taker: order, price: offer.price, qty: lots })
    }
    this.#dropEmpty()
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
    const { staleAfterMs, candleMs } = this.#settings
    return staleAfterMs ?? (candleMs === undefined ? TEN_MINUTES : 2 * candleMs)
  }
}

/** Takes lots off the first entries. */
function takeOff(entries: readonly Entry[], qty: number): void {
  let left = qty
  for (const entry of entries) {
    const lots = Math.min(left, entry.qty)
    entry.qty -= lots
    left -= lots
  }
}
