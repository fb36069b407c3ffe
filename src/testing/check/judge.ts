/**
 * A scenario judged: the strategy is run in it, and again with something changed that must not matter.
 */
import { InvariantError } from '../../domain/errors.ts'
import type { PreparedBacktest } from '../../runtime/backtest/prepared-backtest.ts'
import { heartbeat } from '../../runtime/heartbeat.ts'
import type { Strategy } from '../../strategy/strategy.ts'
import { runTrial, type TrialOptions, type TrialResult } from '../trial/trial.ts'
import { differenceOf, type Comparison, type Difference } from './difference.ts'
import type { FaultKind, FoundFault } from './fault-kinds.ts'
import { RULES } from './rules.ts'
import { rowCount, rowTimes, withRows, type Scenario } from './scenario.ts'
import { onMachine, STRANGE, USUAL, type Machine } from './strange-machine.ts'
import { isAskingTooMuch, type Subject } from './subject.ts'
import { guardedBy, isTimeout } from './turn-guard.ts'

/** Milliseconds of the machine that a stretch of a run may take; one that takes longer has more the second time. */
const TURN_MS = 1_000
const SECOND_TURN_MS = 5_000
const HASTY_TURN_MS = 300

/** Faults of a scenario; `slow` for a run that took too long and came forward all the same. */
export type Verdict = readonly FoundFault[] | 'slow'

export interface JudgeOptions {
  /** The kinds that are looked for. */
  readonly kinds: ReadonlySet<FaultKind>
  /** True to take a run that is slow for one that never ends; default: false. */
  readonly isHasty?: boolean
}

/** A strategy for each life of a run. */
interface Cast {
  readonly first: Strategy
  readonly laterInstances: readonly Strategy[]
}

class Stuck extends Error {
  readonly time: number
  readonly beats: number

  constructor(time: number, beats: number) {
    super('handling an event did not end')
    this.time = time
    this.beats = beats
  }
}

/** @throws {InputError} for what the strategy asks for and the scenario cannot give */
export async function judge(subject: Subject, scenario: Scenario, options: JudgeOptions): Promise<Verdict> {
  const { isHasty = false, kinds } = options
  try {
    return await new Hearing(subject, scenario, isHasty ? HASTY_TURN_MS : TURN_MS).faults(kinds)
  } catch (error) {
    if (!(error instanceof Stuck)) throw error
    return isHasty ? endless(error, kinds) : await judgeAgain(subject, scenario, kinds, error)
  }
}

/** Repeats with more time: a machine under load is slow but makes progress. */
async function judgeAgain(
  subject: Subject,
  scenario: Scenario,
  kinds: ReadonlySet<FaultKind>,
  first: Stuck,
): Promise<Verdict> {
  try {
    return await new Hearing(subject, scenario, SECOND_TURN_MS).faults(kinds)
  } catch (error) {
    if (!(error instanceof Stuck)) throw error
    return isSamePlace(first, error) ? endless(error, kinds) : 'slow'
  }
}

const endless = ({ time }: Stuck, kinds: ReadonlySet<FaultKind>): readonly FoundFault[] =>
  kinds.has('endless-loop') ? [{ kind: 'endless-loop', time, text: 'its work for one event never ends' }] : []

/** Beats of the thread itself, between the stretches of a run. */
const STEADY_BEATS = 8

const isSamePlace = (one: Stuck, two: Stuck): boolean =>
  one.time === two.time && Math.abs(one.beats - two.beats) <= STEADY_BEATS

class Hearing {
  readonly #subject: Subject
  readonly #scenario: Scenario
  readonly #turnMs: number

  constructor(subject: Subject, scenario: Scenario, turnMs: number) {
    this.#subject = subject
    this.#scenario = scenario
    this.#turnMs = turnMs
  }

  async faults(kinds: ReadonlySet<FaultKind>): Promise<readonly FoundFault[]> {
    const prepared = await this.#subject.prepare(this.#scenario)
    const cast = await this.#freshCast()
    const base = await this.#run(prepared, cast, { within: guardedBy(this.#turnMs) })
    // Candles do not support everything that trades do: a strategy may request such data later than at its start.
    if (this.#isOfCandles && isAskingTooMuch(base.failure)) return []
    const trial = { scenario: this.#scenario, strategy: cast.first, events: base.events, failure: base.failure }
    const found = RULES.flatMap((rule) => rule(trial) ?? []).filter(({ kind }) => kinds.has(kind))
    // A failed trial is incomplete, so it is not compared.
    if (base.failure !== undefined) return found
    const different = await this.#differences(prepared, cast, base, kinds)
    return [...found, ...different]
  }

  get #isOfCandles(): boolean {
    return this.#scenario.markets.some(({ rows }) => rows.kind === 'candles')
  }

  /** At most one difference: with one cause found, other comparisons are not reliable. */
  async #differences(
    prepared: PreparedBacktest,
    cast: Cast,
    base: TrialResult,
    kinds: ReadonlySet<FaultKind>,
  ): Promise<readonly FoundFault[]> {
    const fresh = async (): Promise<Cast> => await this.#freshCast()
    if (kinds.has('clock')) {
      const other = await this.#run(prepared, await this.#freshCast(STRANGE), {}, STRANGE)
      const found = differenceOf(base, other)
      if (found !== undefined) return await this.#reported('clock', found, prepared, base, kinds)
    }
    if (kinds.has('memory')) {
      const found = differenceOf(base, await this.#run(prepared, cast))
      if (found !== undefined) return [faultOf('memory', found)]
    }
    if (kinds.has('subscriptions')) {
      const other = await this.#run(prepared, await fresh(), { isReversed: true })
      const found = differenceOf(base, other, { endsAtSwap: true })
      if (found !== undefined) return await this.#reported('subscriptions', found, prepared, base, kinds)
    }
    if (kinds.has('future')) {
      const found = await this.#differenceOfPast(base)
      if (found !== undefined) return await this.#reported('future', found, prepared, base, kinds)
    }
    return []
  }

  /** Repeats the first run, to rule out that something else has changed. */
  async #reported(
    kind: FaultKind,
    difference: Difference,
    prepared: PreparedBacktest,
    base: TrialResult,
    kinds: ReadonlySet<FaultKind>,
  ): Promise<readonly FoundFault[]> {
    const control = differenceOf(base, await this.#run(prepared, await this.#freshCast()))
    if (control === undefined) return [faultOf(kind, difference)]
    const cause = base.result.unrepeatable.length > 0 ? 'clock' : 'memory'
    return kinds.has(cause) ? [faultOf(cause, control)] : []
  }

  /** The same tapes up to a row: before it nothing can be different. */
  async #differenceOfPast(base: TrialResult): Promise<Difference | undefined> {
    const times = rowTimes(this.#scenario)
    const cut = times[Math.floor(times.length * CUT_AT)] ?? 0
    const markets = this.#scenario.markets.map((market) => withRows(market, ({ time }) => time <= cut))
    if (
      cut === times.at(-1) ||
      markets.some(({ rows }) => (rows.kind === 'trades' ? rows.trades : rows.candles).length === 0)
    )
      return undefined
    const prepared = await this.#subject.prepare({ ...this.#scenario, markets })
    return differenceOf(base, await this.#run(prepared, await this.#freshCast()), { before: cut } satisfies Comparison)
  }

  async #freshCast(machine = USUAL): Promise<Cast> {
    return await onMachine(machine, async () => {
      const laterInstances: Strategy[] = []
      const first = await this.#subject.fresh()
      while (laterInstances.length < this.#scenario.restarts.length) laterInstances.push(await this.#subject.fresh())
      return { first, laterInstances }
    })
  }

  async #run(
    prepared: PreparedBacktest,
    { first, laterInstances }: Cast,
    options: TrialOptions = {},
    machine: Machine = USUAL,
  ): Promise<TrialResult> {
    const { faults, restarts } = this.#scenario
    const pulse = heartbeat()
    const before = pulse.count
    try {
      return await onMachine(machine, () =>
        runTrial(prepared, first, {
          ...options,
          faults,
          restarts,
          laterInstances,
          mostIntents: mostIntents(this.#scenario),
        }),
      )
    } catch (error) {
      if (error instanceof InvariantError) throw error
      if (isTimeout(error)) throw new Stuck(pulse.time[0] ?? 0, pulse.count - before)
      throw error
    }
  }
}

const CUT_AT = 0.6

/**
 * Limit of intents that no reasonable strategy exceeds, whatever it does on each row and on each second of a silence.
 */
function mostIntents(scenario: Scenario): number {
  const times = rowTimes(scenario)
  const seconds = Math.ceil(((times.at(-1) ?? 0) - (times[0] ?? 0)) / 1_000)
  return 1_000 + 100 * rowCount(scenario) + Math.min(30_000, 4 * seconds)
}

const faultOf = (kind: FaultKind, { time, text }: Difference): FoundFault => ({
  kind,
  time,
  text: `${DIFFERENT[kind] ?? ''}${text}`,
})

const DIFFERENT: Partial<Readonly<Record<FaultKind, string>>> = {
  clock: 'with two different clocks: ',
  memory: 'on the first and the second run: ',
  subscriptions: 'with its subscribers notified in two different orders: ',
  future: 'with the whole tape and with only its beginning: ',
}
