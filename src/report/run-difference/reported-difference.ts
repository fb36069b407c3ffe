/**
 * Two matching requests, and the first report about them that differs.
 *
 * Invariant: swapping the requests swaps the sides of the difference.
 */
import { readableDuration } from '../readable.ts'
import type { Reported, ReportedAnswer, TracedFill, TracedRequest } from './run-trace.ts'

export type ReportedKind = 'fill' | 'fee' | 'cancellation' | 'refusal' | 'unknown-outcome' | 'latency'

/** Positions in the two runs; infinite for an event that never happened. */
export interface Sight {
  readonly a: number
  readonly b: number
}

export interface ReportedDifference {
  readonly kind: ReportedKind
  readonly requests: { readonly a: TracedRequest; readonly b: TracedRequest }
  /** The differing reports as text, one per run. */
  readonly a: string
  readonly b: string
  readonly at: Sight
  /** Unix milliseconds; infinite for an event that never happened. */
  readonly heardAt: Sight
  /** Sender of a refusal. */
  readonly by: ReportedAnswer['by']
}

const EVERYTHING: Sight = { a: Infinity, b: Infinity }

/**
 * The first difference that a strategy could see.
 *
 * @param until  in each run only events before this position count
 */
export function reportedDifference(
  a: TracedRequest,
  b: TracedRequest,
  until: Sight = EVERYTHING,
): ReportedDifference | undefined {
  let first: ReportedDifference | undefined
  for (const each of [answers(a, b, until), settlements(a, b, until), ...fills(a, b, until), cancels(a, b, until)]) {
    if (each !== undefined && isSeen(each.at, until) && (first === undefined || seenAt(each) < seenAt(first)))
      first = each
  }
  return first
}

/** Lower is earlier. */
export const seenAt = ({ at }: ReportedDifference): number => Math.min(at.a, at.b)

const isSeen = (at: Sight, until: Sight): boolean => at.a < until.a || at.b < until.b

/** True if only one strategy had received it by then. False if a run had no further request: it has no such moment. */
function isAhead(a: Reported, b: Reported, until: Sight): boolean {
  if (until.a === Infinity || until.b === Infinity) return false
  return a.position < until.a !== b.position < until.b
}

const after = (reported: Reported, request: TracedRequest): string =>
  readableDuration(Math.max(0, reported.t - request.t))

type Requests = readonly [TracedRequest, TracedRequest]

function difference(
  kind: ReportedKind,
  [a, b]: Requests,
  words: readonly [string, string],
  [ofA, ofB]: readonly [Reported | undefined, Reported | undefined],
  by?: ReportedAnswer['by'],
): ReportedDifference {
  const at = { a: ofA?.position ?? Infinity, b: ofB?.position ?? Infinity }
  const heardAt = { a: ofA?.t ?? Infinity, b: ofB?.t ?? Infinity }
  return { kind, requests: { a, b }, a: words[0], b: words[1], at, heardAt, by }
}

/** Difference between the two answer times, each measured from its own request; undefined without both answers. */
export function answerLag(a: TracedRequest, b: TracedRequest): number | undefined {
  if (a.answer === undefined || b.answer === undefined) return undefined
  return b.answer.t - b.t - (a.answer.t - a.t)
}

/** The answers of two requests as a difference in latency. */
export function lateAnswer(a: TracedRequest, b: TracedRequest): ReportedDifference {
  const words = (request: TracedRequest): string =>
    request.answer === undefined
      ? 'no answer'
      : `${answerWords(request.answer)} after ${after(request.answer, request)}`
  return difference('latency', [a, b], [words(a), words(b)], [a.answer, b.answer])
}

function answers(a: TracedRequest, b: TracedRequest, until: Sight): ReportedDifference | undefined {
  const [ofA, ofB] = [a.answer, b.answer]
  if (ofA === undefined && ofB === undefined) return undefined
  const words = [answerWords(ofA), answerWords(ofB)] as const
  if (ofA !== undefined && ofB !== undefined && words[0] === words[1]) {
    if (!isAhead(ofA, ofB, until)) return undefined
    return lateAnswer(a, b)
  }
  const types = [ofA?.type, ofB?.type]
  const kind = types.includes('unknown') ? 'unknown-outcome' : types.includes('refused') ? 'refusal' : 'latency'
  return difference(kind, [a, b], words, [ofA, ofB], ofA?.by ?? ofB?.by)
}

function answerWords(answer: ReportedAnswer | undefined): string {
  if (answer === undefined) return 'no answer'
  const { type, code, by } = answer
  if (type === 'unknown') return 'outcome unknown'
  if (type === 'acknowledged' || type === 'withdrawn') return type
  return `refused ${code ?? ''}${by === undefined ? '' : ` by ${by}`}`
}

function settlements(a: TracedRequest, b: TracedRequest, until: Sight): ReportedDifference | undefined {
  for (let index = 0; index < Math.max(a.settlements.length, b.settlements.length); index += 1) {
    const [ofA, ofB] = [a.settlements[index], b.settlements[index]]
    const isSame = ofA?.type === ofB?.type
    if (ofA !== undefined && ofB !== undefined && isSame && !isAhead(ofA, ofB, until)) continue
    const late = (reported: Reported | undefined, request: TracedRequest): string =>
      isSame && reported !== undefined ? ` after ${after(reported, request)}` : ''
    const words = [
      `${ofA?.type ?? 'not resolved'}${late(ofA, a)}`,
      `${ofB?.type ?? 'not resolved'}${late(ofB, b)}`,
    ] as const
    return difference('unknown-outcome', [a, b], words, [ofA, ofB])
  }
  return undefined
}

function* fills(a: TracedRequest, b: TracedRequest, until: Sight): Generator<ReportedDifference, void, undefined> {
  for (let index = 0; index < Math.max(a.fills.length, b.fills.length); index += 1) {
    const [ofA, ofB] = [a.fills[index], b.fills[index]]
    const none = index === 0 ? 'not filled' : 'no further fill'
    const words = [ofA === undefined ? none : fillWords(ofA), ofB === undefined ? none : fillWords(ofB)] as const
    if (ofA === undefined || ofB === undefined || words[0] !== words[1]) {
      yield difference('fill', [a, b], words, [ofA, ofB])
      return
    }
    if (isAhead(ofA, ofB, until)) {
      // A taker is filled on arrival, so lateness is latency; a maker is filled when the market reaches it.
      const late = [`${words[0]} after ${after(ofA, a)}`, `${words[1]} after ${after(ofB, b)}`] as const
      yield difference(ofA.isMaker ? 'fill' : 'latency', [a, b], late, [ofA, ofB])
    }
    if (ofA.fee === ofB.fee || ofA.fee === undefined || ofB.fee === undefined) continue
    const fees = [`${words[0]}, fee ${ofA.fee}`, `${words[1]}, fee ${ofB.fee}`] as const
    yield difference('fee', [a, b], fees, [ofA, ofB])
    return
  }
}

const fillWords = ({ qty, price, isMaker }: TracedFill): string =>
  `filled ${qty} at ${price} as ${isMaker ? 'maker' : 'taker'}`

function cancels(a: TracedRequest, b: TracedRequest, until: Sight): ReportedDifference | undefined {
  const [ofA, ofB] = [a.cancelled, b.cancelled]
  if (ofA === undefined && ofB === undefined) return undefined
  if (ofA !== undefined && ofB !== undefined) {
    if (!isAhead(ofA, ofB, until)) return undefined
    const late = [`cancelled after ${after(ofA, a)}`, `cancelled after ${after(ofB, b)}`] as const
    return difference('latency', [a, b], late, [ofA, ofB])
  }
  const words = (reported: Reported | undefined): string => (reported === undefined ? 'not cancelled' : 'cancelled')
  return difference('cancellation', [a, b], [words(ofA), words(ofB)], [ofA, ofB])
}
