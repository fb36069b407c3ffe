/**
 * Divergences of two runs: stretches in which the strategies sent different requests, each with its cause.
 *
 * Known limit: after the first, differences may follow from different holdings. A later divergence has its own cause
 * only if a new report differed, for one of the last 32 requests before the previous divergence or for a later one.
 */
import { firstIndex } from '../../domain/first-index.ts'
import type { Span, Stretch } from './alignment.ts'
import { readableDuration } from '../readable.ts'
import {
  bothOf,
  type ComparedRun,
  failureOf,
  isLiveRun,
  type RunTrace,
  type Sides,
  type TracedRequest,
} from './run-trace.ts'
import { causeOfReported, causeOfUnreported, type Cause, type Unreported } from './divergence-cause.ts'
import type { SettingDifference } from './setting-differences.ts'
import {
  answerLag,
  lateAnswer,
  seenAt,
  reportedDifference,
  type Sight,
  type ReportedDifference,
} from './reported-difference.ts'

/** The request of one run at a divergence. */
export interface DivergedRequest {
  readonly ref: number
  /** Unix milliseconds. */
  readonly time: number
  readonly sinceStartMs: number
  readonly words: string
}

export interface Divergence {
  /** Null for a run without further requests. */
  readonly a: DivergedRequest | null
  readonly b: DivergedRequest | null
  /** Number of requests that only this run sent. */
  readonly count: Sides<number>
  readonly cause: Cause
}

type Pair = Sides<TracedRequest>

/** Requests before the last divergence whose reports may still arrive. */
const LOOK_BACK = 32

export class Divergences {
  readonly #runs: Sides<ComparedRun>
  readonly #settings: readonly SettingDifference[]
  readonly #pairs: Pair[] = []
  readonly #divergences: Divergence[] = []
  /** The previous divergence. */
  #before: { readonly until: Sight; readonly pairs: number } | undefined

  constructor(runs: Sides<ComparedRun>, settings: readonly SettingDifference[], stretches: readonly Stretch[]) {
    this.#runs = runs
    this.#settings = settings
    for (const stretch of stretches) {
      if (stretch.isSame) this.#addPairs(stretch)
      else this.#part(stretch)
    }
  }

  /** Matching requests, in order. */
  get pairs(): readonly Pair[] {
    return this.#pairs
  }

  get all(): readonly Divergence[] {
    return this.#divergences
  }

  /** Cause of a difference between runs with equal requests; undefined if they differ at most in settings. */
  causeWithoutParting(): Cause | undefined {
    const reported = this.#firstReported(this.#pairs, UNLIMITED)
    if (reported !== undefined) return causeOfReported(reported, this.#settings, this.#isSimulated())
    const { a, b } = this.#runs
    const ended = this.#endCause(undefined)
    if (ended !== undefined) return ended
    const late = latest(this.#pairs, UNLIMITED)
    const isShifted = this.#pairs.some((pair) => sinceStart(a.trace, pair.a) !== sinceStart(b.trace, pair.b))
    const held = this.#held(UNLIMITED)
    if (late === undefined && held === undefined && !isShifted) return undefined
    return causeOfUnreported({ ...this.#unreported(held, late), settings: this.#settings })
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
    const reported = this.#firstReported(recent, until)
    if (reported !== undefined) return causeOfReported(reported, this.#settings, this.#isSimulated())
    if (ofA === undefined || ofB === undefined) {
      const { a, b } = this.#runs
      const ended = this.#endCause(ofA === undefined ? ofB && sinceStart(b.trace, ofB) : sinceStart(a.trace, ofA))
      if (ended !== undefined) return ended
    }
    if (before !== undefined) return { kind: 'earlier-parting', told: null, settings: [] }
    return causeOfUnreported(this.#unreported(this.#held(until), latest(recent, until)))
  }

  #unreported(held: Sides<string> | undefined, late: ReportedDifference | undefined): Unreported {
    return { settings: this.#settings, isSimulated: this.#isSimulated(), held, late }
  }

  #isSimulated(): boolean {
    return !isLiveRun(this.#runs.a) && !isLiveRun(this.#runs.b)
  }

  #firstReported(pairs: readonly Pair[], until: Sight): ReportedDifference | undefined {
    let first: ReportedDifference | undefined
    for (const { a, b } of pairs) {
      const reported = reportedDifference(a, b, until)
      if (reported === undefined || this.#isOfEnd(reported) || this.#isOld(reported)) continue
      if (first === undefined || seenAt(reported) < seenAt(first)) first = reported
    }
    return first
  }

  /** Reported in one run after the other had ended. */
  #isOfEnd({ heardAt }: ReportedDifference): boolean {
    const { a, b } = bothOf(this.#runs, ({ trace }) => trace)
    if (heardAt.a === Infinity) return isOver(a, heardAt.b - b.startedAt)
    return heardAt.b === Infinity && isOver(b, heardAt.a - a.startedAt)
  }

  /** Already visible at the previous divergence. */
  #isOld({ at }: ReportedDifference): boolean {
    const { until } = this.#before ?? { until: NOTHING }
    return at.a < until.a || at.b < until.b
  }

  /** Balances of the two runs, if they differ. */
  #held(until: Sight): Sides<string> | undefined {
    const held = { a: heldBefore(this.#runs.a.trace, until.a), b: heldBefore(this.#runs.b.trace, until.b) }
    return held.a === undefined || held.b === undefined || held.a === held.b ? undefined : { a: held.a, b: held.b }
  }

  /** @param nextMs  time of the next request in the run that continues, since its start; undefined if neither does */
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

/** True if the run had ended by then. A run without an end line may lack the lines of its last moment. */
const isOver = ({ startedAt, endedAt, isEnded }: RunTrace, ms: number): boolean =>
  isEnded ? ms > endedAt - startedAt : ms >= endedAt - startedAt

const endWords = ({ startedAt, endedAt, isEnded }: RunTrace): string =>
  `${isEnded ? 'ended' : 'broke off'} after ${readableDuration(Math.max(0, endedAt - startedAt))}`

/** The request with the greatest difference in answer time before the divergence; undefined if there is none. */
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

/** Balances as text; undefined before the first report. */
function heldBefore({ balances }: RunTrace, until: number): string | undefined {
  const end = firstIndex(0, balances.length, (index) => (balances[index]?.position ?? Infinity) >= until)
  return balances[end - 1]?.held
}
