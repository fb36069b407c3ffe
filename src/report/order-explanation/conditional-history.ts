/**
 * One order that waited in the session, gathered from the lines of a journal.
 */
import type { JournalLine, LineOf } from '../../runtime/journal/journal-line.ts'

export interface ConditionalHistory {
  /** The session's own, such as `w1`. */
  readonly id: string
  /** Undefined for a bracket, of which only its ways out wait. */
  readonly wait: LineOf<'wait'> | undefined
  /** When it went on after an earlier session: alone, as a bracket, or by an order that it had become. */
  readonly takenUp: LineOf<'taken-up'> | undefined
  readonly triggered: LineOf<'triggered'> | undefined
  readonly over: LineOf<'wait-over'> | undefined
  /** What it asked the exchange for, oldest first. */
  readonly placed: readonly LineOf<'place'>[]
}

/** @param lines  all of its own among them */
export function conditionalHistory(lines: Iterable<JournalLine>, id: string): ConditionalHistory {
  const all = [...lines]
  const own = <Type extends 'wait' | 'triggered' | 'wait-over'>(type: Type): LineOf<Type> | undefined =>
    all.find((line): line is LineOf<Type> => line.type === type && (line as LineOf<'wait'>).id === id)
  return {
    id,
    wait: own('wait'),
    takenUp: all.find(
      (line): line is LineOf<'taken-up'> =>
        line.type === 'taken-up' && (line.id === id || line.orders.some(({ by }) => by === id)),
    ),
    triggered: own('triggered'),
    over: own('wait-over'),
    placed: all.filter((line): line is LineOf<'place'> => line.type === 'place' && line.by === id),
  }
}
