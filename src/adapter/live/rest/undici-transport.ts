/**
 * REST over HTTP/1.1 with undici: each request once, over keep-alive connections.
 *
 * Invariant: nothing is sent twice, no redirect is followed, and no answer, reason or error contains the key.
 * A connection carries one request at a time, and creations and cancels have connections of their own, so that no read
 * delays them. The time limit runs on the machine's clock, whatever the session's clock does: the network does not wait
 * for a simulation.
 */
import type { Dispatcher } from 'undici'
import { assertNever, InputError, type Place } from '../../../domain/errors.ts'
import { escapedExcerpt } from '../../../domain/escape-controls.ts'
import { MACHINE_CLOCKS } from '../machine-clocks.ts'
import { decodedContent } from '../network/content-encoding.ts'
import { dispatcherFor } from '../network/dispatchers.ts'
import { proxyText } from '../network/proxy.ts'
import { failureReason, isUnsent } from './network-failure.ts'
import type { RestAnswer, RestRequest, RestTransport } from './rest-transport.ts'

type Headers = Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseStart']>>[2]

export type Exchanged =
  | { readonly type: 'whole'; readonly status: number; readonly headers: Headers; readonly bytes: Uint8Array }
  | { readonly type: 'redirect' | 'too-long'; readonly status: number }
  /** `status` of an answer that had begun. */
  | { readonly type: 'failed'; readonly status: number | undefined; readonly error: unknown; readonly isLate: boolean }

/** Closes a connection whose answer exceeds the accepted size. */
const ENOUGH = new Error('the rest of the answer is not taken')

/**
 * One request through undici, until its answer is complete or has failed.
 *
 * It bypasses undici's streams and signals, which cost more per order than everything else up to the wire.
 * Invariant: it ends once. A request whose time limit passed before it was sent is not sent.
 */
export class ExchangeHandler implements Dispatcher.DispatchHandler {
  readonly #mostBytes: number
  readonly #onEnd: (exchanged: Exchanged) => void
  #controller: Dispatcher.DispatchController | undefined
  #status: number | undefined
  #headers: Headers = {}
  readonly #chunks: Uint8Array[] = []
  #length = 0
  #isEnded = false
  #isLate = false

  constructor(mostBytes: number, onEnd: (exchanged: Exchanged) => void) {
    this.#mostBytes = mostBytes
    this.#onEnd = onEnd
  }

  /** Aborts the request at its time limit. */
  giveUp(): void {
    if (this.#isEnded) return
    this.#isLate = true
    this.#controller?.abort(ENOUGH)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#isLate) controller.abort(ENOUGH)
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: Headers): void {
    // Several informational answers may precede the final one.
    if (status < 200) return
    this.#status = status
    this.#headers = headers
    if (status < 300 || status >= 400) return
    this.#end({ type: 'redirect', status })
    controller.abort(ENOUGH)
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    this.#length += chunk.length
    this.#chunks.push(chunk)
    if (this.#length <= this.#mostBytes) return
    this.#end({ type: 'too-long', status: this.#status ?? 0 })
    this.#chunks.length = 0
    controller.abort(ENOUGH)
  }

  onResponseEnd(): void {
    const [only] = this.#chunks
    const bytes = this.#chunks.length === 1 && only !== undefined ? only : Buffer.concat(this.#chunks)
    this.#end({ type: 'whole', status: this.#status ?? 0, headers: this.#headers, bytes })
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#end({ type: 'failed', status: this.#status, error, isLate: this.#isLate })
  }

  #end(exchanged: Exchanged): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.#onEnd(exchanged)
  }
}

export interface UndiciTransportOptions {
  /** http or https; its path is the prefix of every request. */
  readonly url: string
  /** Undefined to read public data only. */
  readonly apiKey?: string | undefined
  /** Time limit of a request, from sending to the last byte of its answer. Default: 10 s. */
  readonly timeoutMs?: number
  /** Proxy; undefined for a direct connection. */
  readonly proxy?: URL | undefined
}

const TIMEOUT_MS = 10_000
const CONNECTIONS = 4
const MAX_BYTES = 1024 * 1024

const USER_AGENT = 'papertape'
const HIDDEN = '[key]'
const UTF8 = new TextDecoder('utf-8', { fatal: true })

interface BaseUrl {
  /** Scheme, host and port. */
  readonly origin: string
  /** Path prefix without a trailing slash: `/v1`, or empty. */
  readonly prefix: string
}

/**
 * Parses the address of a service, such as `https://api.example.com/v1`.
 * @throws {InputError} if it is not an http or https URL, or has a user, a query or a fragment; the error does not
 * quote it
 */
function parseBaseUrl(text: string, where: Place = 'url'): BaseUrl {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    throw new InputError(where, 'expected an http or https URL such as http://127.0.0.1:8080/v1')
  }
  if (url.username !== '' || url.password !== '') {
    throw new InputError(where, 'expected a URL without a user and password; the key goes into PAPERTAPE_API_KEY')
  }
  if (url.search !== '' || url.hash !== '') throw new InputError(where, 'expected a URL without a query or a fragment')
  return { origin: url.origin, prefix: url.pathname.replace(/\/+$/, '') }
}

export class UndiciTransport implements RestTransport {
  readonly #base: BaseUrl
  readonly #apiKey: string | undefined
  readonly #timeoutMs: number
  readonly #proxy: URL | undefined
  readonly #reads: Dispatcher
  readonly #mutations: Dispatcher

  /** @throws {InputError} for an unusable URL or key */
  constructor({ url, apiKey, timeoutMs = TIMEOUT_MS, proxy }: UndiciTransportOptions) {
    if (apiKey !== undefined && !/^[\x21-\x7e]+$/.test(apiKey)) {
      throw new InputError('PAPERTAPE_API_KEY', 'expected an API key of visible ASCII characters')
    }
    this.#base = parseBaseUrl(url)
    this.#apiKey = apiKey
    this.#timeoutMs = timeoutMs
    this.#proxy = proxy
    const limits = { connections: CONNECTIONS, timeoutMs }
    this.#reads = dispatcherFor(this.#base.origin, proxy, limits)
    this.#mutations = dispatcherFor(this.#base.origin, proxy, limits)
  }

  async send(request: RestRequest): Promise<RestAnswer> {
    // During a strategy's turn undici cannot reach the machine's timers.
    await Promise.resolve()
    return this.#answerOf(await this.#exchange(request))
  }

  async close(): Promise<void> {
    await Promise.all([this.#reads.destroy(), this.#mutations.destroy()])
  }

  #exchange(request: RestRequest): Promise<Exchanged> {
    const { method, path, query, body = null } = request
    return new Promise((resolve) => {
      const handler = new ExchangeHandler(MAX_BYTES, (exchanged) => {
        endLimit()
        resolve(exchanged)
      })
      const endLimit = MACHINE_CLOCKS.setTimer(this.#timeoutMs, () => {
        handler.giveUp()
      })
      const pool = method === 'GET' ? this.#reads : this.#mutations
      const headers = this.#headers(request)
      const { origin, prefix } = this.#base
      pool.dispatch({ origin, method, path: prefix + path + queryText(query), headers, body }, handler)
    })
  }

  #answerOf(exchanged: Exchanged): RestAnswer {
    const { type, status } = exchanged
    switch (type) {
      case 'whole':
        return this.#whole(exchanged)
      case 'redirect':
        return unreadable(status, 'a redirect, which is not followed')
      case 'too-long':
        return unreadable(status, `an answer of more than ${MAX_BYTES} bytes`)
      case 'failed':
        return this.#failed(exchanged)
      default:
        return assertNever(type)
    }
  }

  #whole({ status, headers, bytes }: Exchanged & { readonly type: 'whole' }): RestAnswer {
    const plain = this.#plainHeaders(headers)
    const content = decodedContent(plain['content-encoding'], bytes, MAX_BYTES)
    if (typeof content === 'string') return unreadable(status, content)
    return { type: 'answer', status, headers: plain, body: this.#json(content) }
  }

  #failed({ status, error, isLate }: Exchanged & { readonly type: 'failed' }): RestAnswer {
    if (status !== undefined) {
      const reason = isLate ? `incomplete after ${this.#timeoutMs} ms` : failureReason(error)
      return broken(status, this.#hide(`the answer broke off: ${reason}`))
    }
    const through = this.#proxy === undefined ? '' : ` (through the proxy ${proxyText(this.#proxy)})`
    const reason = `${isLate ? `no answer within ${this.#timeoutMs} ms` : failureReason(error)}${through}`
    return { type: 'no-answer', reason: this.#hide(reason), ...(isUnsent(error) && { isUnsent: true }) }
  }

  #headers({ body, isKeyed }: RestRequest): Record<string, string> {
    return {
      accept: 'application/json',
      'accept-encoding': 'identity',
      'user-agent': USER_AGENT,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(isKeyed && this.#apiKey !== undefined && { 'x-api-key': this.#apiKey }),
    }
  }

  #plainHeaders(headers: Headers): Record<string, string> {
    const pairs = Object.entries(headers).map(([name, value]) => {
      const text = Array.isArray(value) ? value.join(', ') : (value ?? '')
      return [name.toLowerCase(), this.#hide(text)] as const
    })
    return Object.fromEntries(pairs)
  }

  /** Undefined if it is not JSON. */
  #json(bytes: Uint8Array): unknown {
    try {
      return JSON.parse(this.#hide(UTF8.decode(bytes)))
    } catch {
      return undefined
    }
  }

  /** Hides the key, because a server may echo it in text that is printed. */
  #hide(text: string): string {
    return this.#apiKey !== undefined && text.includes(this.#apiKey) ? text.replaceAll(this.#apiKey, HIDDEN) : text
  }
}

const broken = (status: number, reason: string): RestAnswer => ({
  type: 'broken',
  status,
  reason: escapedExcerpt(reason),
})

const unreadable = (status: number, reason: string): RestAnswer => ({
  type: 'broken',
  status,
  reason: escapedExcerpt(reason),
  isUnreadable: true,
})

function queryText(query: Readonly<Record<string, string>> | undefined): string {
  if (query === undefined) return ''
  const text = new URLSearchParams(query).toString()
  return text === '' ? '' : `?${text}`
}
