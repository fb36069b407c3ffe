/**
 * Intents as a trader says them: `BUY 1 at 99.5`, `SELL 2 at market`, `cancel 7`.
 */
import { toDecimal, type DecimalInput } from '../../domain/decimal.ts'
import type { Intent } from '../../strategy/intent.ts'
import type { TargetIntent } from '../../strategy/target-intent.ts'

/**
 * The text of an intent; an order with a tag has it in brackets.
 *
 * @param isOneMarket  true to leave out its symbol
 */
export function intentText(intent: Intent, isOneMarket = false): string {
  switch (intent.type) {
    case 'limit':
    case 'market': {
      const market = isOneMarket ? '' : ` ${intent.symbol}`
      const price = intent.type === 'limit' ? amount(intent.price) : 'market'
      return `${intent.side} ${amount(intent.qty)}${market} at ${price}${tagText(intent.tag)}`
    }
    case 'cancel':
      return `cancel ${intent.orderId}`
    case 'cancel-all':
      return intent.symbol === undefined || isOneMarket ? 'cancel all' : `cancel all ${intent.symbol}`
    case 'target':
      return targetText(intent, isOneMarket)
    case 'rebalance':
      return `rebalance ${Object.entries(intent.shares)
        .map(([asset, share]) => `${asset} ${amount(share)}`)
        .join(', ')}${tagText(intent.tag)}`
    case 'replace':
      return `replace ${intent.orderId}${valueText('at', intent.price)}${valueText('qty', intent.qty)}`
    default:
      // One that has no words here: a strategy in JavaScript emits what it likes.
      return JSON.stringify(intent)
  }
}

function targetText({ symbol, share, qty, price, tag }: TargetIntent, isOneMarket: boolean): string {
  const size = share === undefined ? valueText('qty', qty) : ` ${amount(share)}`
  return `target${isOneMarket ? '' : ` ${symbol}`}${size}${valueText('at', price)}${tagText(tag)}`
}

const valueText = (name: string, value: DecimalInput | undefined): string =>
  value === undefined ? '' : ` ${name} ${amount(value)}`

const tagText = (tag: string | undefined): string => (tag === undefined ? '' : ` [${tag}]`)

/** As it is, without zeros behind; a text that is no number stays. */
function amount(value: DecimalInput): string {
  try {
    return toDecimal(value).toFixed()
  } catch {
    return String(value)
  }
}
