/**
 * Requests that wait for their place in a rate limit: cancels go first, then orders that close a position, then all
 * other creations; within each kind, first come first sent (decision 22).
 */

/** Urgencies, most urgent first. */
export const URGENCIES = ['cancel', 'exit', 'entry'] as const

/** `exit` for an order that a trigger, a bracket or a flattening asks for. */
export type Urgency = (typeof URGENCIES)[number]

export class WaitingRequests<Request> {
  readonly #waiting: Readonly<Record<Urgency, Request[]>> = { cancel: [], exit: [], entry: [] }

  get length(): number {
    return URGENCIES.reduce((sum, urgency) => sum + this.#waiting[urgency].length, 0)
  }

  /** Kind of the next one; undefined when none waits. */
  get nextUrgency(): Urgency | undefined {
    return URGENCIES.find((urgency) => this.#waiting[urgency].length > 0)
  }

  /** True if no waiting request takes precedence over such a request. */
  isFirst(urgency: Urgency): boolean {
    const next = this.nextUrgency
    return next === undefined || URGENCIES.indexOf(urgency) < URGENCIES.indexOf(next)
  }

  add(request: Request, urgency: Urgency): void {
    this.#waiting[urgency].push(request)
  }

  /** Takes out the next one; undefined when none waits. */
  next(): Request | undefined {
    const urgency = this.nextUrgency
    return urgency === undefined ? undefined : this.#waiting[urgency].shift()
  }

  /** Takes it out. @returns whether it still waited */
  withdraw(request: Request): boolean {
    return URGENCIES.some((urgency) => {
      const index = this.#waiting[urgency].indexOf(request)
      if (index >= 0) this.#waiting[urgency].splice(index, 1)
      return index >= 0
    })
  }

  /** Takes out all, in their order. */
  all(): readonly Request[] {
    return URGENCIES.flatMap((urgency) => this.#waiting[urgency].splice(0))
  }
}
