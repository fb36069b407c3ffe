/**
 * One of the two runs of a comparison: what its files say, as far as they are there.
 */
import type { RunTrace } from './run-trace.ts'

/** Values by name; of `run.json`, or of the first line of a journal. */
export type Fields = Readonly<Record<string, unknown>>

export interface ComparedRun {
  /** As the user named it. */
  readonly directory: string
  /** Content of `run.json`; undefined for a session that was killed, or that goes on. */
  readonly report: Fields | undefined
  /** First line of the journal, which tells settings; undefined for a journal without one. */
  readonly head: Fields | undefined
  readonly trace: RunTrace
  /** True when the last line of the journal was only half written. */
  readonly isCut: boolean
  /** Names of files that are not as the run wrote them, as far as its report can tell. */
  readonly changed: readonly string[]
}

/** A pair, one of each run. */
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

/** The fields under a name; empty for none. */
export function fieldsAt(fields: Fields | undefined, name: string): Fields {
  const value = fields?.[name]
  return isFields(value) ? value : {}
}

/** The objects of a list; empty for none. */
export function listAt(fields: Fields | undefined, name: string): readonly Fields[] {
  const value: unknown = fields?.[name]
  return Array.isArray(value) ? value.filter(isFields) : []
}

/** True for a run on an exchange that nobody simulated. */
export const isLiveRun = ({ report, head }: ComparedRun): boolean =>
  report?.live !== undefined || head?.liquidity === 'live'

/** Message of what the strategy threw. */
export function failureOf({ report }: ComparedRun): string | undefined {
  const { message } = fieldsAt(report, 'failure')
  return typeof message === 'string' ? message : undefined
}
