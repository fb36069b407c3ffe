/**
 * Setup of every test file: fast-check draws from the seed of the run, and a property that fails says how to have it
 * again.
 *
 * Invariant: the command repeats the failure, since a seed gives the same values in the same order. To go straight to
 * the smallest of them, hand the `path` that fast-check prints to the property: `fc.assert(law, { path: '3:0:1' })`.
 */
import fc from 'fast-check'
import { again, PROPERTY_SEED } from './property.ts'

fc.configureGlobal({ seed: PROPERTY_SEED })

fc.installGlobalPlugin(() => ({ onAllRunsComplete: throwIfFailed }))

function throwIfFailed(details: fc.RunDetails<unknown>): void {
  if (!details.failed) return
  const message = `${fc.defaultReportMessage(details)}\n\n${again(details.seed)}`
  const error = new Error(message, { cause: details.errorInstance })
  // So that the place that is shown is in the test.
  Error.captureStackTrace(error, throwIfFailed)
  throw error
}
