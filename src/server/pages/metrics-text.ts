/** The counters of a server in the Prometheus text format 0.0.4. */
import { TIME_BOUNDS, type RequestTimes, type RouteTimes } from '../http/request-times.ts'
import type { ServiceCounts } from '../service/service-counts.ts'
import { family, type Sample } from '../http/metric-family.ts'

export interface Measured {
  readonly counts: ServiceCounts
  readonly times: RequestTimes
  /** Open streams and the total of their subscriptions. */
  readonly streams: { readonly connections: number; readonly subscriptions: number }
  /** Memory of the process, in bytes. */
  readonly memory: { readonly rss: number; readonly heapUsed: number }
}

export function metricsText({ counts, times, streams, memory }: Measured): string {
  const { routes } = times
  return [
    ...family(
      'papertape_orders_total',
      'counter',
      'Orders by result: accepted, or the code of the refusal.',
      counted('papertape_orders_total', 'result', counts.orders),
    ),
    ...family(
      'papertape_cancels_total',
      'counter',
      'Cancels by result: done, or the code of the refusal.',
      counted('papertape_cancels_total', 'result', counts.cancels),
    ),
    ...family(
      'papertape_budget_refusals_total',
      'counter',
      'Requests refused because a bucket of their key was empty.',
      counted('papertape_budget_refusals_total', 'bucket', counts.budgetRefusals),
    ),
    ...family('papertape_streams', 'gauge', 'Open stream connections.', [
      ['papertape_streams', {}, streams.connections],
    ]),
    ...family('papertape_stream_subscriptions', 'gauge', 'Subscriptions of all open stream connections.', [
      ['papertape_stream_subscriptions', {}, streams.subscriptions],
    ]),
    ...family('process_resident_memory_bytes', 'gauge', 'Memory of the process.', [
      ['process_resident_memory_bytes', {}, memory.rss],
    ]),
    ...family('nodejs_heap_size_used_bytes', 'gauge', 'Used size of the JavaScript heap.', [
      ['nodejs_heap_size_used_bytes', {}, memory.heapUsed],
    ]),
    ...family('papertape_requests_total', 'counter', 'Answered requests.', routes.flatMap(answersOf)),
    ...family(
      'papertape_request_seconds',
      'histogram',
      'Time from the arrival of a request to the end of its response.',
      routes.flatMap(histogramOf),
    ),
    '',
  ].join('\n')
}

const counted = (name: string, label: string, counts: ReadonlyMap<string, number>): readonly Sample[] =>
  Array.from(counts, ([key, count]): Sample => [name, { [label]: key }, count])

const answersOf = ({ method, route, answersByStatus }: RouteTimes): readonly Sample[] =>
  Array.from(answersByStatus, ([status, count]): Sample => [
    'papertape_requests_total',
    { method, route, status },
    count,
  ])

function histogramOf({ method, route, buckets, seconds }: RouteTimes): readonly Sample[] {
  let sum = 0
  const cumulative = [...TIME_BOUNDS, '+Inf'].map((le, index): Sample => {
    sum += buckets[index] ?? 0
    return ['papertape_request_seconds_bucket', { method, route, le }, sum]
  })
  return [
    ...cumulative,
    ['papertape_request_seconds_sum', { method, route }, seconds],
    ['papertape_request_seconds_count', { method, route }, sum],
  ]
}
