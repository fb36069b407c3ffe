/**
 * The trials that the best of a sweep is held against, as its options ask for them.
 */
import type { WalkForwardPlan } from '../../analysis/selection/walk-forward.ts'
import { InputError } from '../../domain/errors.ts'
import { setting, worded } from '../../domain/setting-name.ts'
import { readLength } from '../../runtime/settings/form.ts'
import type { CrossValidationPlan } from '../../runtime/sweep/cross-validation.ts'
import { walkForwardPlan } from '../../runtime/sweep/walk-forward-terms.ts'
import type { SweepOptions } from './sweep-options.ts'

/** Limits of the options. */
const MOST_GROUPS = 20
const MOST_NULLS = 10_000
const MOST_ROUNDS = 100_000

export interface TruthPlan {
  readonly walkForward: WalkForwardPlan | undefined
  readonly crossValidation: CrossValidationPlan | undefined
  /** Tapes to be shuffled; 0 for none. */
  readonly nullTapes: number
  /** Rounds; 0 for none. */
  readonly monteCarlo: number
}

export type TruthOptions = Pick<SweepOptions, 'walkForward' | 'kfold' | 'embargo' | 'null' | 'monteCarlo'>

/** @throws {InputError} naming the option that is not as it should be */
export function truthPlanOf(options: TruthOptions): TruthPlan {
  const { walkForward, kfold, embargo, null: nulls, monteCarlo } = options
  if (embargo !== undefined && kfold === undefined) {
    throw new InputError(setting('embargo'), worded`needs ${setting('kfold')}`)
  }
  const groups = kfold === undefined ? undefined : counted('kfold', kfold, 2, MOST_GROUPS)
  return {
    walkForward:
      walkForward === undefined
        ? undefined
        : walkForwardPlan(setting('walkForward'), textOf('walkForward', walkForward, 'train=30d,test=7d')),
    crossValidation: groups === undefined ? undefined : { groups, embargoMs: embargoOf(embargo) },
    nullTapes: nulls === undefined ? 0 : counted('null', nulls, 1, MOST_NULLS),
    monteCarlo: monteCarlo === undefined ? 0 : counted('monteCarlo', monteCarlo, 100, MOST_ROUNDS),
  }
}

const embargoOf = (embargo: unknown): number =>
  embargo === undefined ? 0 : readLength(setting('embargo'), textOf('embargo', embargo, '1h'))

function textOf(name: string, value: unknown, example: string): string {
  if (typeof value === 'string') return value
  throw new InputError(setting(name), `expected a string such as ${example}`)
}

function counted(name: string, value: unknown, least: number, most: number): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return value
  throw new InputError(setting(name), `expected an integer from ${least} to ${most}, got '${String(value)}'`)
}
