/**
 * Checks of a service without a key: its markets, its clock, its stream.
 */
import { ExchangeError } from '../../domain/errors.ts'
import { parseIsoTime } from '../../domain/iso-time.ts'
import type { Market } from '../../domain/market.ts'
import type { ProbedAnswer, ProbeAnswer, ServiceProbe } from '../../adapter/live/probe/service-probe.ts'
import { proxyFor } from '../../adapter/live/network/proxy.ts'
import { probeStream } from '../../adapter/live/probe/stream-probe.ts'
import { pathPart } from '../../adapter/live/rest/rest-transport.ts'
import { tradeStream } from '../../adapter/live/stream/stream-codec.ts'
import { readMarkets } from '../../wire/read-market.ts'
import { fault, ok, toldOf, warning, type DoctorCheck } from './doctor-check.ts'

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
  if (answer.type === 'no-answer' || answer.status !== 200 || answer.json === undefined) return toldOf(answer)
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
