/** Orders of a journal according to its lines so far: restores what `ReportedOrders` omitted. */
import { InputError, type Place } from '../../domain/errors.ts'
import { formatTrimmed, parseUnits } from '../../domain/fixed-point.ts'
import { averagePrice, isOpen, SIDES, type OrderStatus } from '../../domain/order.ts'
import type { JournalLine, LineOf } from './journal-line.ts'
import { statusOf } from './reported-orders.ts'
import type { Written } from './written-line.ts'

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

export class ReadOrders {
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
    const told = isWhole ? { status, filledQty, average } : { ...this.#asFilled(where, known), ...change }
    const averageText = average === undefined ? told.average : average
    known.last = {
      id,
      symbol,
      side,
      type,
      status: told.status,
      ...(price !== undefined && { price }),
      qty,
      filledQty: told.filledQty,
      ...(averageText !== null && { averagePrice: averageText }),
      createdAt,
    }
    known.isCancelled = told.status === 'CANCELLED'
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
