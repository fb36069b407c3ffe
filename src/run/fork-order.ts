/** The order that a fork adds. */
import { type DecimalInput, toDecimal } from '../domain/decimal.ts'
import { InputError } from '../domain/errors.ts'
import { isDecimalString } from '../domain/fixed-point.ts'
import type { Market } from '../domain/market.ts'
import { setting } from '../domain/setting-name.ts'
import { buyLimit, buyMarket, sellLimit, sellMarket } from '../strategy/orders.ts'
import type { PlaceIntent } from '../strategy/place-intent.ts'

const WHERE = setting('add')

/** @throws {InputError} for a market that the run does not have, or an amount that is not a number */
export function addedOrder(markets: readonly Market[], added: PlaceIntent | string): PlaceIntent {
  const order = typeof added === 'string' ? orderOf(added) : added
  if (!markets.some(({ symbol }) => symbol === order.symbol)) {
    throw new InputError(WHERE, `the run has no market '${order.symbol}'`)
  }
  const amount = (value: DecimalInput): string => {
    const text = typeof value === 'string' ? value : toDecimal(value).toFixed()
    if (isDecimalString(text)) return text
    throw new InputError(WHERE, `expected a number such as 0.1, got '${text}'`)
  }
  const { symbol, side, qty } = order
  const common = { symbol, side, qty: amount(qty) }
  return order.type === 'limit'
    ? { type: 'limit', ...common, price: amount(order.price) }
    : { type: 'market', ...common }
}

function orderOf(text: string): PlaceIntent {
  const [, side = '', qty = '', symbol = '', price] =
    /^(buy|sell) +(\S+) +([A-Za-z0-9]+_[A-Za-z0-9]+)(?: +at +(\S+))?$/i.exec(text.trim()) ?? []
  if (side === '') throw new InputError(WHERE, `expected an order such as 'buy 0.1 BTC_USD at 42000', got '${text}'`)
  const isBuy = side.toLowerCase() === 'buy'
  // As `diff` and `why` write it.
  if (price === undefined || price.toLowerCase() === 'market') return (isBuy ? buyMarket : sellMarket)(symbol, qty)
  return (isBuy ? buyLimit : sellLimit)(symbol, price, qty)
}
