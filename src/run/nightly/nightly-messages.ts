/** Messages between a session and the process that runs its twins of a night. */
import type { TwinTotal } from '../../report/twin/twin-report.ts'
import type { SessionCut } from '../twin.ts'

/** The only message to the process. */
export interface NightlyJob {
  /** Folder for temporary files. The result is a file next to it, with `.json` after its name. */
  readonly folder: string
  readonly strategies: readonly NightlyCut[]
}

/** A strategy of the session up to the moment; `run` is its report so far, as plain values. */
export interface NightlyCut extends Omit<SessionCut, 'run'> {
  readonly run: unknown
}

/** The gap of a strategy, or why it has none. */
export type NightlyResult = { readonly name: string } & ({ readonly total: TwinTotal } | { readonly failure: string })

/** The only message of the process. */
export type NightlyAnswer =
  { readonly results: readonly NightlyResult[]; readonly totals: readonly TwinTotal[] } | { readonly failure: string }
