/** Text about restored risk limits: where counting continues, and what still holds the session. */
import { isoTime } from '../../../domain/time.ts'
import type { PersistedRisk } from '../../../store/state/live/persisted-risk.ts'

export interface RestoredRisk extends PersistedRisk {
  /** Whether the day of the marks is not over. */
  readonly isSameDay: boolean
}

/** One line; undefined if there is nothing to report. */
export function restoredText({ marks, holds, isSameDay }: RestoredRisk): string | undefined {
  const parts = holds.map(({ rule, why, since }) => {
    const end = rule === 'day-loss' ? 'until the next UTC day, or until ' : 'until '
    return `state REDUCING since ${isoTime(since)} because ${why}, ${end}'papertape live resume'`
  })
  if (marks !== undefined) {
    const { quoteAsset, dayStart, peak } = marks
    parts.unshift(
      isSameDay ? `day started at ${dayStart} ${quoteAsset}` : 'a new day began',
      `peak ${peak} ${quoteAsset}`,
    )
  }
  return parts.length === 0 ? undefined : `restored: ${parts.join(', ')}`
}
