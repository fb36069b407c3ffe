/**
 * The page of a sweep, from its directory: `sweep.json` describes the sweep, `points.jsonl` has the outcomes.
 *
 * Invariant: the page written at the end of a sweep equals the one made from its directory later.
 */
import { recordedSpans } from '../../runtime/backtest/recorded-spans.ts'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { InputError } from '../../domain/errors.ts'
import { isoTime } from '../../domain/time.ts'
import { robustnessPage } from '../../report/page/sweep/robustness-page.ts'
import { sweepDocument } from '../../report/page/sweep/sweep-page.ts'
import type { SweepFacts } from '../../report/page/sweep/sweep-page.ts'
import type { SampleTimes } from '../../report/page/sweep/swept-curves.ts'
import { STATS_PERIOD_NAMES, statsPeriodMs } from '../../runtime/settings/run-terms.ts'
import { conditionOf } from '../../sweep/condition.ts'
import { gridOf, type Params } from '../../sweep/grid.ts'
import { statisticObjective, type Objective } from '../../sweep/objective.ts'
import { identityHash, pointKey, type SweepIdentity } from '../../sweep/point-key.ts'
import type { PointOutcome } from '../../sweep/point-outcome.ts'
import { searchedPoints } from '../../sweep/point-search.ts'
import { paretoFrontOf, rankedBy } from '../../sweep/ranking.ts'
import { readPoints } from './points-file.ts'
import type { SweepReport } from './sweep-report.ts'

const time = z.number().nullable()
const terms = z.object({ seed: z.int(), from: time, to: time, statsPeriod: z.enum(STATS_PERIOD_NAMES) })

const [POINTS, REPORT] = ['points.jsonl', 'sweep.json'] as const

/** @param outcomes  in grid order */
export function sweepPage(
  report: SweepReport,
  outcomes: readonly PointOutcome[],
  objectives: readonly Objective[],
): string {
  if (report.robustness !== undefined) return robustnessPage(factsOf(report, outcomes, objectives), report.robustness)
  return sweepDocument(factsOf(report, outcomes, objectives))
}

/**
 * The page of a finished sweep.
 *
 * @throws {InputError} if the directory contains none, or if it was ranked by custom functions
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

/** Outcomes in grid order, or in the order of the search. */
function pointsIn(
  { params, where, random, search, trials, identity }: SweepReport,
  objectives: readonly Objective[],
  outcomeOf: (params: Params) => PointOutcome,
): readonly PointOutcome[] {
  const isWanted = where === null ? undefined : conditionOf('where', where, Object.keys(params))
  const { seed } = termsIn(identity)
  const values = new Map(Object.entries(params))
  const [objective] = objectives
  // Files of versions without searches lack this field.
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

/** Files of older versions lack some of these parts. */
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

/** Sample times of every point: the part of the tapes within the window of the settings. */
function timesOf(identity: SweepIdentity): SampleTimes {
  const { statsPeriod, ...window } = termsIn(identity)
  const spans = recordedSpans(identity)
  const from = Math.min(...spans.map((tape) => tape.from))
  const to = Math.max(...spans.map((tape) => tape.to))
  const periodMs = statsPeriodMs({ statsPeriod })
  return { from: Math.max(from, window.from ?? from), to: Math.min(to, window.to ?? to), periodMs }
}
