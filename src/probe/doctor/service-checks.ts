/** Checks of a service without a key: its markets, its clock, its stream. */
import { proxyFor } from '../../adapter/live/network/proxy.ts'
import type { ProbeAnswer, ProbedAnswer, ServiceProbe } from '../../adapter/live/probe/service-probe.ts'
import { probeStream } from '../../adapter/live/probe/stream-probe.ts'
import { readRateHeaders } from '../../adapter/live/rest/rate-headers.ts'
import { pathPart } from '../../adapter/live/rest/rest-transport.ts'
import { tradeStream } from '../../adapter/live/stream/stream-codec.ts'
import { ExchangeError } from '../../domain/errors.ts'
import { parseIsoTime } from '../../domain/iso-time.ts'
import type { Market } from '../../domain/market.ts'
import { readError } from '../../wire/read-error.ts'
import { readMarkets } from '../../wire/read-market.ts'

const UNKNOWN_ORDER = 'papertape-doctor-no-such-order'
const PAGE = 500

/** Asks with the key. */
type Ask = (method: 'GET' | 'POST' | 'DELETE', path: string) => Promise<ProbeAnswer>

/**
 * Checks of a key and its account. Places no orders: it sends a creation without a body, and a cancel with an unknown
 * id.
 */
export async function checkAccount(probe: ServiceProbe, key: string): Promise<readonly DoctorCheck[]> {
  const ask: Ask = (method, path) => probe.send({ method, path, key })
  const balances = await ask('GET', '/balances')
  if (balances.type === 'answer' && balances.status === 401) return [unknownKey(codeOf(balances))]
  const orders = await ask('GET', `/orders?limit=${PAGE}`)
  const create = await ask('POST', '/orders')
  const cancel = await ask('DELETE', `/orders/${UNKNOWN_ORDER}`)
  return [
    ok('key', 'the service accepts it'),
    readScope('ACCOUNT_READ', balances),
    readScope('ORDER_READ', orders),
    mutationScope('ORDER_CREATE', create, ['MALFORMED_JSON', 'VALIDATION_ERROR']),
    mutationScope('ORDER_CANCEL', cancel, ['ORDER_NOT_FOUND', 'VALIDATION_ERROR']),
    limitsOf([balances, cancel]),
    fundsIn(balances),
    await checkPages(ask, orders),
  ].flat()
}

const unknownKey = (code: string | undefined): DoctorCheck =>
  fault(
    'key',
    `the service answers 401 ${code ?? ''}: put a complete, valid key into PAPERTAPE_API_KEY`.replace(' :', ':'),
  )

function readScope(scope: string, answer: ProbeAnswer): DoctorCheck {
  if (answer.type === 'answer' && answer.status === 200 && answer.json !== undefined)
    return ok(scope, 'the key has this scope')
  return refusal(scope, answer)
}

/** @param codes  that come after key and scope, and before anything is done */
function mutationScope(scope: string, answer: ProbeAnswer, codes: readonly string[]): DoctorCheck {
  if (answer.type === 'answer' && answer.status < 300) {
    return fault(scope, `it answered ${answer.status} to a request without a valid order: do not trade on this service`)
  }
  if (codes.includes(codeOf(answer) ?? '')) return ok(scope, 'the key has this scope, and the account is verified')
  return refusal(scope, answer)
}

function refusal(scope: string, answer: ProbeAnswer): DoctorCheck {
  const code = codeOf(answer)
  if (code === 'FORBIDDEN') return fault(scope, 'the key lacks this scope: create a key that has it')
  if (code === 'EMAIL_NOT_VERIFIED') return fault(scope, 'the account is not verified: verify its e-mail')
  if (code === 'RATE_LIMITED')
    return fault(
      scope,
      'the rate limit of the key is used up: wait a minute, and check whether something else uses this key',
    )
  return fault(scope, `could not be checked: ${reportedOf(answer)}`)
}

function limitsOf(answers: readonly ProbeAnswer[]): DoctorCheck {
  const reported = answers.flatMap((answer) =>
    answer.type === 'answer' ? readRateHeaders(answer.headers, answer.answeredAt).buckets : [],
  )
  const last = new Map(reported.map((bucket) => [bucket.name ?? 'requests', bucket]))
  if (last.size === 0)
    return warning(
      'limits',
      'the responses have no rate-limit headers: 600 requests and 30 orders per minute are assumed',
    )
  const words = [...last].map(([name, { remaining, limit, windowMs }]) => {
    const window = windowMs === undefined ? '' : ` in ${windowMs / 1000} s`
    return `${name}: ${remaining ?? '?'} of ${limit ?? '?'} left${window}`
  })
  const isShort = [...last.values()].some(({ remaining, limit }) => (remaining ?? 1) * 4 < (limit ?? 0))
  const says = words.join(', ')
  return isShort
    ? warning('limits', `${says}; the key was used just now, or something else uses it`)
    : ok('limits', says)
}

function fundsIn(answer: ProbeAnswer): readonly DoctorCheck[] {
  if (answer.type !== 'answer' || answer.status !== 200) return []
  const held = Object.entries(
    (answer.json ?? {}) as Readonly<Record<string, { readonly available?: unknown } | null>>,
  ).flatMap(([asset, balance]) =>
    /[1-9]/.test(String(balance?.available)) ? [`${asset} ${String(balance?.available)}`] : [],
  )
  return [
    held.length === 0
      ? warning('funds', 'the account has no available funds: no order can be placed')
      : ok('funds', `available: ${held.slice(0, 6).join(', ')}`),
  ]
}

async function checkPages(ask: Ask, first: ProbeAnswer): Promise<readonly DoctorCheck[]> {
  const ids = idsIn(first)
  if (ids === undefined) return []
  if (ids.length === 0)
    return [ok('pages', 'the account has no orders yet, so a cap on the page size cannot be detected')]
  const second = idsIn(await ask('GET', `/orders?limit=${PAGE}&page=2`))
  if (second === undefined)
    return [fault('pages', 'page 2 of GET /orders cannot be read: an order without a response could not be found')]
  if (second.length > 0 && second.every((id) => ids.includes(id))) {
    return [fault('pages', 'GET /orders ignores page: an order without a response could not be found')]
  }
  if (second.length === 0) return [ok('pages', `all ${ids.length} orders are on one page of ${PAGE}`)]
  const says = `a page of GET /orders has ${ids.length} rows; ${PAGE} were requested`
  return [ids.length >= PAGE ? ok('pages', says) : warning('pages', `${says}: finding an order takes more requests`)]
}

function idsIn(answer: ProbeAnswer): readonly unknown[] | undefined {
  if (answer.type !== 'answer' || answer.status !== 200 || !Array.isArray(answer.json)) return undefined
  return (answer.json as readonly ({ readonly id?: unknown } | null)[]).map((row) => row?.id)
}

/** One result of the doctor, shown as a line. */
export interface DoctorCheck {
  /** Short, such as `clock`. */
  readonly name: string
  /**
   * A fault prevents a session from starting; a warning does not; an assumption is something that no response states.
   */
  readonly verdict: 'ok' | 'warning' | 'fault' | 'assumed'
  /** Finding, and advice if there is something to do. */
  readonly says: string
}

export const ok = (name: string, says: string): DoctorCheck => ({ name, verdict: 'ok', says })
const warning = (name: string, says: string): DoctorCheck => ({ name, verdict: 'warning', says })
export const fault = (name: string, says: string): DoctorCheck => ({ name, verdict: 'fault', says })
export const assumed = (name: string, says: string): DoctorCheck => ({ name, verdict: 'assumed', says })

/** Error code of the specification in an answer; undefined if it has none. */
const codeOf = (answer: ProbeAnswer): string | undefined =>
  answer.type === 'answer' ? readError(answer.json)?.code : undefined

const MISPLACED = ': is this the base URL of the service? It ends in /v1'

/** Description of an unusable answer. */
function reportedOf(answer: ProbeAnswer): string {
  if (answer.type === 'no-answer') return answer.reason
  const { status, headers, json, text } = answer
  if (status >= 300 && status < 400)
    return `it redirects to ${headers.location ?? 'elsewhere'}, and redirects are not followed: give the final address`
  const code = codeOf(answer)
  if (code !== undefined) return `it answers ${status} ${code}${status === 404 ? MISPLACED : ''}`
  if (/^\s*</.test(text)) return `it answers ${status} with a web page, not JSON${MISPLACED}`
  const form = json === undefined ? ' without JSON' : ' in an unknown form'
  return `it answers ${status}${form}${status === 404 ? MISPLACED : ''}`
}

/** Coarser than the second of a Date header. */
const MAX_SKEW_MS = 2_000
const STREAM_MS = 5_000
const FIRST_MESSAGE_MS = 3_000
const MAX_NAMED = 6

export interface ServiceFound {
  readonly markets: readonly Market[]
  readonly answer: ProbedAnswer | undefined
  readonly checks: readonly DoctorCheck[]
}

/** No markets where the service cannot be used. */
export async function findService(probe: ServiceProbe): Promise<ServiceFound> {
  const answer = await probe.send({ method: 'GET', path: '/markets' })
  const path = new URL(probe.baseUrl).pathname
  const version = path.endsWith('/v1')
    ? []
    : [warning('version', `the base URL ends in ${path}; in the specification it ends in /v1`)]
  const found = marketsIn(answer)
  if (typeof found === 'string') {
    return { markets: [], answer: undefined, checks: [fault('service', `${probe.baseUrl}: ${found}`), ...version] }
  }
  const whole = answer.type === 'answer' ? answer : undefined
  return {
    markets: found,
    answer: whole,
    checks: [ok('service', `${probe.baseUrl} answers`), ...version, precisionOf(found)],
  }
}

/** Or what is wrong with them. */
function marketsIn(answer: ProbeAnswer): readonly Market[] | string {
  if (answer.type === 'no-answer' || answer.status !== 200 || answer.json === undefined) return reportedOf(answer)
  try {
    const markets = readMarkets(answer.json)
    return markets.length === 0 ? 'it lists no markets, so there is nothing to trade' : markets
  } catch (error) {
    if (error instanceof ExchangeError) return `GET /markets is not as specified: ${error.message}`
    throw error
  }
}

function precisionOf(markets: readonly Market[]): DoctorCheck {
  const named = markets
    .slice(0, MAX_NAMED)
    .map(({ symbol, pricePrecision, qtyPrecision }) => `${symbol} ${pricePrecision}/${qtyPrecision}`)
  const more = markets.length > MAX_NAMED ? ` and ${markets.length - MAX_NAMED} more` : ''
  return ok('markets', `decimals of price/qty: ${named.join(', ')}${more}`)
}

/** The service's time against ours: by the header, or by a ticker. */
export async function checkClock(probe: ServiceProbe, market: Market, first: ProbedAnswer): Promise<DoctorCheck> {
  const byHeader = dateOf(first)
  if (byHeader !== undefined) return skewOf(byHeader, first)
  const answer = await probe.send({ method: 'GET', path: `/markets/${pathPart(market.symbol)}/ticker` })
  const { timestamp } = (answer.type === 'answer' ? (answer.json ?? {}) : {}) as { readonly timestamp?: unknown }
  const byTicker = parseIsoTime(String(timestamp))?.time
  if (answer.type === 'no-answer' || byTicker === undefined)
    return warning('clock', 'the responses have no time to compare with')
  return skewOf({ from: byTicker, to: byTicker }, answer)
}

interface Span {
  readonly from: number
  readonly to: number
}

/** The header has a resolution of one second. */
function dateOf({ headers }: ProbedAnswer): Span | undefined {
  const from = Date.parse(headers.date ?? '')
  return Number.isNaN(from) ? undefined : { from, to: from + 999 }
}

function skewOf({ from, to }: Span, { sentAt, answeredAt }: ProbedAnswer): DoctorCheck {
  const skew = sentAt > to ? sentAt - to : answeredAt < from ? answeredAt - from : 0
  if (Math.abs(skew) <= MAX_SKEW_MS) return ok('clock', `within ${MAX_SKEW_MS / 1000} s of the service's`)
  const seconds = (Math.abs(skew) / 1000).toFixed(1)
  return warning(
    'clock',
    `this machine is ${seconds} s ${skew > 0 ? 'ahead of' : 'behind'} the service: synchronize its clock (NTP); times in the journal and of candles differ by that much`,
  )
}

export async function checkStream(url: string, { symbol }: Market): Promise<DoctorCheck> {
  const probe = await probeStream({
    url,
    proxy: proxyFor(url),
    stream: tradeStream(symbol),
    timeoutMs: STREAM_MS,
    messageMs: FIRST_MESSAGE_MS,
  })
  switch (probe.reached) {
    case 'message':
      return ok('stream', `${url} sends trades of ${symbol}`)
    case 'subscribed':
      return ok(
        'stream',
        `${url} accepts subscriptions; no trade of ${symbol} arrived within ${FIRST_MESSAGE_MS / 1000} s`,
      )
    case 'connected':
    case 'nothing':
      return warning('stream', `${url}: ${probe.reason}; trades are polled instead, which is slower`)
  }
}
