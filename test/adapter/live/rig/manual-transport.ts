/**
 * A transport whose requests a test sees and answers, by hand or by a function.
 */
import type { RestAnswer, RestRequest, RestTransport } from '../../../../src/adapter/live/rest/rest-transport.ts'

export interface SentRequest {
  readonly request: RestRequest
  /** Calls after the first do nothing. */
  readonly answer: (answer: RestAnswer) => void
}

/** An answer that came whole; without a body its JSON is absent. */
export const whole = (status: number, body?: unknown, headers: Readonly<Record<string, string>> = {}): RestAnswer => ({
  type: 'answer',
  status,
  headers,
  body,
})

export const NO_ANSWER: RestAnswer = { type: 'no-answer', reason: 'the connection was cut' }

/** Error answer in the envelope of section 2. */
export const refused = (status: number, code: string, headers: Readonly<Record<string, string>> = {}): RestAnswer => {
  const requestId = '00000000-0000-4000-8000-000000000000'
  const body = { error: { code, message: `refused with ${code}` }, requestId }
  return whole(status, body, { 'x-request-id': requestId, ...headers })
}

export class ManualTransport implements RestTransport {
  /** Every request, answered or not, in the order of sending. */
  readonly sent: SentRequest[] = []
  readonly #respond: ((request: RestRequest) => RestAnswer | Promise<RestAnswer> | undefined) | undefined
  #isClosed = false

  /** @param respond  answers a request; undefined leaves it to be answered by hand */
  constructor(respond?: (request: RestRequest) => RestAnswer | Promise<RestAnswer> | undefined) {
    this.#respond = respond
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** The newest request. */
  get last(): SentRequest {
    const last = this.sent.at(-1)
    if (last === undefined) throw new Error('nothing was sent')
    return last
  }

  send(request: RestRequest): Promise<RestAnswer> {
    return new Promise((resolve) => {
      this.sent.push({ request, answer: resolve })
      const answer = this.#respond?.(request)
      if (answer !== undefined) resolve(answer)
    })
  }

  close(): Promise<void> {
    this.#isClosed = true
    for (const { answer } of this.sent) answer({ type: 'no-answer', reason: 'closed' })
    return Promise.resolve()
  }
}
