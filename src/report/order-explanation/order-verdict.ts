/**
 * The verdict on an order: one line that says why it filled, filled late, or did not.
 *
 * Invariant: it uses only the journal; of several causes it names the first that would have to change.
 */
import { InputError } from '../../domain/errors.ts'
import { isLiquidityName } from '../../simulation/liquidity/liquidity-models.ts'
import type { LineOf } from '../../runtime/journal/journal-line.ts'
import type { HistoryCancel, HistoryFill, OrderHistory, OrderRest } from './order-history.ts'
import { orderLabel } from './order-key.ts'
import {
  fillsText,
  followedBook,
  isLive,
  isOfCandles,
  isZero,
  priceText,
  qtyText,
  sumText,
  totalAhead,
} from './order-text.ts'
import { liveVerdict, lostVerdict } from './lost-order.ts'
import { readableCount, readableDuration } from '../readable.ts'

type Taken = LineOf<'acknowledged'>

export function orderVerdict(history: OrderHistory): string {
  const { answer, rest } = history
  if (answer === undefined) return unansweredVerdict(history)
  switch (answer.type) {
    case 'refused':
      return `refused${refusedWhere(answer)}: ${answer.code} (${answer.message})${silentText(history, answer)}`
    case 'withdrawn':
      return `withdrawn before it was sent: ${answer.reason}`
    case 'unknown':
      return lostVerdict(history, answer)
    case 'acknowledged':
      return isLive(history) || isBrokenOff(history)
        ? liveVerdict(history, answer)
        : rest === undefined
          ? atOnceVerdict(history, answer)
          : restedVerdict(history, answer, rest)
  }
}

/** The session was killed before the journal had the outcome. */
const isBrokenOff = ({ isEnded, rested, rest, fills }: OrderHistory): boolean =>
  !isEnded &&
  (rest === undefined
    ? rested !== undefined || fills.length === 0
    : rest.left.status === 'FILLED' && fills.length === 0)

function unansweredVerdict(history: OrderHistory): string {
  const { terms, asked, endedAt } = history
  if (isLive(history)) return 'there was no answer before the session ended'
  const isLate = asked.t + terms.orderLatencyMs + terms.responseLatencyMs < endedAt
  return isLate
    ? 'not filled: delayed by the rate limit, it had not arrived when the run ended'
    : 'not filled: it was still in transit when the run ended'
}

/** Empty for journals that do not record who refused. */
function refusedWhere({ by }: LineOf<'refused'>): string {
  if (by === undefined) return ''
  return by === 'exchange' ? ' by the exchange' : ' before it was sent'
}

/** The journal does not record which of these reasons applied. */
function silentText(history: OrderHistory, { code }: LineOf<'refused'>): string {
  const { terms } = history
  if (code !== 'NO_LIQUIDITY' || !isLiquidityName(terms.liquidity)) return ''
  const { staleAfterMs } = terms
  const longer =
    staleAfterMs === null ? 'for longer than a quote is valid' : `for more than ${readableDuration(staleAfterMs)}`
  if (followedBook(history) !== undefined)
    return `; the recorded book had no update ${longer}, was incomplete, or had no orders on that side`
  return `; the market had no quote ${longer}, no price yet, or no later open`
}

function atOnceVerdict(history: OrderHistory, { order }: Taken): string {
  const { fills } = history
  if (fills.length === 0) throw new InputError(orderLabel(order.id), 'the journal is incomplete')
  const filled = fillsText(history, fills, order.averagePrice)
  if (order.status === 'FILLED') return `filled immediately: ${filled}`
  return `partly filled, ${qtyText(order.filledQty)} of ${qtyText(order.qty)}: immediately, ${filled}, and there was no more volume`
}

function restedVerdict(history: OrderHistory, answer: Taken, rest: OrderRest): string {
  const { left } = rest
  const waited = readableDuration(left.t - rest.rested.t)
  if (left.status === 'FILLED') return filledVerdict(history, answer, rest, waited)
  const { qty } = answer.order
  const filled = sumText(history.fills.map((fill) => fill.qty))
  const outcome = isZero(filled) ? 'not filled' : `partly filled, ${filled} of ${qtyText(qty)}`
  const cause = shortfall(history, answer, rest)
  if (left.status !== 'CANCELLED') return `${outcome}: ${cause}`
  return `${outcome}: cancelled after ${waited}${travelText(history)}; ${cause}`
}

/** Quantity that was filled before the successful cancel arrived. */
function travelText({ fills, cancels }: OrderHistory): string {
  const worked = cancels.find(({ answer }) => answer?.type === 'acknowledged')
  if (worked === undefined) return ''
  const meanwhile = fills.filter(({ isMaker, position }) => isMaker && position > worked.position)
  if (meanwhile.length === 0) return ''
  return `, ${sumText(meanwhile.map(({ qty }) => qty))} of it filled while the cancel was in transit`
}

function filledVerdict(history: OrderHistory, { order }: Taken, rest: OrderRest, waited: string): string {
  const last = history.fills.at(-1)
  if (last === undefined) throw new InputError(orderLabel(order.id), 'the journal is incomplete')
  const price = priceText(history, order.price ?? last.price)
  const taken = history.fills.filter(({ isMaker }) => !isMaker)
  const outcome =
    taken.length === 0
      ? `filled after ${waited}`
      : `filled, ${fillsText(history, taken, order.averagePrice)} immediately and the rest after ${waited}`
  const isTooLate = history.cancels.some((each) => each.position < last.position && !isHeldBack(each))
  return `${outcome}${isTooLate ? ', before its cancel arrived' : ''}: ${fillCause(history, last, rest, price)}`
}

/** True for a cancel that the rate limit refused. */
const isHeldBack = ({ answer }: HistoryCancel): boolean => answer?.type === 'refused' && answer.by === 'rate-budget'

function fillCause(history: OrderHistory, last: HistoryFill, { rested, left }: OrderRest, price: string): string {
  if (last.partnerId !== undefined) return `by your own order ${last.partnerId}`
  const metAt = last.met === undefined ? price : priceText(history, last.met.price)
  const how = HOW_MET[isOfCandles(history) ? 'candle' : (last.met?.by ?? 'trade')]
  if (metAt !== price) return how.beyond(price, metAt)
  const ahead = totalAhead(rested)
  const reached = how.at(price)
  if (isZero(ahead)) return `${reached}, and nothing was ahead of it`
  return `${reached}, after the ${ahead} ahead of it were gone${cancelledText(left, ahead)}`
}

/** Verdict texts by what filled the order. */
const HOW_MET = {
  candle: {
    at: (price: string) => `a candle touched ${price}`,
    beyond: (price: string, to: string) => `a candle went beyond ${price}, to ${to}`,
  },
  trade: {
    at: (price: string) => `the market traded at ${price}`,
    beyond: (price: string, to: string) => `the market traded through ${price}, at ${to}`,
  },
  book: {
    at: (price: string) => `the other side of the book reached ${price}`,
    beyond: (price: string, to: string) => `the other side of the book reached ${price}, at ${to}`,
  },
}

/** The part of the queue ahead that the model counts as cancelled. */
function cancelledText({ cancelledAhead }: LineOf<'left'>, ahead: string): string {
  if (cancelledAhead === undefined) return ''
  return ` (${cancelledAhead === ahead ? 'all' : cancelledAhead} of them cancelled)`
}

/** Why the volume was insufficient. */
function shortfall(history: OrderHistory, { order }: Taken, { rested, left }: OrderRest): string {
  const price = priceText(history, order.price ?? '0')
  const gaps = left.gaps === 0 ? '' : `; ${readableCount(left.gaps, 'gap')} in the tape may hide trades`
  return `${tooLittle(history, price, rested, left)}${gaps}`
}

function tooLittle(history: OrderHistory, price: string, rested: LineOf<'rested'>, left: LineOf<'left'>): string {
  const { nearest, tradesAt, tradesThrough } = left
  const candles = isOfCandles(history)
  if (tradesAt + tradesThrough === 0) {
    const crossing = crossingText(history, price)
    if (crossing !== undefined) return crossing
    if (nearest === undefined)
      return candles ? 'no candle ended while it rested' : 'no trade was recorded while it rested'
    return `${candles ? 'no candle touched' : 'the market never traded at'} ${price}; nearest ${priceText(history, nearest)}`
  }
  if (tradesThrough === 0 && history.terms.liquidity === 'through') {
    return `the market traded at ${price} but not beyond it, which liquidity through requires`
  }
  if (tradesThrough === 0 && candles && history.terms.liquidity === 'tape') {
    return `candles touched ${price} but none went beyond it, which liquidity tape requires of candles`
  }
  const traded = sumText([left.qtyAt, left.qtyThrough])
  const reasons = tooLittleReasons(history, traded, rested, left)
  return [`only ${traded} traded ${whereText(price, left)}`, ...reasons].join(', ')
}

/** Quantity filled by the recorded book without a trade; undefined for none. */
function crossingText({ fills }: OrderHistory, price: string): string | undefined {
  const crossed = fills.filter(isByBook)
  if (crossed.length === 0) return undefined
  return `the other side of the book reached ${price} with only ${sumText(crossed.map(({ qty }) => qty))}`
}

const isByBook = ({ met }: HistoryFill): boolean => met?.by === 'book'

/** Reasons why the traded quantity did not fill the order. */
function tooLittleReasons(
  history: OrderHistory,
  traded: string,
  rested: LineOf<'rested'>,
  left: LineOf<'left'>,
): readonly string[] {
  const { terms, fills } = history
  const { qtyThrough, qtyToOurs, ofCandles } = left
  const [before, ahead] = [totalAhead(rested), totalAhead(left)]
  const isBeyondOnly = terms.liquidity === 'through' && qtyThrough !== traded
  const isShared = ofCandles === true && isLiquidityName(terms.liquidity)
  const reasons = [
    ...(isBeyondOnly ? [`but ${qtyThrough} beyond, which liquidity through requires`] : []),
    ...(isShared ? ['and each side gets at most a tenth of the volume of a candle'] : []),
    ...(isZero(qtyToOurs)
      ? []
      : [`${qtyToOurs === traded ? 'all' : qtyToOurs} of it against your own orders ahead of this one`]),
    ...(isZero(ahead) ? [] : [stillAheadText(ahead, before, left)]),
  ]
  if (reasons.length > 0) return reasons
  const isFilled = fills.some((fill) => fill.isMaker && !isByBook(fill))
  return [`and ${isFilled ? 'no more' : 'none'} of it was left for this order`]
}

function stillAheadText(ahead: string, before: string, { cancelledAhead }: LineOf<'left'>): string {
  const cancelled = cancelledAhead === undefined ? '' : ` and ${cancelledAhead} cancelled`
  return `with ${ahead === before ? '' : `${ahead} of `}the ${before} ahead of it still there${cancelled}`
}

function whereText(price: string, { tradesAt, tradesThrough }: LineOf<'left'>): string {
  if (tradesThrough === 0) return `at ${price}`
  return tradesAt === 0 ? `beyond ${price}` : `at ${price} and beyond`
}
