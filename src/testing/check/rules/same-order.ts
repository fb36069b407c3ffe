/**
 * A strategy that answers a refusal with the order that was refused: nothing has changed, and so it is refused again.
 *
 * At once, in the turn in which it is told, or again and again while the market is silent.
 */
import type { Intent } from '../../../strategy/intent.ts'
import { intentText } from '../../trial/intent-text.ts'
import { rowTimes } from '../scenario.ts'
import type { Rule, TrialStory } from './trial-explanation.ts'
import type { FoundFault } from '../fault-kinds.ts'

/** More than the faults that are planned on purpose can make of an order that is tried again with patience. */
const MOST_IN_SILENCE = 5

export const sameOrder: Rule = (story) => atOnce(story) ?? inSilence(story)

const orderKey = (intent: Intent): string | undefined =>
  intent.type === 'limit' || intent.type === 'market' ? intentText(intent) : undefined

function atOnce({ events }: TrialStory): FoundFault | undefined {
  for (const event of events) {
    if (event.type !== 'intent' || event.answers === undefined) continue
    const key = orderKey(event.intent)
    if (key === undefined || key !== orderKey(event.answers.intent)) continue
    return faultAt(event.time, `${key} was refused (${event.answers.refusal.code}), and repeated immediately`)
  }
  return undefined
}

function inSilence({ events, scenario }: TrialStory): FoundFault | undefined {
  const arrivals = rowTimes(scenario).map((time) => time + scenario.latency.feedMs)
  const repeatsByKey = new Map<string, { toldAt: number | undefined; count: number }>()
  for (const event of events) {
    const intent = event.type === 'intent' ? event.intent : event.type === 'outcome' ? event.outcome.intent : undefined
    const key = intent && orderKey(intent)
    if (key === undefined) continue
    const repeats = repeatsByKey.get(key) ?? { toldAt: undefined, count: 0 }
    repeatsByKey.set(key, repeats)
    if (event.type === 'outcome') repeats.toldAt = event.outcome.type === 'refused' ? event.time : undefined
    else {
      const { toldAt } = repeats
      const isSilent = toldAt !== undefined && !arrivals.some((time) => time >= toldAt && time <= event.time)
      repeats.count = isSilent ? repeats.count + 1 : 0
      repeats.toldAt = undefined
    }
    if (repeats.count >= MOST_IN_SILENCE) {
      return faultAt(event.time, `${key} was refused and repeated ${repeats.count} times without a trade in between`)
    }
  }
  return undefined
}

const faultAt = (time: number, text: string): FoundFault => ({ kind: 'same-order', time, text })
