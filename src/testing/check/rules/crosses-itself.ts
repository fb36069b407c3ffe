/**
 * A strategy whose two orders met: it paid two fees and moved nothing.
 */
import type { OwnFill } from '../../../strategy/own-order.ts'
import type { Rule } from './trial-explanation.ts'

export const crossesItself: Rule = ({ events }) => {
  const fillsByTrade = new Map<string, OwnFill>()
  for (const event of events) {
    if (event.type !== 'fill') continue
    const { fill } = event
    const key = `${fill.symbol} ${fill.tradeId}`
    const other = fillsByTrade.get(key)
    if (other !== undefined && other.side !== fill.side) {
      const text = `its ${other.side} filled against its ${fill.side}: ${fill.qty.toFixed()} ${fill.symbol} at ${fill.price.toFixed()}`
      return { kind: 'crosses-itself', time: event.time, text }
    }
    fillsByTrade.set(key, fill)
  }
  return undefined
}
