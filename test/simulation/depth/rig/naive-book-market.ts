/**
 * A market with a recorded book and the orders of ours in it, as plainly as its rules can be said: every order of ours
 * knows how many lots of the crowd come before it, and everything else is searched for each time.
 *
 * Written from the rules of recorded depth, not from the code. It knows no money: no order is refused for it. Once
 * anything of a book was reported; what a market without one shows is the twin's of the liquidity models.
 */
import { opposite, type Side } from '../../../../src/domain/order.ts'
import { depthBlockOf, type MadeFall } from '../../../tape/rig/depth-of.ts'
import { NaiveBook } from '../../../tape/book/rig/naive-book.ts'
import {
  accountOf,
  CROWD_NAME,
  mergedMatches,
  SPREAD,
  type CancelStep,
  type Match,
  type PlaceStep,
  type RecordedStep,
  type Resting,
  type Session,
  type SessionSettings,
  type Step,
  type TradeStep,
  type Turn,
} from './depth-session.ts'
import { NaiveMissing } from './naive-missing.ts'
import { NaiveClusters, type Offer } from './naive-clusters.ts'
import type { Reached } from './reached.ts'

const SIDES = ['BUY', 'SELL'] as const
/** A frame may report of a trade so many milliseconds later. */
const WITHIN_MS = 1_000

/** True when an order of `side` at `price` is strictly better than one at `other`. */
const isBetter = (side: Side, price: number, other: number): boolean => (side === 'BUY' ? price > other : price < other)
/** True when an order of `side` at `price` meets one of the other side at `other`; a market order meets any. */
const meets = (side: Side, price: number | undefined, other: number): boolean =>
  price === undefined || (side === 'BUY' ? price >= other : price <= other)
const levelsOf = (side: Side): 'bids' | 'asks' => (side === 'BUY' ? 'bids' : 'asks')

interface Own {
  readonly order: string
  readonly side: Side
  readonly price: number
  qty: number
  /** Lots of the crowd that come before it at its price. */
  ahead: number
  /** When it came. */
  readonly createdAt: number
  /** When the first of ours came that has as many ahead: no one stands between them. */
  since: number
}

/** Lots of the trades of a moment at a price, as far as no one said of which orders. */
interface Traded {
  readonly side: Side
  readonly price: number
  readonly time: number
  ofCrowd: number
  ofOurs: number
}

export const naiveBookPlay = (session: Session, reached?: Reached): Promise<readonly Turn[]> => {
  const market = new NaiveBookMarket(session.settings, reached)
  return Promise.resolve(session.steps.map((step) => market.do(step)))
}

class NaiveBookMarket {
  readonly #settings: SessionSettings
  readonly #reached: Reached | undefined
  readonly #book = new NaiveBook()
  /** In the order in which they came. */
  #orders: Own[] = []
  readonly #known = new Set<string>()
  readonly #missing = { BUY: new NaiveMissing(), SELL: new NaiveMissing() }
  readonly #clips: NaiveClusters
  #reportedAt = -Infinity
  #traded: Traded[] = []
  #reportsOrders = false
  #last: TradeStep | undefined

  constructor(settings: SessionSettings, reached: Reached | undefined) {
    this.#settings = settings
    this.#reached = reached
    this.#clips = new NaiveClusters(settings)
  }

  do(step: Step): Turn {
    const done = this.#done(step)
    this.#orders = this.#orders.filter(({ qty }) => qty > 0)
    this.#alignOurs()
    const resting = this.#orders.map(({ order, side, price, qty, ahead }): Resting => ({
      order,
      side,
      price,
      qty,
      ahead,
    }))
    this.#reached?.resting(resting)
    return { step, matches: mergedMatches(done.matches), fate: done.fate, resting }
  }

  #done(step: Step): { readonly matches: readonly Match[]; readonly fate: string } {
    if (step.do === 'place') return this.#place(step)
    if (step.do === 'cancel') return { matches: [], fate: this.#cancel(step) }
    return { matches: step.do === 'trade' ? this.#trade(step) : this.#reported(step), fate: '' }
  }

  // ---- what is there

  /** Lots that are reported at a price and that we have not taken. */
  #available(side: Side, price: number): number {
    return Math.max(0, this.#reportedLots(side, price) - this.#missing[side].at(price))
  }

  #reportedLots(side: Side, price: number): number {
    return this.#book[levelsOf(side)].get(price) ?? 0
  }

  #best(side: Side): number | undefined {
    return side === 'BUY' ? this.#book.bestBid : this.#book.bestAsk
  }

  /** Lots ahead of one that would come to a price now; undefined where no one knows. */
  #shown(side: Side, price: number): number | undefined {
    if (!this.#book.isKnown) return undefined
    if (this.#reportedLots(side, price) > 0) return this.#available(side, price)
    const [best, other] = [this.#best(side), this.#best(opposite(side))]
    if (best !== undefined && isBetter(side, price, best)) return 0
    if (other !== undefined && meets(side, price, other)) return 0
    return this.#book.isShown(levelsOf(side), price) ? 0 : undefined
  }

  // ---- the book changes

  #reported(step: Exclude<RecordedStep, TradeStep>): readonly Match[] {
    const before = new Map(this.#orders.map((order) => [order, this.#available(order.side, order.price)]))
    if (step.do === 'quote') this.#book.quote(step)
    else this.#book.apply(depthBlockOf([step]))
    this.#reportedAt = step.time
    if (step.do === 'frame') this.#reportsOrders = step.falls !== undefined
    for (const side of SIDES) {
      const grown = this.#missing[side].settle(
        (price) => this.#reportedLots(side, price),
        (price) => this.#isInSight(side, price),
      )
      if (grown) this.#reached?.count('what is missing comes back')
    }
    if (!this.#book.isKnown) {
      if (this.#orders.length > 0) this.#reached?.count('a change behind a gap')
      return []
    }
    const falls = step.do === 'frame' ? step.falls : undefined
    if (falls !== undefined) {
      for (const fall of falls) this.#cancelled(fall)
      for (const order of this.#orders) this.#cap(order)
      const filled = falls.flatMap((fall) => this.#passedOver(fall, step.time))
      return [...filled, ...SIDES.flatMap((side) => this.#cross(side))]
    }
    for (const order of this.#orders) this.#shrink(order, before.get(order) ?? 0)
    return SIDES.flatMap((side) => this.#cross(side))
  }

  // ---- orders are reported

  /** Of two of ours with no one between them the second counts from when the first came. */
  #alignOurs(): void {
    for (const [at, order] of this.#orders.entries()) {
      const before = this.#orders
        .slice(0, at)
        .findLast(({ side, price }) => side === order.side && price === order.price)
      if (before?.ahead === order.ahead) order.since = before.since
    }
  }

  /** Who came no later than an order of ours stood ahead of it. */
  #cancelled({ side, price, since, lots, isTraded }: MadeFall): void {
    const rested = side === 'bid' ? 'BUY' : 'SELL'
    const isKnown = this.#shown(rested, price) !== undefined && this.#missing[rested].at(price) === 0
    if (isTraded || !isKnown) return
    let least = 0
    for (const order of this.#orders.filter((each) => each.side === rested && each.price === price)) {
      const isAhead = since <= order.since
      if (order.ahead > 0) this.#reached?.count(isAhead ? 'one ahead of ours cancels' : 'one behind ours cancels')
      least = Math.max(least, isAhead ? order.ahead - lots : order.ahead)
      order.ahead = least
    }
    this.#alignOurs()
  }

  #cap(order: Own): void {
    const now = this.#shown(order.side, order.price)
    if (now !== undefined) order.ahead = Math.min(order.ahead, now)
    this.#alignOurs()
  }

  /** A trade with one that came after orders of ours would have met them first. */
  #passedOver({ side, price, since, lots, isTraded, isSeenToCome = true }: MadeFall, time: number): readonly Match[] {
    const rested = side === 'bid' ? 'BUY' : 'SELL'
    const traded = this.#traded.find((each) => each.side === rested && each.price === price)
    if (!isTraded || traded === undefined || time - traded.time > WITHIN_MS) return []
    const there = this.#orders.filter((each) => each.side === rested && each.price === price && each.qty > 0)
    const isKnown = isSeenToCome && since <= traded.time
    const before = there.filter(({ createdAt }) => isKnown && createdAt < since)
    if (before.length === 0) {
      traded.ofCrowd = Math.max(0, traded.ofCrowd - lots)
      return []
    }
    const had = Math.min(traded.ofOurs, lots)
    traded.ofOurs -= had
    let left = Math.min(traded.ofCrowd, lots - had)
    if (left === 0 || this.#byPriority(rested)[0]?.price !== price) return []
    const passed = Math.max(0, ...there.filter((each) => each.since < since).map(({ ahead }) => ahead))
    for (const each of there) each.ahead = Math.max(0, each.ahead - passed)
    return before.flatMap((order): readonly Match[] => {
      const qty = Math.min(left, order.qty)
      if (qty === 0) return []
      order.qty -= qty
      left -= qty
      traded.ofCrowd -= qty
      this.#reached?.count('a trade passed over ours')
      return [{ maker: order.order, taker: CROWD_NAME, price, qty }]
    })
  }

  #isInSight(side: Side, price: number): boolean {
    return this.#reportedLots(side, price) > 0 || this.#book.isShown(levelsOf(side), price)
  }

  #shrink(order: Own, before: number): void {
    const now = this.#shown(order.side, order.price)
    if (now === undefined) return
    const ahead = Math.min(this.#afterCancels(order.ahead, before, now), now)
    if (before === 0 && ahead < order.ahead && ahead > 0) this.#reached?.count('a price comes into sight')
    if (ahead < order.ahead) this.#reached?.count(ahead === 0 ? 'a queue goes to nothing' : 'a queue shrinks')
    order.ahead = ahead
  }

  /** Of f lots ahead among L, d (f/L)^n go with d that go; whole lots. */
  #afterCancels(ahead: number, before: number, now: number): number {
    const { power } = this.#settings
    if (power === Infinity || now >= before || this.#reportsOrders) return ahead
    const [f, l, n] = [BigInt(Math.min(ahead, before)), BigInt(before), BigInt(power)]
    const gone = (BigInt(before - now) * f ** n) / l ** n
    if ((BigInt(before - now) * f ** n) % l ** n !== 0n) this.#reached?.count('a part of a lot cancels')
    return Number(f - gone)
  }

  /** The other side of the book reaches orders of ours. */
  #cross(side: Side): readonly Match[] {
    const from = opposite(side)
    const prices = this.#book.sorted(levelsOf(from)).map(([price]) => price)
    return prices.flatMap((price) => {
      let left = this.#available(from, price)
      return this.#byPriority(side).flatMap((order): readonly Match[] => {
        const qty = Math.min(left, order.qty)
        if (qty === 0 || !meets(side, order.price, price)) return []
        order.qty -= qty
        left -= qty
        this.#missing[from].add('met', price, qty, this.#reportedLots(from, price))
        this.#reached?.count('the other side fills us')
        return [{ maker: order.order, taker: CROWD_NAME, price: order.price, qty }]
      })
    })
  }

  /** Best price first, at one price in the order in which they came. */
  #byPriority(side: Side): readonly Own[] {
    const ours = this.#orders.filter((order) => order.side === side && order.qty > 0)
    return ours.sort((a, b) => (side === 'BUY' ? b.price - a.price : a.price - b.price))
  }

  // ---- a trade

  #trade(trade: TradeStep): readonly Match[] {
    const { price, side: aggressor } = trade
    const ours = SIDES.find((side) =>
      this.#orders.some((order) => order.side === side && meets(side, order.price, price)),
    )
    const matches = ours === undefined ? [] : this.#fillByTrade(ours, trade)
    this.#clips.record(trade, this.#last)
    this.#last = trade
    this.#book.traded(price, aggressor === 'sell')
    const hit = aggressor === 'sell' ? 'BUY' : 'SELL'
    this.#book.lower(levelsOf(hit), price, trade.qty)
    for (const side of SIDES) {
      this.#missing[side].cap(
        (at) => this.#reportedLots(side, at),
        (at) => this.#isInSight(side, at),
      )
    }
    return matches
  }

  #note(traded: Traded): void {
    this.#traded = this.#traded.filter((each) => each.side !== traded.side || each.time === traded.time)
    const known = this.#traded.find(
      (each) => each.side === traded.side && each.price === traded.price && each.time === traded.time,
    )
    if (known === undefined) this.#traded.push(traded)
    else {
      known.ofCrowd += traded.ofCrowd
      known.ofOurs += traded.ofOurs
    }
  }

  #fillByTrade(side: Side, { time, price, qty, side: aggressor }: TradeStep): readonly Match[] {
    const reached = this.#byPriority(side).filter((order) => meets(side, order.price, price))
    for (const order of reached) if (order.price !== price) order.ahead = 0
    const rested = aggressor === 'buy' ? 'SELL' : 'BUY'
    // What of it we had taken already cannot meet another order of ours.
    let left = rested === side ? qty : qty - Math.min(qty, this.#missing[rested].at(price))
    if (left < qty) this.#reached?.count('a trade of what we took')
    return pricesOf(reached).flatMap((at) => {
      const { matches, rest, ofQueue } = this.#eat(side, at, left)
      left = rest
      const ofOurs = matches.filter(({ maker }) => maker !== CROWD_NAME)
      if (at === price)
        this.#note({ side, price, time, ofCrowd: ofQueue, ofOurs: ofOurs.reduce((sum, match) => sum + match.qty, 0) })
      return ofOurs.map((match) => ({ ...match, taker: CROWD_NAME }))
    })
  }

  /** Lots that meet what rests at a price: the crowd's queue and ours, one after the other. */
  #eat(
    side: Side,
    price: number,
    lots: number,
  ): { matches: readonly Omit<Match, 'taker'>[]; rest: number; ofQueue: number } {
    const matches: Omit<Match, 'taker'>[] = []
    let [rest, ofQueue] = [lots, 0]
    const at = this.#byPriority(side).filter((order) => order.price === price)
    for (const order of at) {
      const before = Math.min(rest, order.ahead - ofQueue)
      ofQueue += before
      rest -= before
      if (before > 0) matches.push({ maker: CROWD_NAME, price, qty: before })
      const qty = Math.min(rest, order.qty)
      if (qty === 0) break
      order.qty -= qty
      rest -= qty
      matches.push({ maker: order.order, price, qty })
    }
    for (const order of at) order.ahead = Math.max(0, order.ahead - ofQueue)
    if (matches.filter(({ maker }) => maker !== CROWD_NAME).length > 1)
      this.#reached?.count('several of ours are filled at one price')
    return { matches, rest, ofQueue }
  }

  // ---- an order of ours

  #place(step: PlaceStep): { readonly matches: readonly Match[]; readonly fate: string } {
    const { order, side, price, qty } = step
    const offers = this.#offers(step).filter((offer) => meets(side, price, offer.price))
    const others = this.#byPriority(opposite(side)).filter((other) => meets(side, price, other.price))
    if (price === undefined && offers.length + others.length === 0)
      return { matches: [], fate: 'is refused NO_LIQUIDITY' }
    this.#known.add(order)
    const isJoining = offers.length + others.length === 0
    const matches = this.#take(step, offers, pricesOf(others))
    const left = qty - matches.reduce((sum, match) => sum + match.qty, 0)
    if (left === 0) return { matches, fate: '' }
    if (price === undefined) return { matches, fate: `lapses ${left}` }
    const there = this.#orders.filter((other) => other.side === side && other.price === price && other.qty > 0)
    const ahead = Math.max(isJoining ? this.#queueAhead(side, price) : 0, ...there.map((other) => other.ahead))
    if (there.some((other) => other.ahead < ahead)) this.#reached?.count('crowd between two of ours')
    this.#orders.push({ order, side, price, qty: left, ahead, createdAt: step.time, since: step.time })
    return { matches, fate: `rests ${left}` }
  }

  #queueAhead(side: Side, price: number): number {
    const { clip } = this.#settings
    if (this.#book.isKnown) {
      const shown = this.#shown(side, price)
      if (shown === undefined) this.#reached?.count('a join out of sight')
      if ((shown ?? 0) === 0 && this.#isBehindTrades()) return this.#guessedAhead(side, price)
      return shown ?? clip
    }
    this.#reached?.count('a join behind a gap')
    return Math.max(this.#guessedAhead(side, price), this.#available(side, price))
  }

  /** A trade is newer than what was reported of the book last: it knows better where no one is asked to be. */
  #isBehindTrades(): boolean {
    return this.#last !== undefined && this.#last.time > this.#reportedAt
  }

  /** As trades alone have it. */
  #guessedAhead(side: Side, price: number): number {
    const quote = this.#quoteOfTrade(side)
    return quote === undefined || isBetter(side, price, quote) ? 0 : this.#settings.clip
  }

  /** The crowd's best price of a side by the last trade. */
  #quoteOfTrade(side: Side): number | undefined {
    if (this.#last === undefined) return undefined
    const { price, side: aggressor } = this.#last
    if (aggressor === 'sell') return side === 'BUY' ? price : price + SPREAD
    return side === 'SELL' ? price : price - SPREAD
  }

  #take(step: PlaceStep, offers: readonly Offer[], ours: readonly number[]): readonly Match[] {
    const { order, side, qty, time } = step
    const from = opposite(side)
    const prices = [...new Set([...ours, ...offers.map(({ price }) => price)])]
    prices.sort((a, b) => (side === 'BUY' ? a - b : b - a))
    const matches: Match[] = []
    let left = qty
    for (const price of prices) {
      const eaten = this.#eat(from, price, left)
      const offered = offers.filter((offer) => offer.price === price).reduce((sum, offer) => sum + offer.qty, 0)
      const taken = Math.min(eaten.rest, offered)
      this.#tookAt(from, price, eaten.ofQueue + taken, time)
      matches.push(...eaten.matches.map((match) => ({ ...match, taker: order })))
      if (taken > 0) matches.push({ maker: CROWD_NAME, taker: order, price, qty: taken })
      left = eaten.rest - taken
    }
    return matches
  }

  #tookAt(from: Side, price: number, lots: number, time: number): void {
    if (lots === 0) return
    const reported = this.#reportedLots(from, price)
    if (reported > 0) this.#missing[from].add('taken', price, lots, reported)
    else this.#clips.took(from, lots, time)
    this.#reached?.count(reported > 0 ? 'we take of the book' : 'we take what is guessed')
  }

  /** What the crowd offers beside its queue ahead of ours. */
  #offers(step: PlaceStep): readonly Offer[] {
    const { side, time } = step
    if (!this.#book.isKnown || time - this.#reportedAt > this.#settings.staleAfterMs) return []
    const from = opposite(side)
    const queues = pricesOf(this.#byPriority(from)).map((price) => ({ price, qty: this.#queuedAt(from, price) }))
    const own = this.#byPriority(side)[0]?.price
    const isOurs = (price: number): boolean => own !== undefined && meets(side, own, price)
    const levels = this.#book
      .sorted(levelsOf(from))
      .map(([price]) => ({ price, qty: isOurs(price) ? 0 : this.#available(from, price) }))
    const isGuess = levels.length === 0 && this.#isBehindTrades()
    const guessed = isGuess
      ? this.#guessedOffers(step, isOurs)
      : this.#offersBehind(from, levels.at(-1)?.price, time, isOurs)
    return withoutQueues(levels, guessed, queues, from)
  }

  /** Behind the last level. */
  #offersBehind(
    from: Side,
    level: number | undefined,
    time: number,
    isOurs: (price: number) => boolean,
  ): readonly Offer[] {
    const last = level ?? this.#emptiedAt(from)
    if (last === undefined) return []
    return this.#clips.from(from, last, time, (price) => price === last || isOurs(price))
  }

  /** As trades alone have it. */
  #guessedOffers({ side, price: limit, time }: PlaceStep, isOurs: (price: number) => boolean): readonly Offer[] {
    const from = opposite(side)
    const [front, quote] = [this.#quoteOfTrade(from), this.#quoteOfTrade(side)]
    if (front === undefined || quote === undefined || this.#last === undefined) return []
    if (time - this.#last.time > this.#settings.staleAfterMs) return []
    if (limit !== undefined && !isBetter(side, limit, quote)) return []
    this.#reached?.count('trades know better')
    return this.#clips.from(from, side === 'BUY' ? Math.max(1, front) : front, time, isOurs)
  }

  /** Where guessing begins when trades have passed all that was reported; undefined where no one is. */
  #emptiedAt(side: Side): number | undefined {
    const price = this.#quoteOfTrade(side)
    return price === undefined || this.#book.isShown(levelsOf(side), price) ? undefined : price
  }

  #queuedAt(side: Side, price: number): number {
    return Math.max(0, ...this.#orders.filter((o) => o.side === side && o.price === price).map((o) => o.ahead))
  }

  #cancel({ order }: CancelStep): string {
    const found = this.#orders.find((each) => each.order === order)
    if (found === undefined) {
      return this.#known.has(order) ? 'is refused ORDER_NOT_CANCELLABLE' : 'is refused ORDER_NOT_FOUND'
    }
    const behind = this.#orders.filter(
      (each) => each.price === found.price && accountOf(each.order) !== '' && each !== found,
    )
    if (behind.some((each) => each.ahead > found.ahead)) this.#reached?.count('the first of ours is cancelled')
    found.qty = 0
    return 'is cancelled'
  }
}

const pricesOf = (orders: readonly Own[]): readonly number[] => [...new Set(orders.map(({ price }) => price))]

/**
 * A queue at a price that is reported is a part of what is reported there; any other is a part of what is guessed from
 * its price on.
 */
function withoutQueues(
  reported: readonly Offer[],
  guessed: readonly Offer[],
  queues: readonly Offer[],
  from: Side,
): readonly Offer[] {
  const at = (price: number): number => queues.find((queue) => queue.price === price)?.qty ?? 0
  const levels = reported.map(({ price, qty }) => ({ price, qty: qty - at(price) }))
  const left = guessed.map((offer) => ({ ...offer }))
  for (const queue of queues.filter(({ price }) => reported.every((level) => level.price !== price))) {
    let lots = queue.qty
    for (const offer of left) {
      if (isBetter(from, offer.price, queue.price)) continue
      const part = Math.min(lots, offer.qty)
      offer.qty -= part
      lots -= part
    }
  }
  return [...levels, ...left].filter(({ qty }) => qty > 0)
}
