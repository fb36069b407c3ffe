/**
 * Reads the lines of a journal in order, and completes each with the data that it omits because earlier lines have it.
 *
 * Invariant: a journal of the first version, which omitted nothing, reads as before.
 */
import { InputError, type Place } from '../../domain/errors.ts'
import { formatTrimmed, parseUnits } from '../../domain/fixed-point.ts'
import { averagePrice, isOpen, type OrderStatus, SIDES } from '../../domain/order.ts'
import { lineTexts } from '../../store/runs/line-reader.ts'
import {
  type AnyLine,
  jsonOf,
  type JournalLine,
  type LineOf,
  ownWholeLine,
  parsedLine,
  readWholeLine,
} from './journal-line.ts'
import { statusOf } from './reported-orders.ts'
import { defaultsOf, isWrittenType, JOURNAL_VERSION, WRITTEN, type Written } from './written-line.ts'

/**
 * Lines about orders, read again by each iteration.
 * @param bytes  number of bytes to read, which are whole lines; default: all
 * @throws {InputError} naming an invalid line, or the file if it cannot be read
 */
export const journalLines = (path: string, bytes?: number): Iterable<JournalLine> => ({
  [Symbol.iterator]: () => linesOf(path, undefined, bytes),
})

/**
 * The same for a journal whose writer may have been killed in its last line.
 * @param onCut  called for an incomplete last line, which is skipped
 */
export const savedJournalLines = (path: string, onCut: () => void): Iterable<JournalLine> => ({
  [Symbol.iterator]: () => linesOf(path, onCut),
})

/** The same for a complete text. @param where  names it in errors */
export function* journalLinesIn(where: string, text: string): Generator<JournalLine, void, undefined> {
  const journal = new JournalReader()
  let number = 1
  for (let start = 0; start < text.length; number += 1) {
    const end = text.indexOf('\n', start) + 1 || text.length
    const line = journal.read(`${where}:${number}`, text.slice(start, end))
    if (line !== undefined) yield line
    start = end
  }
}

function* linesOf(path: string, onCut?: () => void, bytes?: number): Generator<JournalLine, void, undefined> {
  const journal = new JournalReader()
  let number = 1
  for (const text of lineTexts(path, bytes)) {
    if (onCut !== undefined && isCut(text)) {
      onCut()
      return
    }
    const line = journal.read(`${path}:${number}`, text)
    if (line !== undefined) yield line
    number += 1
  }
}

/** A prefix of an object is not valid JSON, so a last line that is valid lacks at most its line feed. */
function isCut(text: string): boolean {
  if (text.endsWith('\n')) return false
  try {
    JSON.parse(text)
    return false
  } catch {
    return true
  }
}

type WholeOrder = LineOf<'order'>['order']

type Market = LineOf<'run'>['markets'][number]

type Change = Pick<Written<'order'>, 'status' | 'filledQty' | 'averagePrice'>

interface FilledState {
  readonly status: OrderStatus
  readonly filledQty: string
  /** Null for none. */
  readonly average: string | null
}

interface ReadOrder {
  last: WholeOrder
  /** Lots and ticks x lots of the fills. */
  lots: number
  notional: bigint
  isCancelled: boolean
}

/** Orders of a journal according to its lines so far: restores what `ReportedOrders` omitted. */
class ReadOrders {
  readonly #marketsBySymbol = new Map<string, Market>()
  readonly #ordersById = new Map<string, ReadOrder>()
  /** Unanswered placements and cancels by their reference. */
  readonly #placed = new Map<number, LineOf<'place'>['request']>()
  readonly #cancelled = new Map<number, string>()

  /** Call with each complete line. */
  follow(line: JournalLine): void {
    const { type } = line
    if (type === 'place') this.#placed.set(line.ref, line.request)
    else if (type === 'cancel') this.#cancelled.set(line.ref, line.orderId)
    else if (type === 'refused' || type === 'withdrawn') this.#answered(line.ref)
    else if (type === 'run') for (const market of line.markets) this.#marketsBySymbol.set(market.symbol, market)
    else if ('order' in line) this.#followOrder(line)
  }

  #followOrder(line: Extract<JournalLine, { order: WholeOrder }>): void {
    const { type, order } = line
    // A change of an unknown order is its end, like the answer to a cancel of one: no more lines follow.
    const isOver = type === 'order' ? !isOpen(order.status) : type === 'acknowledged' && this.#cancelled.has(line.ref)
    if (!isOver) this.#begin(order)
    if (type === 'acknowledged' || type === 'adopted') this.#answered(line.ref)
  }

  acknowledged(
    where: Place,
    { t, type, ref, orderId, createdAt = t, ...change }: Written<'acknowledged'>,
  ): LineOf<'acknowledged'> {
    const order = orderId === undefined ? undefined : this.#beginAsked(where, ref, orderId, createdAt)
    const known = order ?? this.#known(where, this.#cancelled.get(ref))
    this.#answered(ref)
    return { t, type, ref, order: this.#changed(where, known, change) }
  }

  order(where: Place, { t, type, orderId, ...change }: Written<'order'>): LineOf<'order'> {
    const order = this.#changed(where, this.#known(where, orderId), change)
    if (!isOpen(order.status)) this.#ordersById.delete(orderId)
    return { t, type, order }
  }

  fill(where: Place, line: Written<'fill'>): LineOf<'fill'> {
    const { t, type, orderId, tradeId, price, qty, fee = '0', isMaker = false, createdAt = t } = line
    const known = this.#known(where, orderId)
    const { symbol, side } = known.last
    const { pricePrecision, qtyPrecision } = this.#market(where, symbol)
    const lots = unitsOf(where, qty, qtyPrecision)
    known.lots += lots
    known.notional += BigInt(unitsOf(where, price, pricePrecision)) * BigInt(lots)
    return { t, type, fill: { tradeId, orderId, symbol, side, price, qty, fee, isMaker, createdAt } }
  }

  #answered(ref: number): void {
    this.#placed.delete(ref)
    this.#cancelled.delete(ref)
  }

  #begin(order: WholeOrder): ReadOrder {
    const begun = { last: order, lots: 0, notional: 0n, isCancelled: false }
    this.#ordersById.set(order.id, begun)
    return begun
  }

  #beginAsked(where: Place, ref: number, id: string, createdAt: number): ReadOrder {
    const request = this.#placed.get(ref)
    if (request === undefined) throw new InputError(where, `answers request ${ref}, which no line before it has`)
    const { symbol, type, price } = request
    const side = SIDES.find((each) => each === request.side)
    if (side === undefined) throw new InputError(where, `takes request ${ref}, whose side is '${request.side}'`)
    const { pricePrecision, qtyPrecision } = this.#market(where, symbol)
    const qty = trimmedText(where, request.qty, qtyPrecision)
    const limit = price === undefined ? {} : { price: trimmedText(where, price, pricePrecision) }
    return this.#begin({ id, symbol, side, type, status: 'OPEN', ...limit, qty, filledQty: '0', createdAt })
  }

  #changed(where: Place, known: ReadOrder, change: Change): WholeOrder {
    const { id, symbol, side, type, price, qty, createdAt } = known.last
    const { status, filledQty, averagePrice: average } = change
    const isWhole = status !== undefined && filledQty !== undefined && average !== undefined
    const reported = isWhole ? { status, filledQty, average } : { ...this.#asFilled(where, known), ...change }
    const averageText = average === undefined ? reported.average : average
    known.last = {
      id,
      symbol,
      side,
      type,
      status: reported.status,
      ...(price !== undefined && { price }),
      qty,
      filledQty: reported.filledQty,
      ...(averageText !== null && { averagePrice: averageText }),
      createdAt,
    }
    known.isCancelled = reported.status === 'CANCELLED'
    return known.last
  }

  /** State according to the fills and the answer to a cancel. */
  #asFilled(where: Place, { last, lots, notional, isCancelled }: ReadOrder): FilledState {
    const { pricePrecision, qtyPrecision } = this.#market(where, last.symbol)
    return {
      status: isCancelled ? 'CANCELLED' : statusOf(lots, unitsOf(where, last.qty, qtyPrecision)),
      filledQty: formatTrimmed(lots, qtyPrecision),
      average: lots === 0 ? null : averagePrice(notional, lots, pricePrecision),
    }
  }

  #known(where: Place, id: string | undefined): ReadOrder {
    const known = id === undefined ? undefined : this.#ordersById.get(id)
    if (known === undefined) throw new InputError(where, `refers to an order that no earlier line has`)
    return known
  }

  #market(where: Place, symbol: string): Market {
    const market = this.#marketsBySymbol.get(symbol)
    if (market === undefined)
      throw new InputError(where, `refers to market '${symbol}', which the first line does not have`)
    return market
  }
}

const trimmedText = (where: Place, text: string, decimals: number): string =>
  formatTrimmed(unitsOf(where, text, decimals), decimals)

function unitsOf(where: Place, text: string, decimals: number): number {
  const parsed = parseUnits(text, decimals)
  if (parsed.ok) return parsed.value
  throw new InputError(where, `has the value '${text}', which does not fit the precision of its market`)
}

export class JournalReader {
  readonly #orders = new ReadOrders()
  readonly #heldByAsset: Record<string, { readonly available: string; readonly locked: string }> = {}
  readonly #isOwn: boolean

  /** @param isOwn  true if the lines are as this version of papertape wrote them: then none is checked */
  constructor(isOwn = false) {
    this.#isOwn = isOwn
  }

  /**
   * Undefined for a line that is not about an order or the account.
   * @param where  names the line to the user
   * @throws {InputError} for an invalid line, and for one that refers to something that no earlier line has
   */
  read(where: Place, text: string): JournalLine | undefined {
    const line = this.#isOwn ? (jsonOf(where, text) as AnyLine) : parsedLine(where, text)
    if (isWrittenType(line.type) && !('order' in line) && !('fill' in line)) return this.#read(where, line.type, line)
    const defaults = defaultsOf(line)
    const complete = defaults === undefined ? line : { ...defaults, ...line }
    const whole = this.#isOwn ? ownWholeLine(complete) : readWholeLine(where, complete)
    return whole === undefined ? undefined : this.#follow(where, whole)
  }

  #read(where: Place, type: keyof typeof WRITTEN, line: AnyLine): JournalLine {
    const data = this.#isOwn ? (line as unknown as WrittenLine) : checked(where, type, line)
    switch (data.type) {
      case 'acknowledged':
        return this.#orders.acknowledged(where, data)
      case 'order':
        return this.#orders.order(where, data)
      case 'fill':
        return this.#orders.fill(where, data)
    }
  }

  #follow(where: Place, line: JournalLine): JournalLine {
    if (line.type === 'run') checkVersion(where, line.journal)
    if (line.type !== 'balances') {
      this.#orders.follow(line)
      return line
    }
    Object.assign(this.#heldByAsset, line.balances)
    return { ...line, balances: { ...this.#heldByAsset } }
  }
}

type WrittenLine = Written<keyof typeof WRITTEN>

function checked(where: Place, type: keyof typeof WRITTEN, line: AnyLine): WrittenLine {
  const result = WRITTEN[type].safeParse(line)
  if (result.success) return result.data
  const [issue] = result.error.issues
  throw new InputError(where, `a '${type}' line with ${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'a fault'}`)
}

function checkVersion(where: Place, version = 1): void {
  if (version <= JOURNAL_VERSION) return
  throw new InputError(
    where,
    `a journal of version ${version}, of a later papertape; expected ${JOURNAL_VERSION} at most`,
  )
}
