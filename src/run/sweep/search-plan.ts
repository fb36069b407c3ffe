/** The search options of a sweep. */
import { InputError } from '../../domain/errors.ts'
import { setting, worded } from '../../domain/setting-name.ts'
import type { Objective } from '../../sweep/objective.ts'
import {
  hasPoint,
  MAX_TRIALS,
  SEARCH_NAMES,
  unsearchable,
  type PointSearch,
  type SearchName,
} from '../../sweep/point-search.ts'

interface SearchOptions {
  readonly search: unknown
  readonly trials: unknown
  readonly random: unknown
}

interface SearchTerms extends Pick<PointSearch, 'params' | 'isWanted' | 'seed'> {
  /** At least one. */
  readonly objectives: readonly Objective[]
}

/**
 * @returns null without a search
 * @throws {InputError} naming the invalid option
 */
export function searchPlanOf({ search, trials, random }: SearchOptions, terms: SearchTerms): PointSearch | null {
  if (search === undefined) {
    if (trials === undefined) return null
    throw new InputError(setting('trials'), worded`needs ${setting('search')}`)
  }
  const name = SEARCH_NAMES.find((each) => each === search)
  if (name === undefined) {
    throw new InputError(setting('search'), `expected ${SEARCH_NAMES.join(' or ')}, got ${shown(search)}`)
  }
  if (random !== undefined)
    throw new InputError(setting('random'), worded`cannot be combined with ${setting('search')}; pass one of them`)
  const { objectives, ...others } = terms
  const [objective] = objectives
  if (objective === undefined || objectives.length > 1) {
    throw new InputError(
      setting('objective'),
      worded`${setting('search')} optimizes one objective, got ${String(objectives.length)}`,
    )
  }
  const plan = { name, trials: trialsOf(name, trials), objective, ...others }
  const [named] = unsearchable(plan)
  if (named !== undefined) {
    throw new InputError(
      setting('search'),
      worded`${name} searches numbers only, and ${named} has other values; use ${setting('search', 'tpe')}, or give ${named} one value`,
    )
  }
  if (hasPoint(plan)) return plan
  throw new InputError(setting('where'), `excludes all of the ${countText(plan)} combinations`)
}

function trialsOf(name: SearchName, trials: unknown): number {
  if (trials === undefined) {
    throw new InputError(setting('trials'), worded`missing: the number of points that ${setting('search', name)} runs`)
  }
  if (typeof trials === 'number' && Number.isInteger(trials) && trials >= 1 && trials <= MAX_TRIALS) return trials
  throw new InputError(setting('trials'), `expected an integer from 1 to ${MAX_TRIALS}, got ${shown(trials)}`)
}

const countText = ({ params }: Pick<PointSearch, 'params'>): string =>
  String([...params.values()].reduce((all, { length }) => all * BigInt(length), 1n))

/** There are no more points than combinations. */
export const mostPoints = ({ trials, params }: PointSearch): number =>
  [...params.values()].reduce((all, { length }) => Math.min(trials, all * length), 1)

const shown = (value: unknown): string => (typeof value === 'string' ? `'${value}'` : JSON.stringify(value))
