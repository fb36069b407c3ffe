/**
 * A webhook: one request with undici, with a time limit.
 *
 * Invariant: only the origin of the address is ever shown, because such addresses contain secrets; no redirect is
 * followed.
 */
import { request } from 'undici'
import { InputError, type Place } from '../../domain/errors.ts'
import type { MachineClocks } from './machine-clocks.ts'
import { dispatcherFor } from './network/dispatchers.ts'
import { proxyFor } from './network/proxy.ts'
import { failureReason } from './rest/network-failure.ts'
import { retryAfterOf } from './rest/rate-headers.ts'

interface WebhookFailure {
  readonly type: 'failed'
  readonly reason: string
  readonly isRetryable: boolean
  /** From an answer 429. */
  readonly retryAfterMs?: number
}

export type WebhookOutcome = { readonly type: 'accepted' } | WebhookFailure

export interface Webhook {
  /** Printable address: scheme, host and port. */
  readonly origin: string
  /** Sends JSON by POST. Never rejects. */
  post(body: string): Promise<WebhookOutcome>
  /** Asks for the address by GET. Never rejects. */
  ping(): Promise<WebhookOutcome>
}

const TIMEOUT_MS = 5_000

/**
 * @param where  the setting that names the address
 * @throws {InputError} if it is not an http or https address
 */
export function webhook(
  where: Place,
  address: string,
  { setTimer, wall }: Pick<MachineClocks, 'setTimer' | 'wall'>,
): Webhook {
  const { url, authorization } = readAddress(where, address)
  const { origin } = url
  const proxy = proxyFor(url.href)
  const dispatcher =
    proxy === undefined ? undefined : dispatcherFor(origin, proxy, { connections: 1, timeoutMs: TIMEOUT_MS })
  const failed = (reason: string, isRetryable: boolean): WebhookFailure => ({
    type: 'failed',
    reason: `${origin}: ${reason}`,
    isRetryable,
  })
  const send = async (method: 'GET' | 'POST', body?: string): Promise<WebhookOutcome> => {
    const limit = new AbortController()
    const cancel = setTimer(TIMEOUT_MS, () => limit.abort())
    try {
      const type = body === undefined ? {} : { 'content-type': 'application/json' }
      const answer = await request(url, {
        method,
        headers: { ...type, 'user-agent': 'papertape', ...authorization },
        ...(body !== undefined && { body }),
        signal: limit.signal,
        ...(dispatcher !== undefined && { dispatcher }),
      })
      await answer.body.dump()
      const { statusCode, headers } = answer
      if (statusCode >= 200 && statusCode < 300) return { type: 'accepted' }
      const failure = failed(`answered ${statusCode}`, statusCode === 429 || statusCode >= 500)
      const [retryAfter] = [headers['retry-after']].flat()
      const retryAfterMs = retryAfterOf(retryAfter, wall()) ?? 0
      return statusCode === 429 && retryAfterMs > 0 ? { ...failure, retryAfterMs } : failure
    } catch (error) {
      return failed(limit.signal.aborted ? `no answer within ${TIMEOUT_MS} ms` : failureReason(error), true)
    } finally {
      cancel()
    }
  }
  return { origin, post: (body) => send('POST', body), ping: () => send('GET') }
}

interface Address {
  readonly url: URL
  readonly authorization: { readonly authorization?: string }
}

/** Moves user and password of the address to the authorization header. */
function readAddress(where: Place, address: string): Address {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new InputError(where, 'expected an address such as https://example.org/hook')
  }
  const { username, password } = url
  if (username === '' && password === '') return { url, authorization: {} }
  url.username = ''
  url.password = ''
  const pair = `${plainText(where, username)}:${plainText(where, password)}`
  return { url, authorization: { authorization: `Basic ${Buffer.from(pair).toString('base64')}` } }
}

function plainText(where: Place, encoded: string): string {
  try {
    return decodeURIComponent(encoded)
  } catch (error) {
    throw new InputError(where, 'the user or password of the address is not percent-encoded', { cause: error })
  }
}
