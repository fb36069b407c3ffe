/** Checks a service and a key before a live session starts, one line per check. Places no orders. */
import { withoutKey } from '../../adapter/live/probe/hidden-key.ts'
import { ServiceProbe } from '../../adapter/live/probe/service-probe.ts'
import { pathPart } from '../../adapter/live/rest/rest-transport.ts'
import { streamUrlOf } from '../../adapter/live/stream/stream-connection.ts'
import { proxyFor, proxyText } from '../../adapter/live/network/proxy.ts'
import type { Market } from '../../domain/market.ts'
import {
  assumed,
  checkAccount,
  checkClock,
  checkStream,
  type DoctorCheck,
  fault,
  findService,
  ok,
} from './service-checks.ts'

export interface DoctorOptions {
  /** URL of the REST interface. */
  readonly baseUrl: string
  /** Default: as in the emulator, `{baseUrl}/ws`. */
  readonly streamUrl?: string | undefined
  readonly key: string | undefined
  readonly timeoutMs?: number
}

export interface DoctorReport {
  readonly baseUrl: string
  readonly canStart: boolean
  readonly checks: readonly DoctorCheck[]
}

const DEFAULT_TIMEOUT_MS = 10_000

/** Never rejects because of the service. */
export async function doctor(options: DoctorOptions): Promise<DoctorReport> {
  const { baseUrl, key, timeoutMs = DEFAULT_TIMEOUT_MS } = options
  const probe = new ServiceProbe({ baseUrl, timeoutMs, proxy: proxyFor(baseUrl) })
  try {
    const checks = (await checksOf(probe, options)).map((check) => ({ ...check, says: withoutKey(check.says, key) }))
    return { baseUrl, canStart: checks.every(({ verdict }) => verdict !== 'fault'), checks }
  } finally {
    await probe.close()
  }
}

/** Shows proxies from the environment, which are easily forgotten. */
function proxyChecks(baseUrl: string, streamUrl: string): readonly DoctorCheck[] {
  const [rest, stream] = [proxyFor(baseUrl), proxyFor(streamUrl)]
  if (rest === undefined && stream === undefined) return []
  const textOf = (proxy: URL | undefined): string => (proxy === undefined ? 'directly' : `through ${proxyText(proxy)}`)
  const through = textOf(rest)
  const streamed = textOf(stream)
  return [ok('proxy', through === streamed ? `connects ${through}` : `connects ${through}, to the stream ${streamed}`)]
}

type Row = Readonly<Record<string, unknown>>

const FIRST_MS = 1e11
const FIRST_MICROS = 1e14

/** The assumptions of a live session, with evidence if a response contains it. */
async function findAssumptions(
  probe: ServiceProbe,
  { symbol }: Market,
  key: string | undefined,
): Promise<readonly DoctorCheck[]> {
  const jsonOf = async (path: string, ownKey?: string): Promise<unknown> => {
    const answer = await probe.send({ method: 'GET', path, key: ownKey })
    return answer.type === 'answer' && answer.status === 200 ? answer.json : undefined
  }
  const candles = await jsonOf(`/markets/${pathPart(symbol)}/candles`)
  const fills = key === undefined ? undefined : await jsonOf('/trades?limit=1', key)
  return [
    assumed('fees', 'none, because no response states them; set fees.makerBps and fees.takerBps to assume others'),
    candleUnit(candles),
    makerFlag(fills),
    assumed('market orders', 'the remainder that does not fill immediately is cancelled, whatever the status says'),
    assumed('lost answers', 'an order that is not found within 30 s is assumed not placed; it is watched for a day'),
  ]
}

function candleUnit(json: unknown): DoctorCheck {
  const { data } = (json ?? {}) as { readonly data?: unknown }
  const time = Number(((Array.isArray(data) ? data.at(-1) : undefined) as Row | undefined)?.time)
  if (Number.isNaN(time))
    return assumed('candle times', 'there are no candles yet; the time unit will be detected by magnitude')
  const unit = time < FIRST_MS ? 'seconds' : time < FIRST_MICROS ? 'milliseconds' : 'microseconds'
  return assumed('candle times', `${unit}, detected by the magnitude of the last candle time`)
}

function makerFlag(json: unknown): DoctorCheck {
  const [row] = Array.isArray(json) ? (json as readonly Row[]) : []
  if (row === undefined)
    return assumed(
      'maker flag',
      'the account has no trades yet; without the flag it is derived from isBuyerMaker and side',
    )
  if (typeof row.isMaker === 'boolean') return ok('maker flag', 'private trades have isMaker')
  return assumed('maker flag', 'private trades have no isMaker; it is derived from isBuyerMaker and side')
}

async function checksOf(
  probe: ServiceProbe,
  { baseUrl, streamUrl, key }: DoctorOptions,
): Promise<readonly DoctorCheck[]> {
  const { checks: found, markets, answer } = await findService(probe)
  const checks = [...proxyChecks(baseUrl, streamUrl ?? streamUrlOf(baseUrl)), ...found]
  const noKey = key === undefined ? [fault('key', 'missing: set PAPERTAPE_API_KEY in the environment or in .env')] : []
  const [market] = markets
  if (market === undefined || answer === undefined) return [...checks, ...noKey]
  return [
    ...checks,
    await checkClock(probe, market, answer),
    ...noKey,
    ...(key === undefined ? [] : await checkAccount(probe, key)),
    await checkStream(streamUrl ?? streamUrlOf(baseUrl), market),
    ...(await findAssumptions(probe, market, key)),
  ]
}
