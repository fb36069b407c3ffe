/** The rate budget of a session as a stage: excess requests are refused, or wait, before the exchange refuses them. */
import { RequestQueue, type RequestQueueOptions } from './request-queue.ts'
import type { PendingRequest, RequestStage } from './request-stage.ts'

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
