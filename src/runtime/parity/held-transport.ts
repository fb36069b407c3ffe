/**
 * Holds requests until they are released, one at a time in order, so that a service behaves the same in every run.
 *
 * Answers go through the same queue, after everything that was queued when their request was released: as in a
 * simulated market, requests made together all arrive before the first of them is answered.
 */
import type { RestAnswer, RestRequest, RestTransport } from '../../adapter/live/rest/rest-transport.ts'

/** A send or a reply. @param behind  waits for the effects of a request */
type Step = (behind: () => Promise<void>) => Promise<void>

const CLOSED: RestAnswer = { type: 'no-answer', reason: 'closed' }

export class HeldTransport implements RestTransport {
  readonly #transport: RestTransport
  readonly #steps: Step[] = []
  /** Callbacks waiting for an answer. */
  readonly #waiting = new Set<(answer: RestAnswer) => void>()
  #isClosed = false

  constructor(transport: RestTransport) {
    this.#transport = transport
  }

  get isHolding(): boolean {
    return this.#steps.length > 0
  }

  send(request: RestRequest): Promise<RestAnswer> {
    if (this.#isClosed) return Promise.resolve(CLOSED)
    return new Promise((resolve) => {
      this.#waiting.add(resolve)
      this.#steps.push(async (behind) => {
        let answer = CLOSED
        // It is queued before the request can have effects.
        this.#steps.push(() => {
          this.#waiting.delete(resolve)
          resolve(answer)
          return Promise.resolve()
        })
        answer = await this.#transport.send(request)
        await behind()
      })
    })
  }

  /** Releases the first step. @param behind  waits for the effects of the request */
  async letGo(behind: () => Promise<void>): Promise<void> {
    await this.#steps.shift()?.(behind)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#steps.length = 0
    for (const resolve of this.#waiting) resolve(CLOSED)
    this.#waiting.clear()
    await this.#transport.close()
  }
}
