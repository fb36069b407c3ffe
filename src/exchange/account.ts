/**
 * What the exchange knows of one account but for its balances and orders: fills, and the start of its profit and loss.
 */
import { CROWD } from '../domain/command.ts'
import type { Fill } from '../domain/trade.ts'
import type { HistoryLimits } from './exchange.ts'
import { RecentList } from './recent-list.ts'

export class Account {
  readonly id: string
  /** Its row in the ledger. */
  readonly row: number
  readonly fills: RecentList<Fill>
  /** Time of the first credit. */
  baselineAt: number | undefined
  /** In units of the valuation. */
  baseline = 0n
  /** Credits of an asset that had no price yet, by index of the asset; they join the baseline at its first price. */
  readonly unpriced = new Map<number, bigint>()

  constructor(id: string, row: number, limits: HistoryLimits) {
    this.id = id
    this.row = row
    this.fills = new RecentList(id === CROWD ? 0 : limits.fills)
  }
}
