/** One account of the exchange without its balances: its orders, its fills, and the start of its profit and loss. */
import { CROWD } from '../../domain/command.ts'
import type { AccountSnapshot, FillSnapshot } from '../snapshot/exchange-snapshot.ts'
import { LaterList, type Cut } from '../snapshot/later-list.ts'
import type { HistoryLimits } from '../exchange.ts'
import { NumberRing } from '../records/number-ring.ts'
import { AccountOrders } from './account-orders.ts'
import type { OrderRecords } from './order-records.ts'
import type { TradeRecords } from './trade-records.ts'

export class Account {
  readonly id: string
  /** Its row in the ledger. */
  readonly row: number
  readonly orders: AccountOrders
  /** See `TradeRecords`. */
  readonly fills: NumberRing
  /** Time of the first credit. */
  baselineAt: number | undefined
  /** Equity at the start of profit and loss, in units of the valuation. */
  baseline = 0n
  /** Credits of an asset that had no price yet, by index of the asset; they join the baseline at its first price. */
  readonly unpriced = new Map<number, bigint>()

  constructor(id: string, row: number, limits: HistoryLimits, orders: OrderRecords) {
    this.id = id
    this.row = row
    this.orders = new AccountOrders(orders, id === CROWD ? 0 : limits.orders)
    this.fills = new NumberRing(id === CROWD ? 0 : limits.fills)
  }

  /**
   * Everything except balances and orders.
   *
   * @param trades  to include its fills; undefined to leave them out
   */
  snapshot(trades: TradeRecords | undefined): Cut<Omit<AccountSnapshot, 'available' | 'locked' | 'finishedOrders'>> {
    return {
      id: this.id,
      baselineAt: this.baselineAt ?? null,
      baseline: String(this.baseline),
      unpriced: [...this.unpriced].map(([asset, amount]) => [asset, String(amount)]),
      fills: trades === undefined ? [] : LaterList.ofRecords(this.fills.values(), (fill) => fillSnapshot(trades, fill)),
    }
  }

  /** Restores a new account, except its orders and fills. */
  restore({ baselineAt, baseline, unpriced }: AccountSnapshot): void {
    this.baselineAt = baselineAt ?? undefined
    this.baseline = BigInt(baseline)
    for (const [asset, amount] of unpriced) this.unpriced.set(asset, BigInt(amount))
  }
}

function fillSnapshot(trades: TradeRecords, number: number): FillSnapshot {
  const fill = trades.fillView(number)
  return { ...fill, fee: String(fill.fee) }
}
