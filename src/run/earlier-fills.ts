/**
 * The fills that sessions before this one have in their files, read back: what a process that was killed wrote, and could not put down.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { INFERRED_PREFIX } from '../adapter/live/orders/tracked-order.ts'
import type { EarlierFills, ReportedFill } from '../adapter/live/orders/reported-fills.ts'
import { stepsOf, toDecimal } from '../domain/decimal.ts'
import type { Market } from '../domain/market.ts'
import { csvTable } from '../report/run/csv-table.ts'

/**
 * @param directories  of runs that may not have ended in order
 * @throws {InputError} for a file that is not as a session writes it
 */
export function earlierFills(
  directories: readonly string[],
  markets: readonly Market[],
  onWarning: (text: string) => void,
): EarlierFills {
  const byOrder = new Map<string, ReportedFill[]>()
  for (const directory of directories) {
    const path = join(directory, 'fills.csv')
    if (!existsSync(directory)) {
      onWarning(`the files of an earlier session in '${directory}' are missing; its fills may be written a second time`)
    }
    if (!existsSync(path)) continue
    const text = readFileSync(path, 'utf8')
    // A row that a kill has cut is no row.
    for (const row of csvTable(path, text.slice(0, text.lastIndexOf('\n') + 1))) {
      const market = markets.find(({ symbol }) => symbol === row('symbol'))
      if (market === undefined) continue
      const [tradeId, orderId] = [row('trade_id'), row('order_id')]
      const rows = byOrder.get(orderId) ?? []
      byOrder.set(orderId, rows)
      rows.push({
        tradeId,
        price: stepsOf(toDecimal(row('price')), market.pricePrecision),
        qty: stepsOf(toDecimal(row('qty')), market.qtyPrecision),
        isInferred: tradeId.startsWith(INFERRED_PREFIX),
      })
    }
  }
  return byOrder
}
