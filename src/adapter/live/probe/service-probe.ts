/**
 * Single requests whose answers are inspected as they are: status, headers, bytes, times. No retry, no redirect, no
 * interpretation.
 *
 * Invariant: the key is sent in the header `x-api-key` only, and no returned text contains it.
 */
import { setTimeout } from 'node:timers/promises'
import { request, type Dispatcher } from 'undici'
import { decodedContent } from '../network/content-encoding.ts'
import { dispatcherFor } from '../network/dispatchers.ts'
import { networkWords } from './network-words.ts'

export interface ProbeRequest {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** Path relative to the base URL, with its query: `/orders?limit=1`. */
  readonly path: string
  /** Value of `x-api-key`; undefined for none. */
  readonly key?: string | undefined
  /** Additional headers, names in lower case. */
  readonly headers?: Readonly<Record<string, string>>
  /** JSON text. */
  readonly body?: string | undefined
}

/** A complete answer. */
export interface ProbedAnswer {
  readonly type: 'answer'
  readonly request: ProbeRequest
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  /** Undefined if the text is not JSON. */
  readonly json: unknown
  /** This machine's clock, Unix milliseconds. */
  readonly sentAt: number
  readonly answeredAt: number
}

export type ProbeAnswer =
  | ProbedAnswer
  /** `reason` is a sentence for the operator. */
  | { readonly type: 'no-answer'; readonly request: ProbeRequest; readonly reason: string }

export interface ServiceProbeOptions {
  /** Base URL of the REST interface, such as `http://127.0.0.1:8080/v1`. */
  readonly baseUrl: string
  readonly timeoutMs: number
  readonly proxy?: URL | undefined
}

const MAX_BYTES = 1_048_576
const MAX_HEADER_BYTES = 65_536

export class ServiceProbe {
  readonly baseUrl: string
  readonly #timeoutMs: number
  readonly #agent: Dispatcher

  constructor({ baseUrl, timeoutMs, proxy }: ServiceProbeOptions) {
    this.baseUrl = baseUrl.replace(/\/+$/, '')
    this.#timeoutMs = timeoutMs
    const limits = { connections: 1, timeoutMs, maxHeaderSize: MAX_HEADER_BYTES }
    this.#agent = dispatcherFor(new URL(baseUrl).origin, proxy, limits)
  }

  /** Sends the request once. Never rejects. */
  async send(probe: ProbeRequest): Promise<ProbeAnswer> {
    const sentAt = Date.now()
    try {
      const { statusCode, headers, body } = await request(this.baseUrl + probe.path, this.#optionsOf(probe))
      const bytes = await bytesOf(body)
      if (bytes === undefined) {
        return { type: 'no-answer', request: probe, reason: `the answer is longer than ${MAX_BYTES} bytes` }
      }
      const answeredAt = Date.now()
      const flat = Object.entries(headers).map(([name, value = '']) => [name, [value].flat().join(', ')] as const)
      const content = decodedContent([headers['content-encoding'] ?? ''].flat().join(', '), bytes, MAX_BYTES)
      if (typeof content === 'string') return { type: 'no-answer', request: probe, reason: content }
      const text = Buffer.from(content).toString('utf8')
      return {
        type: 'answer',
        request: probe,
        status: statusCode,
        headers: Object.fromEntries(flat),
        text,
        json: jsonOf(text),
        sentAt,
        answeredAt,
      }
    } catch (error) {
      return { type: 'no-answer', request: probe, reason: networkWords(error) }
    }
  }

  /** Waits `ms` milliseconds. */
  async pause(ms: number): Promise<void> {
    await setTimeout(ms)
  }

  close(): Promise<void> {
    return this.#agent.destroy()
  }

  #optionsOf({ method, key, headers, body }: ProbeRequest): Parameters<typeof request>[1] {
    return {
      dispatcher: this.#agent,
      method,
      headers: {
        accept: 'application/json',
        'accept-encoding': 'identity',
        ...(key !== undefined && { 'x-api-key': key }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body ?? null,
      headersTimeout: this.#timeoutMs,
      bodyTimeout: this.#timeoutMs,
      signal: AbortSignal.timeout(this.#timeoutMs),
    }
  }
}

/** Undefined if the body is too long. */
async function bytesOf(body: Dispatcher.ResponseData['body']): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body) {
    const piece = chunk as Uint8Array
    bytes += piece.byteLength
    if (bytes > MAX_BYTES) return undefined
    chunks.push(piece)
  }
  return Buffer.concat(chunks)
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
