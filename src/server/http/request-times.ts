/**
 * Times of requests as a histogram of each route, and the statuses of their answers.
 */
import type { AnsweredRequest } from './answered-request.ts'

/** Upper bounds in seconds, rising; what takes longer than the last is in none of them. */
export const TIME_BOUNDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const

export interface RouteTimes {
  readonly method: string
  /** With its prefix, such as `/v1/orders/{orderId}`; `none` for requests to no route. */
  readonly route: string
  /** Of each bound, not cumulative; the last one is of what took longer. */
  readonly buckets: number[]
  readonly answersByStatus: Map<number, number>
  seconds: number
}

export class RequestTimes {
  readonly #routes: RouteTimes[] = []
  readonly #timesByUrlAndMethod = new Map<string, Map<string, RouteTimes>>()

  /** In the order in which they were asked for first. */
  get routes(): readonly RouteTimes[] {
    return this.#routes
  }

  /** The route's parameters are as the router has them, such as `:orderId`. */
  answered({ method, route, status, ms }: AnsweredRequest): void {
    const times = this.#timesOf(route === undefined ? 'OTHER' : method, route)
    const seconds = ms / 1000
    const found = TIME_BOUNDS.findIndex((bound) => seconds <= bound)
    const bucket = found < 0 ? TIME_BOUNDS.length : found
    times.buckets[bucket] = (times.buckets[bucket] ?? 0) + 1
    times.answersByStatus.set(status, (times.answersByStatus.get(status) ?? 0) + 1)
    times.seconds += seconds
  }

  /** A method to no route is any that somebody made up, so they are one. */
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
