/**
 * Wire protocol of the stream, which the specification leaves open (decision 24): the only file to replace for a
 * service with another one.
 *
 * A request names one stream, so that a bad name does not affect the others: a service may refuse a whole request, or
 * accept its valid names.
 */

/** A parsed frame of the service. */
export type StreamFrame =
  /** `streams` is undefined if the service does not list its subscriptions. */
  | { readonly type: 'subscribed'; readonly id: number; readonly streams: readonly unknown[] | undefined }
  | { readonly type: 'refused'; readonly id: number; readonly reason: string }
  | { readonly type: 'data'; readonly stream: string; readonly data: unknown }
  /** A frame of no known form. */
  | { readonly type: 'unreadable'; readonly reason: string }

export const tradeStream = (symbol: string): string => `trade:${symbol}`
export const tickerStream = (symbol: string): string => `ticker:${symbol}`

/** @param id  echoed in the answer */
export const subscribeRequest = (stream: string, id: number): string =>
  JSON.stringify({ op: 'subscribe', streams: [stream], id })

/** The reason why a service that answered `subscribed` does not follow the stream; undefined if it does. */
export const missingReason = (streams: readonly unknown[] | undefined, stream: string): string | undefined =>
  streams === undefined || streams.includes(stream)
    ? undefined
    : 'it is missing from the streams that the service confirmed'

/** Parses any text, and never throws. */
export function readStreamFrame(text: string): StreamFrame {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return unreadable('it is not JSON')
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return unreadable('it is not an object')
  const { op, id, stream, streams, data, error } = json as Readonly<Record<string, unknown>>
  if (op === undefined) {
    if (typeof stream !== 'string' || data === undefined) return unreadable('it has no stream or no data')
    return { type: 'data', stream, data }
  }
  if (typeof id !== 'number') return unreadable('it has no id of a request')
  if (op === 'subscribed') return { type: 'subscribed', id, streams: Array.isArray(streams) ? streams : undefined }
  if (op === 'error') return { type: 'refused', id, reason: reasonOf(error) }
  return unreadable('its op is unknown')
}

const unreadable = (reason: string): StreamFrame => ({ type: 'unreadable', reason })

const MAX_REASON = 200

function reasonOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return 'no reason given'
  const { code, message } = error as Readonly<Record<string, unknown>>
  const words = [code, message].filter((part) => typeof part === 'string').join(': ')
  return words === '' ? 'no reason given' : words.slice(0, MAX_REASON)
}
