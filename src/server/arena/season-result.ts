/** The result of a season, the last line of its journal: ranks, equity, balances and disqualifications. */
import type { SeasonRecord } from '../../arena/season-record.ts'
import { balancesToJson, type BalancesJson } from '../../domain/balances.ts'
import { formatTrimmed } from '../../domain/fixed-point.ts'
import type { Exchange } from '../../exchange/exchange.ts'

export interface PlayerResult {
  readonly account: string
  readonly name: string
  readonly equity: string
  readonly balances: BalancesJson
}

export interface SeasonResult {
  readonly type: 'result'
  /** Unix milliseconds. */
  readonly time: number
  readonly players: readonly PlayerResult[]
}

/** @param time  Unix milliseconds */
export function seasonResult(
  { players, samples, valueScale }: SeasonRecord,
  exchange: Pick<Exchange, 'balances' | 'scales'>,
  time: number,
): SeasonResult {
  const last = samples.at(-1)?.equity ?? []
  const results = players.map(({ account, name }, index) => ({
    account,
    name,
    equity: formatTrimmed(last[index] ?? 0n, valueScale),
    balances: balancesToJson(exchange.balances(account), exchange.scales),
  }))
  return { type: 'result', time, players: results }
}
