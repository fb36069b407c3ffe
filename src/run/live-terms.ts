/** Terms of a live process: those of the account, of each strategy, and of all strategies together. */
import { resolveLiveTerms } from '../runtime/settings/live-settings.ts'
import type { RebalanceTerms } from '../runtime/settings/rebalance-terms.ts'
import { limitsThatAreOn, type RiskLimits } from '../runtime/settings/risk-limits.ts'
import type { RunTerms } from '../runtime/settings/run-terms.ts'
import type { LiveOptions } from './live-options.ts'
import type { OwnedStrategy } from './live-strategies.ts'
import { rebalanceTerms } from './rebalance-of-options.ts'
import { walletRiskTerms } from './settings-of-options.ts'

export interface LiveTerms {
  /** Terms of the account. */
  readonly terms: RunTerms
  readonly termsByOwner: ReadonlyMap<string, RunTerms>
  /** Limits of all strategies together; undefined for none. */
  readonly walletLimits: RiskLimits | undefined
  /** When and how capital moves between the strategies; undefined for never. */
  readonly rebalance: RebalanceTerms | undefined
}

type Options = Pick<LiveOptions, 'terms' | 'walletRisk' | 'rebalance' | 'strategies'>

/** @throws {InputError} for wrong terms */
export function termsOfAll({ terms, walletRisk, rebalance, strategies }: Options): Omit<LiveTerms, 'termsByOwner'> {
  return {
    terms: resolveLiveTerms(terms ?? {}),
    walletLimits: limitsThatAreOn(walletRiskTerms(walletRisk)),
    rebalance: rebalanceTerms(
      rebalance,
      strategies.map(({ capital }) => capital),
    ),
  }
}

/** @throws {InputError} for wrong limits of a strategy */
export const termsByOwner = (
  { terms }: Pick<Options, 'terms'>,
  owned: readonly OwnedStrategy[],
): LiveTerms['termsByOwner'] =>
  new Map(owned.map(({ owner, risk }) => [owner, resolveLiveTerms({ ...terms, ...risk })] as const))
