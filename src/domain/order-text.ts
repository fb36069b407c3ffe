/**
 * An order as the JSON text of the specification's form of it, without an object in between.
 *
 * Invariant: to the byte what `JSON.stringify(orderToJson(order, market))` is.
 */
import { formatUnits } from './fixed-point.ts'
import type { Market } from './market.ts'
import { averagePrice, type Order } from './order.ts'
import { isoTime } from './time.ts'

/** Needs no escape in JSON. */
const PLAIN = /^[\w .@-]*$/

/** Puts a text into quotes; it is often the same again. */
function quoting(): (text: string) => string {
  let last = ''
  let quoted = '""'
  return (text) => {
    if (text === last) return quoted
    last = text
    quoted = PLAIN.test(text) ? `"${text}"` : JSON.stringify(text)
    return quoted
  }
}

const quotedUser = quoting()
const quotedSymbol = quoting()

export function orderText(order: Order, { pricePrecision, qtyPrecision }: Market): string {
  const { id, side, type, status, price, qty, filledQty } = order
  const limit = price === undefined ? '' : `"price":"${formatUnits(price, pricePrecision)}",`
  const average =
    filledQty === 0 ? '' : `"averagePrice":"${averagePrice(order.filledNotional, filledQty, pricePrecision)}",`
  return (
    `{"id":"${id}","userId":${quotedUser(order.userId)},"symbol":${quotedSymbol(order.symbol)},` +
    `"side":"${side}","type":"${type}","status":"${status}",${limit}"qty":"${formatUnits(qty, qtyPrecision)}",` +
    `"filledQty":"${formatUnits(filledQty, qtyPrecision)}",${average}"createdAt":"${isoTime(order.createdAt)}"}`
  )
}
