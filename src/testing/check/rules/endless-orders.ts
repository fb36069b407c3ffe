/**
 * A strategy that goes on ordering and cancelling while its market is silent: it answers itself.
 */
import { rowTimes } from '../scenario.ts'
import type { Rule } from './trial-explanation.ts'

/** More than any ladder of orders, or any timer of a second in a silence, would take. */
const MOST_IN_SILENCE = 1_000
/** A silence may take hours, in which a timer of a second orders and cancels more often. */
const SPAN_MS = 300_000

export const endlessOrders: Rule = ({ events, scenario }) => {
  const times = rowTimes(scenario)
  let next = 0
  let count = 0
  let since = Number.NEGATIVE_INFINITY
  for (const event of events) {
    if (event.type !== 'intent') continue
    while (next < times.length && (times[next] ?? 0) <= event.time) {
      next += 1
      since = Number.NEGATIVE_INFINITY
    }
    if (event.time - since > SPAN_MS) {
      since = event.time
      count = 0
    }
    count += 1
    if (count > MOST_IN_SILENCE) {
      const text = `more than ${MOST_IN_SILENCE} orders and cancels without new market data between them`
      return { kind: 'endless-orders', time: event.time, text }
    }
  }
  return undefined
}
