/**
 * Serialises a strategy's own orders, fills and balances for the journal: JSON with quantities as exact strings without
 * an exponent.
 *
 * Objects with the exchange's integers serialise themselves; other decimals are formatted here.
 */
import { ExactBalance } from '../../strategy/exact-balance.ts'
import { ExactFill } from '../../strategy/exact-fill.ts'
import { ExactOrder } from '../../strategy/exact-order.ts'
import type { OwnBalance, OwnBalances, OwnFill, OwnOrder } from '../../strategy/own-order.ts'

/** Without the tag, which is on the line of the request. */
export function orderText(order: OwnOrder): string {
  if (order instanceof ExactOrder) return order.json
  const { id, symbol, side, type, status, createdAt } = order
  const [price, qty, filledQty] = [order.price?.toFixed(), order.qty.toFixed(), order.filledQty.toFixed()]
  const averagePrice = order.averagePrice?.toFixed()
  return JSON.stringify({ id, symbol, side, type, status, price, qty, filledQty, averagePrice, createdAt })
}

/** Without the tag. */
export function fillText(fill: OwnFill): string {
  if (fill instanceof ExactFill) return fill.json
  const { tradeId, orderId, symbol, side, isMaker, createdAt } = fill
  const [price, qty, fee] = [fill.price.toFixed(), fill.qty.toFixed(), fill.fee.toFixed()]
  const marks = {
    ...(fill.isInferred === true ? { isInferred: true } : {}),
    ...(fill.isRecovered === true ? { isRecovered: true } : {}),
  }
  return JSON.stringify({ tradeId, orderId, symbol, side, price, qty, fee, isMaker, createdAt, ...marks })
}

export function balancesText(balances: OwnBalances): string {
  let text = ''
  for (const [asset, balance] of balances) text += `${text === '' ? '' : ','}"${asset}":${balanceText(balance)}`
  return `{${text}}`
}

export function balanceText(balance: OwnBalance): string {
  if (balance instanceof ExactBalance) return balance.json
  return JSON.stringify({ available: balance.available.toFixed(), locked: balance.locked.toFixed() })
}

const LONGEST_PLAIN = 64

/** Same result as JSON.stringify, but faster for names and numbers. */
export function quoted(text: string): string {
  const { length } = text
  if (length > LONGEST_PLAIN) return JSON.stringify(text)
  for (let at = 0; at < length; at += 1) if (!isPlain(text.charCodeAt(at))) return JSON.stringify(text)
  return `"${text}"`
}

/** Printable ASCII, except the quote and the backslash. */
const isPlain = (code: number): boolean => code >= 0x20 && code < 0x7f && code !== 0x22 && code !== 0x5c
