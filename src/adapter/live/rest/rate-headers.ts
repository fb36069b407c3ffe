/**
 * Reads rate limits from an answer's headers in every common form (decision 23): the draft's structured fields
 * `RateLimit-Policy` and `RateLimit`, its older `limit=600, remaining=599, reset=42`, the triples `RateLimit-*` and
 * `X-RateLimit-*`, and `Retry-After`.
 *
 * Unreadable headers are ignored, never a fault.
 * @see https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/
 */

/** Limit of one bucket; undefined fields were not reported. */
export interface ReportedLimit {
  /** The service's name of the bucket. */
  readonly name: string | undefined
  readonly limit: number | undefined
  readonly windowMs: number | undefined
  readonly remaining: number | undefined
  readonly resetMs: number | undefined
}

export interface RateHeaders {
  readonly buckets: readonly ReportedLimit[]
  readonly retryAfterMs: number | undefined
}

type Headers = Readonly<Record<string, string>>

/** Longest plausible wait or window: a day. */
const MAX_MS = 86_400_000
/** A higher limit means unlimited, as services without limits report it. */
const MAX_REQUESTS = 1e9
/** A reset of this many seconds or more is a timestamp, not a duration. */
const FIRST_EPOCH_SECONDS = 1e9
const FIRST_EPOCH_MS = 1e12

/** @param now  Unix milliseconds, if the answer has no date of its own */
export function readRateHeaders(headers: Headers, now: number): RateHeaders {
  const sentAt = timeOf(headers.date) ?? now
  return { buckets: bucketsOf(headers, sentAt), retryAfterMs: retryAfterOf(headers['retry-after'], sentAt) }
}

function bucketsOf(headers: Headers, sentAt: number): readonly ReportedLimit[] {
  const policies = itemsOf(headers['ratelimit-policy']).map(reportedByItem)
  const states = itemsOf(headers.ratelimit)
  const old = oldState(states)
  if (old !== undefined) return [{ ...old, windowMs: policies[0]?.windowMs }]
  if (states.length > 0 || policies.some(({ name }) => name !== undefined)) {
    return merged(policies, states.map(reportedByItem))
  }
  const triple = tripleOf(headers, 'ratelimit', sentAt) ?? tripleOf(headers, 'x-ratelimit', sentAt)
  return triple === undefined ? policies : [{ ...triple, windowMs: triple.windowMs ?? policies[0]?.windowMs }]
}

/** Merges policy and state of the same name. */
function merged(policies: readonly ReportedLimit[], states: readonly ReportedLimit[]): readonly ReportedLimit[] {
  const names = new Set([...policies, ...states].map(({ name }) => name))
  return [...names].map((name) => {
    const policy = policies.find((each) => each.name === name)
    const state = states.find((each) => each.name === name)
    return {
      name,
      limit: policy?.limit,
      windowMs: policy?.windowMs,
      remaining: state?.remaining,
      resetMs: state?.resetMs,
    }
  })
}

/** One member of a structured list: its value, and its parameters by name. */
interface Item {
  readonly value: string
  readonly parameters: ReadonlyMap<string, string>
}

/** Members of a structured list; lenient. */
function itemsOf(text: string | undefined): readonly Item[] {
  return (text?.match(/(?:"[^"]*"|[^",])+/g) ?? []).map((member) => {
    const [value = '', ...parameters] = (member.match(/(?:"[^"]*"|[^";])+/g) ?? []).map((part) => part.trim())
    const pairs = parameters.map((parameter): [string, string] => {
      const [name = '', given = ''] = parameter.split('=')
      return [name.trim().toLowerCase(), given.trim()]
    })
    return { value, parameters: new Map(pairs) }
  })
}

/** `"general";q=600;w=60`, `"general";r=599;t=42`, or the older `600;w=60`. */
function reportedByItem({ value, parameters }: Item): ReportedLimit {
  const bare = countOf(value)
  return {
    name: bare === undefined ? value.replaceAll('"', '') : undefined,
    limit: bare ?? countOf(parameters.get('q')),
    windowMs: msOf(parameters.get('w')),
    remaining: countOf(parameters.get('r')),
    resetMs: msOf(parameters.get('t')),
  }
}

/** `limit=600, remaining=599, reset=42`. */
function oldState(items: readonly Item[]): ReportedLimit | undefined {
  const values = new Map(items.map(({ value }) => value.split('=').map((part) => part.trim()) as [string, string]))
  if (!values.has('remaining') && !values.has('limit')) return undefined
  return {
    name: undefined,
    limit: countOf(values.get('limit')),
    windowMs: undefined,
    remaining: countOf(values.get('remaining')),
    resetMs: msOf(values.get('reset')),
  }
}

function tripleOf(headers: Headers, prefix: string, sentAt: number): ReportedLimit | undefined {
  const [first] = itemsOf(headers[`${prefix}-limit`])
  const limit = countOf(first?.value)
  const remaining = countOf(headers[`${prefix}-remaining`])
  if (limit === undefined && remaining === undefined) return undefined
  return {
    name: undefined,
    limit,
    windowMs: msOf(first?.parameters.get('w')),
    remaining,
    resetMs: resetOf(headers[`${prefix}-reset`], sentAt),
  }
}

/** Seconds from now, or a timestamp in Unix seconds or milliseconds. */
function resetOf(text: string | undefined, sentAt: number): number | undefined {
  const value = numberOf(text)
  if (value === undefined || value < FIRST_EPOCH_SECONDS) return msOf(text)
  return within((value < FIRST_EPOCH_MS ? value * 1000 : value) - sentAt)
}

/** Milliseconds of a header `Retry-After`: seconds, or an HTTP date. @param sentAt  Unix milliseconds */
export function retryAfterOf(text: string | undefined, sentAt: number): number | undefined {
  const moment = numberOf(text) === undefined ? timeOf(text) : undefined
  return moment === undefined ? msOf(text) : within(moment - sentAt)
}

/** Unix milliseconds of an HTTP date. */
function timeOf(text: string | undefined): number | undefined {
  const time = /^[A-Za-z]{3,9}, .*GMT$/.test(text ?? '') ? Date.parse(text ?? '') : Number.NaN
  return Number.isNaN(time) ? undefined : time
}

const numberOf = (text: string | undefined): number | undefined =>
  text !== undefined && /^[0-9]{1,15}(?:\.[0-9]{1,6})?$/.test(text.trim()) ? Number(text) : undefined

const msOf = (text: string | undefined): number | undefined => {
  const seconds = numberOf(text)
  return seconds === undefined ? undefined : within(Math.ceil(seconds * 1000))
}

const within = (ms: number): number => Math.min(Math.max(0, ms), MAX_MS)

const countOf = (text: string | undefined): number | undefined => {
  const count = numberOf(text)
  return count !== undefined && Number.isInteger(count) && count <= MAX_REQUESTS ? count : undefined
}
