/**
 * The shadow of a live session: a candidate on paper, on the same market data, with the balances that the live strategy
 * has at its start.
 *
 * Invariant: nothing here throws into the live session. Trouble is a warning.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { toDecimal } from '../../domain/decimal.ts'
import { InputError } from '../../domain/errors.ts'
import { setting } from '../../domain/setting-name.ts'
import { thrownText } from '../../domain/thrown-text.ts'
import type { RunReport } from '../../report/run/run-report.ts'
import { shadowComparison } from '../../report/run/shadow-comparison.ts'
import type { LiveSession } from '../../runtime/live/live-session.ts'
import type { TradingAccount } from '../../runtime/live/trading-account.ts'
import { liveTermsOf } from '../../runtime/settings/live-settings.ts'
import type { EndedShadow, LiveListener, LiveOptions } from '../live-options.ts'
import type { LiveProcess } from '../live-process.ts'
import type { OwnedStrategy } from '../live-strategies.ts'
import type { ShadowJob } from './shadow-messages.ts'
import { ShadowProcess } from './shadow-process.ts'

/** Its name in the log, and that of its directory in the one of the live run. */
const SHADOW = 'shadow'

/** @throws {InputError} for a shadow of several strategies, and for parameters of none */
export function checkShadow({ shadow, shadowParams, shadowParamTexts = {}, strategies }: LiveOptions): void {
  if (shadow !== undefined && strategies.length > 1)
    throw new InputError(setting('shadow'), `expected one live strategy to compare with, got ${strategies.length}`)
  if (shadow === undefined && (shadowParams !== undefined || Object.keys(shadowParamTexts).length > 0))
    throw new InputError(setting('shadow'), 'missing, although parameters are given for it')
}

type Options = Omit<LiveOptions, 'listener' | 'watcher'>

/** The live strategy, once it runs. */
interface LiveTrader {
  readonly owned: OwnedStrategy
  readonly session: LiveSession
  readonly files: { readonly path: string }
}

interface ShadowPlace {
  readonly live: LiveProcess<LiveListener>
  readonly account: Pick<TradingAccount, 'userId'>
}

/** Starts the shadow of a live strategy; undefined if none is wanted. */
export const shadowOf = (
  options: Options,
  trader: LiveTrader | undefined,
  place: ShadowPlace,
): LiveShadow | undefined =>
  options.shadow === undefined || trader === undefined ? undefined : new LiveShadow(options, trader, place)

export class LiveShadow {
  readonly #directory: string
  readonly #live: LiveProcess<LiveListener>
  #process: ShadowProcess | undefined

  constructor(options: Options, trader: LiveTrader, { live, account }: ShadowPlace) {
    this.#directory = trader.files.path
    this.#live = live
    this.#guarded(() => {
      const job = jobOf(options, trader)
      this.#process = new ShadowProcess(job, join(this.#directory, `${SHADOW}.log`), {
        onStart: (directory) =>
          live.listener.onLog?.(
            SHADOW,
            live.loop.now(),
            `${job.strategy} started on paper, run directory ${directory}`,
          ),
        onFailure: (why) => {
          live.warn(`the shadow ended early: ${why}; the live session goes on`)
        },
      })
    })
    const stopLooking = live.everySecond(() => this.#process?.look(account.userId?.()))
    live.end.atOnce(() => {
      stopLooking()
      this.#process?.stop()
    })
    live.atClose(() => Promise.resolve(this.#process?.kill()))
  }

  /** @param live  the report of the live session; undefined if it has none */
  async end(live: RunReport | undefined): Promise<EndedShadow | undefined> {
    const run = await this.#process?.end(this.#live.loop)
    if (run === undefined || live === undefined) return undefined
    const comparison = shadowComparison(live, run.report)
    this.#guarded(() => {
      writeFileSync(join(this.#directory, 'comparison.json'), `${JSON.stringify(comparison, null, 2)}\n`)
    })
    return { ...run, comparison }
  }

  #guarded(action: () => void): void {
    try {
      action()
    } catch (error) {
      this.#live.warn(`the shadow failed: ${thrownText(error)}; the live session goes on`)
    }
  }
}

function jobOf(options: Options, { owned, session, files }: LiveTrader): ShadowJob {
  const { url, symbol, series, params, paramTexts = {}, terms } = options
  const { shadow = '', shadowParams = {}, shadowParamTexts = {} } = options
  const own = session.params.symbol
  return {
    strategy: shadow,
    url,
    series,
    symbol: typeof own === 'string' ? own : symbol,
    shared: { values: { ...params, ...owned.given }, texts: paramTexts },
    own: { values: shadowParams, texts: shadowParamTexts },
    credits: creditsOf(session),
    terms: liveTermsOf({ ...terms, ...owned.risk }),
    out: join(files.path, SHADOW),
  }
}

/** The balances of the live strategy at its start, of the assets of its markets. */
function creditsOf({ credits, params, options: { adapter } }: LiveSession): ShadowJob['credits'] {
  const named = new Set(Object.values(params).flat())
  const traded = adapter.markets.filter(({ symbol }) => named.has(symbol))
  const markets = traded.length > 0 ? traded : adapter.markets
  const assets = new Set(markets.flatMap(({ baseAsset, quoteAsset }) => [baseAsset, quoteAsset]))
  return Object.fromEntries(
    Object.entries(credits).filter(([asset, held]) => assets.has(asset) && toDecimal(held).gt(0)),
  )
}
