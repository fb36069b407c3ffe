/**
 * The explanation of an order from the journal alone: one line that says why it filled, filled late, or did not, then
 * the facts.
 */
import { isOpen } from '../../domain/order.ts'
import { isoTime } from '../../domain/time.ts'
import type { JournalLine, LineOf } from '../../runtime/journal/journal-line.ts'
import { readableCount, readableDuration } from '../readable.ts'
import { hangingLines, printable } from '../terminal-text.ts'
import { becauseText, conditionalExplanation, WAIT_ID, waitFacts } from './conditional-explanation.ts'
import { ladderText } from './ladder-text.ts'
import { settlementText } from './lost-order.ts'
import {
  type Answer,
  type HistoryCancel,
  type HistoryFill,
  orderHistory,
  type OrderHistory,
  type OrderRest,
} from './order-history.ts'
import {
  aheadText,
  broken,
  fillsText,
  isLive,
  isOfCandles,
  isZero,
  type OrderFact,
  priceText,
  qtyText,
  remainingText,
  sumText,
  tradesText,
} from './order-text.ts'
import { orderVerdict } from './order-verdict.ts'

/** With more fills than this, the middle ones are summed up. */
const MAX_FILLS = 6

/** The events of an order in time order, one short sentence each. */
function orderFacts(history: OrderHistory): readonly OrderFact[] {
  const { asked, answer, cancels, rest, endedAt } = history
  const fills = history.fills.filter((fill) => fill.isMaker || isLive(history) || !isAtArrival(history, fill))
  const steps = [...cancels.map((cancel) => cancelStep(history, cancel)), ...fillSteps(history, fills)]
  const facts = [
    ...(history.waited === undefined ? [] : waitFacts(history.waited)),
    { time: asked.t, text: `requested: ${requestText(history)}` },
    ...(history.state === undefined ? [] : [{ time: asked.t, text: `strategy state: ${history.state}` }]),
    ...(answer === undefined ? [] : answerFacts(history, answer)),
    ...history.settlements.map((line) => ({ time: line.t, text: settlementText(line) })),
    ...steps.toSorted((a, b) => a.position - b.position),
    ...cancels.flatMap(cancelRefusals),
    ...(rest === undefined ? [] : restFacts(history, rest)),
    ...liveEnd(history),
    ...(answer === undefined ? [{ time: endedAt, text: 'the run ended' }] : []),
    ...(history.isEnded ? [] : [broken(endedAt)]),
  ]
  // The sort is stable: events of the same millisecond stay in the order listed above.
  return facts.toSorted((a, b) => a.time - b.time)
}

function requestText({ asked, waited }: OrderHistory): string {
  const { side, qty, symbol, type, price = '' } = asked.request
  const terms = type === 'MARKET' ? 'at market' : `at ${price}`
  const tag = asked.tag === undefined ? '' : `, tag ${asked.tag}`
  const because = waited === undefined ? '' : `, ${becauseText(waited)}`
  return `${side === 'BUY' ? 'buy' : 'sell'} ${qty} ${symbol} ${terms}${tag}${because}`
}

function answerFacts(history: OrderHistory, answer: Answer): readonly OrderFact[] {
  switch (answer.type) {
    case 'refused':
      return [{ time: answer.t, text: `refused: ${answer.code} (${answer.message})` }]
    case 'withdrawn':
      return [{ time: answer.t, text: `withdrawn before it was sent: ${answer.reason}` }]
    case 'unknown':
      return [{ time: answer.t, text: `no answer: ${answer.reason}` }]
    case 'acknowledged':
      return isLive(history) ? [liveArrival(history, answer)] : arrivalFacts(history, answer)
  }
}

/** The arrival time at a live exchange is unknown. */
function liveArrival({ asked }: OrderHistory, { t, order }: LineOf<'acknowledged'>): OrderFact {
  return { time: t, text: `answered after ${readableDuration(t - asked.t)}: order ${order.id}, ${order.status}` }
}

/** End of a live order that was not completely filled. */
function liveEnd(history: OrderHistory): readonly OrderFact[] {
  const { last, lastAt, endedAt, isEnded } = history
  if (!isLive(history) || last === undefined || lastAt === undefined || last.status === 'FILLED') return []
  const left = remainingText(last)
  if (!isOpen(last.status)) return [{ time: lastAt, text: `cancelled with ${left} open` }]
  return isEnded ? [{ time: endedAt, text: `the session ended with ${left} open` }] : []
}

function arrivalFacts(history: OrderHistory, { order }: LineOf<'acknowledged'>): readonly OrderFact[] {
  const { orderLatencyMs } = history.terms
  const isAtOpen = isOfCandles(history)
  const sentAt = isAtOpen ? history.asked.t : order.createdAt - orderLatencyMs
  const taken = history.fills.filter((fill) => !fill.isMaker && isAtArrival(history, fill))
  const ladder = ladderText(history)
  const parts = [
    isAtOpen
      ? `arrived as order ${order.id}, at the open of a candle`
      : `arrived as order ${order.id}, ${readableDuration(orderLatencyMs)} after it was sent`,
    ...(taken.length === 0
      ? []
      : [`filled immediately: ${fillsText(history, taken, order.averagePrice)}${ownText(taken)}`]),
    ...(history.rested === undefined ? [] : [restingText(history, order.price ?? '0', history.rested)]),
    ...(order.status === 'CANCELLED'
      ? [`the remaining ${remainingText(order)} were cancelled for lack of volume`]
      : []),
  ]
  return [
    ...(sentAt > history.asked.t ? [{ time: sentAt, text: 'sent, delayed by the rate limit' }] : []),
    { time: order.createdAt, text: parts.join('; ') },
    ...(ladder === undefined ? [] : [{ time: order.createdAt, text: ladder }]),
  ]
}

/** False for fills after the order rested: as maker, or as taker at a later open. */
const isAtArrival = ({ answer }: OrderHistory, { time }: HistoryFill): boolean =>
  answer?.type === 'acknowledged' && answer.order.createdAt === time

/** Quantity that an arriving order traded against the strategy's own orders. */
function ownText(taken: readonly HistoryFill[]): string {
  const own = taken.filter(({ partnerId }) => partnerId !== undefined)
  if (own.length === 0) return ''
  const ids = [...new Set(own.map(({ partnerId }) => partnerId))]
  return `, ${sumText(own.map(({ qty }) => qty))} of it against your own order${ids.length === 1 ? '' : 's'} ${ids.join(', ')}`
}

const restingText = (history: OrderHistory, price: string, rested: LineOf<'rested'>): string =>
  `rested at ${priceText(history, price)}, ${queueText(history, rested)}`

function queueText({ terms }: OrderHistory, line: LineOf<'rested'> | LineOf<'left'>): string {
  const ahead = aheadText(line)
  if (ahead !== undefined) return `with ${ahead} ahead of it`
  return terms.liquidity === 'through'
    ? 'with an endless queue ahead of it (liquidity through)'
    : 'with nothing ahead of it'
}

interface Step extends OrderFact {
  readonly position: number
}

function fillSteps(history: OrderHistory, fills: readonly HistoryFill[]): readonly Step[] {
  const step = (fill: HistoryFill): Step => ({ ...fill, text: fillText(history, fill) })
  if (fills.length <= MAX_FILLS) return fills.map(step)
  const middle = fills.slice(MAX_FILLS - 2, -1)
  const more = middle.slice(0, 1).map((first) => ({
    ...first,
    text: `${readableCount(middle.length, 'more fill')} of ${sumText(middle.map(({ qty }) => qty))} in total from here`,
  }))
  return [...fills.slice(0, MAX_FILLS - 2).map(step), ...more, ...fills.slice(-1).map(step)]
}

function fillText(history: OrderHistory, fill: HistoryFill): string {
  const { qty, price, met, partnerId, isMaker, isInferred, isRecovered } = fill
  const filled = `filled: ${qtyText(qty)} at ${priceText(history, price)}`
  if (isInferred) return `${filled}, inferred: the exchange no longer reports its trades`
  if (isRecovered) return `${filled}, before this session started, and not reported by an earlier one`
  if (partnerId !== undefined) return `${filled}, against your own order ${partnerId}`
  if (isLive(history)) return `${filled}, ${isMaker ? 'as maker' : 'as taker'}`
  if (!isMaker) return `${filled}, when the market opened beyond its price`
  if (met === undefined) return filled
  if (met.by === 'book')
    return `${filled}, when the other side of the book had ${met.qty} ${metWhere(history, met.price, price)}`
  const isThrough = priceText(history, met.price) !== priceText(history, price)
  if (isOfCandles(history)) {
    const how = isThrough ? `went beyond its price, to ${priceText(history, met.price)}` : 'touched its price'
    return `${filled}, by a candle with a volume of ${met.qty} that ${how}`
  }
  return `${filled}, by a trade of ${met.qty} ${metWhere(history, met.price, price)}`
}

function metWhere(history: OrderHistory, metAt: string, price: string): string {
  const at = priceText(history, metAt)
  return at === priceText(history, price) ? 'at its price' : `at ${at}, beyond its price`
}

const cancelStep = ({ isEnded }: OrderHistory, { askedAt, by, answer, position }: HistoryCancel): Step => ({
  time: askedAt,
  text: `cancel requested${CANCELLERS[by ?? ''] ?? ''}${answer === undefined ? `; the ${isEnded ? 'run ended' : 'journal ends'} before the answer` : ''}`,
  position,
})

/** Senders of cancels other than the strategy. */
const CANCELLERS: Readonly<Record<string, string>> = { risk: ' by a loss limit', end: ' by the end of the session' }

const cancelRefusals = ({ answer }: HistoryCancel): readonly OrderFact[] =>
  answer?.type === 'refused' ? [{ time: answer.t, text: `cancel refused: ${answer.code} (${answer.message})` }] : []

/** Trades while the order rested, and how it left the book. */
function restFacts(history: OrderHistory, { left }: OrderRest): readonly OrderFact[] {
  const texts = [tradedText(history, left), ...cancelTexts(left), ...gapTexts(left), ...leavingTexts(history, left)]
  return texts.map((text) => ({ time: left.t, text }))
}

function tradedText(history: OrderHistory, left: LineOf<'left'>): string {
  const { tradesAt, qtyAt, tradesThrough, qtyThrough, qtyToOurs, nearest } = left
  if (isOfCandles(history)) return candlesText(history, left)
  if (tradesAt + tradesThrough === 0) {
    return nearest === undefined
      ? 'no trade was recorded while it rested'
      : `while it rested: no trade at its price or beyond; nearest ${priceText(history, nearest)}`
  }
  const at = tradesAt === 0 ? 'no trade' : tradesText(tradesAt, qtyAt)
  const beyond = tradesThrough === 0 ? 'none' : tradesText(tradesThrough, qtyThrough)
  const ours = isZero(qtyToOurs) ? '' : `; ${qtyToOurs} of that filled your own orders ahead of it`
  return `while it rested: ${at} at its price, ${beyond} beyond it${ours}`
}

/** Candles have no individual trades: each touches a price or goes beyond it, and has one volume. */
function candlesText(history: OrderHistory, left: LineOf<'left'>): string {
  const { tradesAt, qtyAt, tradesThrough, qtyThrough, qtyToOurs, nearest } = left
  if (tradesAt + tradesThrough === 0) {
    return nearest === undefined
      ? 'no candle ended while it rested'
      : `while it rested: no candle touched its price; nearest ${priceText(history, nearest)}`
  }
  const at = tradesAt === 0 ? 'no candle' : tradesText(tradesAt, qtyAt, 'candle')
  const beyond = tradesThrough === 0 ? 'none' : tradesText(tradesThrough, qtyThrough, 'candle')
  const ours = isZero(qtyToOurs) ? '' : `; ${qtyToOurs} of that filled your own orders ahead of it`
  return `while it rested: ${at} touched its price, ${beyond} went beyond${ours}`
}

/** Cancels derived from the recorded book by the liquidity model. */
const cancelTexts = ({ cancelledAhead }: LineOf<'left'>): readonly string[] =>
  cancelledAhead === undefined ? [] : [`while it rested: ${cancelledAhead} of the crowd ahead of it were cancelled`]

const gapTexts = ({ gaps }: LineOf<'left'>): readonly string[] =>
  gaps === 0 ? [] : [`while it rested: ${readableCount(gaps, 'gap')} in the tape`]

function leavingTexts(history: OrderHistory, left: LineOf<'left'>): readonly string[] {
  if (left.status === 'FILLED') return []
  const filledQty = sumText(history.fills.map(({ qty }) => qty))
  const open = `${remainingText({ qty: history.asked.request.qty, filledQty })} still open, ${queueText(history, left)}`
  return [isOpen(left.status) ? `the run ended: ${open}` : `cancelled: ${open}`]
}

export interface OrderExplanation {
  readonly verdict: string
  /** Facts in time order. */
  readonly facts: readonly OrderFact[]
}

/**
 * @param lines  the whole journal; read three times
 * @param name   the order's id, `ref:N` for a refused request, or `wN` for a conditional order
 * @throws {InputError} if there is no such order, naming similar ones, if the journal is incomplete, or if it has no
 * answer and no end
 */
export function orderExplanation(lines: Iterable<JournalLine>, name: string): OrderExplanation {
  if (WAIT_ID.test(name)) return conditionalExplanation(lines, name)
  const history = orderHistory(lines, name)
  return { verdict: orderVerdict(history), facts: orderFacts(history) }
}

const WIDTH = 80

/** The explanation as plain text in lines of at most 80 columns, without a final newline. Times are virtual, in UTC. */
export function explanationText({ verdict, facts }: OrderExplanation): string {
  // Tags, requests and reasons contain text of the strategy: escape control characters.
  const reported = facts.flatMap(({ time, text }) => hangingLines(`${isoTime(time)}  `, printable(text), WIDTH))
  return [...hangingLines('', printable(verdict), WIDTH, 2), '', ...reported].join('\n')
}
