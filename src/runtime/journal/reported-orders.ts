/**
 * Orders as reported in the journal so far, so that a line need not repeat data.
 *
 * Invariant: a reader of the lines (`ReadOrders`) knows the same state of an order as this class, and drops it at the
 * same line, the one with its end.
 */
import { formatTrimmed } from '../../domain/fixed-point.ts'
import { isOpen, type OrderStatus } from '../../domain/order.ts'
import { ExactFill } from '../../strategy/exact-fill.ts'
import { ExactOrder } from '../../strategy/exact-order.ts'
import type { OwnFill, OwnOrder } from '../../strategy/own-order.ts'
import { fillText, orderText, quoted } from './journal-text.ts'

interface ReportedOrder {
  /** Lots and ticks x lots of the reported fills, for an order that the exchange has as integers. */
  lots: number
  notional: bigint
  isCancelled: boolean
}

export class ReportedOrders {
  readonly #ordersById = new Map<string, ReportedOrder>()

  /**
   * Fields of the answer to a placement, after its reference: differences from the request.
   * @param time  at which it is written
   */
  placed(time: number, order: OwnOrder): string {
    const reported = this.#begin(order)
    if (!(order instanceof ExactOrder)) return `"order":${orderText(order)}`
    const { createdAt } = order.exact
    const created = createdAt === time ? '' : `,"createdAt":${createdAt}`
    return `"orderId":"${order.id}"${created}${stateText(order, reported)}`
  }

  /** Fields of the answer to a cancel, which names its order; empty if they were reported. With a leading comma. */
  cancelled(order: OwnOrder): string {
    const reported = this.#ordersById.get(order.id)
    return reported === undefined ? `,"order":${orderText(order)}` : changeText(order, reported)
  }

  /** All fields. */
  whole(order: OwnOrder): string {
    this.#begin(order)
    return `"order":${orderText(order)}`
  }

  /** Fields of a changed order. */
  changed(order: OwnOrder): string {
    const reported = this.#ordersById.get(order.id)
    if (reported === undefined) {
      if (isOpen(order.status)) this.#begin(order)
      return `"order":${orderText(order)}`
    }
    const text = `"orderId":${quoted(order.id)}${changeText(order, reported)}`
    if (!isOpen(order.status)) this.#ordersById.delete(order.id)
    return text
  }

  filled(time: number, fill: OwnFill): string {
    const reported = this.#ordersById.get(fill.orderId)
    if (reported === undefined || !(fill instanceof ExactFill)) return `"fill":${fillText(fill)}`
    const { exact, market, quoteScale } = fill
    const { trade, isMaker, fee } = exact
    reported.lots += trade.qty
    reported.notional += BigInt(trade.price) * BigInt(trade.qty)
    const charged = fee === 0n ? '' : `,"fee":"${formatTrimmed(fee, quoteScale)}"`
    return (
      `"orderId":"${fill.orderId}","tradeId":"${trade.id}","price":"${formatTrimmed(trade.price, market.pricePrecision)}",` +
      `"qty":"${formatTrimmed(trade.qty, market.qtyPrecision)}"${charged}${isMaker ? ',"isMaker":true' : ''}` +
      (trade.createdAt === time ? '' : `,"createdAt":${trade.createdAt}`)
    )
  }

  #begin({ id }: OwnOrder): ReportedOrder {
    const reported = { lots: 0, notional: 0n, isCancelled: false }
    this.#ordersById.set(id, reported)
    return reported
  }
}

/** With a leading comma. */
function changeText(order: OwnOrder, reported: ReportedOrder): string {
  if (order instanceof ExactOrder) return stateText(order, reported)
  const { status, filledQty, averagePrice } = order
  const average = averagePrice === undefined ? 'null' : `"${averagePrice.toFixed()}"`
  return `,"status":"${status}","filledQty":"${filledQty.toFixed()}","averagePrice":${average}`
}

/** Fields that neither the fills nor an answer reported. With a leading comma. */
function stateText(order: ExactOrder, reported: ReportedOrder): string {
  const { status, qty, filledQty, filledNotional } = order.exact
  const isAsFilled = filledQty === reported.lots && filledNotional === reported.notional
  const expected = reported.isCancelled ? 'CANCELLED' : statusOf(reported.lots, qty)
  reported.isCancelled = status === 'CANCELLED'
  const statusText = status === expected ? '' : `,"status":"${status}"`
  if (isAsFilled) return statusText
  const filled = `,"filledQty":"${formatTrimmed(filledQty, order.market.qtyPrecision)}"`
  return `${statusText}${filled},"averagePrice":${filledQty === 0 ? 'null' : `"${order.averageText}"`}`
}

/** Status of an order that was not cancelled. */
export const statusOf = (filledLots: number, lots: number): OrderStatus =>
  filledLots === 0 ? 'OPEN' : filledLots < lots ? 'PARTIALLY_FILLED' : 'FILLED'
