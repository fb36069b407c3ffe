/** A sweep as described by its options, before any file is read: settings, grid, objectives. */
import { availableParallelism } from 'node:os'
import { InputError } from '../../domain/errors.ts'
import { setting, worded } from '../../domain/setting-name.ts'
import { orOff, integer } from '../../runtime/settings/form.ts'
import { conditionOf } from '../../sweep/condition.ts'
import { gridOf, MAX_POINTS, type Params } from '../../sweep/grid.ts'
import { givenObjective, statisticObjective, type Objective } from '../../sweep/objective.ts'
import { checkDistinct, paramValues } from '../../sweep/param-values.ts'
import type { PointSearch } from '../../sweep/point-search.ts'
import { DEFAULT_TURN_LIMIT, type TurnLimit } from '../../runtime/turn-watch.ts'
import { settingsOfOptions, type AskedBacktest } from '../settings-of-options.ts'
import type { ScorePoint, SweepOptions, SweptValues } from './sweep-options.ts'
import { checkedRedisUrl } from './redis-url.ts'
import { mostPoints, searchPlanOf } from './search-plan.ts'
import { MAX_WORKERS } from './thread-pool.ts'
import { truthPlanOf, type TruthPlan } from './truth-plan.ts'

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
  const values = valuesOf(params)
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

/** @throws {InputError} if it is not a list of values, or an empty one */
function valuesOf(params: unknown): ReadonlyMap<string, readonly string[]> {
  if (typeof params !== 'object' || params === null || Array.isArray(params)) {
    throw new InputError(setting('params'), 'expected values by parameter, such as { fast: [5, 10] }')
  }
  return new Map(Object.entries(params).map(([name, given]) => [name, textsOf(name, given as SweptValues)]))
}

function textsOf(name: string, given: SweptValues): readonly string[] {
  const place = setting(`params.${name}`)
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
