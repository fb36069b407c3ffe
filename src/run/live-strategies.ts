/**
 * The strategies of a live process: loaded, each with a unique name and its parameters.
 */
import { InputError } from '../domain/errors.ts'
import { setting } from '../domain/setting-name.ts'
import type { ContinueParams } from '../runtime/live/param-changes.ts'
import { paramInfos, readParams, type ParamValues } from '../runtime/strategies/params.ts'
import { givenStrategy, loadStrategy, type LoadedStrategy } from '../runtime/strategies/strategy-file.ts'
import type { Capital } from '../runtime/backtest/capital.ts'
import type { MarketView } from '../strategy/market-view.ts'
import type { Strategy } from '../strategy/strategy.ts'
import type { RiskOptions } from './backtest-options.ts'
import { uniqueNames } from './strategy-names.ts'

/** A strategy and its own parameter values. */
export interface GivenLiveStrategy {
  /** A strategy, the name of a built-in one, or a file. */
  readonly strategy: Strategy | string
  /** Its parameters. */
  readonly params?: Readonly<Record<string, unknown>> | undefined
  /** Unique name: letters, digits, `-` and `_`; default: that of the strategy, with a number if several have it. */
  readonly name?: string | undefined
  /** Risk limits of its own, over those of the session. */
  readonly risk?: RiskOptions | undefined
  /**
   * Part of the account that it trades with; default: an equal part of what the others leave. If no strategy has a
   * capital, all of them share the whole account.
   */
  readonly capital?: Capital | undefined
}

/** A loaded strategy that has no adapter yet. */
export interface OwnedStrategy {
  /** Given name, or that of the strategy, with a number if several have it. */
  readonly owner: string
  readonly loaded: LoadedStrategy
  readonly given: Readonly<Record<string, unknown>>
  readonly risk: RiskOptions
  readonly capital: Capital | undefined
}

/**
 * @param reserved  name that no strategy can have; default: none
 * @throws {InputError} for a strategy that cannot be loaded
 */
export async function loadStrategies(
  strategies: readonly GivenLiveStrategy[],
  reserved?: string,
): Promise<readonly OwnedStrategy[]> {
  if (strategies.length === 0) throw new InputError(setting('strategies'), 'expected at least one strategy')
  const all: LoadedStrategy[] = []
  for (const { strategy } of strategies)
    all.push(typeof strategy === 'string' ? await loadStrategy(strategy) : givenStrategy(strategy))
  const owners = uniqueNames(
    all.map(({ strategy }, index) => ({ given: strategies[index]?.name, fallback: strategy.name })),
    reserved,
  )
  return all.map((loaded, index) => {
    const { params = {}, risk = {}, capital } = strategies[index] ?? {}
    return { owner: owners[index] ?? '', loaded, given: params, risk, capital }
  })
}

export interface LiveParams {
  readonly markets: readonly MarketView[]
  /** Value of the parameter `symbol` unless given otherwise. */
  readonly symbol: string | undefined
  /** Values for every strategy that has the parameter; its own values take precedence. */
  readonly values?: Readonly<Record<string, unknown>> | undefined
  /** Values as text from the command line, for every strategy that has the parameter. */
  readonly texts: Readonly<Record<string, string>>
}

/**
 * The parameters of each strategy, in order.
 *
 * @throws {InputError} for a parameter that no strategy has or that a schema refuses, and for a missing or unlisted
 * market
 */
function paramsOf(owned: readonly OwnedStrategy[], all: LiveParams): readonly ParamValues[] {
  const { markets, texts, values: shared = {} } = all
  const names = owned.map(({ loaded }) => new Set(paramInfos(loaded.strategy).map(({ name }) => name)))
  const hasSymbol = names.some((each) => each.has('symbol'))
  if (all.symbol !== undefined && !hasSymbol)
    throw new InputError(setting('symbol'), "no strategy has a parameter 'symbol'")
  const isKnown = (name: string): boolean => names.some((each) => each.has(name))
  return owned.map(({ loaded, given: ownValues }, index) => {
    const has = (name: string): boolean => names[index]?.has(name) === true || !isKnown(name)
    const ofThis = <Value>(all: Readonly<Record<string, Value>>): Readonly<Record<string, Value>> =>
      Object.fromEntries(Object.entries(all).filter(([name]) => has(name)))
    const [own, given] = [ofThis(texts), { ...ofThis(shared), ...ownValues }]
    const isGiven = given.symbol !== undefined || own.symbol !== undefined || names[index]?.has('symbol') !== true
    const symbol = isGiven ? '' : marketFor(loaded, all)
    return listed(readParams(loaded.strategy, { texts: own, values: given, symbol }), markets)
  })
}

/**
 * The same with the changes that an operator made in earlier sessions.
 *
 * @param continued  undefined if nothing is saved
 * @param log        reports each change
 */
export function continuedParamsOf(
  owned: readonly OwnedStrategy[],
  all: LiveParams,
  continued: ContinueParams | undefined,
  log: (owner: string, text: string) => void,
): readonly ParamValues[] {
  const configured = paramsOf(owned, all)
  return owned.map(({ owner, loaded: { strategy } }, index) => {
    const own = configured[index] ?? {}
    const onText = (text: string): void => {
      log(owner, text)
    }
    return continued?.({ owner, strategy, configured: own }, onText) ?? own
  })
}

function marketFor({ strategy }: LoadedStrategy, { markets, symbol }: LiveParams): string {
  if (symbol !== undefined) return symbol
  const [only, ...others] = markets
  if (only !== undefined && others.length === 0) return only.symbol
  throw new InputError(
    setting('symbol'),
    `missing market of '${strategy.name}'; the service lists ${symbolsOf(markets)}`,
  )
}

function listed(params: ParamValues, markets: readonly MarketView[]): ParamValues {
  const { symbol } = params
  if (typeof symbol !== 'string' || markets.some((market) => market.symbol === symbol)) return params
  throw new InputError(setting('symbol'), `the service lists no market '${symbol}', only ${symbolsOf(markets)}`)
}

const symbolsOf = (markets: readonly MarketView[]): string => markets.map(({ symbol }) => symbol).join(', ') || 'none'
