/**
 * Requests that are held until they are let go, one at a time in their order, so that what a service does is the same
 * in every run.
 *
 * An answer stands in the same row, behind everything that was there when its request was let go: as in a simulated
 * market, requests that were made together all arrive before the first of them is answered.
 */
import type { RestAnswer, RestRequest, RestTransport } from '../../adapter/live/rest/rest-transport.ts'

/** Something is sent, or told. @param behind  waits for what a request has caused */
type Step = (behind: () => Promise<void>) => Promise<void>

const CLOSED: RestAnswer = { type: 'no-answer', reason: 'closed' }

export class HeldTransport implements RestTransport {
  readonly #transport: RestTransport
  readonly #steps: Step[] = []
  /** Whoever waits for an answer. */
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
        // Its place in the row is taken before the request can cause anything.
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

  /** Lets the first one go. @param behind  waits for what the request has caused */
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
