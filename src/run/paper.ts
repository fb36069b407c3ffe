/** Strategies on live market data whose orders are filled in this process, from options to reports. */
import { InputError, invariant } from '../domain/errors.ts'
import type { Market } from '../domain/market.ts'
import { setting } from '../domain/setting-name.ts'
import { PORTFOLIO } from '../report/run/portfolio-report.ts'
import { preparePaper } from '../runtime/live/prepare-paper.ts'
import type { RebalanceTerms } from '../runtime/settings/rebalance-terms.ts'
import { resolveTerms } from '../runtime/settings/run-terms.ts'
import { MarketView } from '../strategy/market-view.ts'
import { outOf, refuseUsedOut } from './live-files.ts'
import { LiveProcess } from './live-process.ts'
import { continuedParamsOf, loadStrategies, type OwnedStrategy } from './live-strategies.ts'
import { continuedMarkets, openPaperState } from './paper-continuation.ts'
import type { PaperOptions, PaperRun, PaperStrategy } from './paper-options.ts'
import { checkNightly } from './nightly/nightly.ts'
import { rebalanceTerms } from './rebalance-of-options.ts'
import { walletRiskTerms } from './settings-of-options.ts'
import { PublicService } from './public-service.ts'
import { SessionSeries } from './session-series.ts'

import { PaperTrading, type PaperPlan } from './paper-trading.ts'

/**
 * Trades on paper until the signal aborts, the time is over, or every strategy has failed.
 *
 * @param userOf  a user whose market orders are no market data; default: none
 * @returns undefined if it was stopped before a strategy ran
 * @throws {InputError} for wrong options or unusable files
 * @throws {ExchangeError} if the service cannot be used at the start
 */
export async function paper(
  options: PaperOptions,
  userOf: () => string | undefined = () => undefined,
): Promise<PaperRun | undefined> {
  const given = strategiesOf(options)
  const owned = await loadStrategies(given, options.strategies === undefined ? undefined : PORTFOLIO)
  // Wrong limits of a strategy are reported before anything is read.
  const settings = owned.map(({ owner, risk }) => ({
    ...resolveTerms({ ...options.terms, ...risk }),
    credit: options.credits ?? {},
    strategy: owner,
    paramTexts: options.paramTexts ?? {},
    tapes: [],
    books: [],
  }))
  const walletRisk = walletRiskTerms(options.walletRisk)
  if (walletRisk !== undefined && options.strategies === undefined)
    throw new InputError(setting('walletRisk'), "is for several strategies: give the limits of one in 'terms'")
  const rebalance = rebalanceOf(options)
  checkNightly(options, owned, settings[0])
  for (const name of directoriesOf(options, owned)) refuseUsedOut(outOf(options.out, name, given.length + 1))
  const { clocks, signal, listener, onWarning } = options
  const process = new LiveProcess({ clocks, signal, listener, warned: { onWarning } })
  return await process.during(async () => {
    const series = await SessionSeries.open(options.series, process)
    const { state: directory } = options
    const opened = directory === undefined ? undefined : openPaperState(directory, process.loop.now())
    process.atClose(() => Promise.resolve(opened?.close()))
    const service = new PublicService(options, process)
    const listed = await process.end.before(service.client.markets())
    if (listed === undefined) return undefined
    const { symbol, paramTexts: texts = {} } = options
    const views = listed.map((market) => new MarketView(market))
    const log = (owner: string, text: string): void => process.listener.onLog?.(process.loop.now(), text, owner)
    const params = continuedParamsOf(owned, { markets: views, symbol, texts }, opened?.paramsOf, log)
    const named = namedFirst(listed, params)
    const markets = opened === undefined ? named : continuedMarkets(opened, named, listed)
    const members: PaperPlan[] = []
    for (const [index, { owner, loaded }] of owned.entries()) {
      const [own = {}, ofRun] = [params[index], settings[index]]
      invariant(ofRun !== undefined, 'a strategy has settings')
      const prepared = await preparePaper({ settings: { ...ofRun, params: own }, loaded, params: own, markets })
      const ofSession = { ...prepared, followedSeries: series.infos }
      members.push({ name: owner, prepared: ofSession, capital: given[index]?.capital })
    }
    const parts = { process, service, members, series, opened, walletRisk, rebalance, userOf }
    return await new PaperTrading(options, parts).trade()
  })
}

function strategiesOf({ strategy, strategies }: PaperOptions): readonly PaperStrategy[] {
  if (strategy !== undefined && strategies !== undefined)
    throw new InputError(setting('strategies'), "expected 'strategy' or 'strategies', got both")
  if (strategies !== undefined) return strategies
  if (strategy === undefined) throw new InputError(setting('strategy'), 'expected a strategy')
  return [strategy]
}

/** @throws {InputError} for wrong terms */
function rebalanceOf({ rebalance, strategies }: PaperOptions): RebalanceTerms | undefined {
  if (rebalance !== undefined && strategies === undefined)
    throw new InputError(setting('rebalance'), "is for several strategies: list them under 'strategies'")
  return rebalanceTerms(
    rebalance,
    (strategies ?? []).map(({ capital }) => capital),
  )
}

/** Names of the directories of a session; that of one strategy has none. */
const directoriesOf = ({ strategies }: PaperOptions, owned: readonly OwnedStrategy[]): readonly string[] =>
  strategies === undefined ? [''] : [...owned.map(({ owner }) => owner), PORTFOLIO]

/** Markets named by the parameters, the first `symbol` first; all markets if a strategy names none. */
function namedFirst(
  listed: readonly Market[],
  params: readonly Readonly<Record<string, unknown>>[],
): readonly Market[] {
  const values = new Set(params.flatMap((each) => Object.values(each).flat()))
  const first = params.find(({ symbol }) => symbol !== undefined)?.symbol
  const named = listed.filter(({ symbol }) => values.has(symbol))
  // A strategy that names no market follows all of them.
  const isOpen = params.some((each) => !listed.some(({ symbol }) => Object.values(each).flat().includes(symbol)))
  const markets = named.length === 0 || isOpen ? listed : named
  return markets.toSorted((a, b) => Number(b.symbol === first) - Number(a.symbol === first))
}
