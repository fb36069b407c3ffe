/**
 * Verdict on the best point of a sweep: tests for luck and overfitting, and a comparison with its neighbours.
 *
 * Invariant: deterministic; an unknown figure is null, and the verdict says so.
 */
import type { Objective } from './objective.ts'
import type { PointOutcome } from './point-outcome.ts'
import { excessOf, returnsOf, type Sampling } from './point-returns.ts'
import { percent, type RequestedTests, testResults, type TestResults } from './requested-tests.ts'
import { neighbourhood } from './selection/neighbourhood.ts'
import { Overfitting, type OverfittingStatistics } from './selection/overfitting.ts'
import { selectionStatistics } from './selection/selection-statistics.ts'
import { TrialCorrelation } from './selection/trial-correlation.ts'
import {
  type BestNeighbours,
  type CountedTrials,
  MAX_OVERFITTING,
  MIN_DEFLATED_SHARPE,
  type SweepVerdict,
} from './verdict-report.ts'

type Figures = Omit<SweepVerdict, 'text'>

interface VerdictCircumstances {
  /** The first objective, as given. */
  readonly objective: string
  /** True if earlier outcomes determined each point. */
  readonly isSearched: boolean
  /** Number of returns of the best. */
  readonly returns: number
  readonly results: TestResults
}

const MIN_RETURNS = 4

/**
 * The verdict on the best of a sweep in sentences, for readers who have never heard of a deflated Sharpe ratio.
 *
 * Invariant: an unknown figure is reported as unknown, never left out.
 */
function verdictText(figures: Figures, circumstances: VerdictCircumstances): readonly string[] {
  return [
    findingText(figures, circumstances),
    luckText(figures, circumstances),
    ...countText(figures),
    ...searchText(figures, circumstances),
    deflatedText(figures, circumstances),
    overfittingText(figures),
    ...lengthText(figures),
    neighboursText(figures),
    ...nullText(figures),
  ]
}

function findingText({ finding, deflatedSharpe, pbo }: Figures, { results }: VerdictCircumstances): string {
  if (finding === 'likely real') return 'The best result is better than luck explains.'
  if (finding === 'not shown') {
    const isOutlucked = (deflatedSharpe ?? 0) < MIN_DEFLATED_SHARPE || (pbo ?? 0) >= MAX_OVERFITTING
    if (isOutlucked) return 'There is no evidence that the best result is more than luck.'
    return `The best result may be luck: ${results.failed.join('; ')}.`
  }
  const why = results.unknown.length === 0 ? '' : `: ${results.unknown.join('; ')}`
  return `There is too little data to tell whether the best result is more than luck${why}.`
}

function luckText({ trials, luckSharpe, sharpe }: Figures, { objective }: VerdictCircumstances): string {
  const isOther = objective !== 'sharpe'
  const best = `The best${isOther ? ` by ${objective}` : ''} has ${sharpe === null ? 'no Sharpe ratio' : `a Sharpe ratio of ${ratio(sharpe)}`}`
  if (trials <= 1) return `${best}. It is the only trial, so there was nothing to select.`
  if (luckSharpe === null) {
    return `${best}. The Sharpe ratio that luck alone would reach in ${grouped(trials)} trials is unknown, because fewer than two of them have one.`
  }
  return `${best}. In ${grouped(trials)} trials, luck alone would reach ${ratio(luckSharpe)}.`
}

function countText({ trialsFrom, trials, effectiveTrials }: Figures): readonly string[] {
  const alike =
    effectiveTrials < trials * 0.95
      ? ` They are correlated, and count as ${ratio(effectiveTrials)} independent trials.`
      : ''
  if (trialsFrom === 'database') {
    return [`All trials of this strategy on this tape in the database are counted, including this sweep.${alike}`]
  }
  const why =
    trialsFrom === 'left out'
      ? ', because it is not counted in the database. Earlier trials would weaken the result.'
      : '; pass --db to count earlier ones too.'
  return [`Only the trials of this sweep are counted${why}${alike}`]
}

function searchText({ nullTapes }: Figures, { isSearched }: VerdictCircumstances): readonly string[] {
  if (!isSearched) return []
  const higher = 'The search picked points by earlier results, so luck helps it more than it helps a random sample'
  return [nullTapes > 0 ? `${higher}.` : `${higher}. Pass --null to measure this on shuffled tapes.`]
}

function deflatedText({ deflatedSharpe, sharpe }: Figures, { returns }: VerdictCircumstances): string {
  if (deflatedSharpe !== null) {
    const level = deflatedSharpe >= MIN_DEFLATED_SHARPE ? 'enough' : 'too low'
    return `The probability that the true Sharpe ratio is above 0, corrected for luck, is ${percent(deflatedSharpe)} (deflated Sharpe ratio). This is ${level}: 95 % is required.`
  }
  const why =
    returns < MIN_RETURNS
      ? `the best has ${returns} returns, and at least ${MIN_RETURNS} are needed; use a longer tape or a shorter --stats-period`
      : sharpe === null
        ? 'its returns do not vary'
        : 'too few trials have a Sharpe ratio'
  return `The deflated Sharpe ratio is unknown: ${why}.`
}

function overfittingText({ pbo, blocks }: Figures): string {
  if (pbo === null) {
    return 'The probability of overfitting is unknown: it needs two points with at least eight returns each.'
  }
  const meaning =
    pbo >= MAX_OVERFITTING
      ? 'Picking the best was no better than picking at random.'
      : pbo > 0.1
        ? 'Picking the best helped, but not always.'
        : 'The best on one half was usually among the better ones on the other.'
  return `The probability of overfitting is ${percent(pbo)}: that is how often the best on one half of the time ranked below the median on the other (${blocks ?? 0} blocks). ${meaning}`
}

function lengthText({ minimumBacktestYears: years, minimumTrackRecord: periods, sharpe }: Figures): readonly string[] {
  const texts: string[] = []
  if (years !== null && years > 0 && sharpe !== null) {
    texts.push(
      `A tape shorter than ${spanText(years)} can show a Sharpe ratio of ${ratio(sharpe)} by luck alone (minimum backtest length).`,
    )
  }
  if (periods !== null) {
    texts.push(
      `Returns like these need ${grouped(Math.ceil(periods))} periods to reach 95 % (minimum track record length).`,
    )
  }
  return texts
}

function neighboursText({ neighbours }: Figures): string {
  const shape = neighbours?.shape ?? null
  const ends = neighbours?.edges ?? []
  const edge =
    ends.length === 0 ? '' : ` It is at the edge of the range of ${ends.join(' and ')}: better values may be outside.`
  const drop = neighbours?.drop ?? null
  if (shape === null || drop === null)
    return `Too few neighbours of the best have a result to tell a plateau from an isolated peak.${edge}`
  const lost = `one step away it loses ${percent(Math.max(0, drop))} of its lead over the median`
  const what = { plateau: 'on a plateau', slope: 'on a slope', needle: 'an isolated peak' }[shape]
  return `The best is ${what}: ${lost}.${edge}`
}

function nullText({ pValue, nullTapes }: Figures): readonly string[] {
  if (nullTapes === 0) return []
  if (pValue === null) return ['The result of the same sweep on shuffled tapes is unknown.']
  const limit = pValue === 1 / (nullTapes + 1) ? ', the lowest that so few tapes can show' : ''
  return [
    `On ${grouped(nullTapes)} shuffled ${nullTapes === 1 ? 'tape' : 'tapes'} with no pattern to find, the same sweep does as well with a probability of ${percent(pValue)} (p-value)${limit}.`,
  ]
}

/** Below a year, in days. */
const spanText = (years: number): string => (years < 1 ? `${ratio(years * 365.25)} days` : `${ratio(years)} years`)

/** With a blank between thousands: 1 240. */
const grouped = (count: number): string => String(count).replaceAll(/\B(?=(\d{3})+$)/g, ' ')

function ratio(value: number): string {
  const digits = Math.abs(value) >= 0.1 || value === 0 ? 1 : 2
  return Math.abs(value) >= 1e6 ? value.toExponential(1) : value.toFixed(digits).replace(/^-(0\.?0*)$/, '$1')
}

export interface VerdictInputs {
  /** Swept values by parameter. */
  readonly values: ReadonlyMap<string, readonly string[]>
  readonly objectives: readonly Objective[]
  readonly sampling: Sampling
  /** Outcomes in grid order. */
  readonly outcomes: readonly PointOutcome[]
  /** Outcomes with a value for every objective, best first. */
  readonly ranked: readonly PointOutcome[]
  readonly trials: CountedTrials
  /** True if earlier outcomes determined each point. */
  readonly isSearched: boolean
  /** The tests that were requested; the others are null. */
  readonly tests: RequestedTests
}

/** @returns null if no point has a value for the objective: there is no best */
export function verdictOf(inputs: VerdictInputs): SweepVerdict | null {
  const { sampling, outcomes, ranked, trials, tests } = inputs
  const [best] = ranked
  if (best === undefined) return null
  const excess = excessOf(returnsOf(best) ?? [], sampling)
  const { correlation, overfitting } = pairsOf(outcomes, sampling, excess.length)
  const selection = selectionStatistics({
    best: excess,
    periodsPerYear: sampling.periodsPerYear,
    trials: Math.max(1, trials.sharpes.length),
    sharpes: trials.sharpes,
    correlation,
  })
  const results = testResults(tests)
  const verdict = {
    finding: weakest(findingOf(selection.deflatedSharpe, overfitting.pbo, outcomes.length), results),
    sharpe: best.statistics?.sharpe ?? null,
    correlation,
    ...selection,
    ...overfitting,
    trialsFrom: trials.source,
    neighbours: neighboursOf(inputs, best),
    pValue: tests.nullTapes?.pValue ?? null,
    nullTapes: tests.nullTapes?.tapes ?? 0,
  }
  const objective = inputs.objectives[0]?.name ?? ''
  return {
    text: verdictText(verdict, { objective, returns: excess.length, isSearched: inputs.isSearched, results }),
    ...verdict,
  }
}

/** A single point was not chosen among several, so the choice cannot overfit. */
function findingOf(deflated: number | null, pbo: number | null, points: number): SweepVerdict['finding'] {
  if (deflated === null || (pbo === null && points > 1)) return 'unknown'
  return deflated >= MIN_DEFLATED_SHARPE && (pbo ?? 0) < MAX_OVERFITTING ? 'likely real' : 'not shown'
}

/** A single failed test is enough against the best; a test without a result leaves it open. */
function weakest(finding: SweepVerdict['finding'], { failed, unknown }: TestResults): SweepVerdict['finding'] {
  if (finding === 'not shown' || failed.length > 0) return 'not shown'
  return unknown.length > 0 ? 'unknown' : finding
}

interface Pairs {
  readonly correlation: number | null
  readonly overfitting: OverfittingStatistics
}

/** Pairs of all points with as many returns as the best. */
function pairsOf(outcomes: readonly PointOutcome[], sampling: Sampling, periods: number): Pairs {
  const correlation = new TrialCorrelation(periods)
  const overfitting = new Overfitting(periods)
  for (const outcome of outcomes) {
    const returns = returnsOf(outcome)
    if (returns?.length !== periods || periods === 0) continue
    const excess = excessOf(returns, sampling)
    correlation.add(excess)
    overfitting.add(excess)
  }
  return { correlation: correlation.mean, overfitting: overfitting.statistics() }
}

function neighboursOf({ values, objectives, outcomes }: VerdictInputs, best: PointOutcome): BestNeighbours | null {
  const [objective] = objectives
  if (objective === undefined || values.size === 0) return null
  const axes = [...values].map(([name, texts]) => ({ name, ...axisOf(texts) }))
  const points = outcomes.map((outcome) => ({
    place: axes.map(({ name, steps }) => steps.get(outcome.params[name] ?? '') ?? 0),
    value: objective.score(outcome),
  }))
  const found = neighbourhood(
    points,
    axes.map(({ isOrdered }) => isOrdered),
    outcomes.indexOf(best),
  )
  return {
    count: found.neighbours.length,
    drop: found.drop,
    shape: found.shape,
    edges: found.edges.flatMap((axis) => axes[axis]?.name ?? []),
  }
}

interface Axis {
  readonly isOrdered: boolean
  /** Position by value, from 0. */
  readonly steps: ReadonlyMap<string, number>
}

/** Numbers ascending, in whatever order they were given; texts have no order. */
function axisOf(texts: readonly string[]): Axis {
  const isOrdered = texts.every((text) => text.trim() !== '' && Number.isFinite(Number(text)))
  const order = isOrdered ? texts.toSorted((a, b) => Number(a) - Number(b)) : texts
  return { isOrdered, steps: new Map(order.map((text, step) => [text, step])) }
}
