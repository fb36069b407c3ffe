/** Explanation of a conditional order, which waited in the session. */
import { type Decimal, toDecimal } from '../../domain/decimal.ts'
import { InputError } from '../../domain/errors.ts'
import type { JournalLine, LineOf } from '../../runtime/journal/journal-line.ts'
import { conditionalHistory, type ConditionalHistory } from './conditional-history.ts'
import { broken, type OrderFact } from './order-text.ts'

/**
 * The explanation of a bracket or group: entry, stop, target, trigger, cancels and exits, in the order of the journal.
 */
interface GroupExplanation {
  /** `bought 2, sold 1`. */
  readonly traded: string
  readonly facts: readonly OrderFact[]
}

/** @param waitText  of one that waits */
function groupExplanation(
  lines: Iterable<JournalLine>,
  id: string,
  waitText: (wait: LineOf<'wait'>) => string,
): GroupExplanation {
  const reader = new GroupReader(id, waitText)
  const facts = [...lines].flatMap((line) => {
    const text = reader.read(line)
    return text === undefined ? [] : [{ time: line.t, text }]
  })
  return { traded: reader.traded, facts }
}

class GroupReader {
  readonly #id: string
  readonly #waitText: (wait: LineOf<'wait'>) => string
  /** Its own id, and those of its orders that wait. */
  readonly #ids: Set<string>
  readonly #refs = new Set<number>()
  readonly #orders = new Set<string>()
  #entrySide: string | undefined
  #bought: Decimal = toDecimal(0)
  #sold: Decimal = toDecimal(0)

  constructor(id: string, waitText: (wait: LineOf<'wait'>) => string) {
    this.#id = id
    this.#ids = new Set([id])
    this.#waitText = waitText
  }

  get traded(): string {
    const parts = [
      ...(this.#bought.isZero() ? [] : [`bought ${this.#bought.toFixed()}`]),
      ...(this.#sold.isZero() ? [] : [`sold ${this.#sold.toFixed()}`]),
    ]
    return parts.length === 0 ? 'nothing was filled' : parts.join(', ')
  }

  /** Undefined for a line that is not about it. */
  read(line: JournalLine): string | undefined {
    const { type } = line
    if (type === 'wait') return line.group === this.#id ? this.#waits(line) : undefined
    if (type === 'taken-up') return line.id === this.#id ? this.#takenUp(line) : undefined
    if (type === 'triggered' || type === 'wait-over') return this.#ids.has(line.id) ? endText(line) : undefined
    if (type === 'place') return this.#ids.has(line.by ?? '') ? this.#asks(line) : undefined
    if (type === 'cancel') return this.#cancels(line)
    return type === 'end' ? 'the run ended' : this.#answer(line)
  }

  #waits(line: LineOf<'wait'>): string {
    this.#ids.add(line.id)
    return `waiting as ${line.id}${line.isKept === true ? ' again' : ''}: ${this.#waitText(line)}`
  }

  #takenUp({ orders, open }: LineOf<'taken-up'>): string {
    const ids = orders.flatMap(({ orderId }) => orderId ?? [])
    for (const id of ids) this.#orders.add(id)
    const had = ids.length === 0 ? '' : `, with order ${ids.join(', ')}`
    return `resumed from an earlier session (see its journal): ${open} to be closed${had}`
  }

  #asks({ ref, by = '', request: { side, qty, type, price = '' } }: LineOf<'place'>): string {
    this.#refs.add(ref)
    this.#entrySide ??= side
    const who = by !== this.#id ? by : side === this.#entrySide ? 'entry' : 'target'
    const at = type === 'MARKET' ? 'at market' : `at ${price}`
    return `${who}: order to ${side === 'BUY' ? 'buy' : 'sell'} ${qty} ${at} (ref:${ref})`
  }

  #cancels({ ref, orderId, by }: LineOf<'cancel'>): string | undefined {
    if (!this.#orders.has(orderId)) return undefined
    this.#refs.add(ref)
    return `cancel of order ${orderId} requested${by === undefined ? ' by the strategy' : ''}`
  }

  #answer(line: JournalLine): string | undefined {
    if (line.type === 'fill') return this.#filled(line.fill)
    if (line.type === 'order') return this.#changed(line.order)
    if (!('ref' in line) || !this.#refs.has(line.ref)) return undefined
    if (line.type === 'acknowledged' || line.type === 'adopted') {
      this.#orders.add(line.order.id)
      return `ref:${line.ref} is order ${line.order.id}, ${line.order.status}`
    }
    if (line.type === 'refused') return `ref:${line.ref} is refused: ${line.code} (${line.message})`
    if (line.type === 'withdrawn') return `ref:${line.ref} is withdrawn before it was sent: ${line.reason}`
    if (line.type === 'unknown') return `ref:${line.ref} has no answer: ${line.reason}`
    if (line.type === 'absent') return `ref:${line.ref} is assumed not executed`
    return line.type === 'ambiguous' ? `ref:${line.ref} is ambiguous: ${line.reason}` : undefined
  }

  #filled({ orderId, side, qty, price }: LineOf<'fill'>['fill']): string | undefined {
    if (!this.#orders.has(orderId)) return undefined
    if (side === 'BUY') this.#bought = this.#bought.plus(qty)
    else this.#sold = this.#sold.plus(qty)
    return `${side === 'BUY' ? 'bought' : 'sold'} ${qty} at ${price} (order ${orderId})`
  }

  #changed({ id, status, filledQty, qty }: LineOf<'order'>['order']): string | undefined {
    if (!this.#orders.has(id) || status !== 'CANCELLED') return undefined
    return `order ${id} is cancelled, ${filledQty} of ${qty} filled`
  }
}

const endText = (line: LineOf<'triggered'> | LineOf<'wait-over'>): string =>
  line.type === 'triggered'
    ? `${line.id} is triggered at a price of ${line.price}`
    : `${line.id} has ended: ${line.why}`

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
  const last = whole.at(-1)
  const [isEnded, endedAt] = [last?.type === 'end', last?.t ?? 0]
  const cut = isEnded ? [] : [broken(endedAt)]
  if (isGroup || (wait === undefined && (takenUp === undefined || takenUp.id === id))) {
    const { traded, facts } = groupExplanation(whole, id, termsText)
    return { verdict: `${verdictOf(history, isEnded)}: ${traded}`, facts: [...facts, ...cut] }
  }
  return {
    verdict: verdictOf(history, isEnded),
    facts: [...waitFacts(history), ...placedFacts(history), ...endFacts(history, isEnded, endedAt), ...cut],
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

function verdictOf({ wait, takenUp, triggered, over, placed, id }: ConditionalHistory, isEnded: boolean): string {
  if (wait === undefined && takenUp !== undefined) {
    if (over !== undefined) return `triggered in an earlier session: ${over.why}`
    return takenUp.id === id ? `${id} is a bracket of an earlier session` : 'triggered in an earlier session'
  }
  if (wait === undefined) return `${id} is a bracket of ${placed.length} order${placed.length === 1 ? '' : 's'}`
  if (over === undefined)
    return triggered === undefined
      ? `still waiting: the price never reached it${isEnded ? '' : ' before the end of the journal'}`
      : `triggered, and unfinished ${isEnded ? 'when the run ended' : 'at the end of the journal'}`
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

function endFacts({ over }: ConditionalHistory, isEnded: boolean, endedAt: number): readonly OrderFact[] {
  if (over !== undefined) return [{ time: over.t, text: over.why }]
  return isEnded ? [{ time: endedAt, text: 'the run ended' }] : []
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
