/**
 * Requests that are held until they are let go, one at a time in their order, so that what a service does is the same in every run.
 */
import type { RestAnswer, RestRequest, RestTransport } from '../../adapter/live/rest/rest-transport.ts'

interface HeldRequest {
  readonly request: RestRequest
  readonly resolve: (answer: RestAnswer) => void
}

export class HeldTransport implements RestTransport {
  readonly #transport: RestTransport
  readonly #held: HeldRequest[] = []
  #isClosed = false

  constructor(transport: RestTransport) {
    this.#transport = transport
  }

  get isHolding(): boolean {
    return this.#held.length > 0
  }

  send(request: RestRequest): Promise<RestAnswer> {
    if (this.#isClosed) return Promise.resolve({ type: 'no-answer', reason: 'closed' })
    return new Promise((resolve) => {
      this.#held.push({ request, resolve })
    })
  }

  /** Sends the first one. @param behind  waits for what the request has caused, before its answer is told */
  async letGo(behind: () => Promise<void>): Promise<void> {
    const first = this.#held.shift()
    if (first === undefined) return
    const answer = await this.#transport.send(first.request)
    await behind()
    first.resolve(answer)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    for (const { resolve } of this.#held.splice(0)) resolve({ type: 'no-answer', reason: 'closed' })
    await this.#transport.close()
  }
}
