/**
 * The corners of the model: a property that never met one says nothing of it.
 */
import { SIDES, type Side } from '../../../../src/domain/order.ts'
import { naivePlay } from './naive-play.ts'
import {
  accountOf,
  CROWD_NAME,
  isTrade,
  type Match,
  type PlaceStep,
  type Session,
  type SessionSettings,
  type TradeStep,
} from './session.ts'
import { turnsOf, type Books, type QueueAt, type Turn } from './turn.ts'

type BySide = Readonly<Record<Side, number>>

/** What only the naive crowd knows, at the time of a step and after it. */
interface Known {
  /** Missing lots, by the side of the order that would take. */
  readonly missing: BySide
  readonly impactSkew: BySide
}

const NOTHING: Known = { missing: { BUY: 0, SELL: 0 }, impactSkew: { BUY: 1, SELL: 1 } }

/** A turn of the naive crowd, with what only it knows. */
interface NaiveTurn extends Turn {
  readonly settings: SessionSettings
  readonly missing: BySide
  readonly missingAfter: BySide
  /** Of the ladder that the order of the turn meets, when it is one. */
  readonly impactSkew: BySide
  /** The turn before, if any. */
  readonly last: Turn | undefined
  /** The recorded trade before, if any. */
  readonly lastTrade: TradeStep | undefined
}

type TradeTurn = NaiveTurn & { readonly step: TradeStep }
type PlaceTurn = NaiveTurn & { readonly step: PlaceStep }

const queuesOf = ({ bids, asks }: Books, side: Side): readonly QueueAt[] => (side === 'BUY' ? bids : asks)

const queueAt = (books: Books, price: number): QueueAt['orders'] =>
  [...books.bids, ...books.asks].find((queue) => queue.price === price)?.orders ?? []

const isCrowdFirst = (books: Books, price: number): boolean => queueAt(books, price)[0]?.order === CROWD_NAME

const ofCrowd = (books: Books, price: number): number =>
  queueAt(books, price).reduce((sum, { order, qty }) => (order === CROWD_NAME ? sum + qty : sum), 0)

const isMissing = ({ step, missing }: TradeTurn): boolean => missing.BUY > step.qty || missing.SELL > step.qty
const isLess = ({ missing, missingAfter }: TradeTurn): boolean =>
  missingAfter.BUY < missing.BUY || missingAfter.SELL < missing.SELL
const isAfterSilence = ({ step, lastTrade, settings }: TradeTurn): boolean =>
  step.time - (lastTrade?.time ?? 0) > (settings.staleAfterMs ?? Infinity)
const isMissingAfter = ({ missingAfter }: NaiveTurn): boolean => missingAfter.BUY > 0 || missingAfter.SELL > 0

const idStep = ({ step, lastTrade }: TradeTurn): number => (step.id ?? 0) - (lastTrade?.id ?? step.id ?? 0)

const TRADE_CORNERS: Readonly<Record<string, (turn: TradeTurn) => boolean>> = {
  'a trade at our price uses up a part of the queue': ({ step, outcome, before, after }) =>
    outcome.matches.length === 0 && isCrowdFirst(before, step.price) && isCrowdFirst(after, step.price),
  'a trade passes the queue and fills us': ({ step, outcome, before }) =>
    outcome.matches.some(({ price }) => price === step.price) && isCrowdFirst(before, step.price),
  'a trade fills two accounts': ({ outcome: { matches } }) =>
    new Set(matches.map(({ maker }) => accountOf(maker))).size === 2,
  'a trade fills us at two prices': ({ outcome: { matches } }) => new Set(matches.map(({ price }) => price)).size === 2,
  'a trade passes crowd, ours, crowd, ours at one price': ({ step, outcome, before }) =>
    queueAt(before, step.price).length >= 4 && outcome.matches.length >= 2,
  'a trade beyond our price withdraws the queue': ({ step, outcome, before }) =>
    outcome.matches.some(({ price }) => price !== step.price && ofCrowd(before, price) > 0),
  'a queue is withdrawn from an order that gets nothing': ({ step, outcome, before, after }) =>
    outcome.matches.length > 0 &&
    [...before.bids, ...before.asks].some(
      ({ price }) =>
        price !== step.price &&
        !outcome.matches.some((match) => match.price === price) &&
        ofCrowd(before, price) > 0 &&
        ofCrowd(after, price) === 0,
    ),
  "a buyer's trade fills our bid": ({ step, outcome, before }) =>
    step.side === 'buy' && outcome.matches.some(({ price }) => before.bids.some((queue) => queue.price === price)),
  "a seller's trade fills our ask": ({ step, outcome, before }) =>
    step.side === 'sell' && outcome.matches.some(({ price }) => before.asks.some((queue) => queue.price === price)),
  'a trade without a side fills us': ({ step, outcome }) => step.side === undefined && outcome.matches.length > 0,
  'a trade is printed in part': ({ outcome }) => outcome.matches.length > 0 && outcome.prints.length > 0,
  'what was missing comes back in part': (turn) => isMissing(turn) && isMissingAfter(turn) && isLess(turn),
  'what was missing is all back without a silence': (turn) =>
    SIDES.some((side) => turn.missing[side] > 0) && !isMissingAfter(turn) && !isAfterSilence(turn),
  'what was missing waits for time, for its volume was recorded': (turn) =>
    SIDES.some((side) => turn.missing[side] > 1 && turn.missing[side] <= turn.step.qty && turn.missingAfter[side] > 0),
  'what was missing waits for volume, for its time is over': (turn) =>
    SIDES.some((side) => turn.missingAfter[side] > (turn.missing[side] * 3) / 4) &&
    turn.step.time - (turn.last?.step.time ?? 0) >= 25_000,
  'what was missing is clear after a silence': (turn) =>
    isMissing(turn) && !isMissingAfter(turn) && isAfterSilence(turn),
  'what was missing stays so in another file': (turn) =>
    isMissing(turn) && isMissingAfter(turn) && turn.step.file !== turn.lastTrade?.file,
  'what was missing stays so after a jump of ids': (turn) =>
    isMissing(turn) && isMissingAfter(turn) && idStep(turn) > 1 && turn.step.file === turn.lastTrade?.file,
  'two trades of one millisecond': ({ step, last }) => last?.step.do === 'trade' && last.step.time === step.time,
  'the step is wider than the spread': ({ after: { quote } }) =>
    quote !== undefined && quote.step > quote.ask - quote.bid,
  'the spread is wider than a tick': ({ after: { quote } }) => quote !== undefined && quote.ask - quote.bid > 1,
  'the touched side moves on by more than a tick': ({ after: { quote } }) =>
    quote !== undefined && (quote.takerAsk > quote.ask + 1 || quote.takerBid < quote.bid - 1),
  'the drift is more than the spread': ({ after: { quote } }) =>
    quote !== undefined && (quote.takerBid === quote.ask || quote.takerAsk === quote.bid),
  'the bid is below the smallest price': ({ after: { quote } }) => quote !== undefined && quote.bid < 1,
  'the clip size shrinks': ({ before, after }) => (after.quote?.clip ?? 0) < (before.quote?.clip ?? 0),
  'the quote leaves a queue of the crowd behind its back': ({ after: { quote, bids, asks } }) =>
    quote !== undefined &&
    [...bids.filter(({ price }) => price > quote.bid), ...asks.filter(({ price }) => price < quote.ask)].some(
      ({ orders }) => orders[0]?.order === CROWD_NAME,
    ),
}

const rests = ({ outcome }: PlaceTurn): boolean => outcome.fate.startsWith('rests')
const fromCrowd = ({ maker }: Match): boolean => maker === CROWD_NAME
const fromOurs = (match: Match): boolean => !fromCrowd(match)
const isMarket = ({ step }: PlaceTurn): boolean => step.price === undefined
/** The crowd's price that the order would take from. */
const front = ({ step, before: { quote } }: PlaceTurn): number | undefined =>
  step.side === 'BUY' ? quote?.takerAsk : quote?.takerBid
/** True when the crowd gave what it would not without the orders of ours before. */
const isFollowed = (turn: PlaceTurn): boolean => {
  const best = front(turn)
  const queued = [...turn.before.bids, ...turn.before.asks].map(({ price }) => price)
  return turn.outcome.matches.some(
    (match) =>
      best !== undefined &&
      fromCrowd(match) &&
      !queued.includes(match.price) &&
      (turn.step.side === 'BUY' ? match.price < best : match.price > best),
  )
}

const PLACE_CORNERS: Readonly<Record<string, (turn: PlaceTurn) => boolean>> = {
  'an order joins behind a whole clip': ({ step, outcome, after }) =>
    outcome.matches.length === 0 &&
    queueAt(after, step.price ?? 0).length === 2 &&
    isCrowdFirst(after, step.price ?? 0),
  'an order joins the quote where the drift has brought the other side': (turn) => {
    const [price, best] = [turn.step.price, front(turn)]
    if (price === undefined || best === undefined || turn.outcome.matches.length > 0) return false
    return turn.step.side === 'BUY' ? price >= best : price <= best
  },
  'an order rests with nothing ahead': ({ step, after }) => queueAt(after, step.price ?? 0)[0]?.order === step.order,
  'a top-up comes between two orders': ({ step, before, after }) =>
    ofCrowd(before, step.price ?? 0) < ofCrowd(after, step.price ?? 0) && queueAt(before, step.price ?? 0).length > 0,
  'no top-up, for a clip is there': ({ step, before, after }) =>
    ofCrowd(before, step.price ?? 0) > 0 && ofCrowd(before, step.price ?? 0) === ofCrowd(after, step.price ?? 0),
  'a taker walks three levels': ({ outcome: { matches } }) =>
    new Set(matches.filter(fromCrowd).map(({ price }) => price)).size >= 3,
  'a taker finds the first level missing': (turn) =>
    turn.missing[turn.step.side] >= (turn.before.quote?.clip ?? 0) / 4 &&
    turn.outcome.matches.some((match) => fromCrowd(match) && match.price !== front(turn)),
  'a taker walks a wider ladder than one of a standing market': (turn) =>
    turn.impactSkew[turn.step.side] > 1.5 && turn.outcome.matches.filter(fromCrowd).length >= 2,
  'a taker walks a narrower ladder than one of a standing market': (turn) =>
    turn.impactSkew[turn.step.side] < 0.7 && turn.outcome.matches.filter(fromCrowd).length >= 2,
  'the impact skew is cut off on both sides': (turn) =>
    Math.min(turn.impactSkew.BUY, turn.impactSkew.SELL) === 0.25 &&
    Math.max(turn.impactSkew.BUY, turn.impactSkew.SELL) === 4,
  'the other side follows what we took': isFollowed,
  'both sides follow what we took': (turn) => isFollowed(turn) && turn.missing.BUY > 0 && turn.missing.SELL > 0,
  'a ladder is exhausted': (turn) =>
    isMarket(turn) && turn.outcome.matches.length > 0 && turn.outcome.fate.startsWith('lapses'),
  'a ladder is cut at the smallest price': (turn) =>
    turn.step.side === 'SELL' && turn.outcome.fate.startsWith('lapses') && turn.outcome.matches.length < 10,
  'no liquidity before the first trade': (turn) =>
    turn.outcome.fate === 'is refused NO_LIQUIDITY' && turn.before.quote === undefined,
  'no liquidity on an old quote': (turn) =>
    turn.outcome.fate === 'is refused NO_LIQUIDITY' && turn.before.quote !== undefined,
  'a taker meets the crowd and the other account': ({ step, outcome: { matches } }) =>
    matches.some(fromCrowd) &&
    matches.some((match) => fromOurs(match) && accountOf(match.maker) !== accountOf(step.order)),
  'a taker meets an order of its own account': ({ step, outcome: { matches } }) =>
    matches.some(({ maker }) => accountOf(maker) === accountOf(step.order)),
  'a taker takes the queue, an order of ours, and the ladder at one price': ({ outcome: { matches } }) =>
    matches.some(
      (match, index) =>
        fromOurs(match) &&
        [matches[index - 1], matches[index + 1]].every(
          (other) => other !== undefined && fromCrowd(other) && other.price === match.price,
        ),
    ),
  'a limit takes, and the rest of it rests': (turn) => rests(turn) && turn.outcome.matches.some(fromCrowd),
  'a level is left out for an order of ours': (turn) => {
    const best = queuesOf(turn.before, turn.step.side)[0]?.price
    const level = front(turn)
    if (best === undefined || level === undefined) return false
    return turn.outcome.matches.some(fromCrowd) && (turn.step.side === 'BUY' ? best >= level : best <= level)
  },
  'an order arrives in the millisecond of a trade': ({ step, last }) =>
    last?.step.do === 'trade' && last.step.time === step.time,
  'a limit meets an order of ours behind the quote': ({ step, outcome, before: { quote }, after }) =>
    step.price !== undefined &&
    quote !== undefined &&
    outcome.matches.some(fromOurs) &&
    queueAt(after, step.price)[0]?.order === step.order &&
    (step.side === 'BUY' ? step.price <= quote.bid : step.price >= quote.ask),
}

const CANCEL_CORNERS: Readonly<Record<string, (turn: NaiveTurn) => boolean>> = {
  'the last order at a price is cancelled, and its queue': (turn) =>
    cancelledPrice(turn) !== undefined && queueAt(turn.after, cancelledPrice(turn) ?? 0).length === 0,
  'an order behind a top-up is cancelled, and the top-up': (turn) => {
    const price = cancelledPrice(turn)
    return (
      price !== undefined &&
      queueAt(turn.after, price).length > 0 &&
      ofCrowd(turn.after, price) < ofCrowd(turn.before, price)
    )
  },
  'a finished order is asked to be cancelled': ({ outcome }) => outcome.fate === 'is refused ORDER_NOT_CANCELLABLE',
}

/** The price at which a cancelled order had a queue of the crowd. */
function cancelledPrice({ step, outcome, before }: NaiveTurn): number | undefined {
  if (step.do !== 'cancel' || outcome.fate !== 'is cancelled') return undefined
  const queue = [...before.bids, ...before.asks].find(({ orders }) => orders.some(({ order }) => order === step.order))
  return queue !== undefined && ofCrowd(before, queue.price) > 0 ? queue.price : undefined
}

const NAMES = [TRADE_CORNERS, PLACE_CORNERS, CANCEL_CORNERS].flatMap((corners) => Object.keys(corners))

export class Corners {
  readonly #reached = new Map<string, number>(NAMES.map((name) => [name, 0]))

  /** Plays the session with the naive crowd and counts what it reaches. */
  async count(session: Session): Promise<void> {
    const known: Known[] = [NOTHING]
    const turns = await turnsOf(session, (played, see) => {
      naivePlay(played, (step, outcome, crowd) => {
        const bySide = (of: (side: Side) => number): BySide => ({ BUY: of('BUY'), SELL: of('SELL') })
        known.push({
          missing: bySide((side) => crowd.missing(side, step.time)),
          impactSkew: bySide((side) => crowd.impactSkew(side, step.time)),
        })
        see(step, outcome, crowd)
      })
    })
    for (const [index, turn] of turns.entries()) {
      const [before = NOTHING, after = NOTHING] = known.slice(index)
      const earlier = turns.slice(0, index)
      this.#see({
        ...turn,
        settings: session.settings,
        missing: before.missing,
        missingAfter: after.missing,
        impactSkew: after.impactSkew,
        last: earlier.at(-1),
        lastTrade: earlier.map(({ step }) => step).findLast(isTrade),
      })
    }
  }

  missed(): readonly string[] {
    return NAMES.filter((name) => this.#reached.get(name) === 0)
  }

  report(): string {
    return [...this.#reached].map(([name, count]) => `${String(count).padStart(8)}  ${name}`).join('\n')
  }

  #see(turn: NaiveTurn): void {
    const { step } = turn
    if (step.do === 'trade') this.#note(TRADE_CORNERS, { ...turn, step })
    else if (step.do === 'place') this.#note(PLACE_CORNERS, { ...turn, step })
    else this.#note(CANCEL_CORNERS, turn)
  }

  #note<T>(corners: Readonly<Record<string, (turn: T) => boolean>>, turn: T): void {
    for (const [name, isReached] of Object.entries(corners)) {
      if (isReached(turn)) this.#reached.set(name, (this.#reached.get(name) ?? 0) + 1)
    }
  }
}
