/** The test for runs whose files are as this version of papertape wrote them: their journals are not checked again. */
import { version } from '../runtime/version.ts'
import type { SealFault } from '../store/runs/run-seal.ts'

/**
 * Known limit: files that were changed and sealed again count as unchanged, as for every reader of a seal.
 *
 * @param report  content of its `run.json`
 * @param faults  of its seal
 */
export const isUnchangedRun = (
  report: { readonly version?: unknown; readonly live?: unknown },
  faults: readonly SealFault[],
): boolean => faults.length === 0 && report.version === version() && report.live === undefined
