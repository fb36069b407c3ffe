/**
 * Live and paper sessions for programs: what `papertape live` and `papertape paper` run. Their code is loaded when a
 * session begins.
 */
import type { LiveOptions, LiveResult } from './live-options.ts'
import type { PaperOptions, PaperRun } from './paper-options.ts'

const LIVE_OPTIONS = [
  'strategies',
  'walletRisk',
  'rebalance',
  'apiKey',
  'params',
  'paramTexts',
  'series',
  'terms',
  'shadowParams',
  'shadowParamTexts',
  'clocks',
  'signal',
  'listener',
] as const satisfies readonly (keyof LiveOptions)[]

const PAPER_OPTIONS = [
  ...([
    'strategy',
    'strategies',
    'walletRisk',
    'rebalance',
    'state',
    'paramTexts',
    'symbol',
    'series',
    'credits',
    'terms',
    'out',
    'dataDirectory',
    'record',
    'received',
    'nightly',
    'forMs',
  ] as const),
  ...(['signal', 'listener', 'url', 'clocks', 'random', 'onWarning'] as const),
] as const satisfies readonly (keyof PaperOptions)[]

/** Present names of options by the former ones. */
const FORMER_OPTIONS: ReadonlyMap<string, string> = new Map([
  ['watcher', 'listener'],
  ['onlooker', 'listener'],
  ['settleMs', 'reconcileMs'],
])

/**
 * Trades on an account of a service until `signal` aborts, every strategy has failed, or the account cannot be used.
 *
 * @throws {InputError} for an option that is wrong
 * @throws {ExchangeError} when the service or the account cannot be used from the start
 * @throws {AbortError} when `signal` aborts before a strategy has run
 */
export async function live(options: LiveOptions): Promise<LiveResult> {
  const [module, { sessionOptions }, { EACH_LIVE_SETTING, EACH_LIVE_TERM }] = await Promise.all([
    import('./live.ts'),
    import('./settings-of-options.ts'),
    import('../runtime/settings/live-settings.ts'),
  ])
  const names = [...LIVE_OPTIONS, ...EACH_LIVE_SETTING.map(([name]) => name)]
  return module.live(sessionOptions(options, { names, former: FORMER_OPTIONS, terms: EACH_LIVE_TERM }))
}

/**
 * Trades on live market data with simulated fills, until `signal` aborts, `forMs` milliseconds have passed, or the
 * strategy has failed.
 *
 * @returns undefined when `signal` aborts before the strategy has run
 * @throws {InputError} for an option that is wrong
 * @throws {ExchangeError} when the service cannot be used at the start
 */
export async function paper(options: PaperOptions): Promise<PaperRun | undefined> {
  const [module, { sessionOptions }, { EACH_TERM }] = await Promise.all([
    import('./paper.ts'),
    import('./settings-of-options.ts'),
    import('../runtime/settings/run-terms.ts'),
  ])
  const terms = EACH_TERM.filter(([name]) => name !== 'from' && name !== 'to')
  return module.paper(sessionOptions(options, { names: PAPER_OPTIONS, former: FORMER_OPTIONS, terms }))
}
