/**
 * Notice for a run without an order: what the strategy received and emitted, so that its author finds where it stopped.
 */
import { isoTime } from '../../domain/time.ts'
import type { UsedStream, StrategyUsage } from '../../runtime/session/stream-usage.ts'
import { readableCount } from '../readable.ts'

/** @param from  Unix milliseconds at which the run began */
export function idleNotice({ streams, intents, completedAt }: StrategyUsage, from: number): string {
  const received =
    streams.length === 0 ? 'subscribed to no market stream' : `received ${listText(streams.map(valuesText))}`
  const emitted = intents === 0 ? '' : `, and emitted ${readableCount(intents, 'intent')} without an order`
  return `No order was placed: the strategy ${received}${emitted}.${endText(streams, completedAt, from)}`
}

function valuesText({ name, values, candles }: UsedStream): string {
  if (values === null) return name
  if (candles !== undefined) return `${readableCount(values, 'candle')} of ${candles.symbol} (${candles.interval})`
  return `${readableCount(values, 'value')} from ${name}`
}

const listText = (items: readonly string[]): string =>
  items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1) ?? ''}`

const WHY = 'the stream ended, or catchError swallowed an error'

/** An error that the author's own catchError took leaves no other trace. */
function endText(streams: readonly UsedStream[], completedAt: number | null, from: number): string {
  if (completedAt !== null) {
    const isImmediate = completedAt <= from && streams.every(({ values }) => values === null || values === 0)
    return isImmediate
      ? ' Its stream of orders completed immediately.'
      : ` Its stream of orders completed at ${isoTime(completedAt)}: ${WHY}.`
  }
  const [left] = streams.filter(({ isHeard, values }) => isHeard === false && values !== null && values > 0)
  return left === undefined ? '' : ` It no longer listened to ${left.name} at the end: ${WHY}.`
}
