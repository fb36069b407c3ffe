/**
 * The queue of a key's creations and cancels before its budget: shared by all strategies of the key.
 *
 * Cancels that wait go before creations that wait; within each kind, first come first sent (decision 22).
 */
import type { LiveTime, LiveTimer } from '../live-time.ts'
import type { GatedRequest, MutationGate } from './mutation-gate.ts'
import type { ClientBudget, MutationKind } from './client-budget.ts'

/** The longest wait until the budget is asked again: an order that was filled makes room as well, and the budget is not told. */
const RECHECK_MS = 1_000

export class MutationQueue implements MutationGate {
  readonly #time: LiveTime
  readonly #budget: ClientBudget
  readonly #cancels: GatedRequest[] = []
  readonly #creations: GatedRequest[] = []
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
    return this.#cancels.length + this.#creations.length
  }

  /**
   * Sends it now or later, or refuses it.
   *
   * @returns  withdraws it when it still waits, and tells whether it did; it is then neither sent nor refused
   */
  submit(request: GatedRequest): () => boolean {
    const waiting = request.kind === 'cancel' ? this.#cancels : this.#creations
    const isFirst = this.#cancels.length === 0 && (request.kind === 'cancel' || this.#creations.length === 0)
    if (!this.#isClosed && isFirst && this.#budget.takeMutation(request.kind)) {
      this.#send(request)
      return () => false
    }
    if (this.#isClosed || request.onLimit === 'refuse') {
      request.refuse()
      return () => false
    }
    waiting.push(request)
    this.#wait()
    return () => {
      const index = waiting.indexOf(request)
      if (index >= 0) waiting.splice(index, 1)
      return index >= 0
    }
  }

  /** Refuses what waits and what is still to come. */
  close(): void {
    this.#isClosed = true
    this.#stopListening()
    this.#timer?.cancel()
    for (const request of [...this.#cancels.splice(0), ...this.#creations.splice(0)]) request.refuse()
  }

  #next(): MutationKind {
    return this.#cancels.length > 0 ? 'cancel' : 'create'
  }

  #sendWaiting(): void {
    while (this.waiting > 0 && this.#budget.takeMutation(this.#next())) {
      const request = this.#cancels.shift() ?? this.#creations.shift()
      if (request !== undefined) this.#send(request)
    }
    if (this.waiting > 0) this.#wait()
  }

  /** One that does not leave after all takes no place. */
  #send(request: GatedRequest): void {
    if (!request.send()) this.#budget.giveBackMutation(request.kind)
  }

  #wait(): void {
    this.#timer?.cancel()
    const waitMs = Math.min(RECHECK_MS, this.#budget.mutationAllowedInMs(this.#next()))
    this.#timer = this.#time.after(waitMs, () => this.#sendWaiting())
  }
}
