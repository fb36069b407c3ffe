/**
 * The partings of two runs, each with its cause: stretches in which their strategies asked for different things.
 *
 * Known limit: after the first, what a strategy does differently may come of what it holds since, so that a later
 * parting has a cause of its own only when something new was told differently, of one of the 32 requests before the
 * parting before it or later.
 */
import { firstIndex } from '../../domain/first-index.ts'
import type { Span, Stretch } from './alignment.ts'
import { readableDuration } from '../readable.ts'
import { bothOf, failureOf, isLiveRun, type ComparedRun, type Sides } from './compared-run.ts'
import { causeOfReported, causeOfUnreported, type Cause, type Unreported } from './divergence-cause.ts'
import type { RunTrace, TracedRequest } from './run-trace.ts'
import type { SettingDifference } from './setting-differences.ts'
import {
  answerLag,
  lateAnswer,
  seenAt,
  reportedDifference,
  type Sight,
  type ReportedDifference,
} from './reported-difference.ts'

/** A request of one run at which it parted. */
export interface DivergedRequest {
  readonly ref: number
  /** Unix milliseconds. */
  readonly time: number
  readonly sinceStartMs: number
  readonly words: string
}

export interface Divergence {
  /** null for a run that asked for nothing more. */
  readonly a: DivergedRequest | null
  readonly b: DivergedRequest | null
  /** How many requests each has that the other has not there. */
  readonly count: Sides<number>
  readonly cause: Cause
}

type Pair = Sides<TracedRequest>

/** Requests before the last parting of which news may still come. */
const LOOK_BACK = 32

export class Divergences {
  readonly #runs: Sides<ComparedRun>
  readonly #settings: readonly SettingDifference[]
  readonly #pairs: Pair[] = []
  readonly #divergences: Divergence[] = []
  /** Of the parting before. */
  #before: { readonly until: Sight; readonly pairs: number } | undefined

  constructor(runs: Sides<ComparedRun>, settings: readonly SettingDifference[], stretches: readonly Stretch[]) {
    this.#runs = runs
    this.#settings = settings
    for (const stretch of stretches) {
      if (stretch.isSame) this.#addPairs(stretch)
      else this.#part(stretch)
    }
  }

  /** Requests for the same, in their order. */
  get pairs(): readonly Pair[] {
    return this.#pairs
  }

  get all(): readonly Divergence[] {
    return this.#divergences
  }

  /** Why two runs that asked for the same are not the same; undefined when they are, settings aside. */
  causeWithoutParting(): Cause | undefined {
    const told = this.#firstTold(this.#pairs, UNLIMITED)
    if (told !== undefined) return causeOfReported(told, this.#settings, this.#isSimulated())
    const { a, b } = this.#runs
    const ended = this.#endCause(undefined)
    if (ended !== undefined) return ended
    const late = latest(this.#pairs, UNLIMITED)
    const isShifted = this.#pairs.some((pair) => sinceStart(a.trace, pair.a) !== sinceStart(b.trace, pair.b))
    const held = this.#held(UNLIMITED)
    if (late === undefined && held === undefined && !isShifted) return undefined
    return causeOfUnreported({ ...this.#untold(held, late), settings: this.#settings })
  }

  #addPairs({ a: { from, to }, b }: Stretch): void {
    const { a: ofA, b: ofB } = bothOf(this.#runs, ({ trace }) => trace.requests)
    for (let index = 0; index < to - from; index += 1) {
      const [requestA, requestB] = [ofA[from + index], ofB[b.from + index]]
      if (requestA !== undefined && requestB !== undefined) this.#pairs.push({ a: requestA, b: requestB })
    }
  }

  #part({ a, b }: Stretch): void {
    const [ofA, ofB] = [this.#runs.a.trace.requests[a.from], this.#runs.b.trace.requests[b.from]]
    const until = { a: ofA?.position ?? Infinity, b: ofB?.position ?? Infinity }
    this.#divergences.push({
      a: partedRequest(this.#runs.a.trace, ofA),
      b: partedRequest(this.#runs.b.trace, ofB),
      count: { a: length(a), b: length(b) },
      cause: this.#cause(until, ofA, ofB),
    })
    this.#before = { until, pairs: this.#pairs.length }
  }

  #cause(until: Sight, ofA: TracedRequest | undefined, ofB: TracedRequest | undefined): Cause {
    const before = this.#before
    const recent = before === undefined ? this.#pairs : this.#pairs.slice(Math.max(0, before.pairs - LOOK_BACK))
    const told = this.#firstTold(recent, until)
    if (told !== undefined) return causeOfReported(told, this.#settings, this.#isSimulated())
    if (ofA === undefined || ofB === undefined) {
      const { a, b } = this.#runs
      const ended = this.#endCause(ofA === undefined ? ofB && sinceStart(b.trace, ofB) : sinceStart(a.trace, ofA))
      if (ended !== undefined) return ended
    }
    if (before !== undefined) return { kind: 'earlier-parting', told: null, settings: [] }
    return causeOfUnreported(this.#untold(this.#held(until), latest(recent, until)))
  }

  #untold(held: Sides<string> | undefined, late: ReportedDifference | undefined): Unreported {
    return { settings: this.#settings, isSimulated: this.#isSimulated(), held, late }
  }

  #isSimulated(): boolean {
    return !isLiveRun(this.#runs.a) && !isLiveRun(this.#runs.b)
  }

  #firstTold(pairs: readonly Pair[], until: Sight): ReportedDifference | undefined {
    let first: ReportedDifference | undefined
    for (const { a, b } of pairs) {
      const told = reportedDifference(a, b, until)
      if (told === undefined || this.#isOfEnd(told) || this.#isOld(told)) continue
      if (first === undefined || seenAt(told) < seenAt(first)) first = told
    }
    return first
  }

  /** Told in one run after the other was over. */
  #isOfEnd({ heardAt }: ReportedDifference): boolean {
    const { a, b } = bothOf(this.#runs, ({ trace }) => trace)
    if (heardAt.a === Infinity) return isOver(a, heardAt.b - b.startedAt)
    return heardAt.b === Infinity && isOver(b, heardAt.a - a.startedAt)
  }

  /** The parting before had it already. */
  #isOld({ at }: ReportedDifference): boolean {
    const { until } = this.#before ?? { until: NOTHING }
    return at.a < until.a || at.b < until.b
  }

  /** What the strategies held, where it was different. */
  #held(until: Sight): Sides<string> | undefined {
    const held = { a: heldBefore(this.#runs.a.trace, until.a), b: heldBefore(this.#runs.b.trace, until.b) }
    return held.a === undefined || held.b === undefined || held.a === held.b ? undefined : { a: held.a, b: held.b }
  }

  /** @param nextMs  when, since its start, the run that goes on asked for something; undefined when neither did */
  #endCause(nextMs: number | undefined): Cause | undefined {
    const failures = bothOf(this.#runs, failureOf)
    if (failures.a !== failures.b) {
      const { a, b } = bothOf(failures, (message) => (message === undefined ? 'did not fail' : `failed: ${message}`))
      return { kind: 'strategy-failure', told: { kind: 'strategy-failure', request: null, a, b }, settings: [] }
    }
    const { a, b } = bothOf(this.#runs, ({ trace }) => trace)
    const over = bothOf({ a, b }, ({ endedAt, startedAt }) => endedAt - startedAt)
    if (nextMs === undefined && over.a === over.b && a.isEnded === b.isEnded) return undefined
    if (nextMs !== undefined && !isOver(a, nextMs) && !isOver(b, nextMs)) return undefined
    return { kind: 'end', told: { kind: 'end', request: null, a: endWords(a), b: endWords(b) }, settings: [] }
  }
}

const UNLIMITED: Sight = { a: Infinity, b: Infinity }
const NOTHING: Sight = { a: -Infinity, b: -Infinity }

const length = ({ from, to }: Span): number => to - from

const sinceStart = ({ startedAt }: RunTrace, { t }: TracedRequest): number => t - startedAt

function partedRequest(trace: RunTrace, request: TracedRequest | undefined): DivergedRequest | null {
  if (request === undefined) return null
  const { ref, t, words } = request
  return { ref, time: t, sinceStartMs: t - trace.startedAt, words }
}

/** True for a run that was over so long after its start; one that broke off may lack the lines of its last moment. */
const isOver = ({ startedAt, endedAt, isEnded }: RunTrace, ms: number): boolean =>
  isEnded ? ms > endedAt - startedAt : ms >= endedAt - startedAt

const endWords = ({ startedAt, endedAt, isEnded }: RunTrace): string =>
  `${isEnded ? 'ended' : 'broke off'} after ${readableDuration(Math.max(0, endedAt - startedAt))}`

/** Of all that were answered before, the one whose answers are furthest apart; undefined when all took equally long. */
function latest(pairs: readonly Pair[], until: Sight): ReportedDifference | undefined {
  let furthest = 0
  let found: Pair | undefined
  for (const pair of pairs) {
    const { a, b } = pair
    const lag = Math.abs(answerLag(a, b) ?? 0)
    const isSeen = (a.answer?.position ?? Infinity) < until.a && (b.answer?.position ?? Infinity) < until.b
    if (!isSeen || lag <= furthest) continue
    furthest = lag
    found = pair
  }
  return found && lateAnswer(found.a, found.b)
}

/** In words; undefined before the first balances. */
function heldBefore({ balances }: RunTrace, until: number): string | undefined {
  const end = firstIndex(0, balances.length, (index) => (balances[index]?.position ?? Infinity) >= until)
  return balances[end - 1]?.held
}
