/** Reads over a transport: within the budget, retried after transient faults, and decoded. */
import { ExchangeError } from '../../../domain/errors.ts'
import type { LiveTime } from '../live-time.ts'
import { failureOf, isSuccess, requestIdOf } from './answer-meaning.ts'
import type { ClientBudget } from './client-budget.ts'
import { readRateHeaders } from './rate-headers.ts'
import type { RestAnswer, RestTransport } from './rest-transport.ts'
import type { RetryWaits, StartPatience } from './retry-waits.ts'
import type { ReadPurpose } from './service-calls.ts'

export interface RestReadsOptions {
  readonly transport: RestTransport
  readonly budget: ClientBudget
  readonly time: LiveTime
  readonly backoff: RetryWaits
  /** Patience of a start, which repeats reads beyond the last attempt. Default: none. */
  readonly patience?: StartPatience | undefined
  /** Called with each answer that cannot come from the service, before the retry. */
  readonly onStrange?: ((failure: ExchangeError) => void) | undefined
}

export interface ReadRequest {
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  /** Undefined for a public read, which needs neither key nor budget. */
  readonly purpose: ReadPurpose | undefined
}

export class RestReads {
  readonly #options: RestReadsOptions
  #isClosed = false

  constructor(options: RestReadsOptions) {
    this.#options = options
  }

  /**
   * @param decode  reads the JSON of a success; an ExchangeError of it gets the call and the request's id
   * @throws {ExchangeError} immediately for a permanent failure, otherwise after the last attempt
   */
  async read<T>(request: ReadRequest, decode: (body: unknown) => T | Promise<T>): Promise<T> {
    const { backoff, onStrange, patience } = this.#options
    const call = `GET ${request.path}`
    for (let attempt = 1; ; attempt += 1) {
      const answer = await this.#send(request)
      const read = await valueOf(call, answer, decode)
      if (read.type === 'value') {
        patience?.onAnswer()
        return read.value
      }
      const { failure } = read
      const isLast = attempt >= backoff.attempts && patience?.isOver !== false
      if (!failure.isRetryable || isLast || this.#isClosed) throw failure
      patience?.onFailure(failure, attempt)
      if (failure.code === 'SCHEMA_FAULT') onStrange?.(failure)
      await backoff.wait(attempt, this.#askedMs(request, answer))
    }
  }

  /** Fails waiting reads. */
  close(): void {
    this.#isClosed = true
  }

  async #send({ path, query, purpose }: ReadRequest): Promise<RestAnswer> {
    const { budget, transport } = this.#options
    if (this.#isClosed) return { type: 'no-answer', reason: 'the connection was closed', isUnsent: true }
    if (purpose !== undefined) await budget.read(purpose)
    const isKeyed = purpose !== undefined
    const answer = await transport.send({ method: 'GET', path, ...(query !== undefined && { query }), isKeyed })
    if (isKeyed) budget.onAnswer('read', answer)
    return answer
  }

  /** The budget of the key has its own wait; a public read is not counted there. */
  #askedMs({ purpose }: ReadRequest, answer: RestAnswer): number {
    if (purpose !== undefined || answer.type !== 'answer') return 0
    return readRateHeaders(answer.headers, this.#options.time.now()).retryAfterMs ?? 0
  }
}

type ReadOutcome<T> =
  { readonly type: 'value'; readonly value: T } | { readonly type: 'failure'; readonly failure: ExchangeError }

async function valueOf<T>(
  call: string,
  answer: RestAnswer,
  decode: (body: unknown) => T | Promise<T>,
): Promise<ReadOutcome<T>> {
  if (answer.type !== 'answer' || !isSuccess(answer.status) || answer.body === undefined) {
    return { type: 'failure', failure: failureOf(call, answer) }
  }
  try {
    return { type: 'value', value: await decode(answer.body) }
  } catch (cause) {
    if (!(cause instanceof ExchangeError)) throw cause
    // A success that does not match the schema may be a gateway page.
    const isRetryable = cause.isRetryable || cause.code === 'SCHEMA_FAULT'
    const options = { cause, requestId: requestIdOf(answer), isRetryable }
    return { type: 'failure', failure: new ExchangeError(cause.code, `${call}: ${cause.message}`, options) }
  }
}
