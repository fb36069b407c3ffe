/**
 * A call modified by a planned fault: executed after the response, with a shorter page, coarser times, or a duplicate
 * order of somebody else.
 *
 * Invariant: late execution goes through the market queue, so it happens in market time, and never in a market that was
 * closed before.
 */
import { EVENT_KIND } from '../../simulation/event-queue.ts'
import type { Answer } from '../envelope/answer.ts'
import { ServiceError } from '../envelope/service-error.ts'
import type { Call, Route } from '../service/route.ts'
import { triggerBefore } from './fault-trigger.ts'
import type { Fault } from './faults.ts'

/** Creates the call on demand. */
export interface CallSource {
  /** Throws a ServiceError for an invalid request. */
  readonly callOf: () => Call
  /** The caller at present. Throws a ServiceError if the key was revoked. */
  readonly admitted: () => Call['user']
}

export class FaultyCall {
  readonly #faults: readonly Fault[]
  readonly #route: Route
  readonly #source: CallSource
  #duplicates: number

  constructor(faults: readonly Fault[], route: Route, source: CallSource) {
    this.#faults = faults
    this.#route = route
    this.#source = source
    this.#duplicates = faults.filter(({ kind }) => kind === 'duplicate-order').length
  }

  /**
   * Applies the faults that come before the execution.
   *
   * @param life  of the market; its end aborts a delay
   * @returns true if the connection was closed
   * @throws {ServiceError} for a planned error
   */
  async isCut(answer: Answer, life: AbortSignal): Promise<boolean> {
    let isOver = true
    try {
      isOver = await triggerBefore(this.#faults, answer, life)
      return isOver
    } finally {
      if (isOver) this.#follow()
    }
  }

  /**
   * @returns the answer; undefined for a late execution
   * @throws {ServiceError} if it is refused
   */
  handle(): unknown {
    try {
      const call = this.#source.callOf()
      const late = this.#faults.find(({ kind }) => kind === 'engine-timeout-late' || kind === 'reset-late')
      if (late !== undefined) {
        this.#doLater(call, late.ms)
        return undefined
      }
      const answer = this.#route.handle({ ...call, query: this.#cappedQuery(call.query) })
      return this.#faults.some(({ kind }) => kind === 'coarse-times') ? withCoarseTimes(answer) : answer
    } finally {
      this.#follow()
    }
  }

  /** Places the duplicate orders, whatever the outcome of the call itself. */
  #follow(): void {
    for (; this.#duplicates > 0; this.#duplicates -= 1) {
      ifNotRefused(() => this.#route.handle(this.#source.callOf()))
    }
  }

  #doLater(call: Call, ms: number): void {
    const { service } = call
    this.#route.check?.(call)
    const { queue } = service.simulated
    const at = queue.now() + ms
    queue.schedule(at, EVENT_KIND.message, () => {
      ifNotRefused(() => this.#route.handle({ ...call, user: this.#source.admitted(), now: at }))
    })
  }

  /** An invalid limit stays unchanged: the route refuses it. */
  #cappedQuery(query: Call['query']): Call['query'] {
    const rows = Math.min(...this.#faults.map((fault) => fault.rows ?? Number.POSITIVE_INFINITY))
    const isDigits = /^[1-9][0-9]*$/.test(query.limit ?? '1')
    if (rows === Number.POSITIVE_INFINITY || !isDigits) return query
    const asked = this.#route.query?.limit?.safeParse(query.limit === undefined ? undefined : Number(query.limit))
    return Number(asked?.data) > rows ? { ...query, limit: String(rows) } : query
  }
}

/** Ignores refusals, because no client receives them. */
function ifNotRefused(action: () => unknown): void {
  try {
    action()
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
  }
}

/** The answer with `createdAt` of orders in whole seconds. */
function withCoarseTimes(answer: unknown): unknown {
  if (Array.isArray(answer)) return answer.map(withCoarseTimes)
  const { createdAt } = answer as { readonly createdAt: string }
  return { ...(answer as object), createdAt: createdAt.replace(/\.\d+Z$/, 'Z') }
}
