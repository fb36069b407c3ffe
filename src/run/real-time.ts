/**
 * Live and paper sessions for programs: what `papertape live` and `papertape paper` run. Their code is loaded when a session begins.
 */
import type { LiveOptions, LiveResult } from './live-options.ts'
import type { PaperOptions, PaperRun } from './paper.ts'

/**
 * Trades on an account of a service until `signal` aborts, every strategy has failed, or the account cannot be used.
 *
 * @throws {InputError} for an option that is wrong
 * @throws {ExchangeError} when the service or the account cannot be used from the start
 * @throws {AbortError} when `signal` aborts before a strategy has run
 */
export async function live(options: LiveOptions): Promise<LiveResult> {
  const module = await import('./live.ts')
  return module.live(options)
}

/**
 * Trades on live market data with simulated fills, until `signal` aborts, `forMs` milliseconds have passed, or the strategy has failed.
 *
 * @returns undefined when `signal` aborts before the strategy has run
 * @throws {InputError} for an option that is wrong
 * @throws {ExchangeError} when the service cannot be used at the start
 */
export async function paper(options: PaperOptions): Promise<PaperRun | undefined> {
  const module = await import('./paper.ts')
  return module.paper(options)
}
