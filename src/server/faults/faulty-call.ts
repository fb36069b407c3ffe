/**
 * A call of a route that a planned fault bends: done later than it was answered, on a shorter page, with coarser times,
 * or with an order of a stranger behind it.
 *
 * Invariant: what is done later goes through the queue of the market, so it happens in the market's time, and never in
 * a market that was closed before.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { EVENT_KIND } from '../../simulation/event-queue.ts'
import { ServiceError } from '../envelope/service-error.ts'
import type { Call, Route } from '../service/route.ts'
import { triggerBefore } from './fault-trigger.ts'
import type { Fault } from './faults.ts'

/** A call as it would be now. */
export interface CallSource {
  /** Throws a ServiceError for a request that cannot be one. */
  readonly callOf: () => Call
  /** The caller as he is now. Throws a ServiceError when he would not be let in any more. */
  readonly admitted: () => Call['user']
}

export class FaultyCall {
  readonly #faults: readonly Fault[]
  readonly #route: Route
  readonly #source: CallSource
  #strangers: number

  constructor(faults: readonly Fault[], route: Route, source: CallSource) {
    this.#faults = faults
    this.#route = route
    this.#source = source
    this.#strangers = faults.filter(({ kind }) => kind === 'duplicate-order').length
  }

  /**
   * What strikes before anything is done.
   *
   * @param life  of the market; its end ends a delay at once
   * @returns true when the connection is gone
   * @throws {ServiceError} one that was planned
   */
  async isCut(request: FastifyRequest, reply: FastifyReply, life: AbortSignal): Promise<boolean> {
    let isOver = true
    try {
      isOver = await triggerBefore(this.#faults, request, reply, life)
      return isOver
    } finally {
      if (isOver) this.#follow()
    }
  }

  /**
   * @returns the answer; undefined for a call that will be done later
   * @throws {ServiceError} when it is refused
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

  /** Lets every stranger order what was ordered, whatever became of the call itself. */
  #follow(): void {
    for (; this.#strangers > 0; this.#strangers -= 1) {
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

  /** A limit that is none stays as it is: the route refuses it. */
  #cappedQuery(query: Call['query']): Call['query'] {
    const rows = Math.min(...this.#faults.map((fault) => fault.rows ?? Number.POSITIVE_INFINITY))
    const isDigits = /^[1-9][0-9]*$/.test(query.limit ?? '1')
    if (rows === Number.POSITIVE_INFINITY || !isDigits) return query
    const asked = this.#route.query?.limit?.safeParse(query.limit === undefined ? undefined : Number(query.limit))
    return Number(asked?.data) > rows ? { ...query, limit: String(rows) } : query
  }
}

/** Nobody hears what the engine says to it. */
function ifNotRefused(action: () => unknown): void {
  try {
    action()
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
  }
}

/** The same with every order's `createdAt` in whole seconds. */
function withCoarseTimes(answer: unknown): unknown {
  if (Array.isArray(answer)) return answer.map(withCoarseTimes)
  const { createdAt } = answer as { readonly createdAt: string }
  return { ...(answer as object), createdAt: createdAt.replace(/\.\d+Z$/, 'Z') }
}
