/**
 * One pass over a journal: how long orders rested and at which price, and the lines that explain the first orders.
 *
 * Invariant: the stored lines explain an order exactly as the whole journal does, and the lines of a journal that are
 * skipped unparsed have no part in the facts.
 */
import { toDecimal } from '../../domain/decimal.ts'
import { isOpen } from '../../domain/order.ts'
import type { JournalLine, LineOf } from '../../runtime/journal/journal-line.ts'
import { JournalReader } from '../../runtime/journal/journal-reader.ts'
import type { Written } from '../../runtime/journal/written-line.ts'
import type { RestBand } from './page-data.ts'

type Order = LineOf<'order'>['order']
type Fill = LineOf<'fill'>['fill']
type Request = LineOf<'place'>['request']
type Traded = Pick<Fill, 'symbol' | 'side'>

/** Time window before a fill in which earlier taker fills count as its cause. */
const LOOK_BACK_MS = 600_000

export interface JournalFacts {
  /** Rests by symbol, in the order in which they ended. */
  readonly rests: ReadonlyMap<string, readonly RestBand[]>
  /** Lines by order key, in journal order. The key is the order id, or `ref:N` for a refused order. */
  readonly explanations: ReadonlyMap<string, readonly JournalLine[]>
  /** True if some orders have no lines here. */
  readonly isCut: boolean
}

/** A line and its number in the journal. */
interface NumberedLine {
  readonly at: number
  readonly line: JournalLine
}

/** An order whose lines are stored. */
interface Reported {
  readonly lines: NumberedLine[]
  /** Id of the conditional order that triggered this order. */
  readonly by: string | undefined
  orderId: string | undefined
  /** True once the earlier taker fills are added to `lines`. */
  hasTaken: boolean
}

/** @param maxExplanations  limit of orders with stored lines, first come, first served */
export function journalFacts(lines: Iterable<JournalLine>, maxExplanations: number): JournalFacts {
  const reader = new FactsReader(maxExplanations)
  for (const line of lines) reader.read(line)
  return reader.finish()
}

/**
 * The same for the texts of the lines of a journal that is as this version of papertape wrote it: most lines about
 * orders beyond the limit are not parsed.
 */
export function ownJournalFacts(where: string, texts: Iterable<string>, maxExplanations: number): JournalFacts {
  const [reader, journal] = [new FactsReader(maxExplanations), new JournalReader(true)]
  for (const text of texts) {
    if (reader.skips(text)) continue
    const line = journal.read(where, text)
    if (line !== undefined) reader.read(line)
  }
  return reader.finish()
}

const TYPE = '"type":"'
const REF = '","ref":'
const ORDER_ID = '","orderId":"'

/** The value after a text at a place; undefined if another text is there. */
function valueAfter(line: string, name: string, at: number, end: string): string | undefined {
  const from = at + name.length
  return line.startsWith(name, at) ? line.slice(from, line.indexOf(end, from)) : undefined
}

const timeOf = (line: string): number => Number(valueAfter(line, '{"t":', 0, ','))

class FactsReader {
  readonly #most: number
  readonly #rests = new Map<string, RestBand[]>()
  readonly #resting = new Map<string, number>()
  readonly #ordersById = new Map<string, Pick<Order, 'symbol' | 'side' | 'price'>>()
  /** Lines that every explanation includes: start and end of the run, and orders left by an earlier session. */
  readonly #shared: NumberedLine[] = []
  /** Lines of conditional orders, by their id. */
  readonly #waits = new Map<string, NumberedLine[]>()
  readonly #reportedByRef = new Map<number, Reported>()
  readonly #reportedById = new Map<string, Reported>()
  readonly #places = new Map<number, Reported>()
  /** Orders without stored lines, by their id; what they trade, while their fills may be the cause of others. */
  readonly #others = new Map<string, Traded | undefined>()
  /** Unanswered requests about them by their reference; undefined for a cancel. Only if lines are skipped. */
  readonly #unexplained = new Map<number, Request | undefined>()
  /** Orders with stored lines that may take from the market yet. */
  readonly #takers = new Set<Reported>()
  /** One object of each market and side. */
  readonly #traded = new Map<string, Traded>()
  /** Lines of orders that are not acknowledged yet, by order id. */
  readonly #early = new Map<string, NumberedLine[]>()
  readonly #takings: Fill[] = []
  readonly #ownTrades = new Set<string>()
  #isCut = false
  #at = 0
  /** The strategy's own state by now. */
  #state: NumberedLine | undefined

  constructor(most: number) {
    this.#most = most
  }

  /** Whether a line need not be parsed. Most that need not be are about an order without stored lines. */
  skips(text: string): boolean {
    const from = text.indexOf(TYPE) + TYPE.length
    const to = text.indexOf('"', from)
    const type = text.slice(from, to)
    if (type === 'balances') return true
    if (this.#places.size < this.#most) return false
    if (type === 'place') return this.#skipPlace(text)
    if (type === 'strategy-state') return true
    const ref = valueAfter(text, REF, to, ',')
    if (ref !== undefined) return this.#skipsOfRequest(type, Number(ref), text)
    const id = valueAfter(text, ORDER_ID, to, '"')
    if (id === undefined || !this.#others.has(id)) return false
    if (type === 'rested') this.#resting.set(id, timeOf(text))
    else if (type === 'left') this.#endRest({ orderId: id, t: timeOf(text) })
    else if (type === 'fill') this.#skipFill(text, this.#others.get(id))
    return type !== 'met-own'
  }

  #skipPlace(text: string): boolean {
    this.#isCut = true
    const { ref, request } = JSON.parse(text) as LineOf<'place'>
    this.#unexplained.set(ref, request)
    return true
  }

  #skipsOfRequest(type: string, ref: number, text: string): boolean {
    if (type === 'cancel') {
      const { orderId } = JSON.parse(text) as LineOf<'cancel'>
      if (!this.#others.has(orderId)) return false
      this.#unexplained.set(ref, undefined)
      return true
    }
    const request = this.#unexplained.get(ref)
    if (request === undefined) return this.#unexplained.delete(ref)
    this.#unexplained.delete(ref)
    if (type !== 'acknowledged') return true
    const { orderId } = JSON.parse(text) as Written<'acknowledged'>
    // An order of another exchange, which is written whole.
    if (orderId === undefined) return false
    const { symbol, side, price } = request as Pick<Order, 'symbol' | 'side' | 'price'>
    this.#others.set(orderId, this.#takers.size === 0 ? undefined : this.#tradedOf({ symbol, side }))
    this.#early.delete(orderId)
    if (price !== undefined) this.#ordersById.set(orderId, { symbol, side, price })
    return true
  }

  #tradedOf(traded: Traded): Traded {
    const key = `${traded.side} ${traded.symbol}`
    const one = this.#traded.get(key) ?? traded
    this.#traded.set(key, one)
    return one
  }

  #skipFill(text: string, traded: Traded | undefined): void {
    if (traded === undefined || this.#takers.size === 0 || text.includes('"isMaker":true')) return
    const { t, type, fee = '0', isMaker = false, createdAt = t, ...fill } = JSON.parse(text) as Written<'fill'>
    this.#readTaking({ t, type, fill: { ...fill, ...traded, fee, isMaker, createdAt } })
  }

  read(line: JournalLine): void {
    this.#at += 1
    this.#readRest(line)
    this.#readTaking(line)
    if (line.type === 'run' || line.type === 'end' || line.type === 'taken-up') this.#shared.push(this.#numbered(line))
    else if (line.type === 'wait' || line.type === 'triggered' || line.type === 'wait-over') {
      const waits = this.#waits.get(line.id) ?? []
      this.#waits.set(line.id, waits)
      waits.push(this.#numbered(line))
    } else if (line.type === 'strategy-state') this.#state = this.#numbered(line)
    else if (line.type === 'place') this.#place(line)
    else if (line.type === 'cancel') this.#cancel(line)
    else this.#buffer(line)
  }

  finish(): JournalFacts {
    const explanations = Array.from(this.#places, ([ref, reported]) => {
      const waits = reported.by === undefined ? [] : (this.#waits.get(reported.by) ?? [])
      const lines = [...this.#shared, ...waits, ...reported.lines].sort((a, b) => a.at - b.at)
      return [reported.orderId ?? `ref:${ref}`, lines.map(({ line }) => line)] as const
    })
    return { rests: this.#rests, explanations: new Map(explanations), isCut: this.#isCut }
  }

  #numbered(line: JournalLine): NumberedLine {
    return { at: this.#at, line }
  }

  #place(line: LineOf<'place'>): void {
    if (this.#places.size >= this.#most) {
      this.#isCut = true
      return
    }
    const state = this.#state === undefined ? [] : [this.#state]
    const reported: Reported = {
      lines: [...state, this.#numbered(line)],
      by: line.by,
      orderId: undefined,
      hasTaken: false,
    }
    this.#places.set(line.ref, reported)
    this.#takers.add(reported)
    this.#reportedByRef.set(line.ref, reported)
  }

  #cancel(line: LineOf<'cancel'>): void {
    const reported = this.#reportedById.get(line.orderId)
    if (reported === undefined) return
    reported.lines.push(this.#numbered(line))
    this.#reportedByRef.set(line.ref, reported)
  }

  /** Buffers lines of unknown order ids: the exchange can fill an order before its acknowledgement arrives. */
  #buffer(line: JournalLine): void {
    if ('ref' in line) {
      if (line.type === 'acknowledged' || line.type === 'adopted') this.#connect(line)
      this.#reportedByRef.get(line.ref)?.lines.push(this.#numbered(line))
      return
    }
    for (const id of new Set(orderIdsOf(line))) {
      const reported = this.#reportedById.get(id)
      if (reported !== undefined && line.type === 'order' && !isOpen(line.order.status)) this.#takers.delete(reported)
      if (reported !== undefined) reported.lines.push(this.#numbered(line))
      else if (!this.#others.has(id)) this.#earlyOf(id).push(this.#numbered(line))
    }
  }

  #connect({ ref, order: { id } }: LineOf<'acknowledged'> | LineOf<'adopted'>): void {
    const reported = this.#reportedByRef.get(ref)
    if (reported === undefined) this.#others.set(id, undefined)
    else if (reported.orderId === undefined) {
      reported.orderId = id
      this.#reportedById.set(id, reported)
      reported.lines.push(...this.#earlyOf(id))
    }
    this.#early.delete(id)
  }

  #earlyOf(id: string): NumberedLine[] {
    const early = this.#early.get(id) ?? []
    this.#early.set(id, early)
    return early
  }

  /** Adds one line per side that sums up the taker fills before this one; explanations use only the sums. */
  #readTaking(line: JournalLine): void {
    if (line.type === 'met-own') this.#ownTrades.add(line.tradeId)
    if (line.type !== 'fill' || line.fill.isMaker || this.#ownTrades.has(line.fill.tradeId)) return
    const reported = this.#reportedById.get(line.fill.orderId)
    const { symbol, createdAt } = line.fill
    while ((this.#takings[0]?.createdAt ?? Infinity) < createdAt - LOOK_BACK_MS) this.#takings.shift()
    if (reported !== undefined && !reported.hasTaken) {
      reported.hasTaken = true
      this.#takers.delete(reported)
      for (const side of ['BUY', 'SELL'] as const) {
        const before = this.#takings.filter((fill) => fill.symbol === symbol && fill.side === side)
        const [last] = before.slice(-1)
        if (last === undefined) continue
        const qty = before.reduce((sum, fill) => sum.plus(fill.qty), toDecimal(0)).toFixed()
        reported.lines.push(this.#numbered({ ...line, fill: { ...last, qty, orderId: '' } }))
      }
    }
    this.#takings.push(line.fill)
  }

  #readRest(line: JournalLine): void {
    if (line.type === 'acknowledged' || line.type === 'adopted' || line.type === 'taken-over') {
      this.#ordersById.set(line.order.id, line.order)
    } else if (line.type === 'rested') this.#resting.set(line.orderId, line.t)
    else if (line.type === 'left') this.#endRest(line)
  }

  #endRest({ orderId, t }: Pick<LineOf<'left'>, 'orderId' | 't'>): void {
    const [order, from] = [this.#ordersById.get(orderId), this.#resting.get(orderId)]
    this.#resting.delete(orderId)
    this.#ordersById.delete(orderId)
    if (order?.price === undefined || from === undefined) return
    const bands = this.#rests.get(order.symbol) ?? []
    this.#rests.set(order.symbol, bands)
    bands.push({ from, to: t, side: order.side, price: Number(order.price), order: orderId })
  }
}

function orderIdsOf(line: JournalLine): readonly string[] {
  if ('order' in line) return [line.order.id]
  if ('fill' in line) return [line.fill.orderId]
  if (line.type === 'met-own') return [line.orderId, line.takerId]
  return 'orderId' in line ? [line.orderId] : []
}
