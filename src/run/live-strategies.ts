/**
 * The strategies of a live process: loaded, each with a name of its own and with its parameters.
 */
import { InputError } from '../domain/errors.ts'
import { setting } from '../domain/setting-name.ts'
import { paramInfos, readParams, type ParamValues } from '../runtime/strategies/params.ts'
import { givenStrategy, loadStrategy, type LoadedStrategy } from '../runtime/strategies/strategy-file.ts'
import type { MarketView } from '../strategy/market-view.ts'
import type { Strategy } from '../strategy/strategy.ts'

/** A strategy of its own, and the values of its parameters. */
export interface GivenLiveStrategy {
  /** The strategy, the name of a ready one, or a file. */
  readonly strategy: Strategy | string
  readonly params?: Readonly<Record<string, unknown>> | undefined
}

/** A strategy that is ready to be given an adapter. */
export interface OwnedStrategy {
  /** Name of the strategy; of several of one name with a number. */
  readonly owner: string
  readonly loaded: LoadedStrategy
  readonly given: Readonly<Record<string, unknown>>
}

/** @throws {InputError} for what cannot be loaded */
export async function loadStrategies(strategies: readonly GivenLiveStrategy[]): Promise<readonly OwnedStrategy[]> {
  if (strategies.length === 0) throw new InputError(setting('strategies'), 'expected at least one strategy')
  const owned: OwnedStrategy[] = []
  const taken = new Set<string>()
  for (const { strategy, params = {} } of strategies) {
    const loaded = typeof strategy === 'string' ? await loadStrategy(strategy) : givenStrategy(strategy)
    const owner = freeName(loaded.strategy.name, taken)
    taken.add(owner)
    owned.push({ owner, loaded, given: params })
  }
  return owned
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name
  for (let number = 2; ; number += 1) if (!taken.has(`${name}-${number}`)) return `${name}-${number}`
}

export interface LiveParams {
  readonly markets: readonly MarketView[]
  /** For the parameter `symbol`, where it is not given otherwise. */
  readonly symbol: string | undefined
  /** For every strategy that has the parameter; its own win. */
  readonly values?: Readonly<Record<string, unknown>> | undefined
  /** As text, from the command line, for every strategy that has the parameter. */
  readonly texts: Readonly<Record<string, string>>
}

/**
 * The parameters of each, in their order.
 *
 * @throws {InputError} for a parameter that none has or that a schema refuses, and for a market that is not named or
 * not listed
 */
export function paramsOf(owned: readonly OwnedStrategy[], all: LiveParams): readonly ParamValues[] {
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
