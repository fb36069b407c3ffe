/**
 * The part of a report page that is painted before its data are unfolded: the title, and the verdict of each run.
 */
import type { PageData, PageRun, PageVerdict } from './page-data.ts'

export interface PageHead {
  readonly title: string
  /** Version of papertape that made the first run. */
  readonly version: string
  readonly runs: readonly HeadRun[]
}

export interface HeadRun {
  readonly name: string
  /** `2024-01-01 to 2024-01-30 UTC`; empty for a run without equity. */
  readonly period: string
  readonly hasNotes: boolean
  /** Whether there are round trips to group. */
  readonly hasGroups: boolean
  /** It is a portfolio of several strategies. */
  readonly hasStrategies: boolean
  readonly verdict: PageVerdict
}

export const pageHead = ({ title, runs }: PageData): PageHead => ({
  title,
  version: runs[0]?.report.version ?? '',
  runs: runs.map((run) => ({
    name: run.name,
    period: periodOf(run),
    hasNotes: run.notes.rows.length > 0,
    hasGroups: run.tripGroups.length > 0,
    hasStrategies: run.strategies.rows.length > 0,
    verdict: run.verdict,
  })),
})

function periodOf({ account }: PageRun): string {
  const [from, to] = [account.equity.times[0], account.equity.times.at(-1)].map((ms) =>
    ms === undefined ? '' : new Date(ms).toISOString().slice(0, 10),
  )
  return from === undefined || from === '' ? '' : `${from === to ? from : `${from} to ${to ?? ''}`} UTC`
}
