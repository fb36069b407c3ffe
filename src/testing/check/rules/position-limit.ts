/**
 * A strategy that bought more than it declares to hold at most, counted from what it began with.
 */
import { toDecimal, type Decimal } from '../../../domain/decimal.ts'
import type { Rule } from './trial-explanation.ts'

export const positionLimit: Rule = ({ events, strategy: { limits } }) => {
  if (limits?.position === undefined) return undefined
  const limit = toDecimal(limits.position)
  const boughtBySymbol = new Map<string, Decimal>()
  for (const event of events) {
    if (event.type !== 'fill') continue
    const { symbol, side, qty } = event.fill
    const before = boughtBySymbol.get(symbol) ?? toDecimal(0)
    const bought = side === 'BUY' ? before.plus(qty) : before.minus(qty)
    boughtBySymbol.set(symbol, bought)
    if (bought.gt(limit)) {
      const text = `its net purchases of ${symbol} reached ${bought.toFixed()}, above its declared limit of ${limit.toFixed()}`
      return { kind: 'position', time: event.time, text }
    }
  }
  return undefined
}
