/**
 * A strategy whose orders in one market are all refused because they do not fit its tick and lot.
 *
 * Only text with too many digits and quantities below one lot: computed values are rounded before they are sent.
 */
import { toDecimal } from '../../../domain/decimal.ts'
import type { RefusedOutcome } from '../../../strategy/intent.ts'
import type { PlaceIntent } from '../../../strategy/place-intent.ts'
import { intentText } from '../../trial/intent-text.ts'
import type { ScenarioMarket } from '../scenario.ts'
import type { Rule } from './trial-explanation.ts'

interface RefusedOrder {
  readonly time: number
  readonly outcome: RefusedOutcome
  /** What to write instead. */
  readonly remedy: string
}

export const alwaysRefused: Rule = ({ events, scenario }) => {
  for (const market of scenario.markets) {
    const refused: RefusedOrder[] = []
    let isAccepted = false
    for (const event of events) {
      if (event.type !== 'outcome') continue
      const { time, outcome } = event
      const { intent } = outcome
      if ((intent.type !== 'limit' && intent.type !== 'market') || intent.symbol !== market.symbol) continue
      const remedy = remedyFor(intent, market)
      if (outcome.type !== 'refused' || outcome.refusal.code !== 'VALIDATION_ERROR' || remedy === undefined) {
        isAccepted = true
        break
      }
      refused.push({ time, outcome, remedy })
    }
    const [first] = refused
    if (first === undefined || isAccepted) continue
    const { intent, refusal } = first.outcome
    const text = `${intentText(intent)}: ${refusal.message}; ${first.remedy}`
    return { kind: 'always-refused', time: first.time, text }
  }
  return undefined
}

/** Undefined for an order that fits, or whose values are no numbers above 0. */
function remedyFor(intent: PlaceIntent, { qtyPrecision, pricePrecision }: ScenarioMarket): string | undefined {
  try {
    const qty = toDecimal(intent.qty)
    if (!qty.gt(0)) return undefined
    if (qty.lt(toDecimal(`1e-${qtyPrecision}`))) return 'order at least one lot'
    const isOffTick = intent.type === 'limit' && toDecimal(intent.price).decimalPlaces() > pricePrecision
    if (isOffTick) return 'round the price with market(symbol).roundPrice()'
    return qty.decimalPlaces() > qtyPrecision ? 'round the quantity with market(symbol).floorQty()' : undefined
  } catch {
    return undefined
  }
}
