/** First difference between the intents of two trials. */
import { isoTime } from '../../domain/time.ts'
import type { TrialResult } from '../trial/trial.ts'
import { intentText } from '../trial/intent-text.ts'

/** Everything that a strategy wanted at one moment. */
interface Moment {
  readonly time: number
  readonly texts: readonly string[]
}

export interface Difference {
  readonly time: number
  /** `it wanted A, and then B`. */
  readonly text: string
}

export interface Comparison {
  /** Unix milliseconds from which on it is not compared. */
  readonly before?: number
  /**
   * True to stop at a moment with the same intents in another order, because later differences may follow from that.
   */
  readonly endsAtSwap?: boolean
}

/** The first moment at which they differ; undefined when there is none. */
export function differenceOf(
  one: Pick<TrialResult, 'events' | 'failure'>,
  two: Pick<TrialResult, 'events' | 'failure'>,
  { before = Number.POSITIVE_INFINITY, endsAtSwap = false }: Comparison = {},
): Difference | undefined {
  const [left, right] = [momentsOf(one, before), momentsOf(two, before)]
  const at = left.findIndex((moment, index) => !isSame(moment, right[index]))
  const index = at < 0 ? left.length : at
  const [a, b] = [left[index], right[index]]
  if (a === undefined && b === undefined) return undefined
  if (endsAtSwap && isSame(sorted(a), sorted(b))) return undefined
  const time = Math.min(a?.time ?? Number.POSITIVE_INFINITY, b?.time ?? Number.POSITIVE_INFINITY)
  return { time, text: `at ${isoTime(time)} ${wanted(a, time)}, and ${wanted(b, time)}` }
}

const wanted = (moment: Moment | undefined, time: number): string =>
  moment?.time === time ? moment.texts.slice(0, 3).join(', ') : 'nothing'

const isSame = (one: Moment | undefined, two: Moment | undefined): boolean =>
  one?.time === two?.time &&
  one?.texts.length === two?.texts.length &&
  one?.texts.every((text, index) => text === two?.texts[index]) !== false

const sorted = (moment: Moment | undefined): Moment | undefined =>
  moment && { time: moment.time, texts: [...moment.texts].sort() }

function momentsOf({ events, failure }: Pick<TrialResult, 'events' | 'failure'>, before: number): readonly Moment[] {
  const textsByTime = new Map<number, string[]>()
  const add = (time: number, text: string): void => {
    if (time >= before) return
    const texts = textsByTime.get(time)
    if (texts === undefined) textsByTime.set(time, [text])
    else texts.push(text)
  }
  for (const event of events) if (event.type === 'intent') add(event.time, intentText(event.intent))
  if (failure !== undefined) add(failure.time, `error: ${failure.message}`)
  return [...textsByTime].map(([time, texts]) => ({ time, texts }))
}
