/** The session's own rate limiter: excess requests are refused here, or wait, before the exchange refuses them. */
import { RateBudget, type RateLimits } from '../../domain/rate-window.ts'
import { WaitingRequests, type Urgency } from '../../domain/waiting-requests.ts'
import type { PendingRequest, RequestStage } from './request-stage.ts'

export type OnLimit = 'refuse' | 'wait'

export interface WaitingRequest {
  readonly urgency: Urgency
  readonly send: () => void
  /** Called instead of `send` under `refuse`. */
  readonly refuse: () => void
}

export interface RequestQueueOptions {
  /** Limits, or a budget that sessions share; undefined for none. */
  readonly limits: RateLimits | RateBudget | undefined
  readonly onLimit: OnLimit
  readonly now: () => number
  readonly after: (delayMs: number, action: () => void) => void
}

export class RequestQueue {
  readonly #options: RequestQueueOptions
  readonly #budget: RateBudget | undefined
  readonly #waiting = new WaitingRequests<WaitingRequest>()
  #isTimerOn = false

  constructor(options: RequestQueueOptions) {
    this.#options = options
    this.#budget = RateBudget.of(options.limits)
  }

  /** Sends the request now, later, or not at all. */
  submit(request: WaitingRequest): void {
    if (this.#waiting.isFirst(request.urgency) && this.#take()) {
      request.send()
      return
    }
    if (this.#options.onLimit === 'refuse') {
      request.refuse()
      return
    }
    this.#waiting.add(request, request.urgency)
    this.#wait()
  }

  /** Requests that were never sent. */
  get waiting(): number {
    return this.#waiting.length
  }

  #take(): boolean {
    if (this.#budget === undefined) return true
    const now = this.#options.now()
    return this.#budget.mutationAllowedInMs(now) === 0 && this.#budget.takeMutation(now)
  }

  #wait(): void {
    if (this.#isTimerOn || this.#budget === undefined) return
    this.#isTimerOn = true
    this.#options.after(this.#budget.mutationAllowedInMs(this.#options.now()), () => {
      this.#isTimerOn = false
      this.#sendWaiting()
    })
  }

  #sendWaiting(): void {
    while (this.waiting > 0 && this.#take()) this.#waiting.next()?.send()
    if (this.waiting > 0) this.#wait()
  }
}

/** The rate limiter as a stage of a request. */
const REFUSAL = { code: 'RATE_LIMITED', message: 'the rate limit of this session is used up' } as const

export class RateStage implements RequestStage {
  readonly #queue: RequestQueue

  constructor(options: RequestQueueOptions) {
    this.#queue = new RequestQueue(options)
  }

  get waiting(): number {
    return this.#queue.waiting
  }

  submit(request: PendingRequest, pass: (request: PendingRequest) => void): void {
    const creation = request.isExit === true ? 'exit' : 'entry'
    this.#queue.submit({
      urgency: request.intent.type === 'cancel' ? 'cancel' : creation,
      send: () => {
        pass(request)
      },
      refuse: () => {
        request.refuse('rate-budget', REFUSAL)
      },
    })
  }
}
