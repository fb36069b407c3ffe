/**
 * One of the two runs of a comparison, as far as its files exist.
 */
import type { RunTrace } from './run-trace.ts'

/** Values by name, from `run.json` or the first line of a journal. */
export type Fields = Readonly<Record<string, unknown>>

export interface ComparedRun {
  /** Path as passed by the user. */
  readonly directory: string
  /** Content of `run.json`; undefined for a session that was killed or is still running. */
  readonly report: Fields | undefined
  /** First line of the journal, with the settings; undefined if it has none. */
  readonly head: Fields | undefined
  readonly trace: RunTrace
  /** True if the last line of the journal is incomplete. */
  readonly isCut: boolean
  /** Files that changed since the run, according to the hashes in its report. */
  readonly changed: readonly string[]
}

/** One value per run. */
export interface Sides<Value> {
  readonly a: Value
  readonly b: Value
}

export const bothOf = <Value, Result>({ a, b }: Sides<Value>, of: (value: Value) => Result): Sides<Result> => ({
  a: of(a),
  b: of(b),
})

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The object under a name; empty if there is none. */
export function fieldsAt(fields: Fields | undefined, name: string): Fields {
  const value = fields?.[name]
  return isFields(value) ? value : {}
}

/** The objects of a list; empty if there is none. */
export function listAt(fields: Fields | undefined, name: string): readonly Fields[] {
  const value: unknown = fields?.[name]
  return Array.isArray(value) ? value.filter(isFields) : []
}

/** True for a run on a live exchange. */
export const isLiveRun = ({ report, head }: ComparedRun): boolean =>
  report?.live !== undefined || head?.liquidity === 'live'

/** Error message of the strategy. */
export function failureOf({ report }: ComparedRun): string | undefined {
  const { message } = fieldsAt(report, 'failure')
  return typeof message === 'string' ? message : undefined
}
