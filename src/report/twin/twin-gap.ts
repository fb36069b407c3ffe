/**
 * The gap in money between a session and its twin, split into causes.
 *
 * An order of both runs differs by itself: its price, its fees, or the quantity that was filled. An order of one run
 * has the cause of the first difference since both runs last agreed: since then they held the same, and placed the
 * same. A cause that nothing shows is `unexplained`.
 *
 * Invariant: the parts add up to the gap exactly, and each fill counts once.
 */
import { type Decimal, toDecimal } from '../../domain/decimal.ts'
import { type PairedOrder, pairedOrders } from './paired-orders.ts'
import {
  onlyPieces,
  pairPieces,
  type PairOfOrders,
  type Piece,
  type Reason,
  type Valuation,
  valueOf,
} from './order-pieces.ts'
import { TWIN_PARTS, type TwinPart } from './twin-part.ts'
import type { TwinPrices } from './twin-prices.ts'
import type { TwinFill, TwinOrder, TwinTrace } from './twin-trace.ts'

/** An action of an operator: the session's state from then on, or changed parameters. */
export interface OperatorAction {
  /** Unix milliseconds. */
  readonly t: number
  readonly words: string
  /** True if from then on the session did not trade freely; undefined if its state did not change. */
  readonly isHeld: boolean | undefined
}

export interface TwinEvidence {
  readonly session: TwinTrace
  readonly twin: TwinTrace
  readonly prices: TwinPrices
  readonly valuation: Valuation
  /** Oldest first. */
  readonly operator: readonly OperatorAction[]
  /** Unix milliseconds at which the session found out that trades were missing, ascending. */
  readonly gaps: readonly number[]
  /** False if the twin repeated decides otherwise; undefined if that was not tried. */
  readonly isRepeatable: boolean | undefined
}

/** An order, and what it contributes to the gap. */
export interface OrderGap extends PairedOrder {
  readonly pieces: readonly Piece[]
}

export interface TwinGap {
  /** End equity of the session less that of its twin, in the currency of the run. */
  readonly gap: Decimal
  readonly parts: Readonly<Record<TwinPart, Decimal>>
  /** Orders that contribute, and fills of none, in their order. */
  readonly orders: readonly OrderGap[]
  /** True if a divergence follows from nothing that is known: a repetition of the twin would tell more. */
  readonly isDoubtful: boolean
}

const ZERO = toDecimal(0)

export function twinGap(evidence: TwinEvidence): TwinGap {
  const { session, twin, valuation } = evidence
  const walk = new GapWalk(evidence)
  const paired = pairedOrders(session.orders, twin.orders).map((pair) => ({ ...pair, pieces: walk.piecesOf(pair) }))
  const reason: Reason = { part: 'unexplained', why: 'its order is not of this run' }
  const loose = [...onlyPieces(session.loose, 1, valuation, reason), ...onlyPieces(twin.loose, -1, valuation, reason)]
  const orders = [...paired, { session: undefined, twin: undefined, pieces: loose }]
  const pieces = orders.flatMap((order) => order.pieces)
  const sumOf = (part: TwinPart): Decimal =>
    pieces.reduce((sum, piece) => (piece.part === part ? sum.plus(piece.amount) : sum), ZERO)
  return {
    gap: earned(session, valuation).minus(earned(twin, valuation)),
    parts: Object.fromEntries(TWIN_PARTS.map((part) => [part, sumOf(part)])) as Record<TwinPart, Decimal>,
    orders: orders.filter((order) => order.pieces.some(({ amount }) => !amount.isZero())),
    isDoubtful: walk.isDoubtful,
  }
}

const fillsOf = ({ orders, loose }: TwinTrace): readonly TwinFill[] => [
  ...orders.flatMap(({ fills }) => fills),
  ...loose,
]

/** All that the fills of a run earned, valued at the last prices. */
const earned = (trace: TwinTrace, valuation: Valuation): Decimal =>
  fillsOf(trace).reduce((sum, fill) => sum.plus(valueOf(fill, valuation)), ZERO)

const filledQty = ({ fills }: TwinOrder): Decimal => fills.reduce((sum, { qty }) => sum.plus(qty), ZERO)

interface Difference extends Reason {
  readonly t: number
}

/** Refusals for want of something that the other run had. */
const FOLLOWING = /^(?:INSUFFICIENT_BALANCE|ORDER_NOT_|NO_LIQUIDITY)/

class GapWalk {
  /** A divergence had no known cause. */
  isDoubtful = false
  readonly #evidence: TwinEvidence
  readonly #positions: Positions
  /** Differences since both runs agreed, oldest first. */
  #differences: Difference[] = []
  /** Cause of the present divergence. */
  #cause: Reason | undefined
  /** First difference in money alone: the strategies never agree on their balances again. */
  #ofMoney: Reason | undefined
  /** Decision of the last order with which both held and placed the same. */
  #agreedAt = -Infinity
  #isLastEqual = true

  constructor(evidence: TwinEvidence) {
    this.#evidence = evidence
    this.#positions = new Positions(fillsOf(evidence.session), fillsOf(evidence.twin))
  }

  /** Call in the order of the runs. */
  piecesOf({ session, twin }: PairedOrder): readonly Piece[] {
    const t = Math.min(session?.t ?? Infinity, twin?.t ?? Infinity)
    const doAgree = this.#isLastEqual && this.#positions.areEqualAt(t)
    if (doAgree) [this.#cause, this.#differences] = [undefined, []]
    const { valuation } = this.#evidence
    if (session !== undefined && twin !== undefined) {
      const pieces = this.#ofPair({ session, twin })
      if (doAgree && this.#isLastEqual) this.#agreedAt = t
      return pieces
    }
    const order = session ?? twin
    this.#isLastEqual = false
    const reason = this.#causeAt(t)
    return onlyPieces(order?.fills ?? [], session === undefined ? -1 : 1, valuation, reason)
  }

  #ofPair(pair: PairOfOrders): readonly Piece[] {
    const { valuation, prices } = this.#evidence
    const { session, twin } = pair
    const reasonOf = (fill: TwinFill, run: keyof PairOfOrders): Reason => this.#reasonOf(pair, fill, run)
    const pieces = pairPieces(pair, { valuation, prices, reasonOf })
    const [most] = pieces.toSorted((one, other) => other.amount.abs().comparedTo(one.amount.abs()))
    const isRefusedOnce = (session.refusal === undefined) !== (twin.refusal === undefined)
    const isSameQty = filledQty(session).equals(filledQty(twin))
    this.#isLastEqual = session.words === twin.words && !isRefusedOnce && isSameQty
    const { t } = session
    if (isRefusedOnce) this.#differences.push({ t, ...this.#refused(session.refusal === undefined ? twin : session) })
    else if (most !== undefined && !most.amount.isZero()) {
      if (isSameQty) this.#ofMoney ??= most
      else this.#differences.push({ t, part: most.part, why: most.why })
    }
    return pieces
  }

  /** Cause of a quantity of a pair that only one run filled. */
  #reasonOf({ session, twin }: PairOfOrders, fill: TwinFill, run: keyof PairOfOrders): Reason {
    const other = run === 'session' ? twin : session
    if (other.refusal !== undefined && other.fills.length === 0) return this.#refused(other)
    if (session.words !== twin.words) return this.#causeAt(session.t)
    const stop = session.stoppedBy === undefined ? undefined : this.#actionSince(session.t)
    if (run === 'twin' && stop !== undefined) return { part: 'operator', why: stop.words }
    if (fill.isMaker) return { part: 'queue', why: `only the ${run} was filled, or more of it` }
    return this.#hasMovedAway(session) && run === 'twin'
      ? { part: 'latency', why: 'the price moved away before the order arrived' }
      : { part: 'takings', why: `only the ${run} found that quantity` }
  }

  #hasMovedAway({ isLimit, symbol, side, t, answeredAt }: TwinOrder): boolean {
    if (!isLimit || answeredAt === undefined) return false
    const { prices } = this.#evidence
    const { before, prices: later } = prices.underway(symbol, t, prices.exchangeTime(answeredAt))
    if (before === undefined) return false
    return later.some((price) => (side === 'BUY' ? toDecimal(price).gt(before) : toDecimal(price).lt(before)))
  }

  #refused({ t, refusal = '' }: TwinOrder): Reason {
    const action = this.#holdAt(t)
    if (action !== undefined) return { part: 'operator', why: action.words }
    const isFollowing = FOLLOWING.test(refusal) && !this.#positions.areEqualAt(t)
    return isFollowing ? this.#causeAt(t) : { part: 'refusals', why: refusal }
  }

  /** The last action that keeps the session from trading freely. */
  #holdAt(t: number): OperatorAction | undefined {
    const last = this.#evidence.operator.findLast((action) => action.t <= t && action.isHeld !== undefined)
    return last?.isHeld === true ? last : undefined
  }

  #actionSince(t: number): OperatorAction | undefined {
    return this.#evidence.operator.find((action) => action.t >= t)
  }

  #causeAt(t: number): Reason {
    this.#cause ??= this.#firstCause(t)
    return this.#cause
  }

  #firstCause(t: number): Reason {
    const held = this.#holdAt(t)
    const action = this.#evidence.operator.find((each) => each.t > this.#agreedAt && each.t <= t) ?? held
    const [difference] = this.#differences
    if (action !== undefined && action.t <= (difference?.t ?? Infinity)) return { part: 'operator', why: action.words }
    if (difference !== undefined)
      return { part: difference.part, why: `follows from a difference before it: ${difference.why}` }
    // Changed parameters stay.
    const changed = this.#evidence.operator.findLast((each) => each.t <= t && each.isHeld === undefined)
    if (changed !== undefined) return { part: 'operator', why: changed.words }
    const { gaps, prices, isRepeatable } = this.#evidence
    if (gaps.some((time) => time > this.#agreedAt && time <= t))
      return { part: 'data', why: 'trades were missing before it' }
    if (prices.hasLate(Math.max(this.#agreedAt, 0), t)) return { part: 'data', why: 'trades were late before it' }
    this.isDoubtful = true
    if (isRepeatable === false)
      return { part: 'nondeterminism', why: 'the strategy decides otherwise when it is repeated on the same data' }
    const money = this.#ofMoney
    return money === undefined
      ? { part: 'unexplained', why: 'no difference is known before it' }
      : { part: money.part, why: `follows from other balances: ${money.why}` }
  }
}

/** Difference of the holdings of both runs, from their fills. */
class Positions {
  readonly #fills: readonly (readonly [fill: TwinFill, sign: number])[]
  readonly #differences = new Map<string, Decimal>()
  #next = 0

  constructor(session: readonly TwinFill[], twin: readonly TwinFill[]) {
    const all = [...session.map((fill) => [fill, 1] as const), ...twin.map((fill) => [fill, -1] as const)]
    this.#fills = all.sort(([one], [other]) => one.t - other.t)
  }

  /** Whether both hold the same by the fills before a moment. Call with ascending times. */
  areEqualAt(time: number): boolean {
    for (
      let found = this.#fills[this.#next];
      found !== undefined && found[0].t < time;
      found = this.#fills[this.#next]
    ) {
      const [{ symbol, side, qty }, sign] = found
      const change = qty.times(side === 'BUY' ? sign : -sign)
      const sum = (this.#differences.get(symbol) ?? ZERO).plus(change)
      if (sum.isZero()) this.#differences.delete(symbol)
      else this.#differences.set(symbol, sum)
      this.#next += 1
    }
    return this.#differences.size === 0
  }
}
