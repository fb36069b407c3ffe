/** The journal lines of one conditional order (stop, trailing stop, OCO). */
import type { JournalLine, LineOf } from '../../runtime/journal/journal-line.ts'

export interface ConditionalHistory {
  /** Id of the session, such as `w1`. */
  readonly id: string
  /** Undefined for a bracket: only its exits are conditional. */
  readonly wait: LineOf<'wait'> | undefined
  /**
   * Line by which this session resumed it from an earlier one: alone, as a bracket, or through the order that it
   * became.
   */
  readonly takenUp: LineOf<'taken-up'> | undefined
  readonly triggered: LineOf<'triggered'> | undefined
  readonly over: LineOf<'wait-over'> | undefined
  /** Orders that it placed, oldest first. */
  readonly placed: readonly LineOf<'place'>[]
}

/** @param lines  must include all lines of that order */
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
