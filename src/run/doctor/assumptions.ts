/**
 * The assumptions of a live session: of each, that nothing tells it, or what does.
 */
import type { Market } from '../../domain/market.ts'
import type { ServiceProbe } from '../../adapter/live/probe/service-probe.ts'
import { pathPart } from '../../adapter/live/rest/path-part.ts'
import { assumed, ok, type DoctorCheck } from './doctor-check.ts'

type Row = Readonly<Record<string, unknown>>

const FIRST_MS = 1e11
const FIRST_MICROS = 1e14

export async function findAssumptions(
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
