/**
 * Explanation of a conditional order, which waited in the session.
 */
import { InputError } from '../../domain/errors.ts'
import type { JournalLine, LineOf } from '../../runtime/journal/journal-line.ts'
import type { OrderFact } from './order-fact.ts'
import { groupExplanation } from './group-explanation.ts'
import { conditionalHistory, type ConditionalHistory } from './conditional-history.ts'

/** Ids of waiting orders. */
export const WAIT_ID = /^w[0-9]{1,15}$/

const MAX_NEARBY = 3

/** One line of what became of it, and the facts in time order. */
export interface ConditionalExplanation {
  readonly verdict: string
  readonly facts: readonly OrderFact[]
}

/**
 * @param lines  of the whole journal
 * @throws {InputError} when there is no such order, naming some that are there
 */
export function conditionalExplanation(lines: Iterable<JournalLine>, id: string): ConditionalExplanation {
  const whole = [...lines]
  const all = whole.filter(isAboutWaiting)
  const history = conditionalHistory(all, id)
  const { wait, takenUp, placed } = history
  const isGroup = wait === undefined && all.some((line) => line.type === 'wait' && line.group === id)
  if (wait === undefined && takenUp === undefined && placed.length === 0 && !isGroup) throw missing(id, all)
  if (isGroup || (wait === undefined && (takenUp === undefined || takenUp.id === id))) {
    const { traded, facts } = groupExplanation(whole, id, termsText)
    return { verdict: `${verdictOf(history)}: ${traded}`, facts }
  }
  const endedAt = all.at(-1)?.t ?? 0
  return {
    verdict: verdictOf(history),
    facts: [...waitFacts(history), ...placedFacts(history), ...endFacts(history, endedAt)],
  }
}

/** From waiting to triggered: the facts before the order that it became. */
export function waitFacts({ id, wait, takenUp, triggered }: ConditionalHistory): readonly OrderFact[] {
  return [
    ...(takenUp === undefined ? [] : [{ time: takenUp.t, text: takenUpText(id, takenUp) }]),
    ...(wait === undefined
      ? []
      : [{ time: wait.t, text: `waiting as ${id}${wait.isKept === true ? ' again' : ''}: ${termsText(wait)}` }]),
    ...(triggered === undefined
      ? []
      : [{ time: triggered.t, text: `${id} is triggered at a price of ${triggered.price}` }]),
  ]
}

/** `sent by w1, a stop at 97`, or the bracket it belongs to. */
export function becauseText({ id, wait }: ConditionalHistory): string {
  if (wait === undefined) return `part of bracket ${id}`
  return `sent by ${id}, a ${kindText(wait)}`
}

function takenUpText(id: string, { orders }: LineOf<'taken-up'>): string {
  const own = orders.filter(({ by }) => by === id)
  const had = own.map(({ orderId }) => (orderId === undefined ? 'an order without an answer' : `order ${orderId}`))
  return `resumed from an earlier session (see its journal)${had.length === 0 ? '' : `, with ${had.join(', ')}`}`
}

function verdictOf({ wait, takenUp, triggered, over, placed, id }: ConditionalHistory): string {
  if (wait === undefined && takenUp !== undefined) {
    if (over !== undefined) return `triggered in an earlier session: ${over.why}`
    return takenUp.id === id ? `${id} is a bracket of an earlier session` : 'triggered in an earlier session'
  }
  if (wait === undefined) return `${id} is a bracket of ${placed.length} order${placed.length === 1 ? '' : 's'}`
  if (over === undefined)
    return triggered === undefined
      ? 'still waiting: the price never reached it'
      : 'triggered, and unfinished when the run ended'
  const reasons = {
    done: `triggered at ${triggered?.price ?? '?'}`,
    cancelled: 'cancelled by the strategy before the price reached it',
    expired: 'expired before the price reached it',
    ended: 'cancelled at the end of the session',
    excluded: 'cancelled because another order of its group closed the position',
    closed: 'cancelled because the position it protected was closed in another way',
    refused: `triggered at ${triggered?.price ?? '?'}, and its order was refused`,
  }
  return reasons[over.why]
}

const placedFacts = ({ placed }: ConditionalHistory): readonly OrderFact[] =>
  placed.map(({ t, ref, request: { side, qty, type, price = '' } }) => {
    const at = type === 'MARKET' ? 'at market' : `at ${price}`
    return { time: t, text: `order to ${side === 'BUY' ? 'buy' : 'sell'} ${qty} ${at} (ref:${ref})` }
  })

function endFacts({ over }: ConditionalHistory, endedAt: number): readonly OrderFact[] {
  return over === undefined ? [{ time: endedAt, text: 'the run ended' }] : [{ time: over.t, text: over.why }]
}

function termsText(wait: LineOf<'wait'>): string {
  const { side, qty, symbol, limit, group, at, tag } = wait
  const what = qty ?? 'the whole position in'
  const parts = [
    `${kindText(wait)}, ${side === 'BUY' ? 'buy' : 'sell'} ${what} ${symbol}`,
    ...(limit === undefined ? [] : [`at ${limit}`]),
    ...(at === undefined ? [] : [`active from ${at}`]),
    ...(group === undefined ? [] : [`of ${group}`]),
  ]
  return `${parts.join(' ')}${tag === undefined ? '' : `, tag ${tag}`}`
}

function kindText({ kind, price, distance, percent }: LineOf<'wait'>): string {
  const words = { stop: 'stop', 'trailing-stop': 'trailing stop', 'take-profit': 'take profit' }[kind]
  if (distance !== undefined) return `${words} ${distance} from the best price`
  if (percent !== undefined) return `${words} ${percent} % from the best price`
  return `${words} at ${price ?? '?'}`
}

const isAboutWaiting = (line: JournalLine): boolean =>
  ['wait', 'taken-up', 'triggered', 'wait-over', 'end'].includes(line.type) ||
  (line.type === 'place' && line.by !== undefined)

function missing(id: string, lines: readonly JournalLine[]): InputError {
  const ids = lines.flatMap((line) => (line.type === 'wait' ? [line.id] : [])).slice(0, MAX_NEARBY)
  const known = ids.length === 0 ? 'this run had no waiting orders' : `known: ${ids.join(', ')}`
  return new InputError(`waiting order '${id}'`, `the run has no such order; ${known}`)
}
