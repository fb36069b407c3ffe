/**
 * Notices on equity samples without a value, which make return statistics impossible.
 */
import { returnSamplesOf } from '../../analysis/statistics.ts'
import { isoTime } from '../../domain/time.ts'
import type { RunFacts } from './run-facts.ts'
import type { RunConfig } from './run-report.ts'
import { samplingOf } from './run-statistics.ts'

/** At most one. That the equity is incomplete at the end is said before. */
export function sampleNotices(account: RunFacts['account'], config: RunConfig): readonly string[] {
  const { equity } = account.figures
  if (equity.isPartial) return []
  const sampling = samplingOf(account, config)
  return returnSamplesOf(sampling) === undefined ? [lostNotice(sampling)] : []
}

function lostNotice({ isPartialAtStart, samples, initialEquity }: ReturnType<typeof samplingOf>): string {
  const none = 'so return statistics are not available'
  if (isPartialAtStart) return `An initial holding never had a price, ${none}.`
  const unpriced = samples.find(({ isPartial }) => isPartial)
  if (unpriced !== undefined) return `A holding had no price at ${isoTime(unpriced.time)}, ${none}.`
  const spent = samples.find(({ equity }) => equity <= 0n)
  if (initialEquity <= 0n || spent === undefined) return `The run started without equity, ${none}.`
  return `The equity was zero or negative at ${isoTime(spent.time)}, ${none}.`
}
