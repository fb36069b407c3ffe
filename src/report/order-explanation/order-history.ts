/** One order in a journal: its request, the answer and all later events. */
import { toDecimal } from '../../domain/decimal.ts'
import { InputError } from '../../domain/errors.ts'
import type { Side } from '../../domain/order.ts'
import type { JournalLine, LineOf } from '../../runtime/journal/journal-line.ts'
import { strategyStateText } from '../strategy-state-text.ts'
import { findOrder, orderLabel } from './order-key.ts'
import { conditionalHistory, type ConditionalHistory } from './conditional-history.ts'

export interface HistoryFill {
  /** Unix milliseconds of the match. */
  readonly time: number
  readonly price: string
  readonly qty: string
  /** True if the order was resting. */
  readonly isMaker: boolean
  /** True for a fill that replaces trades which the exchange no longer reports. */
  readonly isInferred: boolean
  readonly isRecovered: boolean
  /** The recorded trade that filled it; undefined for takers and self-trades. */
  readonly met: LineOf<'met'> | undefined
  /** Own order on the other side of a self-trade. */
  readonly partnerId: string | undefined
  /** Sequence number, shared with cancels. */
  readonly position: number
}

export type Answer = LineOf<'acknowledged'> | LineOf<'refused'> | LineOf<'withdrawn'> | LineOf<'unknown'>

/** Resolution of an order whose answer was lost. */
export type SettlementLine = LineOf<'adopted'> | LineOf<'absent'> | LineOf<'ambiguous'>

export interface HistoryCancel {
  /** Unix milliseconds at which the strategy requested it. */
  readonly askedAt: number
  /** Sender of the request, if not the strategy. */
  readonly by: string | undefined
  /** Undefined if the run ended before the answer. */
  readonly answer: Answer | undefined
  readonly position: number
}

export interface OrderRest {
  readonly rested: LineOf<'rested'>
  readonly left: LineOf<'left'>
}

/** Decimal strings: quantity that own orders of each side took from this market. */
type TakenBefore = Readonly<Record<Side, string>>

/**
 * Quantity taken before an order. Models with a ladder remove it from the book and shift the other side.
 *
 * Known limit: the journal does not record how much the book has refilled, so only the last ten minutes count; after
 * that at most a 25th is missing.
 */
const NOTHING_TAKEN: TakenBefore = { BUY: '0', SELL: '0' }

type Taken = LineOf<'fill'>['fill']

const LOOK_BACK_MS = 600_000

/**
 * @param lines    the whole journal
 * @param orderId  an order with taker fills
 */
function takenBefore(lines: Iterable<JournalLine>, orderId: string): TakenBefore {
  const taken: Taken[] = []
  // The line of a self-trade precedes the lines of its fills.
  const ownTradeIds = new Set<string>()
  for (const line of lines) {
    if (line.type === 'met-own') ownTradeIds.add(line.tradeId)
    if (line.type !== 'fill' || line.fill.isMaker || ownTradeIds.has(line.fill.tradeId)) continue
    if (line.fill.orderId === orderId) return sumsBefore(taken, line.fill)
    taken.push(line.fill)
  }
  return NOTHING_TAKEN
}

function sumsBefore(taken: readonly Taken[], { symbol, createdAt }: Taken): TakenBefore {
  const recent = taken.filter((fill) => fill.symbol === symbol && createdAt - fill.createdAt <= LOOK_BACK_MS)
  const sum = (side: Side): string =>
    recent
      .filter((fill) => fill.side === side)
      .reduce((total, { qty }) => total.plus(qty), toDecimal(0))
      .toFixed()
  return { BUY: sum('BUY'), SELL: sum('SELL') }
}

export interface OrderHistory {
  readonly terms: LineOf<'run'>
  readonly asked: LineOf<'place'>
  /** The strategy's own state when it asked; undefined if it keeps none. */
  readonly state: string | undefined
  /** Undefined if the run ended before the answer. */
  readonly answer: Answer | undefined
  /** Resolutions of a lost answer, oldest first. */
  readonly settlements: readonly SettlementLine[]
  /** Last reported state; undefined if the exchange never reported the order. */
  readonly last: LineOf<'order'>['order'] | undefined
  /** Unix milliseconds at which `last` was reported. */
  readonly lastAt: number | undefined
  /** Fills in order of occurrence. */
  readonly fills: readonly HistoryFill[]
  readonly cancels: readonly HistoryCancel[]
  /** Quantity taken before this order; zero for an order without taker fills. */
  readonly takenBefore: TakenBefore
  readonly rested: LineOf<'rested'> | undefined
  /** Undefined for an order that never rested, or still did when its session was killed. */
  readonly rest: OrderRest | undefined
  /** The conditional order that became this one, or the bracket it belongs to; undefined for a plain order. */
  readonly waited: ConditionalHistory | undefined
  /** False for a session that was killed or is still running. */
  readonly isEnded: boolean
  /** Unix milliseconds; of the last line if it has not ended. */
  readonly endedAt: number
}

/**
 * @param lines  the whole journal; read three times, because lines about an order can precede the one that links it to
 * its request
 * @param name   the order's id, or `ref:N`
 * @throws {InputError} if there is no such order, if the journal is incomplete, or if a session that has not ended has
 * no answer to it
 */
export function orderHistory(lines: Iterable<JournalLine>, name: string): OrderHistory {
  const { ref, orderId } = findOrder(lines, name)
  const { own, lastAt } = linesOf(lines, ref, orderId)
  const [terms] = typed(own, 'run')
  const asked = typed(own, 'place').find((line) => line.ref === ref)
  const [end] = typed(own, 'end')
  const [rested] = typed(own, 'rested')
  const [left] = typed(own, 'left')
  const lastOrder = typed(own, 'order').at(-1)
  const answer = answerTo(own, ref)
  const isLeftMissing = end !== undefined && rested !== undefined && left === undefined
  if (terms === undefined || asked === undefined || isLeftMissing)
    throw new InputError(orderLabel(name), 'the journal is incomplete')
  if (end === undefined && answer === undefined) throw new InputError(orderLabel(name), NO_ANSWER)
  return {
    terms,
    asked,
    state: stateOf(own),
    answer,
    settlements: own.filter(isSettlement).filter((line) => line.ref === ref),
    last: lastOrder?.order,
    lastAt: lastOrder?.t,
    fills: fillsOf(own, orderId),
    cancels: cancelsOf(own),
    takenBefore: orderId === undefined ? NOTHING_TAKEN : takenBefore(lines, orderId),
    rested,
    rest: rested === undefined || left === undefined ? undefined : { rested, left },
    waited: asked.by === undefined ? undefined : conditionalHistory(own, asked.by),
    isEnded: end !== undefined,
    endedAt: end?.t ?? lastAt,
  }
}

const NO_ANSWER = 'the journal has no answer to this request: the session was killed or is still running'

function stateOf(own: readonly JournalLine[]): string | undefined {
  const [line] = typed(own, 'strategy-state')
  return line && strategyStateText(line.value)
}

const typed = <Type extends JournalLine['type']>(lines: readonly JournalLine[], type: Type): LineOf<Type>[] =>
  lines.filter((line): line is LineOf<Type> => line.type === type)

interface OwnLines {
  readonly own: readonly JournalLine[]
  /** Unix milliseconds of the last line of the journal. */
  readonly lastAt: number
}

/** Lines about one order, with the start and the end of the run. */
function linesOf(lines: Iterable<JournalLine>, ref: number, orderId: string | undefined): OwnLines {
  const own: JournalLine[] = []
  const refs = new Set([ref])
  let state: LineOf<'strategy-state'> | undefined
  let lastAt = 0
  for (const line of lines) {
    lastAt = line.t
    if (line.type === 'strategy-state') state = line
    // The state at the time of the request.
    if (line.type === 'place' && line.ref === ref && state !== undefined) own.push(state)
    if (line.type === 'cancel' && line.orderId === orderId) refs.add(line.ref)
    // Which conditional order it came from is only known later.
    if (isOfWaiting(line) || isAbout(line, refs, orderId)) own.push(line)
  }
  return { own, lastAt }
}

type WaitingLine = LineOf<'wait'> | LineOf<'taken-up'> | LineOf<'triggered'> | LineOf<'wait-over'>

const isOfWaiting = (line: JournalLine): line is WaitingLine =>
  line.type === 'wait' || line.type === 'taken-up' || line.type === 'triggered' || line.type === 'wait-over'

function isAbout(
  line: Exclude<JournalLine, WaitingLine>,
  refs: ReadonlySet<number>,
  orderId: string | undefined,
): boolean {
  if ('ref' in line) return refs.has(line.ref)
  if ('orderId' in line) return line.orderId === orderId || ('takerId' in line && line.takerId === orderId)
  switch (line.type) {
    case 'run':
    case 'end':
      return true
    case 'order':
    case 'taken-over':
      return line.order.id === orderId
    case 'fill':
      return line.fill.orderId === orderId
    case 'credit':
    case 'transfer':
    case 'balances':
    case 'strategy-state':
    case 'params':
      return false
  }
}

const answerTo = (lines: readonly JournalLine[], ref: number): Answer | undefined =>
  lines.find((line): line is Answer => isAnswer(line) && line.ref === ref)

const isSettlement = (line: JournalLine): line is SettlementLine =>
  line.type === 'adopted' || line.type === 'absent' || line.type === 'ambiguous'

const isAnswer = (line: JournalLine): line is Answer =>
  ['acknowledged', 'refused', 'withdrawn', 'unknown'].includes(line.type)

const cancelsOf = (own: readonly JournalLine[]): readonly HistoryCancel[] =>
  own.flatMap((line, position) =>
    line.type === 'cancel' ? [{ askedAt: line.t, by: line.by, answer: answerTo(own, line.ref), position }] : [],
  )

function fillsOf(own: readonly JournalLine[], orderId: string | undefined): readonly HistoryFill[] {
  const causes = new Map<string, { readonly line: LineOf<'met'> | LineOf<'met-own'>; readonly position: number }>()
  own.forEach((line, position) => {
    if (line.type === 'met' || line.type === 'met-own') causes.set(line.tradeId, { line, position })
  })
  return own.flatMap((line, reported) => {
    if (line.type !== 'fill') return []
    const { tradeId, price, qty, isMaker, isInferred = false, isRecovered = false, createdAt: time } = line.fill
    const cause = causes.get(tradeId)
    const met = cause?.line.type === 'met' ? cause.line : undefined
    const partnerId = cause?.line.type === 'met-own' ? partnerOf(cause.line, orderId) : undefined
    // The cause is logged when it happens, the fill when the strategy receives it.
    return [
      { time, price, qty, isMaker, isInferred, isRecovered, met, partnerId, position: cause?.position ?? reported },
    ]
  })
}

const partnerOf = ({ orderId, takerId }: LineOf<'met-own'>, ownId: string | undefined): string =>
  orderId === ownId ? takerId : orderId
