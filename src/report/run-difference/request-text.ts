/**
 * A request in words that are the same for every request which asks for the same.
 *
 * Invariant: no id, no time and no tag, which say nothing to a market; `1.50` and `1.5` are one quantity.
 */
import { isDecimalString } from '../../domain/fixed-point.ts'
import type { LineOf } from '../../runtime/journal/journal-line.ts'

export function placementText({ side, qty, symbol, price }: LineOf<'place'>['request']): string {
  const at = price === undefined ? 'at market' : `at ${trimmed(price)}`
  return `${side.toLowerCase()} ${trimmed(qty)} ${symbol} ${at}`
}

/** @param target  words of the request that placed the order; undefined for one that the run did not place */
export const cancelText = (orderId: string, target: string | undefined): string =>
  `cancel ${target ?? `order ${orderId}`}`

/** Number without redundant zeros; other text is unchanged. */
export function trimmed(text: string): string {
  if (!isDecimalString(text)) return text
  const digits = text.replace(/^0+(?=\d)/, '')
  return digits.includes('.') ? digits.replace(/\.?0+$/, '') : digits
}

/** Balances of assets that are held, in the order of their names. */
export function heldText(balances: LineOf<'balances'>['balances']): string {
  return Object.keys(balances)
    .sort()
    .flatMap((asset) => {
      const { available = '0', locked = '0' } = balances[asset] ?? {}
      const [free, bound] = [trimmed(available), trimmed(locked)]
      if (free === '0' && bound === '0') return []
      return bound === '0' ? [`${free} ${asset}`] : [`${free} ${asset} and ${bound} locked`]
    })
    .join(', ')
}
