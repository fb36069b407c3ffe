/** Intents as a trader says them: `BUY 1 at 99.5`, `SELL 2 at market`, `cancel 7`. */
import { toDecimal, type DecimalInput } from '../../domain/decimal.ts'
import type { Intent } from '../../strategy/intent.ts'
import type { PlaceIntent } from '../../strategy/place-intent.ts'
import type { BracketExits, TrailingStopIntent, WaitingIntent } from '../../strategy/waiting-intent.ts'
import type { TargetIntent } from '../../strategy/target-intent.ts'

/**
 * The text of an intent; an order with a tag has it in brackets.
 *
 * @param isOneMarket  true to leave out its symbol
 */
export function intentText(intent: Intent, isOneMarket = false): string {
  switch (intent.type) {
    case 'limit':
    case 'market':
      return placeText(intent, isOneMarket)
    case 'cancel':
      return `cancel ${intent.orderId}`
    case 'cancel-all':
      return cancelAllText(intent.symbol, isOneMarket)
    case 'target':
      return targetText(intent, isOneMarket)
    case 'rebalance':
      return `rebalance ${Object.entries(intent.shares)
        .map(([asset, share]) => `${asset} ${amount(share)}`)
        .join(', ')}${tagText(intent.tag)}`
    case 'replace':
      return `replace ${intent.orderId}${valueText('at', intent.price)}${valueText('qty', intent.qty)}`
    case 'oco':
      return `oco ${intent.orders.map((order) => intentText(order, isOneMarket)).join(' | ')}`
    case 'bracket':
      return `${intentText(intent.entry, isOneMarket)} with ${exitsText(intent.exits)}`
    case 'stop':
    case 'trailing-stop':
    case 'take-profit':
      return waitingText(intent, isOneMarket)
    default:
      // Unknown intent: a strategy in JavaScript may emit anything.
      return JSON.stringify(intent)
  }
}

function placeText(intent: PlaceIntent, isOneMarket: boolean): string {
  const market = isOneMarket ? '' : ` ${intent.symbol}`
  const price = intent.type === 'limit' ? amount(intent.price) : 'market'
  return `${intent.side} ${amount(intent.qty)}${market} at ${price}${tagText(intent.tag)}`
}

const cancelAllText = (symbol: string | undefined, isOneMarket: boolean): string =>
  symbol === undefined || isOneMarket ? 'cancel all' : `cancel all ${symbol}`

function waitingText(intent: WaitingIntent, isOneMarket: boolean): string {
  const { type, side, qty, symbol, tag } = intent
  const at = type === 'stop' ? valueText('stop', intent.stop) + valueText('limit', intent.limit) : ''
  const profit = type === 'take-profit' ? valueText('profit', intent.price) : ''
  const trail = type === 'trailing-stop' ? ` ${trailText(intent)}` : ''
  return `${side} ${amount(qty)}${isOneMarket ? '' : ` ${symbol}`}${at}${profit}${trail}${tagText(tag)}`
}

const exitsText = ({ stop, trail, target }: BracketExits): string =>
  [valueText('stop', stop), trail === undefined ? '' : ` ${trailText(trail)}`, valueText('target', target)]
    .join('')
    .trim()

const trailText = ({ distance, percent }: Pick<TrailingStopIntent, 'distance' | 'percent'>): string =>
  distance === undefined ? `trail ${amount(percent ?? 0)} %` : `trail ${amount(distance)}`

function targetText({ symbol, share, qty, price, tag }: TargetIntent, isOneMarket: boolean): string {
  const size = share === undefined ? valueText('qty', qty) : ` ${amount(share)}`
  return `target${isOneMarket ? '' : ` ${symbol}`}${size}${valueText('at', price)}${tagText(tag)}`
}

const valueText = (name: string, value: DecimalInput | undefined): string =>
  value === undefined ? '' : ` ${name} ${amount(value)}`

const tagText = (tag: string | undefined): string => (tag === undefined ? '' : ` [${tag}]`)

/** Plain decimal without trailing zeros; a text that is no number is unchanged. */
function amount(value: DecimalInput): string {
  try {
    return toDecimal(value).toFixed()
  } catch {
    return String(value)
  }
}
