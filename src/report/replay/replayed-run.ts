/**
 * Random access to any moment of a finished run: snapshots, and the journal lines between them.
 *
 * Invariant: a moment depends only on its number, not on the moment shown before. Known limit: all lines of the journal
 * are in memory.
 */
import { firstIndex } from '../../domain/first-index.ts'
import type { JournalLine, LineOf } from '../../runtime/journal/journal-line.ts'
import { paramsText } from '../../runtime/strategies/params.ts'
import { strategyStateText } from '../strategy-state-text.ts'

type Order = LineOf<'order'>['order']
type Fill = LineOf<'fill'>['fill']

interface FillWindow {
  /** Unix milliseconds of the first. */
  readonly since: number
  /** Only the last so many. */
  readonly most: number
}

/** Last reported state of a resting order. */
export interface ReplayedOrder {
  readonly id: string
  readonly symbol: string
  readonly side: string
  /** Decimal strings; no price for a market order. */
  readonly price: string | undefined
  readonly qty: string
  readonly filledQty: string
  /** Quantity of others ahead of it when it started to rest; undefined if not recorded. */
  readonly crowdAhead: string | undefined
  /** When that was, in Unix milliseconds. */
  readonly restedAt: number | undefined
}

export interface ReplayedMoment {
  /** Event number, from 0. */
  readonly at: number
  /** Unix milliseconds. */
  readonly time: number
  /** Decimal strings by asset. */
  readonly balances: Readonly<Record<string, { readonly available: string; readonly locked: string }>>
  /** Oldest first. */
  readonly orders: readonly ReplayedOrder[]
  /** Fills up to and including this event. */
  readonly fills: number
  /** Price of the last fill by symbol, decimal string. */
  readonly lastFills: Readonly<Record<string, string>>
  /** The strategy's own state; undefined if it keeps none. */
  readonly strategyState: string | undefined
}

/** List entry of an event. */
export interface ReplayedEvent {
  readonly at: number
  /** Unix milliseconds. */
  readonly time: number
  readonly type: JournalLine['type']
  readonly words: string
}

type Queue = Pick<ReplayedOrder, 'crowdAhead' | 'restedAt'>

const NO_QUEUE: Queue = { crowdAhead: undefined, restedAt: undefined }

interface State {
  balances: ReplayedMoment['balances']
  readonly orders: Map<string, ReplayedOrder>
  readonly crowdAhead: Map<string, Queue>
  fills: number
  readonly lastFills: Record<string, string>
  strategyState: string | undefined
}

/** Events per snapshot. */
const EACH = 256

export class ReplayedRun {
  readonly #lines: JournalLine[] = []
  readonly #snapshots: State[] = []
  readonly #last = emptyState()
  readonly #fills: number[] = []
  readonly #stops: number[] = []

  constructor(lines: Iterable<JournalLine>) {
    this.append(lines)
  }

  /** Adds the events that a run has written since. */
  append(lines: Iterable<JournalLine>): void {
    for (const line of lines) {
      const at = this.#lines.push(line) - 1
      if (at % EACH === 0) this.#snapshots.push(copyOf(this.#last))
      fold(this.#last, line)
      if (line.type === 'fill') this.#fills.push(at)
      if (line.type === 'fill' || line.type === 'refused') this.#stops.push(at)
    }
  }

  /** Number of events. */
  get length(): number {
    return this.#lines.length
  }

  /** Numbers of the fill events, ascending. */
  get fills(): readonly number[] {
    return this.#fills
  }

  /** Markets of the run, as its first line names them. */
  get markets(): LineOf<'run'>['markets'] {
    const [head] = this.#lines
    return head?.type === 'run' ? head.markets : []
  }

  /** Unix milliseconds of the first and of the last event. */
  get span(): readonly [from: number, to: number] {
    return [this.#lines[0]?.t ?? 0, this.#lines.at(-1)?.t ?? 0]
  }

  /** The fills and refusals nearest to an event, before and after it; undefined if there is none. */
  stopsAround(at: number): { readonly before: number | undefined; readonly after: number | undefined } {
    const stops = this.#stops
    const next = firstIndex(0, stops.length, (index) => (stops[index] ?? 0) > at)
    return { before: stops[stops[next - 1] === at ? next - 2 : next - 1], after: stops[next] }
  }

  /** Fills of a market up to an event, oldest first. */
  fillsOf(symbol: string, at: number, { since, most }: FillWindow): readonly Fill[] {
    const found: Fill[] = []
    for (
      let index = firstIndex(0, this.#fills.length, (each) => (this.#fills[each] ?? 0) > at) - 1;
      index >= 0;
      index -= 1
    ) {
      const line = this.#lines[this.#fills[index] ?? 0]
      if (line?.type !== 'fill' || line.t < since || found.length >= most) break
      if (line.fill.symbol === symbol) found.push(line.fill)
    }
    return found.reverse()
  }

  /** State after an event. @param at  from 0; clamped to the last event */
  moment(at: number): ReplayedMoment {
    const end = Math.min(Math.max(0, at), this.length - 1)
    const first = Math.floor(end / EACH)
    const state = copyOf(this.#snapshots[first] ?? emptyState())
    for (let index = first * EACH; index <= end; index += 1) {
      const line = this.#lines[index]
      if (line !== undefined) fold(state, line)
    }
    const { balances, orders, fills, lastFills, strategyState } = state
    const time = this.#lines[end]?.t ?? 0
    return { at: end, time, balances, orders: [...orders.values()], fills, lastFills, strategyState }
  }

  /** The last event at or before a time; 0 before the first. @param time  Unix milliseconds */
  atTime(time: number): number {
    return Math.max(0, firstIndex(0, this.length, (at) => (this.#lines[at]?.t ?? 0) > time) - 1)
  }

  /** Events as text. @param from  inclusive @param to  exclusive */
  events(from: number, to: number): readonly ReplayedEvent[] {
    const first = Math.max(0, from)
    return this.#lines
      .slice(first, Math.max(first, to))
      .map((line, index) => ({ at: first + index, time: line.t, type: line.type, words: wordsOf(line) }))
  }
}

const emptyState = (): State => ({
  balances: {},
  orders: new Map(),
  crowdAhead: new Map(),
  fills: 0,
  lastFills: {},
  strategyState: undefined,
})

const copyOf = ({ balances, orders, crowdAhead, fills, lastFills, strategyState }: State): State => ({
  balances,
  fills,
  strategyState,
  orders: new Map(orders),
  crowdAhead: new Map(crowdAhead),
  lastFills: { ...lastFills },
})

/** Replaces objects instead of mutating them, because snapshots share them. */
function fold(state: State, line: JournalLine): void {
  if (line.type === 'balances') state.balances = line.balances
  else if (line.type === 'strategy-state') state.strategyState = strategyStateText(line.value)
  else if (line.type === 'credit' && !Object.hasOwn(state.balances, line.asset)) {
    state.balances = { ...state.balances, [line.asset]: { available: line.amount, locked: '0' } }
  } else if (line.type === 'rested')
    state.crowdAhead.set(line.orderId, { crowdAhead: line.crowdAhead, restedAt: line.t })
  else if (line.type === 'fill') {
    state.fills += 1
    state.lastFills[line.fill.symbol] = line.fill.price
  } else if ('order' in line) follow(state, line.order)
}

function follow({ orders, crowdAhead }: State, { id, symbol, side, status, price, qty, filledQty }: Order): void {
  if (status === 'OPEN' || status === 'PARTIALLY_FILLED') {
    orders.set(id, { id, symbol, side, price, qty, filledQty, ...(crowdAhead.get(id) ?? NO_QUEUE) })
    return
  }
  orders.delete(id)
  crowdAhead.delete(id)
}

function wordsOf(line: JournalLine): string {
  if (line.type === 'place') {
    const { side, qty, symbol, price } = line.request
    return `${side} ${qty} ${symbol} ${price === undefined ? 'at market' : `at ${price}`}`
  }
  if (line.type === 'fill') {
    const { side, qty, symbol, price, orderId } = line.fill
    return `${side} ${qty} ${symbol} at ${price}, order ${orderId}`
  }
  if ('order' in line) return `order ${line.order.id} is ${line.order.status}, ${line.order.filledQty} filled`
  if (line.type === 'refused') return `${line.code}: ${line.message}`
  if (line.type === 'credit' || line.type === 'transfer') return `${line.amount} ${line.asset}`
  if (line.type === 'balances') return balancesText(line.balances)
  if (line.type === 'strategy-state') return strategyStateText(line.value)
  if (line.type === 'params') return paramsText(line.changed)
  return marketText(line)
}

/** Events of the simulated market. */
function marketText(line: JournalLine): string {
  if (line.type === 'rested') return `order ${line.orderId} rests with ${line.crowdAhead} ahead of it`
  if (line.type === 'met') {
    const what = line.by === 'book' ? 'book level' : 'recorded trade'
    return `${what} of ${line.qty} at ${line.price} reaches order ${line.orderId}`
  }
  if (line.type === 'met-own') return `order ${line.takerId} trades against your own order ${line.orderId}`
  if (line.type === 'left') return `order ${line.orderId} leaves the book: ${line.status}`
  return 'orderId' in line ? `order ${line.orderId}` : ''
}

const balancesText = (balances: LineOf<'balances'>['balances']): string =>
  Object.entries(balances)
    .map(
      ([asset, { available, locked }]) => `${available} ${asset}${/[1-9]/.test(locked) ? ` (${locked} locked)` : ''}`,
    )
    .join(', ')
