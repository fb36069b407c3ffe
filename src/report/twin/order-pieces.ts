/**
 * The difference in money that an order made, as pieces with a cause each.
 *
 * Every fill is worth its side x (last price - price) x quantity, less its fee. Fills of both runs are laid side by
 * side, lot for lot: a lot that both filled differs in price, any other is in one run only. Invariant: the pieces add
 * up to the value of the session's fills less that of the twin's. No division, so no rounding.
 */
import { type Decimal, Decimal as Decimals, toDecimal } from '../../domain/decimal.ts'
import type { TwinPart } from './twin-part.ts'
import type { MarketMoves, TwinPrices } from './twin-prices.ts'
import type { TwinFill, TwinOrder } from './twin-trace.ts'

export interface Piece {
  readonly part: TwinPart
  /** Amount in the currency of the run; positive if the session did better than its twin. */
  readonly amount: Decimal
  readonly why: string
}

/** Values of a market, in the currency of the run. */
export interface Valuation {
  readonly markOf: (symbol: string) => Decimal
  /** Value of one unit of its quote asset. */
  readonly rateOf: (symbol: string) => Decimal
}

/** Cause of a quantity that only one of the runs filled. */
export type Reason = Pick<Piece, 'part' | 'why'>

const ZERO = toDecimal(0)

const sideOf = ({ side }: Pick<TwinFill, 'side'>): number => (side === 'BUY' ? 1 : -1)

/** Value of a quantity of a fill at the last price, without its fee. */
function worth(fill: TwinFill, qty: Decimal, { markOf, rateOf }: Valuation): Decimal {
  const { symbol, price } = fill
  return markOf(symbol).minus(price).times(qty).times(sideOf(fill)).times(rateOf(symbol))
}

const feeOf = ({ fee, symbol }: TwinFill, { rateOf }: Valuation): Decimal => fee.times(rateOf(symbol))

/** Value of a fill: the money that it made until the end. */
export const valueOf = (fill: TwinFill, valuation: Valuation): Decimal =>
  worth(fill, fill.qty, valuation).minus(feeOf(fill, valuation))

/** Pieces of fills that only one run has. @param sign  1 for the session, -1 for its twin */
export const onlyPieces = (
  fills: readonly TwinFill[],
  sign: 1 | -1,
  valuation: Valuation,
  { part, why }: Reason,
): readonly Piece[] => fills.map((fill) => ({ part, why, amount: valueOf(fill, valuation).times(sign) }))

interface Lots {
  readonly fill: TwinFill
  left: Decimal
}

const lotsOf = ({ fills }: TwinOrder): Lots[] => fills.map((fill) => ({ fill, left: fill.qty }))

export interface PairOfOrders {
  readonly session: TwinOrder
  readonly twin: TwinOrder
}

export interface PairTerms {
  readonly valuation: Valuation
  readonly prices: TwinPrices
  /** Cause of a quantity that only that run filled. */
  readonly reasonOf: (fill: TwinFill, run: keyof PairOfOrders) => Reason
}

export function pairPieces(pair: PairOfOrders, terms: PairTerms): readonly Piece[] {
  const { valuation, reasonOf } = terms
  const [ours, its] = [lotsOf(pair.session), lotsOf(pair.twin)]
  const pieces: Piece[] = []
  let [i, j] = [0, 0]
  for (let [a, b] = [ours[i], its[j]]; a !== undefined && b !== undefined; [a, b] = [ours[i], its[j]]) {
    const qty = Decimals.min(a.left, b.left)
    pieces.push(...pricePieces(pair, { a: a.fill, b: b.fill, qty }, terms))
    ;[a.left, b.left] = [a.left.minus(qty), b.left.minus(qty)]
    if (a.left.isZero()) i += 1
    if (b.left.isZero()) j += 1
  }
  const isInBoth = ours.length > 0 && its.length > 0
  for (const [run, rest, sign] of [
    ['session', ours, 1],
    ['twin', its, -1],
  ] as const) {
    for (const { fill, left } of rest) {
      if (left.isZero()) continue
      const fee = isInBoth ? ZERO : feeOf(fill, valuation)
      pieces.push({ ...reasonOf(fill, run), amount: worth(fill, left, valuation).minus(fee).times(sign) })
    }
  }
  return isInBoth ? [...pieces, feePiece(pair, valuation)] : pieces
}

function feePiece({ session, twin }: PairOfOrders, valuation: Valuation): Piece {
  const feesOf = ({ fills }: TwinOrder): Decimal => fills.reduce((sum, fill) => sum.plus(feeOf(fill, valuation)), ZERO)
  return { part: 'fees', amount: feesOf(twin).minus(feesOf(session)), why: 'its fees differ' }
}

interface SharedLot {
  readonly a: TwinFill
  readonly b: TwinFill
  readonly qty: Decimal
}

/** A cause explains at most the difference that there is. */
function pricePieces(
  { session }: PairOfOrders,
  { a, b, qty }: SharedLot,
  { valuation, prices }: PairTerms,
): readonly Piece[] {
  const lots = qty.times(sideOf(a)).times(valuation.rateOf(a.symbol))
  const difference = b.price.minus(a.price)
  if (difference.isZero()) return []
  const { symbol, t, answeredAt } = session
  const arrival = a.isMaker && answeredAt !== undefined ? prices.exchangeTime(answeredAt) : a.at
  const ofData = explained(difference, b.price, prices.unseen(symbol, t))
  const ofLatency = explained(difference.minus(ofData), b.price, prices.underway(symbol, t, arrival))
  const rest = difference.minus(ofData).minus(ofLatency)
  const pieces: readonly Piece[] = [
    { part: 'data', amount: ofData.times(lots), why: 'the price had moved before the strategy received it' },
    { part: 'latency', amount: ofLatency.times(lots), why: 'the price moved before the order arrived' },
    prices.isSilent(symbol, t)
      ? { part: 'data', amount: rest.times(lots), why: 'no trade had arrived for unusually long' }
      : a.isMaker
        ? { part: 'queue', amount: rest.times(lots), why: 'it rested, and its twin took' }
        : { part: 'takings', amount: rest.times(lots), why: 'it took at another price' },
  ]
  return pieces.filter(({ amount }) => !amount.isZero())
}

/**
 * The part of a difference that trades explain: as far as one of them was from the price of the twin, or from the price
 * before them, since trades bounce between bid and ask.
 */
function explained(difference: Decimal, price: Decimal, { before, prices }: MarketMoves): Decimal {
  if (difference.isZero()) return ZERO
  const starts = before === undefined ? [price] : [price, toDecimal(before)]
  return prices
    .flatMap((traded) => starts.map((start) => within(difference, start.minus(traded))))
    .reduce((most, part) => (most.abs().lessThan(part.abs()) ? part : most), ZERO)
}

/** None of the other direction, and no more than there is. */
function within(difference: Decimal, fallen: Decimal): Decimal {
  if (difference.isNegative() !== fallen.isNegative()) return ZERO
  return difference.abs().lessThan(fallen.abs()) ? difference : fallen
}
