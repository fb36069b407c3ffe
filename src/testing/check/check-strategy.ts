/**
 * Property test of a strategy: random markets, terms and faults are generated, the strategy runs in each, and
 * violations are reported with the few rows that reproduce them.
 *
 * Invariant: the same strategy, options and seed give the same findings, unless the time limit is reached.
 */
import fc from 'fast-check'
import { throwIfAborted } from '../../domain/errors.ts'
import { FAULT_KIND_NAMES, type FaultKind, type FoundFault } from './fault-kinds.ts'
import { judge } from './judge.ts'
import { rowCount, type Scenario } from './scenario.ts'
import { shrink } from './shrink.ts'
import { someScenarios } from './some-scenarios.ts'
import { Subject, type SubjectOptions } from './subject.ts'

export interface CheckOptions extends SubjectOptions {
  /** Scenarios that are tried; default: 200. */
  readonly runs?: number | undefined
  /** Seed of all generated data: a 32-bit integer; default: 1. */
  readonly seed?: number | undefined
  /** Milliseconds of the machine after which no scenario is begun, by `clock`; default: 40000. */
  readonly searchMs?: number | undefined
  /** The same for the shrinking of everything that was found; default: 15000. */
  readonly shrinkMs?: number | undefined
  /** Milliseconds of the machine; without it the time is never up. */
  readonly clock?: (() => number) | undefined
  readonly signal?: AbortSignal | undefined
  /** Called before each scenario. */
  readonly onRun?: ((run: number, runs: number) => void) | undefined
}

/** A fault with the smallest scenario that was found to show it. */
export interface CheckFinding extends FoundFault {
  readonly scenario: Scenario
  readonly rows: number
  /** Number of the scenario in which it was found first, from 1. */
  readonly run: number
}

export interface CheckResult {
  readonly name: string
  readonly seed: number
  /** Scenarios requested, and scenarios tried. */
  readonly runs: number
  readonly tried: number
  /** Scenarios in which a run took too long to be compared. */
  readonly slow: number
  /** One finding per kind, in the order in which they were found. */
  readonly findings: readonly CheckFinding[]
}

const RUNS = 200
const SEARCH_MS = 40_000
const SHRINK_MS = 15_000
const SHRINK_TRIES = 600
/** A try of a turn that never ends costs its time. */
const STUCK_TRIES = 16
const BATCH = 25

/** @throws {InputError} when it cannot be loaded, or asks for what no market can give */
export async function checkStrategy(options: CheckOptions): Promise<CheckResult> {
  const { runs = RUNS, seed = 1, clock = () => 0, searchMs = SEARCH_MS, shrinkMs = SHRINK_MS, signal } = options
  const subject = await Subject.load(options)
  const scenarios = someScenarios(await subject.habits())
  const begun = clock()
  const found: { readonly fault: FoundFault; readonly scenario: Scenario; readonly run: number }[] = []
  const kinds = new Set(FAULT_KIND_NAMES)
  let [tried, slow] = [0, 0]
  for (const scenario of drawn(scenarios, runs, seed)) {
    if (clock() - begun > searchMs) break
    throwIfAborted(signal)
    tried += 1
    options.onRun?.(tried, runs)
    const verdict = await judge(subject, scenario, { kinds: inTurn(kinds, tried) })
    if (verdict === 'slow') slow += 1
    else {
      for (const fault of verdict.filter(({ kind }) => kinds.delete(kind))) found.push({ fault, scenario, run: tried })
    }
    // Every further scenario might take as long as one that never ends.
    if (!kinds.has('endless-loop')) break
  }
  const end = clock() + shrinkMs
  const findings: CheckFinding[] = []
  for (const { fault, scenario, run } of found) {
    throwIfAborted(signal)
    findings.push({ ...(await smallest(subject, fault, scenario, () => clock() > end)), run })
  }
  return { name: subject.name, seed, runs, tried, slow, findings }
}

/** Kinds that need a further run of the strategy, checked in rotation. */
const COSTLY: readonly FaultKind[] = ['clock', 'subscriptions', 'future']

function inTurn(kinds: ReadonlySet<FaultKind>, run: number): ReadonlySet<FaultKind> {
  // If two runs differ by themselves, comparing runs proves nothing.
  const isComparable = kinds.has('clock') && kinds.has('memory')
  return new Set(
    [...kinds].filter((kind) => !COSTLY.includes(kind) || (isComparable && COSTLY[run % COSTLY.length] === kind)),
  )
}

/** Draws scenarios in batches, each from a seed of its own, so that only few more are generated than tried. */
function* drawn(scenarios: fc.Arbitrary<Scenario>, runs: number, seed: number): Generator<Scenario, void, undefined> {
  for (let batch = 0; batch * BATCH < runs; batch += 1) {
    const numRuns = Math.min(BATCH, runs - batch * BATCH)
    yield* fc.sample(scenarios, { seed: (seed + Math.imul(batch, 0x9e37_79b1)) | 0, numRuns })
  }
}

async function smallest(
  subject: Subject,
  fault: FoundFault,
  scenario: Scenario,
  isOver: () => boolean,
): Promise<Omit<CheckFinding, 'run'>> {
  const isStuck = fault.kind === 'endless-loop'
  const kinds = new Set([fault.kind])
  const small = await shrink(scenario, async (each) => (await faultIn(subject, each, kinds, isStuck)) !== undefined, {
    tries: isStuck ? STUCK_TRIES : SHRINK_TRIES,
    isOver,
  })
  const again = await faultIn(subject, small, kinds, false)
  // A machine under load may have taken a slow turn for an endless one.
  return again === undefined
    ? { ...fault, scenario, rows: rowCount(scenario) }
    : { ...again, scenario: small, rows: rowCount(small) }
}

async function faultIn(
  subject: Subject,
  scenario: Scenario,
  kinds: ReadonlySet<FaultKind>,
  isHasty: boolean,
): Promise<FoundFault | undefined> {
  const verdict = await judge(subject, scenario, { kinds, isHasty })
  return verdict === 'slow' ? undefined : verdict.find(({ kind }) => kinds.has(kind))
}

/**
 * Replays a stored scenario.
 *
 * @returns the fault as it occurs now; undefined if it does not
 * @throws {InputError} if the strategy cannot be loaded, or requests something that the scenario does not have
 */
export async function replayFinding(
  options: SubjectOptions,
  { kind, scenario }: { readonly kind: FaultKind; readonly scenario: Scenario },
): Promise<FoundFault | undefined> {
  return await faultIn(await Subject.load(options), scenario, new Set([kind]), false)
}
