/**
 * The page of a sweep, of what is in its directory: `sweep.json` says what was swept, `points.jsonl` what came of it.
 *
 * Invariant: the page that a sweep writes at its end and the one that is made of its directory later are the same.
 */
import { recordedSpans } from '../../runtime/backtest/recorded-spans.ts'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { InputError } from '../../domain/errors.ts'
import { isoTime } from '../../domain/time.ts'
import { sweepDocument } from '../../report/page/sweep/sweep-document.ts'
import type { SweepFacts } from '../../report/page/sweep/sweep-page.ts'
import type { SampleTimes } from '../../report/page/sweep/swept-curves.ts'
import { STATS_PERIOD_NAMES, statsPeriodMs } from '../../runtime/settings/run-terms.ts'
import { conditionOf } from '../../runtime/sweep/condition.ts'
import { gridOf, type Params } from '../../runtime/sweep/grid.ts'
import { statisticObjective, type Objective } from '../../runtime/sweep/objective.ts'
import { identityHash, pointKey, type SweepIdentity } from '../../runtime/sweep/point-key.ts'
import type { PointOutcome } from '../../runtime/sweep/point-outcome.ts'
import { searchedPoints } from '../../runtime/sweep/point-search.ts'
import { paretoFrontOf, rankedBy } from '../../runtime/sweep/ranking.ts'
import { readPoints } from './points-file.ts'
import type { SweepReport } from './sweep-report.ts'

const time = z.number().nullable()
const terms = z.object({ seed: z.int(), from: time, to: time, statsPeriod: z.enum(STATS_PERIOD_NAMES) })

const [POINTS, REPORT] = ['points.jsonl', 'sweep.json'] as const

/** @param outcomes  in the order of the grid */
export function sweepPage(
  report: SweepReport,
  outcomes: readonly PointOutcome[],
  objectives: readonly Objective[],
): string {
  return sweepDocument(factsOf(report, outcomes, objectives))
}

/**
 * The page of a finished sweep.
 *
 * @throws {InputError} when the directory holds none, or it was ranked by functions of the user's own
 */
export function sweepPageIn(directory: string): string {
  const report = reportIn(join(directory, REPORT))
  const objectives = report.objective.map((name) => objectiveOf(directory, name))
  const identity = identityHash(report.identity)
  const known = readPoints(join(directory, POINTS), identity)
  const outcomes = pointsIn(report, objectives, (params) => {
    const outcome = known.get(pointKey(identity, { params }))
    if (outcome !== undefined) return outcome
    throw new InputError(join(directory, POINTS), 'lacks points of its sweep; run the same sweep again to complete it')
  })
  return sweepPage(report, outcomes, objectives)
}

function reportIn(path: string): SweepReport {
  let json: Partial<SweepReport> | null
  try {
    json = JSON.parse(readFileSync(path, 'utf8')) as Partial<SweepReport> | null
  } catch (error) {
    throw new InputError(path, 'is missing or not JSON; sweep --out writes it', { cause: error })
  }
  if (typeof json?.identity !== 'object' || typeof json.params !== 'object' || !Array.isArray(json.objective)) {
    throw new InputError(path, 'is not from a sweep')
  }
  if (json.isComplete === true) return json as SweepReport
  throw new InputError(path, 'is from a sweep that has not ended; run the same sweep again to continue it')
}

function objectiveOf(directory: string, name: string): Objective {
  try {
    return statisticObjective('objective', name)
  } catch (error) {
    const mend = 'run the same sweep again to write the page; it repeats no point'
    throw new InputError(directory, `was ranked by '${name}', which is not a statistic of papertape; ${mend}`, {
      cause: error,
    })
  }
}

/** Asks for each in its order. */
function pointsIn(
  { params, where, random, search, trials, identity }: SweepReport,
  objectives: readonly Objective[],
  outcomeOf: (params: Params) => PointOutcome,
): readonly PointOutcome[] {
  const isWanted = where === null ? undefined : conditionOf('where', where, Object.keys(params))
  const { seed } = termsIn(identity)
  const values = new Map(Object.entries(params))
  const [objective] = objectives
  // A sweep.json from before there were searches does not name one.
  if (typeof search !== 'string' || objective === undefined) {
    return gridOf({ params: values, isWanted, random: random ?? undefined, seed }).map(outcomeOf)
  }
  const points = searchedPoints({ name: search, trials: trials ?? 0, params: values, isWanted, seed, objective })
  let step = points.next()
  while (step.done !== true) step = points.next(step.value.map(outcomeOf))
  return step.value
}

const termsIn = ({ settings }: SweepIdentity): z.infer<typeof terms> => terms.parse(settings)

function factsOf(report: SweepReport, outcomes: readonly PointOutcome[], objectives: readonly Objective[]): SweepFacts {
  const { identity, params } = report
  const ranked = rankedBy(outcomes, objectives)
  const times = timesOf(identity)
  return {
    strategy: identity.strategy.name,
    symbols: recordedSpans(identity).map(({ symbol }) => symbol),
    params,
    objectives,
    outcomes,
    ranked,
    times,
    report,
    front: objectives.length === 1 ? ranked.slice(0, 1) : paretoFrontOf(outcomes, objectives),
    facts: [sweptText(report), `From ${isoTime(times.from)} to ${isoTime(times.to)}.`],
    ...truthIn(report),
  }
}

/** A sweep.json from before a part was there does not have it. */
function truthIn(
  report: Partial<SweepReport>,
): Pick<SweepFacts, 'truth' | 'walkForward' | 'nullTapes' | 'crossValidation' | 'monteCarlo'> {
  const { verdict: truth = null, walkForward = null, nullTapes = null } = report
  const { crossValidation = null, monteCarlo = null } = report
  return { truth, walkForward, nullTapes, crossValidation, monteCarlo }
}

function sweptText({ points, params, where, random, search }: SweepReport): string {
  const values = Object.entries(params).map(([name, { length }]) => `${length} of ${name}`)
  const drawn = random === null ? '' : ', random sample'
  const left = where === null ? '' : `, where ${where}`
  return `${points === 1 ? '1 point' : `${points} points`}: ${values.join(' x ')}${left}${drawn}${typeof search === 'string' ? `, searched by ${search}` : ''}.`
}

/** Of every point: the time that the tapes have in the window of the settings. */
function timesOf(identity: SweepIdentity): SampleTimes {
  const { statsPeriod, ...window } = termsIn(identity)
  const spans = recordedSpans(identity)
  const from = Math.min(...spans.map((tape) => tape.from))
  const to = Math.max(...spans.map((tape) => tape.to))
  const periodMs = statsPeriodMs({ statsPeriod })
  return { from: Math.max(from, window.from ?? from), to: Math.min(to, window.to ?? to), periodMs }
}
