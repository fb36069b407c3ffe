/**
 * One account of the exchange without its balances and orders: its fills, and the start of its profit and loss.
 */
import { CROWD } from '../../domain/command.ts'
import type { Fill } from '../../domain/trade.ts'
import type { AccountSnapshot } from '../snapshot/exchange-snapshot.ts'
import { LaterList, type Cut } from '../snapshot/later-list.ts'
import type { HistoryLimits } from '../exchange.ts'
import { RecentList } from '../recent-list.ts'

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

  /** But for its balances and orders. @param hasFills  whether its fills are in it */
  snapshot(hasFills: boolean): Cut<Omit<AccountSnapshot, 'available' | 'locked' | 'finishedOrders'>> {
    return {
      id: this.id,
      baselineAt: this.baselineAt ?? null,
      baseline: String(this.baseline),
      unpriced: [...this.unpriced].map(([asset, amount]) => [asset, String(amount)]),
      fills: hasFills ? LaterList.of(this.fills.kept(), (fill) => ({ ...fill, fee: String(fill.fee) })) : [],
    }
  }

  /** Into an account that is new. */
  restore({ baselineAt, baseline, unpriced, fills }: AccountSnapshot): void {
    this.baselineAt = baselineAt ?? undefined
    this.baseline = BigInt(baseline)
    for (const [asset, amount] of unpriced) this.unpriced.set(asset, BigInt(amount))
    for (const fill of fills) this.fills.push({ ...fill, fee: BigInt(fill.fee) })
  }
}
