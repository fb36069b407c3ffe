/**
 * Of a run without an order: what the strategy saw and did, so that its author finds where it stopped.
 */
import { isoTime } from '../../domain/time.ts'
import type { SeenStream, Sights } from '../../runtime/session/seen-streams.ts'
import { readableCount } from '../readable.ts'

/** @param from  Unix milliseconds at which the run began */
export function idleNotice({ streams, intents, completedAt }: Sights, from: number): string {
  const saw = streams.length === 0 ? 'asked for no stream of a market' : `saw ${streams.map(valuesText).join(', ')}`
  const emitted =
    intents === 0 ? 'emitted no intent' : `emitted ${readableCount(intents, 'intent')}, of which none was an order`
  return `No order was placed: the strategy ${saw}, and ${emitted}${endText(streams, completedAt, from)}.`
}

const valuesText = ({ name, values }: SeenStream): string =>
  values === null ? name : `${values === 0 ? 'no value' : readableCount(values, 'value')} of ${name}`

/** An error that the author's own catchError took leaves no other trace. */
function endText(streams: readonly SeenStream[], completedAt: number | null, from: number): string {
  const why = 'as one does that ended, or whose error catchError took'
  if (completedAt !== null) {
    const isAtOnce = completedAt <= from && streams.every(({ values }) => values === null || values === 0)
    return `; its stream of orders completed ${isAtOnce ? 'at once' : `at ${isoTime(completedAt)}, ${why}`}`
  }
  const [left] = streams.filter(({ isHeard, values }) => isHeard === false && values !== null && values > 0)
  return left === undefined ? '' : `; it no longer listened to ${left.name} at the end, ${why}`
}
