/**
 * What the exchange knows of one account but for its orders: balances, fills, and the start of its profit and loss.
 */
import { CROWD } from '../domain/command.ts'
import type { Fill } from '../domain/trade.ts'
import type { HistoryLimits } from './exchange.ts'
import { RecentList } from './recent-list.ts'

export class Account {
  readonly id: string
  /** Trades on a credit line without limit, without fees and history. */
  readonly isCrowd: boolean
  /** Ledger units by index of the asset. */
  readonly available: bigint[]
  readonly locked: bigint[]
  readonly fills: RecentList<Fill>
  /** Time of the first credit. */
  baselineAt: number | undefined
  /** In units of the valuation. */
  baseline = 0n
  /** Credits of an asset that had no price yet, by index of the asset; they join the baseline at its first price. */
  readonly unpriced = new Map<number, bigint>()

  constructor(id: string, assetCount: number, limits: HistoryLimits) {
    this.id = id
    this.isCrowd = id === CROWD
    this.available = Array<bigint>(assetCount).fill(0n)
    this.locked = Array<bigint>(assetCount).fill(0n)
    this.fills = new RecentList(this.isCrowd ? 0 : limits.fills)
  }
}
