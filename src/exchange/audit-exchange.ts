/** Audits an exchange: credits against balances and fees, and locked amounts against the open orders that need them. */
import { auditDifference, isAuditLineRight, type AuditLine } from '../domain/audit.ts'
import type { ExchangeState } from './exchange-state.ts'
import { CROWD_ROW } from './ledger/ledger.ts'

/** Every asset of the markets. */
export function auditExchange({ ledger, accountsById, marketsBySymbol }: ExchangeState): readonly AuditLine[] {
  const width = ledger.assets.length
  const reserved = new Map<number, bigint>()
  for (const { orders } of marketsBySymbol.values()) {
    for (const { row, asset, amount } of orders.reservations()) {
      const cell = row * width + asset
      reserved.set(cell, (reserved.get(cell) ?? 0n) + amount)
    }
  }
  const misreserved = ledger.assets.map(() => 0n)
  for (const { row } of accountsById.values()) {
    for (let asset = 0; asset < width; asset += 1) {
      const expected = row === CROWD_ROW ? 0n : (reserved.get(row * width + asset) ?? 0n)
      const difference = ledger.locked(row, asset) - expected
      misreserved[asset] = (misreserved[asset] ?? 0n) + (difference < 0n ? -difference : difference)
    }
  }
  return ledger.audit().map((line, asset) => ({ ...line, misreserved: misreserved[asset] ?? 0n }))
}

/** Describes the first audit line that does not balance; undefined if all do. */
export function faultOfAudit(lines: readonly AuditLine[]): string | undefined {
  const wrong = lines.find((line) => !isAuditLineRight(line))
  if (wrong === undefined) return undefined
  return auditDifference(wrong) === 0n
    ? `what is locked of ${wrong.asset} is not what its orders reserve`
    : `what was credited of ${wrong.asset} is not all there`
}
