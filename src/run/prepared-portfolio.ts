/** The strategies of a portfolio made ready: loaded, on the same markets, each with its parameters and its capital. */
import { creditAmount } from '../domain/credit.ts'
import { InputError, invariant } from '../domain/errors.ts'
import { formatTrimmed } from '../domain/fixed-point.ts'
import { ledgerScales } from '../domain/market.ts'
import { setting, SettingName } from '../domain/setting-name.ts'
import type { AllottedCapital, Capital, CapitalSource } from '../runtime/backtest/capital.ts'
import type { PreparationWatch } from '../runtime/backtest/inspected-markets.ts'
import type { PortfolioMember } from '../runtime/backtest/portfolio.ts'
import { prepareMarkets, prepareRun } from '../runtime/backtest/prepared-backtest.ts'
import type { BacktestSettings } from '../runtime/settings/backtest-settings.ts'
import type { RebalanceTerms } from '../runtime/settings/rebalance-terms.ts'
import type { SetRiskTerms } from '../runtime/settings/risk-limits.ts'
import { givenStrategy, loadStrategy, type LoadedStrategy } from '../runtime/strategies/strategy-file.ts'
import type { AskedBacktest } from './settings-of-options.ts'

/** A strategy as it was asked for. */
export interface AskedStrategy {
  readonly name: string
  readonly capital: Capital | undefined
  readonly asked: AskedBacktest
}

export interface PreparedPortfolio {
  /** At least one. */
  readonly members: readonly Omit<PortfolioMember, 'outside'>[]
  /** Ledger units by asset. */
  readonly reserve: ReadonlyMap<string, bigint>
  /** Credit of the wallet, as decimal strings by asset. */
  readonly credit: { readonly texts: Readonly<Record<string, string>> }
  /** Risk limits of all strategies together; default: none. */
  readonly walletRisk?: SetRiskTerms | undefined
  /** When and how capital moves between the strategies; default: never. */
  readonly rebalance?: RebalanceTerms | undefined
}

/** @throws {InputError} for every mistake in the user's input @throws {AbortError} if `signal` is aborted */
export async function prepareAll(
  strategies: readonly Pick<AskedStrategy, 'name' | 'asked'>[],
  watch: PreparationWatch,
  allot: (source: CapitalSource) => AllottedCapital,
): Promise<PreparedPortfolio> {
  const [first] = strategies
  invariant(first !== undefined, 'a portfolio has a strategy')
  const shared = await prepareMarkets(first.asked.settings, first.asked.given, watch)
  const { quoteAsset, creditTexts } = shared
  const scales = ledgerScales(shared.markets)
  const { capitals, reserve } = allot({ credit: shared.credit, scales, quoteAsset })
  const textsOf = (credit: ReadonlyMap<string, bigint>): Readonly<Record<string, string>> =>
    Object.fromEntries([...credit].map(([asset, units]) => [asset, formatTrimmed(units, scales.get(asset) ?? 0)]))
  const members: Omit<PortfolioMember, 'outside'>[] = []
  for (const [index, { name, asked }] of strategies.entries()) {
    const loaded = index === 0 ? shared.loaded : await loadedOf(asked)
    const credit = capitals[index] ?? new Map<string, bigint>()
    const run = await prepareRun(shared, { settings: asked.settings, loaded }).catch((error: unknown) =>
      named(index, () => {
        throw error
      }),
    )
    members.push({ name, prepared: { ...run, credit, creditTexts: textsOf(credit) } })
  }
  return { members: withOneBeginning(members), reserve, credit: { texts: creditTexts } }
}

const loadedOf = async ({ settings, given }: AskedBacktest): Promise<LoadedStrategy> =>
  given.strategy === undefined
    ? await loadStrategy(settings.strategy, given.isRecompiled !== true)
    : givenStrategy(given.strategy)

/** The tapes begin with the longest warm-up, which every strategy receives. */
function withOneBeginning(members: PreparedPortfolio['members']): PreparedPortfolio['members'] {
  const beginOf = ({ prepared: { warmupFrom, from } }: PreparedPortfolio['members'][number]): number =>
    warmupFrom ?? from
  const earliest = members.reduce((a, b) => (beginOf(b) < beginOf(a) ? b : a))
  const { tapes, books, warmupFrom } = earliest.prepared
  return members.map(({ name, prepared }) => ({ name, prepared: { ...prepared, tapes, books, warmupFrom } }))
}

/** A strategy of a portfolio that ran before. */
interface FormerMember {
  readonly name: string
  readonly settings: BacktestSettings
}

/**
 * Prepares a portfolio as it was, from its files.
 *
 * @param wallet  credit and reserve, as in its `run.json`
 * @throws {InputError} if something can no longer be read
 */
export async function preparePortfolioAgain(
  members: readonly FormerMember[],
  wallet: {
    readonly credit: Readonly<Record<string, string>>
    readonly reserve: Readonly<Record<string, { readonly available: string }>>
    readonly walletRisk?: SetRiskTerms | undefined
    readonly rebalance?: RebalanceTerms | undefined
  },
): Promise<PreparedPortfolio> {
  const strategies = members.map(({ name, settings }) => ({
    name,
    asked: { settings, given: { isRecompiled: true } },
  }))
  const prepared = await prepareAll(strategies, {}, ({ scales }) => {
    const unitsIn = (texts: Readonly<Record<string, string>>): ReadonlyMap<string, bigint> =>
      new Map(
        Object.entries(texts).map(([asset, text]) => {
          return [asset, creditAmount({ asset, text, place: setting('credits') }, scales)] as const
        }),
      )
    const reserve = Object.entries(wallet.reserve).map(([asset, { available }]) => [asset, available] as const)
    return {
      capitals: members.map(({ settings }) => unitsIn(settings.credit)),
      reserve: unitsIn(Object.fromEntries(reserve)),
    }
  })
  const { walletRisk, rebalance } = wallet
  return { ...prepared, credit: { texts: wallet.credit }, walletRisk, rebalance }
}

/** Names a strategy's own options in an error by their place in the list. */
export function named<T>(index: number, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw error instanceof InputError ? error.renamed((name) => ownName(index, name)) : error
  }
}

const ownName = (index: number, name: SettingName): SettingName =>
  /^(?:params|risk|strategy)\b/.test(name.path) ? new SettingName(`strategies.${index}.${name.path}`, name.value) : name
