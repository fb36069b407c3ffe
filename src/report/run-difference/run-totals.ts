/**
 * Totals of a run, for comparison with another.
 *
 * Invariant: counts come from the journal, so a killed session has them too; figures computed at the end of a run are
 * null without a report.
 */
import { type ComparedRun, fieldsAt, type TracedRequest } from './run-trace.ts'

/** Milliseconds from a request to its acknowledgement. */
export interface AnswerTimes {
  readonly count: number
  readonly mean: number
  readonly p50: number
  readonly p99: number
}

export interface RunTotals {
  /** Requests of the strategy: orders and cancels. */
  readonly requests: number
  /** Accepted orders, including those whose answer was lost. */
  readonly orders: number
  readonly fills: number
  /** Decimal strings by asset. */
  readonly fees: Readonly<Record<string, string>>
  /** Counts by code and sender. */
  readonly refusals: Readonly<Record<string, number>>
  /** Requests whose answer was lost. */
  readonly unknown: number
  readonly takenOver: number
  readonly durationMs: number
  /** Decimal strings in the quote asset. */
  readonly initialEquity: string | null
  readonly finalEquity: string | null
  readonly quoteAsset: string | null
  /** Fractions. */
  readonly return: number | null
  readonly maxDrawdown: number | null
  readonly answerMs: AnswerTimes | null
}

export function totalsOf({ report, trace }: ComparedRun): RunTotals {
  const { requests, fillCount, fees, refusals, takenOver, startedAt, endedAt } = trace
  const statistics = fieldsAt(report, 'statistics')
  return {
    requests: requests.length,
    orders: requests.filter(isTaken).length,
    fills: fillCount,
    fees,
    refusals,
    unknown: requests.filter(({ answer }) => answer?.type === 'unknown').length,
    takenOver,
    durationMs: endedAt - startedAt,
    initialEquity: textOf(report?.initialEquity),
    finalEquity: textOf(report?.finalEquity),
    quoteAsset: textOf(report?.quoteAsset),
    return: numberOf(statistics.return),
    maxDrawdown: numberOf(statistics.maxDrawdown),
    answerMs: answerTimes(requests),
  }
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)

const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null)

const isTaken = ({ placed, answer, settlements }: TracedRequest): boolean =>
  placed !== undefined && (answer?.type === 'acknowledged' || settlements.some(({ type }) => type === 'adopted'))

function answerTimes(requests: readonly TracedRequest[]): AnswerTimes | null {
  const times = requests
    .flatMap(({ t, answer }) => (answer?.type === 'acknowledged' ? [answer.t - t] : []))
    .sort((a, b) => a - b)
  const count = times.length
  if (count === 0) return null
  const rank = (share: number): number => times[Math.max(0, Math.ceil(share * count) - 1)] ?? 0
  return { count, mean: times.reduce((sum, time) => sum + time, 0) / count, p50: rank(0.5), p99: rank(0.99) }
}
