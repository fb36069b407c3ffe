/** The result of a season, the last line of its journal: ranks, equity, balances and disqualifications. */
import { board, type BoardRow } from '../../arena/board.ts'
import type { Finding } from '../../arena/cheats/finding.ts'
import { disqualifiedAccounts, findings } from '../../arena/findings.ts'
import { disqualifications, type Disqualification } from '../../arena/rules.ts'
import type { EnteredStrategy, SeasonRecord } from '../../arena/season-record.ts'
import { balancesToJson, type BalancesJson } from '../../domain/balances.ts'
import { formatTrimmed } from '../../domain/fixed-point.ts'
import type { Exchange } from '../../exchange/exchange.ts'
import { seededRandom } from '../../runtime/strategies/seeded-random.ts'

/** Digits of the statistics; money is exact. */
const DIGITS = 6

export interface PlayerResult {
  readonly account: string
  readonly name: string
  /** 1 is the best; players that do not differ significantly share one. Null for a disqualified player. */
  readonly rank: number | null
  /** Decimal string in the quote asset. */
  readonly equity: string
  readonly totalReturn: number | null
  readonly drawdown: number | null
  /** Annualized. */
  readonly sharpe: number | null
  /** 95 % interval of it. */
  readonly sharpeInterval: readonly [number, number] | null
  readonly balances: BalancesJson
  /** Present for a strategy that the server runs, with the reason for which it was stopped early, and its line. */
  readonly strategy?: EnteredStrategy
}

export interface SeasonResult {
  readonly type: 'result'
  /** Unix milliseconds. */
  readonly time: number
  /** The best first. */
  readonly players: readonly PlayerResult[]
  /** Breaches of the rules. */
  readonly disqualified: readonly Disqualification[]
  /** Suspicions of cheating, at the end only; those of kinds that the rules name disqualify. */
  readonly findings: readonly Finding[]
}

/**
 * @param seed    of the statistics
 * @param time    Unix milliseconds
 * @param isOver  looks for cheats as well, which takes longer
 */
export function seasonResult(
  record: SeasonRecord,
  { balances, scales }: Pick<Exchange, 'balances' | 'scales'>,
  seed: number,
  time: number,
  isOver: boolean,
): SeasonResult {
  const disqualified = disqualifications(record, isOver)
  const found = isOver ? findings(record) : []
  const rows = board(record, disqualifiedAccounts(record.rules, disqualified, found), seededRandom(seed))
  const players = rows.map((row): PlayerResult => {
    const strategy = record.players.find(({ account }) => account === row.account)?.strategy
    return {
      ...figuresOf(row, record.valueScale),
      balances: balancesToJson(balances(row.account), scales),
      ...(strategy === undefined ? {} : { strategy }),
    }
  })
  return { type: 'result', time, players, disqualified, findings: found }
}

function figuresOf(row: BoardRow, valueScale: number): Omit<PlayerResult, 'balances' | 'strategy'> {
  const { account, name, rank = null, equity, totalReturn, drawdown, sharpe, sharpeInterval } = row
  return {
    ...{ account, name, rank },
    equity: formatTrimmed(equity, valueScale),
    totalReturn: totalReturn === null ? null : rounded(totalReturn),
    drawdown: rounded(drawdown),
    sharpe: sharpe === null ? null : rounded(sharpe),
    sharpeInterval: sharpeInterval === null ? null : [rounded(sharpeInterval[0]), rounded(sharpeInterval[1])],
  }
}

const rounded = (value: number): number => Number(value.toPrecision(DIGITS))
