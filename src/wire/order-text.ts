/**
 * Writes orders as the specification's JSON byte by byte, without intermediate objects, because thousands are requested
 * in one call.
 *
 * Invariant: equal to `JSON.stringify(orderToJson(order, market))` to the byte.
 */
import type { Market } from '../domain/market.ts'
import { averagePrice, ORDER_STATUSES, ORDER_TYPES, SIDES, type Order } from '../domain/order.ts'
import { isoTime } from '../domain/time.ts'
import { TextWriter } from './text-writer.ts'

/** Upper limit of an order after its head: field names, numbers, time. */
const MAX_BYTES = 512
/** Typical size of an order, including the comma after it. */
const USUAL_BYTES = 256

const CLOSE = 0x5d

/** Sorts of orders that share a head: sides, types, statuses. */
const SORTS = SIDES.length * ORDER_TYPES.length * ORDER_STATUSES.length

function sortOf({ side, type, status }: Order): number {
  const ofStatus = ORDER_STATUSES.indexOf(status) * ORDER_TYPES.length + (type === 'LIMIT' ? 0 : 1)
  return ofStatus * SIDES.length + (side === 'BUY' ? 0 : 1)
}

/** Text between the id of an order and its first number, the same for many orders of one account. */
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

function write(writer: TextWriter, order: Order, { pricePrecision, qtyPrecision }: Market): void {
  const { price, filledQty } = order
  const head = heads.of(order)
  writer.reserve(MAX_BYTES + head.length)
  writer.ascii('{"id":"')
  writer.units(order.id, 0)
  writer.bytes(head)
  if (price !== undefined) {
    writer.units(price, pricePrecision)
    writer.ascii('","qty":"')
  }
  writer.units(order.qty, qtyPrecision)
  writer.ascii('","filledQty":"')
  writer.units(filledQty, qtyPrecision)
  if (filledQty !== 0) {
    writer.ascii('","averagePrice":"')
    writer.ascii(averagePrice(order.filledNotional, filledQty, pricePrecision))
  }
  writer.ascii('","createdAt":"')
  writer.ascii(isoTime(order.createdAt))
  writer.ascii('"},')
}

const ofOne = new TextWriter(USUAL_BYTES)

export function orderText(order: Order, market: Market): string {
  ofOne.clear()
  write(ofOne, order, market)
  return ofOne.written.toString('utf8', 0, ofOne.written.length - 1)
}

/** An array of orders, in UTF-8. */
export function ordersText(orders: readonly Order[], marketOf: (order: Order) => Market): Buffer {
  if (orders.length === 0) return Buffer.from('[]')
  const writer = new TextWriter((orders.length + 1) * USUAL_BYTES + MAX_BYTES)
  writer.ascii('[')
  for (const order of orders) write(writer, order, marketOf(order))
  const { written } = writer
  written[written.length - 1] = CLOSE
  return written
}
