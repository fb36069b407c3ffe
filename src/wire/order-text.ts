/**
 * Orders as the JSON text of the specification's form of them, byte by byte and without an object in between: thousands of them are asked for
 * at once.
 *
 * Invariant: to the byte what `JSON.stringify(orderToJson(order, market))` is.
 */
import { formatUnits } from '../domain/fixed-point.ts'
import type { Market } from '../domain/market.ts'
import { averagePrice, ORDER_STATUSES, ORDER_TYPES, SIDES, type Order } from '../domain/order.ts'
import { isoTime } from '../domain/time.ts'

/** Of an order behind its head: the names of its fields, its numbers, its time. */
const MOST_BYTES = 512
/** As much as most orders need, with the comma before them. */
const USUAL_BYTES = 256

const ZERO = 0x30
const POINT = 0x2e
const COMMA = 0x2c
const OPEN = 0x5b
const CLOSE = 0x5d

/** Sorts of orders that share a head: sides, types, statuses. */
const SORTS = SIDES.length * ORDER_TYPES.length * ORDER_STATUSES.length

function sortOf({ side, type, status }: Order): number {
  const ofStatus = ORDER_STATUSES.indexOf(status) * ORDER_TYPES.length + (type === 'LIMIT' ? 0 : 1)
  return ofStatus * SIDES.length + (side === 'BUY' ? 0 : 1)
}

/** What stands between the id of an order and its first number, which is the same for many orders of one account. */
class OrderHeads {
  #userId = ''
  readonly #headsBySymbol = new Map<string, (Buffer | undefined)[]>()

  of(order: Order): Buffer {
    if (order.userId !== this.#userId) {
      this.#headsBySymbol.clear()
      this.#userId = order.userId
    }
    let heads = this.#headsBySymbol.get(order.symbol)
    if (heads === undefined) {
      heads = Array.from<Buffer | undefined>({ length: SORTS })
      this.#headsBySymbol.set(order.symbol, heads)
    }
    return (heads[sortOf(order)] ??= headOf(order))
  }
}

function headOf({ userId, symbol, side, type, status, price }: Order): Buffer {
  const fields = JSON.stringify({ userId, symbol, side, type, status })
  return Buffer.from(`",${fields.slice(1, -1)},"${price === undefined ? 'qty' : 'price'}":"`)
}

const heads = new OrderHeads()

class OrderWriter {
  #bytes: Buffer
  #length = 0

  constructor(bytes: number) {
    this.#bytes = Buffer.allocUnsafe(bytes)
  }

  /** What was written, until something else is. */
  get written(): Buffer {
    return this.#bytes.subarray(0, this.#length)
  }

  clear(): void {
    this.#length = 0
  }

  byte(byte: number): void {
    this.#reserve(1)
    this.#bytes[this.#length] = byte
    this.#length += 1
  }

  order(order: Order, { pricePrecision, qtyPrecision }: Market): void {
    const { price, filledQty } = order
    const head = heads.of(order)
    this.#reserve(MOST_BYTES + head.length)
    this.#ascii('{"id":"')
    this.#units(order.id, 0)
    this.#bytes.set(head, this.#length)
    this.#length += head.length
    if (price !== undefined) {
      this.#units(price, pricePrecision)
      this.#ascii('","qty":"')
    }
    this.#units(order.qty, qtyPrecision)
    this.#ascii('","filledQty":"')
    this.#units(filledQty, qtyPrecision)
    if (filledQty !== 0) {
      this.#ascii('","averagePrice":"')
      this.#ascii(averagePrice(order.filledNotional, filledQty, pricePrecision))
    }
    this.#ascii('","createdAt":"')
    this.#ascii(isoTime(order.createdAt))
    this.#ascii('"}')
  }

  #reserve(bytes: number): void {
    const needed = this.#length + bytes
    if (needed <= this.#bytes.length) return
    const wider = Buffer.allocUnsafe(Math.max(needed, 2 * this.#bytes.length))
    this.#bytes.copy(wider, 0, 0, this.#length)
    this.#bytes = wider
  }

  #ascii(text: string): void {
    const bytes = this.#bytes
    let at = this.#length
    for (let index = 0; index < text.length; index += 1, at += 1) bytes[at] = text.charCodeAt(index)
    this.#length = at
  }

  /** As `formatUnits` writes them. */
  #units(units: number, decimals: number): void {
    if (!Number.isSafeInteger(units) || units < 0) {
      this.#ascii(formatUnits(units, decimals))
      return
    }
    const bytes = this.#bytes
    const end = this.#length + Math.max(digitsOf(units), decimals + 1) + (decimals === 0 ? 0 : 1)
    const point = decimals === 0 ? end : end - decimals - 1
    let rest = units
    for (let at = end - 1; at >= this.#length; at -= 1) {
      if (at === point) {
        bytes[at] = POINT
        continue
      }
      const left = Math.floor(rest / 10)
      bytes[at] = ZERO + (rest - left * 10)
      rest = left
    }
    this.#length = end
  }
}

function digitsOf(integer: number): number {
  let digits = 1
  for (let bound = 10; integer >= bound; bound *= 10) digits += 1
  return digits
}

const ofOne = new OrderWriter(USUAL_BYTES)

export function orderText(order: Order, market: Market): string {
  ofOne.clear()
  ofOne.order(order, market)
  return ofOne.written.toString()
}

/** An array of orders, in UTF-8. */
export function ordersText(orders: readonly Order[], marketOf: (order: Order) => Market): Buffer {
  const writer = new OrderWriter((orders.length + 1) * USUAL_BYTES + MOST_BYTES)
  for (const order of orders) {
    writer.byte(COMMA)
    writer.order(order, marketOf(order))
  }
  if (orders.length === 0) writer.byte(COMMA)
  writer.byte(CLOSE)
  const { written } = writer
  written[0] = OPEN
  return written
}
