/**
 * Live and paper sessions for programs: what `papertape live` and `papertape paper` run. Their code is loaded when a session begins.
 */
import { InputError } from '../domain/errors.ts'
import { setting } from '../domain/setting-name.ts'
import type { LiveOptions, LiveResult } from './live-options.ts'
import type { PaperOptions, PaperRun } from './paper.ts'

const LIVE_OPTIONS = [
  'strategies',
  'apiKey',
  'params',
  'paramTexts',
  'terms',
  'clocks',
  'signal',
  'listener',
  'watcher',
] as const satisfies readonly (keyof LiveOptions)[]

const PAPER_OPTIONS = [
  ...(['strategy', 'paramTexts', 'symbol', 'credits', 'terms', 'out', 'dataDirectory', 'record', 'forMs'] as const),
  ...(['signal', 'listener', 'onlooker', 'url', 'clocks', 'random', 'onWarning'] as const),
] as const satisfies readonly (keyof PaperOptions)[]

/**
 * Trades on an account of a service until `signal` aborts, every strategy has failed, or the account cannot be used.
 *
 * @throws {InputError} for an option that is wrong
 * @throws {ExchangeError} when the service or the account cannot be used from the start
 * @throws {AbortError} when `signal` aborts before a strategy has run
 */
export async function live(options: LiveOptions): Promise<LiveResult> {
  const [module, { checkSessionOptions }, { EACH_LIVE_SETTING, EACH_LIVE_TERM }] = await Promise.all([
    import('./live.ts'),
    import('./settings-of-options.ts'),
    import('../runtime/settings/live-settings.ts'),
  ])
  checkSessionOptions(options, [...LIVE_OPTIONS, ...EACH_LIVE_SETTING.map(([name]) => name)], EACH_LIVE_TERM)
  return module.live({ ...options, listener: currentOf('listener', options.listener, 'watcher', options.watcher) })
}

/**
 * Trades on live market data with simulated fills, until `signal` aborts, `forMs` milliseconds have passed, or the strategy has failed.
 *
 * @returns undefined when `signal` aborts before the strategy has run
 * @throws {InputError} for an option that is wrong
 * @throws {ExchangeError} when the service cannot be used at the start
 */
export async function paper(options: PaperOptions): Promise<PaperRun | undefined> {
  const [module, { checkSessionOptions }, { EACH_TERM }, { currentTerms }] = await Promise.all([
    import('./paper.ts'),
    import('./settings-of-options.ts'),
    import('../runtime/settings/run-terms.ts'),
    import('../runtime/settings/former-terms.ts'),
  ])
  const given = options.terms === undefined ? options : { ...options, terms: currentTerms({ ...options.terms }) }
  const terms = EACH_TERM.filter(([name]) => name !== 'from' && name !== 'to')
  checkSessionOptions(given, PAPER_OPTIONS, terms)
  return module.paper({ ...given, listener: currentOf('listener', options.listener, 'onlooker', options.onlooker) })
}

/** @throws {InputError} for an option that is given by both its names */
function currentOf<Value>(
  name: string,
  value: Value | undefined,
  former: string,
  old: Value | undefined,
): Value | undefined {
  if (value === undefined || old === undefined) return value ?? old
  throw new InputError(setting(former), `is the former name of ${name}, which is given too: remove it`)
}
