/**
 * Looks for a policy that earns on driftless markets: many are tried on walks of their own, and those that did best are
 * tried again on walks that no one has seen.
 *
 * The best of many is lucky; who is lucky twice has found a rule of the fills that pays. Every other policy has stops.
 * In sample all are played by hand, which is faster; out of sample they run in a backtest, their stops as orders that
 * wait in the session.
 */
import { stirredSeed } from '../../../../../src/simulation/stirred-seed.ts'
import { backtestPolicy } from './backtest-policy.ts'
import { driftlessWalk, type DriftlessWalk, type WalkKind } from './driftless-walk.ts'
import { playPolicy } from './play-policy.ts'
import type { Policy } from './policy.ts'
import { profitT } from './policy-profit.ts'
import { randomPolicy } from './random-policy.ts'

/** Standard errors above zero that no one's mean profit is, out of sample. */
export const MAX_LUCK = 2.5

export interface DriftlessOptions {
  readonly seed: number
  /** How many are tried. */
  readonly policies: number
  /** Intervals of a walk in sample; out of sample there are four times as many. */
  readonly candles: number
  /** Called before each policy that is tried. */
  readonly onPolicy?: (index: number) => void
}

/** A policy that did well, in standard errors of its mean profit. */
export interface ChosenPolicy {
  /** Its place among those that were tried. */
  readonly index: number
  readonly inSample: number
  readonly outOfSample: number
}

const CHOSEN = 3
const OUT_OF_SAMPLE_TIMES = 4

/** The best in sample, best first, with what they came to on other walks. */
export async function bestPolicies(kind: WalkKind, options: DriftlessOptions): Promise<readonly ChosenPolicy[]> {
  const { policies, candles, onPolicy } = options
  const tried = Array.from({ length: policies }, (_, index) => {
    onPolicy?.(index)
    const policy = policyOf(options, index)
    const walk = walkOf(kind, options, index, 'in sample', candles)
    return { index, inSample: profitT(playPolicy(policy, walk.candles), walk) }
  })
  const chosen: ChosenPolicy[] = []
  for (const each of tried.toSorted((a, b) => b.inSample - a.inSample).slice(0, CHOSEN)) {
    const walk = walkOf(kind, options, each.index, 'out of sample', candles * OUT_OF_SAMPLE_TIMES)
    chosen.push({
      ...each,
      outOfSample: profitT(await backtestPolicy(policyOf(options, each.index), walk.candles), walk),
    })
  }
  return chosen
}

/** A policy as it begins. */
const policyOf = ({ seed }: DriftlessOptions, index: number): Policy =>
  randomPolicy(stirredSeed(seed, 'policy', String(index)), index % 2 === 1)

const walkOf = (
  kind: WalkKind,
  { seed }: DriftlessOptions,
  index: number,
  sample: string,
  length: number,
): DriftlessWalk => driftlessWalk(kind, stirredSeed(seed, kind, sample, String(index)), length)
