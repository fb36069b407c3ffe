/** Response to one request: request id, rate limit headers, and a body or an error envelope. */
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { RateBudget, RateWindow } from '../../domain/rate-window.ts'
import type { ErrorCode } from '../../wire/error-code.ts'
import { cutSocket, JSON_TYPE } from './bare-answer.ts'
import { FileBody } from './file-body.ts'
import { envelopeOf, type ServiceError } from './service-error.ts'

export interface AnswerOptions {
  /** Default: JSON. */
  readonly contentType?: string | undefined
  /** Additional headers by name. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

export class Answer {
  /** Request id. */
  readonly id: string
  /** Arrival of the request in service time, Unix milliseconds. */
  arrivedAt = 0
  /** Budget of the key, once known. */
  budget: RateBudget | undefined
  /** True if the request counts in both buckets. */
  isMutation = false
  /** True once the request has passed the checks of token, key and limits. */
  isAdmitted = false
  /** Code of the refusal that was sent. */
  refusedWith: ErrorCode | undefined
  /** Called with the status before it is sent. */
  onStatus: ((status: number) => void) | undefined
  readonly #response: ServerResponse

  constructor(id: string, response: ServerResponse) {
    this.id = id
    this.#response = response
  }

  /** True after a response was sent, including the one that refuses a request while the server stops. */
  get isSent(): boolean {
    return this.#response.headersSent
  }

  get socket(): Socket {
    return this.#response.req.socket
  }

  /** Adds a header before the common ones. */
  setHeader(name: string, value: string): void {
    this.#response.setHeader(name, value)
  }

  /**
   * Sends the response. Does nothing if the request was already refused because the server stops.
   *
   * @param body  undefined for none
   */
  send(
    status: number,
    body: string | Buffer | FileBody | undefined,
    { contentType, headers }: AnswerOptions = {},
  ): void {
    const response = this.#response
    if (this.isSent) return
    this.onStatus?.(status)
    const head = this.#head()
    if (headers !== undefined) head.push(...Object.entries(headers).flat())
    if (body !== undefined) head.push('content-type', contentType ?? JSON_TYPE)
    if (body instanceof FileBody) {
      body.send(response, status, head)
      return
    }
    if (status !== 204) head.push('content-length', String(body === undefined ? 0 : Buffer.byteLength(body)))
    response.writeHead(status, head).end(body)
  }

  sendError(error: ServiceError): void {
    const { status, retryInMs } = error
    this.refusedWith ??= error.code
    const headers = retryInMs === undefined ? undefined : { 'retry-after': retrySeconds(retryInMs) }
    this.send(status, JSON.stringify(envelopeOf(error, this.id)), { headers })
  }

  /** Resets the connection without a response. */
  cut(): void {
    cutSocket(this.socket)
  }

  /** Sends the full content-length and half of the body, then closes the connection. */
  truncate(status: number, body: string): void {
    if (this.isSent) return
    this.onStatus?.(status)
    const bytes = Buffer.from(body)
    const { socket } = this
    this.#response.writeHead(status, [...this.#head(), 'content-type', JSON_TYPE, 'content-length', `${bytes.length}`])
    this.#response.write(bytes.subarray(0, bytes.length >> 1), () => socket.destroy())
  }

  /** Common headers, names and values alternating. */
  #head(): string[] {
    const head = ['x-request-id', this.id]
    if (this.budget === undefined) return head
    const [policy, left] = rateHeaders(this.budget, this.isMutation, this.arrivedAt)
    head.push('ratelimit-policy', policy, 'ratelimit', left)
    return head
  }
}

/** Decision 23: policy and remaining requests, of both buckets for a mutation. */
function rateHeaders({ general, mutations }: RateBudget, isMutation: boolean, now: number): [string, string] {
  const [policy, left] = [policyOf('general', general), leftOf('general', general, now)]
  if (!isMutation) return [policy, left]
  return [`${policy}, ${policyOf('mutations', mutations)}`, `${left}, ${leftOf('mutations', mutations, now)}`]
}

const policyOf = (name: string, { limit, windowMs }: RateWindow): string =>
  `"${name}";q=${limit};w=${seconds(windowMs)}`

const leftOf = (name: string, window: RateWindow, now: number): string =>
  `"${name}";r=${window.remaining(now)};t=${seconds(window.resetInMs(now) || window.windowMs)}`

/** Value of `Retry-After`. */
export const retrySeconds = (ms: number): string => String(Math.max(1, seconds(ms)))

const seconds = (ms: number): number => Math.ceil(ms / 1000)
