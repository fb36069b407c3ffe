/**
 * The trials that the best of a sweep is held against, as its options ask for them.
 */
import type { WalkForwardPlan } from '../../sweep/selection/walk-forward.ts'
import { InputError, type Place } from '../../domain/errors.ts'
import { nearestNameHint } from '../../domain/nearest-name.ts'
import { setting, worded } from '../../domain/setting-name.ts'
import { readLength } from '../../runtime/settings/form.ts'
import type { CrossValidationPlan } from '../../sweep/cross-validation.ts'
import type { SweepOptions } from './sweep-options.ts'

/** Limits of the options. */
const MAX_GROUPS = 20
const MAX_NULLS = 10_000
const MAX_ROUNDS = 100_000

export interface TruthPlan {
  readonly walkForward: WalkForwardPlan | undefined
  readonly crossValidation: CrossValidationPlan | undefined
  /** Tapes to be shuffled; 0 for none. */
  readonly nullTapes: number
  /** Rounds; 0 for none. */
  readonly monteCarlo: number
}

export type TruthOptions = Pick<SweepOptions, 'walkForward' | 'kfold' | 'embargo' | 'null' | 'monteCarlo'>

const EXAMPLE = 'such as train=30d,test=7d or train=30d,test=7d,anchored,purge=1h'
const LENGTHS = ['train', 'test', 'purge'] as const
const ANCHORED = 'anchored'

type LengthName = (typeof LENGTHS)[number]

/**
 * Parses walk-forward windows: `train=30d,test=7d,anchored,purge=1h`.
 *
 * @throws {InputError} at `place` for a missing, unknown or repeated part
 */
function walkForwardPlan(place: Place, text: string): WalkForwardPlan {
  const lengths = new Map<LengthName, number>()
  let isAnchored = false
  for (const part of text.split(',').map((each) => each.trim())) {
    const [name = '', value] = part.split(/=(.*)/s)
    const length = LENGTHS.find((each) => each === name)
    if (name === ANCHORED && value === undefined) {
      if (isAnchored) throw new InputError(place, `'${ANCHORED}' is given twice`)
      isAnchored = true
    } else if (length === undefined || value === undefined) {
      const hint = nearestNameHint(name, [...LENGTHS, ANCHORED])
      throw new InputError(place, `expected ${EXAMPLE}, got '${part}'${hint}`)
    } else {
      if (lengths.has(length)) throw new InputError(place, `'${length}' is given twice`)
      lengths.set(length, length === 'purge' && /^0[smhdw]?$/.test(value) ? 0 : readLength(place, value))
    }
  }
  const [trainMs, testMs] = [lengths.get('train'), lengths.get('test')]
  if (trainMs === undefined || testMs === undefined) {
    throw new InputError(place, `expected ${trainMs === undefined ? 'train' : 'test'} too, ${EXAMPLE}`)
  }
  return { trainMs, testMs, purgeMs: lengths.get('purge') ?? 0, isAnchored }
}

/** @throws {InputError} naming the invalid option */
export function truthPlanOf(options: TruthOptions): TruthPlan {
  const { walkForward, kfold, embargo, null: nulls, monteCarlo } = options
  if (embargo !== undefined && kfold === undefined) {
    throw new InputError(setting('embargo'), worded`needs ${setting('kfold')}`)
  }
  const groups = kfold === undefined ? undefined : counted('kfold', kfold, 2, MAX_GROUPS)
  return {
    walkForward:
      walkForward === undefined
        ? undefined
        : walkForwardPlan(setting('walkForward'), textOf('walkForward', walkForward, 'train=30d,test=7d')),
    crossValidation: groups === undefined ? undefined : { groups, embargoMs: embargoOf(embargo) },
    nullTapes: nulls === undefined ? 0 : counted('null', nulls, 1, MAX_NULLS),
    monteCarlo: monteCarlo === undefined ? 0 : counted('monteCarlo', monteCarlo, 100, MAX_ROUNDS),
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
