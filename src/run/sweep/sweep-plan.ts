/** A sweep as described by its options, before any file is read: settings, grid, objectives. */
import { availableParallelism } from 'node:os'
import { InputError, type Place } from '../../domain/errors.ts'
import { nearestNameHint } from '../../domain/nearest-name.ts'
import { setting, worded } from '../../domain/setting-name.ts'
import { integer, orOff, readLength } from '../../runtime/settings/form.ts'
import { DEFAULT_TURN_LIMIT, type TurnLimit } from '../../runtime/turn-watch.ts'
import { conditionOf } from '../../sweep/condition.ts'
import type { CrossValidationPlan } from '../../sweep/cross-validation.ts'
import { gridOf, MAX_POINTS, type Params } from '../../sweep/grid.ts'
import { givenObjective, type Objective, statisticObjective } from '../../sweep/objective.ts'
import { checkDistinct, paramValues } from '../../sweep/param-values.ts'
import {
  hasPoint,
  MAX_TRIALS,
  type PointSearch,
  SEARCH_NAMES,
  type SearchName,
  unsearchable,
} from '../../sweep/point-search.ts'
import type { WalkForwardPlan } from '../../sweep/selection/walk-forward.ts'
import { isVaried, variedNames, variedPlace, variedTerms } from '../../runtime/settings/varied-terms.ts'
import { type AskedBacktest, settingsOfOptions } from '../settings-of-options.ts'
import { checkedRedisUrl } from './redis-url.ts'
import type { ScorePoint, SweepOptions, SweptValues } from './sweep-options.ts'
import { MAX_WORKERS } from './thread-pool.ts'

/** Limits of the options. */
const MAX_GROUPS = 20
const MAX_NULLS = 10_000
const MAX_ROUNDS = 100_000

/** The trials that the best of a sweep is held against, as its options ask for them. */
interface TruthPlan {
  readonly walkForward: WalkForwardPlan | undefined
  readonly crossValidation: CrossValidationPlan | undefined
  /** Tapes to be shuffled; 0 for none. */
  readonly nullTapes: number
  /** Rounds; 0 for none. */
  readonly monteCarlo: number
}

type TruthOptions = Pick<SweepOptions, 'walkForward' | 'kfold' | 'embargo' | 'null' | 'monteCarlo'>

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
function truthPlanOf(options: TruthOptions): TruthPlan {
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
function searchPlanOf({ search, trials, random }: SearchOptions, terms: SearchTerms): PointSearch | null {
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
const mostPoints = ({ trials, params }: PointSearch): number =>
  [...params.values()].reduce((all, { length }) => Math.min(trials, all * length), 1)

const shown = (value: unknown): string => (typeof value === 'string' ? `'${value}'` : JSON.stringify(value))

const DEFAULT_OBJECTIVE = 'sharpe'

export interface SweepPlan extends AskedBacktest {
  /** Values by parameter, in the order given. */
  readonly values: ReadonlyMap<string, readonly string[]>
  readonly where: string | null
  readonly random: number | null
  /** Null if all points are known from the start. */
  readonly search: PointSearch | null
  /** Points in grid order; empty for a search. */
  readonly grid: readonly Params[]
  /** Number of points; for a search the maximum. */
  readonly points: number
  /** At least one. */
  readonly objectives: readonly Objective[]
  readonly workers: number
  readonly turnLimit: TurnLimit
  readonly truth: TruthPlan
  /** URL for workers on other machines; undefined for threads of this process. */
  readonly redis: URL | undefined
}

/** @throws {InputError} naming the invalid option */
export function planOf(options: SweepOptions): SweepPlan {
  const { walkForward, kfold, embargo, null: nulls, monteCarlo, ...points } = options
  const {
    params,
    vary = {},
    fixed,
    where,
    random,
    search,
    trials,
    objective,
    workers,
    turnLimit,
    out,
    force,
    onProgress,
    redis,
    onMachines,
    ...rest
  } = points
  const truth = truthPlanOf({ walkForward, kfold, embargo, null: nulls, monteCarlo })
  checkTypes({ where, out, force, onProgress, onMachines })
  const asked = settingsOfOptions({ ...rest, params: fixed })
  const values = new Map([...valuesOf(params), ...valuesOf(variedNames(vary), 'vary')])
  checkVaried(values, asked)
  const twice = [...values.keys()].find((name) => Object.hasOwn(asked.settings.params, name))
  if (twice !== undefined) throw new InputError(setting(`fixed.${twice}`), 'is also swept; pass it once')
  const isWanted = where === undefined ? undefined : conditionOf(setting('where'), where, [...values.keys()])
  const drawn = random === undefined ? undefined : checked('random', integer(1, MAX_POINTS), random)
  const objectives = objectivesOf(objective)
  const { seed } = asked.settings
  const searched = searchPlanOf({ search, trials, random }, { params: values, isWanted, seed, objectives })
  const grid = searched === null ? gridOf({ params: values, isWanted, random: drawn, seed }) : []
  return {
    ...asked,
    values,
    where: where ?? null,
    random: drawn ?? null,
    search: searched,
    grid,
    points: searched === null ? grid.length : mostPoints(searched),
    objectives,
    workers: workers === undefined ? availableParallelism() : checked('workers', integer(1, MAX_WORKERS), workers),
    turnLimit:
      turnLimit === undefined ? DEFAULT_TURN_LIMIT : checked('turnLimit', orOff(integer(1, 86_400)), turnLimit),
    truth,
    redis: redis === undefined ? undefined : machinesUrl(redis, workers, asked),
  }
}

/** @throws {InputError} for options that workers do not support */
function machinesUrl(redis: unknown, workers: unknown, { given }: AskedBacktest): URL {
  const url = checkedRedisUrl(redis)
  if (workers !== undefined) {
    throw new InputError(
      setting('workers'),
      worded`sets the threads of this process, but with ${setting('redis')} workers run the points; drop one of them`,
    )
  }
  if (given.strategy === undefined && given.liquidity === undefined) return url
  throw new InputError(
    setting('redis'),
    'needs the strategy and the liquidity model as a name or a file; a value cannot be sent to other machines',
  )
}

function checkTypes({ where, out, force, onProgress, onMachines }: Partial<Record<string, unknown>>): void {
  for (const [name, value, type] of [
    ['where', where, 'string'],
    ['out', out, 'string'],
    ['force', force, 'boolean'],
    ['onProgress', onProgress, 'function'],
    ['onMachines', onMachines, 'function'],
  ] as const) {
    if (value !== undefined && typeof value !== type) throw new InputError(setting(name), `expected a ${type}`)
  }
  if (out === '') throw new InputError(setting('out'), 'expected the path of a directory')
}

interface Schema<T> {
  readonly schema: { safeParse(value: unknown): { data?: T | undefined; success: boolean; error?: unknown } }
}

function checked<T>(name: string, { schema }: Schema<T>, value: unknown): T {
  const { data } = schema.safeParse(value)
  if (data !== undefined) return data
  throw new InputError(setting(name), `'${String(value)}' is not a valid value`)
}

/** @throws {InputError} for a value of a setting that no run could have */
function checkVaried(values: ReadonlyMap<string, readonly string[]>, { given }: AskedBacktest): void {
  const varied = [...values].filter(([name]) => isVaried(name))
  for (const [name, texts] of varied) for (const text of texts) variedTerms({ [name]: text })
  if (given.liquidity === undefined || !varied.some(([name]) => name === '--liquidity')) return
  throw new InputError(
    setting('liquidity'),
    worded`is given as a value and cannot vary: leave it out of ${setting('vary')}`,
  )
}

/** @throws {InputError} if it is not a list of values, or an empty one */
function valuesOf(params: unknown, option = 'params'): ReadonlyMap<string, readonly string[]> {
  if (typeof params !== 'object' || params === null || Array.isArray(params)) {
    throw new InputError(setting(option), 'expected values by parameter, such as { fast: [5, 10] }')
  }
  return new Map(Object.entries(params).map(([name, given]) => [name, textsOf(name, given as SweptValues)]))
}

function textsOf(name: string, given: SweptValues): readonly string[] {
  const place = isVaried(name) ? variedPlace(name) : setting(`params.${name}`)
  if (typeof given === 'string') return paramValues(place, given)
  const values = Array.isArray(given) ? (given as readonly unknown[]) : [given]
  if (values.length === 0) throw new InputError(place, 'expected at least one value')
  const texts = values.map((value) => {
    if (typeof value === 'string' || typeof value === 'boolean') return String(value)
    if (typeof value === 'number' && Number.isFinite(value)) return String(value)
    throw new InputError(place, 'expected strings, numbers, true or false')
  })
  checkDistinct(place, texts)
  return texts
}

function objectivesOf(given: SweepOptions['objective'] = DEFAULT_OBJECTIVE): readonly Objective[] {
  const place = setting('objective')
  const all: readonly (string | ScorePoint)[] = Array.isArray(given)
    ? (given as readonly (string | ScorePoint)[])
    : [given as string | ScorePoint]
  if (all.length === 0) throw new InputError(place, 'expected at least one statistic')
  const objectives = all.map((each, index) => {
    if (typeof each === 'string') return statisticObjective(place, each)
    if (typeof each !== 'function') throw new InputError(place, 'expected the name of a statistic, or a function')
    return givenObjective(each.name === '' ? `objective ${index + 1}` : each.name, each)
  })
  const names = objectives.map(({ name }) => name.replace(/^-/, ''))
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw new InputError(place, `'${twice}' is given twice`)
  return objectives
}
