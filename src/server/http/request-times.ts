/** Request durations as a histogram per route, and counts of response statuses. */
import type { AnsweredRequest } from './answered-request.ts'

/** Upper bounds in seconds, ascending; longer requests are in an additional bucket. */
export const TIME_BOUNDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const

export interface RouteTimes {
  readonly method: string
  /** Path with prefix, such as `/v1/orders/{orderId}`; `none` for requests without a route. */
  readonly route: string
  /** Counts per bound, not cumulative; the last one is for longer requests. */
  readonly buckets: number[]
  readonly answersByStatus: Map<number, number>
  seconds: number
}

export class RequestTimes {
  readonly #routes: RouteTimes[] = []
  readonly #timesByUrlAndMethod = new Map<string, Map<string, RouteTimes>>()

  /** Routes in the order of their first request. */
  get routes(): readonly RouteTimes[] {
    return this.#routes
  }

  /** Route parameters are in the form of the router, such as `:orderId`. */
  answered({ method, route, status, ms }: AnsweredRequest): void {
    const times = this.#timesOf(route === undefined ? 'OTHER' : method, route)
    const seconds = ms / 1000
    const found = TIME_BOUNDS.findIndex((bound) => seconds <= bound)
    const bucket = found < 0 ? TIME_BOUNDS.length : found
    times.buckets[bucket] = (times.buckets[bucket] ?? 0) + 1
    times.answersByStatus.set(status, (times.answersByStatus.get(status) ?? 0) + 1)
    times.seconds += seconds
  }

  /** Requests without a route share one entry, because clients can invent any number of methods. */
  #timesOf(method: string, url = 'none'): RouteTimes {
    const timesByMethod = this.#timesByUrlAndMethod.get(url) ?? new Map<string, RouteTimes>()
    let times = timesByMethod.get(method)
    if (times === undefined) {
      const buckets = Array.from({ length: TIME_BOUNDS.length + 1 }, () => 0)
      const route = url.replaceAll(/:(\w+)/g, '{$1}')
      times = { method, route, buckets, answersByStatus: new Map(), seconds: 0 }
      this.#timesByUrlAndMethod.set(url, timesByMethod.set(method, times))
      this.#routes.push(times)
    }
    return times
  }
}
