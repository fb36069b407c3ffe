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
    assumed('fees', 'none: no answer tells them; fees.makerBps and fees.takerBps of a run say others'),
    candleUnit(candles),
    makerFlag(fills),
    assumed('market orders', 'what is not filled at once is over, whatever the state says'),
    assumed('lost answers', 'an order that is not found within 30 s was not placed; it is watched for a day'),
  ]
}

function candleUnit(json: unknown): DoctorCheck {
  const { data } = (json ?? {}) as { readonly data?: unknown }
  const time = Number(((Array.isArray(data) ? data.at(-1) : undefined) as Row | undefined)?.time)
  if (Number.isNaN(time)) return assumed('candle times', 'no candle is there: their unit will be told by its magnitude')
  const unit = time < FIRST_MS ? 'seconds' : time < FIRST_MICROS ? 'milliseconds' : 'microseconds'
  return assumed('candle times', `in ${unit}, by the magnitude of the last one`)
}

function makerFlag(json: unknown): DoctorCheck {
  const [row] = Array.isArray(json) ? (json as readonly Row[]) : []
  if (row === undefined)
    return assumed('maker flag', 'no own trade is there: without the flag it follows from isBuyerMaker and side')
  if (typeof row.isMaker === 'boolean') return ok('maker flag', 'own trades tell it as isMaker')
  return assumed('maker flag', 'own trades have no isMaker: it follows from isBuyerMaker and side')
}
