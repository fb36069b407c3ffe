/**
 * A strategy that orders what it cannot pay, is told so, and orders it again although nothing has changed.
 *
 * It counts only what it could have known: at the time of the order, with the balances that it had been told and the
 * last price.
 */
import { toDecimal, type Decimal } from '../../../domain/decimal.ts'
import { assetsOfSymbol } from '../../../domain/market.ts'
import type { Intent } from '../../../strategy/intent.ts'
import { intentText } from '../../trial/intent-text.ts'
import { rowsOf, type Scenario } from '../scenario.ts'
import type { Rule } from './trial-explanation.ts'

/** Refusals in a row, all but the first of orders that were sent after it was told of one. */
const AGAIN_AND_AGAIN = 3

type Available = (asset: string) => Decimal

export const unpayable: Rule = ({ events, scenario }) => {
  let available: Available = (asset) => toDecimal(scenario.balances[asset] ?? '0')
  const hopeless = new WeakMap<object, number>()
  let told = 0
  for (const event of events) {
    switch (event.type) {
      case 'balances': {
        const { balances } = event
        available = (asset) => balances.get(asset)?.available ?? toDecimal(0)
        told = 0
        break
      }
      case 'intent':
        if (isHopeless(event.intent, event.time, available, scenario)) hopeless.set(event.intent, told)
        break
      case 'outcome': {
        const { outcome } = event
        const knew = hopeless.get(outcome.intent)
        if (outcome.type !== 'refused' || outcome.refusal.code !== 'INSUFFICIENT_BALANCE' || knew === undefined) break
        // One that was sent before it was told of the last refusal is no answer to that.
        if (knew < told) break
        told += 1
        if (told < AGAIN_AND_AGAIN) break
        const text = `${intentText(outcome.intent)} was refused (INSUFFICIENT_BALANCE), the ${told}rd time with the same money`
        return { kind: 'unpayable', time: event.time, text }
      }
      case 'restart':
        told = 0
        break
      case 'fill':
      case 'order':
    }
  }
  return undefined
}

/** True when what it knows says that the order will be refused. */
function isHopeless(intent: Intent, time: number, available: Available, scenario: Scenario): boolean {
  if (intent.type !== 'limit' && intent.type !== 'market') return false
  const market = scenario.markets.find(({ symbol }) => symbol === intent.symbol)
  if (market === undefined) return false
  const { baseAsset, quoteAsset } = assetsOfSymbol('symbol', market.symbol)
  try {
    const qty = toDecimal(intent.qty)
    if (intent.side === 'SELL') return qty.gt(available(baseAsset))
    const price = intent.type === 'limit' ? toDecimal(intent.price) : lastPrice(rowsOf(market), time)
    return price !== undefined && qty.times(price).gt(available(quoteAsset))
  } catch {
    // No number at all: it is refused for that.
    return false
  }
}

function lastPrice(rows: ReturnType<typeof rowsOf>, time: number): Decimal | undefined {
  const row = rows.findLast((each) => each.time <= time)
  if (row === undefined) return undefined
  return toDecimal('price' in row ? row.price : row.open)
}
