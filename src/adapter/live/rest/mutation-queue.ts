/** Priority queue of a key's creations and cancels in front of its budget, shared by all strategies of the key. */
import { type Urgency, WaitingRequests } from '../../../domain/waiting-requests.ts'
import type { LiveTime, LiveTimer } from '../live-time.ts'
import type { ClientBudget } from './client-budget.ts'

/** Handling of a request that exceeds the budget. */
export type OnLimit = 'refuse' | 'wait'

export interface GatedRequest {
  /** Priority among waiting requests; `exit` and `entry` are creations. */
  readonly urgency: Urgency
  readonly onLimit: OnLimit
  /**
   * Called once, now or later, when there is budget; otherwise `refuse` is.
   * @returns  false if it was not sent, which frees its budget
   */
  readonly send: () => boolean
  readonly refuse: () => void
}

/** Admission of creations and cancels to the budget of a key. */
export interface MutationGate {
  submit(request: GatedRequest): void
}

/** Longest wait until the budget is checked again: a filled order frees budget too, and does not notify it. */
const RECHECK_MS = 1_000

export class MutationQueue implements MutationGate {
  readonly #time: LiveTime
  readonly #budget: ClientBudget
  readonly #waiting = new WaitingRequests<GatedRequest>()
  readonly #stopListening: () => void
  #timer: LiveTimer | undefined
  #isClosed = false

  constructor({ time, budget }: { readonly time: LiveTime; readonly budget: ClientBudget }) {
    this.#time = time
    this.#budget = budget
    this.#stopListening = budget.onChange(() => {
      if (this.waiting > 0) time.enter(() => this.#sendWaiting())
    })
  }

  /** Requests that were neither sent nor refused. */
  get waiting(): number {
    return this.#waiting.length
  }

  /**
   * Sends the request now or later, or refuses it.
   * @returns  withdraws a waiting request and returns whether it did; it is then neither sent nor refused
   */
  submit(request: GatedRequest): () => boolean {
    const { urgency } = request
    if (!this.#isClosed && this.#waiting.isFirst(urgency) && this.#budget.takeMutation(urgency)) {
      this.#send(request)
      return () => false
    }
    if (this.#isClosed || request.onLimit === 'refuse') {
      request.refuse()
      return () => false
    }
    this.#waiting.add(request, urgency)
    this.#wait()
    return () => this.#waiting.withdraw(request)
  }

  /** Refuses waiting and later requests. */
  close(): void {
    this.#isClosed = true
    this.#stopListening()
    this.#timer?.cancel()
    for (const request of this.#waiting.all()) request.refuse()
  }

  #sendWaiting(): void {
    for (;;) {
      const urgency = this.#waiting.nextUrgency
      if (urgency === undefined) return
      if (!this.#budget.takeMutation(urgency)) break
      const request = this.#waiting.next()
      if (request !== undefined) this.#send(request)
    }
    this.#wait()
  }

  /** A request that was not sent gives its budget back. */
  #send(request: GatedRequest): void {
    if (!request.send()) this.#budget.giveBackMutation(request.urgency)
  }

  #wait(): void {
    this.#timer?.cancel()
    const waitMs = Math.min(RECHECK_MS, this.#budget.mutationAllowedInMs(this.#waiting.nextUrgency ?? 'entry'))
    this.#timer = this.#time.after(waitMs, () => this.#sendWaiting())
  }
}
