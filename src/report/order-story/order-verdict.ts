/**
 * The verdict on an order: one line that says why it filled, filled late, or did not.
 *
 * Invariant: it says what the journal knows and no more; where several causes hold, the first that would have to change.
 */
import { InputError } from '../../domain/errors.ts'
import { isLiquidityName } from '../../simulation/liquidity/liquidity-models.ts'
import type { LineOf } from '../../runtime/journal/journal-line.ts'
import type { HistoryCancel, HistoryFill, OrderHistory, OrderRest } from './order-history.ts'
import { orderLabel } from './order-key.ts'
import { fillsText, isLive, isOfCandles, isZero, priceText, qtyText, sumText, totalAhead } from './order-words.ts'
import { liveVerdict, lostVerdict } from './lost-order.ts'
import { readableCount, readableDuration } from '../readable.ts'

type Taken = LineOf<'acknowledged'>

export function orderVerdict(history: OrderHistory): string {
  const { answer, rest } = history
  if (answer === undefined) return unansweredVerdict(history)
  switch (answer.type) {
    case 'refused':
      return `refused${refusedWhere(answer)}: ${answer.code} (${answer.message})${silentText(history, answer)}`
    case 'unknown':
      return lostVerdict(history, answer)
    case 'acknowledged':
      return isLive(history)
        ? liveVerdict(history, answer)
        : rest === undefined
          ? atOnceVerdict(history, answer)
          : restedVerdict(history, answer, rest)
  }
}

function unansweredVerdict(history: OrderHistory): string {
  const { terms, asked, endedAt } = history
  if (isLive(history)) return 'there was no answer before the session ended'
  const isLate = asked.t + terms.orderLatencyMs + terms.responseLatencyMs < endedAt
  return isLate
    ? 'not filled: held back by the rate limit, it had not arrived when the run ended'
    : 'not filled: it was still on its way when the run ended'
}

/** Nothing for a journal that does not say it. */
function refusedWhere({ by }: LineOf<'refused'>): string {
  if (by === undefined) return ''
  return by === 'exchange' ? ' by the exchange' : ' before it was sent'
}

/** The journal does not say which of them it was. */
function silentText({ terms }: OrderHistory, { code }: LineOf<'refused'>): string {
  if (code !== 'NO_LIQUIDITY' || !isLiquidityName(terms.liquidity)) return ''
  const { staleAfterMs } = terms
  const longer =
    staleAfterMs === null ? 'for longer than a quote lasts' : `for more than ${readableDuration(staleAfterMs)}`
  return `; the market was silent ${longer}, or had shown no price yet, or no open came any more`
}

function atOnceVerdict(history: OrderHistory, { order }: Taken): string {
  const { fills } = history
  if (fills.length === 0) throw new InputError(orderLabel(order.id), 'the journal is not whole')
  const filled = fillsText(history, fills, order.averagePrice)
  if (order.status === 'FILLED') return `filled at once: ${filled}`
  return `filled in part, ${qtyText(order.filledQty)} of ${qtyText(order.qty)}: at once, ${filled}, and no more was offered`
}

function restedVerdict(history: OrderHistory, answer: Taken, rest: OrderRest): string {
  const { left } = rest
  const waited = readableDuration(left.t - rest.rested.t)
  if (left.status === 'FILLED') return filledVerdict(history, answer, rest, waited)
  const { qty } = answer.order
  const filled = sumText(history.fills.map((fill) => fill.qty))
  const outcome = isZero(filled) ? 'not filled' : `filled in part, ${filled} of ${qtyText(qty)}`
  const cause = shortfall(history, answer, rest)
  if (left.status !== 'CANCELLED') return `${outcome}: ${cause}`
  return `${outcome}: cancelled after ${waited}${travelText(history)}; ${cause}`
}

/** What was filled while the cancel that worked was on its way. */
function travelText({ fills, cancels }: OrderHistory): string {
  const worked = cancels.find(({ answer }) => answer?.type === 'acknowledged')
  if (worked === undefined) return ''
  const meanwhile = fills.filter(({ isMaker, position }) => isMaker && position > worked.position)
  if (meanwhile.length === 0) return ''
  return `, ${sumText(meanwhile.map(({ qty }) => qty))} of it filled while the cancel was on its way`
}

function filledVerdict(history: OrderHistory, { order }: Taken, rest: OrderRest, waited: string): string {
  const last = history.fills.at(-1)
  if (last === undefined) throw new InputError(orderLabel(order.id), 'the journal is not whole')
  const price = priceText(history, order.price ?? last.price)
  const taken = history.fills.filter(({ isMaker }) => !isMaker)
  const outcome =
    taken.length === 0
      ? `filled after ${waited}`
      : `filled, ${fillsText(history, taken, order.averagePrice)} at once and the rest after ${waited}`
  const isTooLate = history.cancels.some((each) => each.position < last.position && !isHeldBack(each))
  return `${outcome}${isTooLate ? ', before its cancel arrived' : ''}: ${fillCause(history, last, rest, price)}`
}

/** True for a cancel that the rate limit let never go. */
const isHeldBack = ({ answer }: HistoryCancel): boolean => answer?.type === 'refused' && answer.by === 'rate-budget'

function fillCause(history: OrderHistory, last: HistoryFill, { rested }: OrderRest, price: string): string {
  if (last.partnerId !== undefined) return `by own order ${last.partnerId}`
  const metAt = last.met === undefined ? price : priceText(history, last.met.price)
  const candles = isOfCandles(history)
  if (metAt !== price)
    return candles ? `a candle went beyond ${price}, to ${metAt}` : `the market traded through ${price}, at ${metAt}`
  const ahead = totalAhead(rested)
  const reached = candles ? `a candle touched ${price}` : `the market traded at ${price}`
  if (isZero(ahead)) return `${reached}, and nothing was ahead of it`
  return `${reached}, once the ${ahead} ahead of it were gone`
}

/** Why there was too little for it. */
function shortfall(history: OrderHistory, { order }: Taken, { rested, left }: OrderRest): string {
  const price = priceText(history, order.price ?? '0')
  const gaps = left.gaps === 0 ? '' : `; ${readableCount(left.gaps, 'gap')} in the tape may hide trades`
  return `${tooLittle(history, price, rested, left)}${gaps}`
}

function tooLittle(history: OrderHistory, price: string, rested: LineOf<'rested'>, left: LineOf<'left'>): string {
  const { nearest, tradesAt, tradesThrough } = left
  const candles = isOfCandles(history)
  if (tradesAt + tradesThrough === 0) {
    if (nearest === undefined)
      return candles ? 'no candle ended while it rested' : 'no trade was recorded while it rested'
    return `${candles ? 'no candle touched' : 'the market never traded at'} ${price}; nearest ${priceText(history, nearest)}`
  }
  if (tradesThrough === 0 && history.terms.liquidity === 'through') {
    return `the market traded at ${price} but not beyond it, as liquidity through demands`
  }
  if (tradesThrough === 0 && candles && history.terms.liquidity === 'tape') {
    return `candles touched ${price} and none went beyond it, as liquidity tape demands of candles`
  }
  const traded = sumText([left.qtyAt, left.qtyThrough])
  const reasons = tooLittleReasons(history, traded, rested, left)
  return [`only ${traded} traded ${whereText(price, left)}`, ...reasons].join(', ')
}

/** What the traded quantity went to instead. */
function tooLittleReasons(
  { terms, fills }: OrderHistory,
  traded: string,
  rested: LineOf<'rested'>,
  left: LineOf<'left'>,
): readonly string[] {
  const { qtyThrough, qtyToOurs, ofCandles } = left
  const [before, ahead] = [totalAhead(rested), totalAhead(left)]
  const isBeyondOnly = terms.liquidity === 'through' && qtyThrough !== traded
  const isShared = ofCandles === true && isLiquidityName(terms.liquidity)
  const reasons = [
    ...(isBeyondOnly ? [`but ${qtyThrough} beyond, as liquidity through demands`] : []),
    ...(isShared ? ['in candles, of which a side gets at most a tenth'] : []),
    ...(isZero(qtyToOurs) ? [] : [`${qtyToOurs === traded ? 'all' : qtyToOurs} of it with own orders before this one`]),
    ...(isZero(ahead) ? [] : [`with ${ahead === before ? '' : `${ahead} of `}the ${before} ahead of it still there`]),
  ]
  if (reasons.length > 0) return reasons
  return [`and ${fills.some(({ isMaker }) => isMaker) ? 'no more' : 'none'} of it was left for this order`]
}

function whereText(price: string, { tradesAt, tradesThrough }: LineOf<'left'>): string {
  if (tradesThrough === 0) return `at ${price}`
  return tradesAt === 0 ? `beyond ${price}` : `at ${price} and beyond`
}
