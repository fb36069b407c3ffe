/** Reports of an order's execution, and rows of files that extend them. */
import type { PersistedReport } from '../../../store/state/live/persisted-intent.ts'

/** A row of fills.csv. */
export interface ReportedFill {
  readonly tradeId: string
  /** Ticks and lots. */
  readonly price: number
  readonly qty: number
  /** An inferred fill, in place of trades that the service did not list. */
  readonly isInferred: boolean
}

/** Fills of an owner's orders in the files of its earlier sessions, by order. */
export type EarlierFills = ReadonlyMap<string, readonly ReportedFill[]>

export function reportWith(report: PersistedReport, rows: readonly ReportedFill[]): PersistedReport {
  const tradeIds = new Set(report.tradeIds)
  let { qty, inferredQty } = report
  let notional = BigInt(report.notional)
  for (const row of rows) {
    if (tradeIds.has(row.tradeId)) continue
    tradeIds.add(row.tradeId)
    qty += row.qty
    notional += BigInt(row.price) * BigInt(row.qty)
    if (row.isInferred) inferredQty += row.qty
  }
  return { qty, notional: String(notional), inferredQty, tradeIds: [...tradeIds] }
}

/** Trade ids are only ever added, also those that are part of an inferred fill, so comparing counts suffices. */
export const isSameReport = (one: PersistedReport | undefined, other: PersistedReport): boolean =>
  one?.qty === other.qty && one.tradeIds.length === other.tradeIds.length
