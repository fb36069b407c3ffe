/**
 * The examination of a service and a key before a live session starts: a line for each thing that was looked at. Nothing is ever ordered.
 */
import { withoutKey } from '../../adapter/live/probe/hidden-key.ts'
import { ServiceProbe } from '../../adapter/live/probe/service-probe.ts'
import { streamUrlOf } from '../../adapter/live/stream/stream-url.ts'
import { proxyFor, proxyText } from '../../adapter/live/network/proxy.ts'
import { checkAccount } from './account-checks.ts'
import { findAssumptions } from './assumptions.ts'
import { fault, ok, type DoctorCheck } from './doctor-check.ts'
import { checkClock, checkStream, findService } from './service-checks.ts'

export interface DoctorOptions {
  /** Of the REST interface. */
  readonly baseUrl: string
  /** Default: that of the emulator, `{baseUrl}/ws`. */
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

/** Never rejects for what a service does. */
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

/** A proxy of the environment is easily forgotten. */
function proxyChecks(baseUrl: string, streamUrl: string): readonly DoctorCheck[] {
  const [rest, stream] = [proxyFor(baseUrl), proxyFor(streamUrl)]
  if (rest === undefined && stream === undefined) return []
  const textOf = (proxy: URL | undefined): string => (proxy === undefined ? 'directly' : `through ${proxyText(proxy)}`)
  const through = textOf(rest)
  const streamed = textOf(stream)
  return [ok('proxy', through === streamed ? `connects ${through}` : `connects ${through}, to the stream ${streamed}`)]
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
