/**
 * Double-entry audit: credits equal the accounts' balances plus fees, and locked amounts equal the open orders'
 * reservations.
 */
import { formatTrimmed } from './fixed-point.ts'

/**
 * Audit of one asset in ledger units. `held` is the sum over all accounts, the crowd's included; credited = held +
 * fees.
 */
export interface AuditLine {
  readonly asset: string
  readonly scale: number
  readonly credited: bigint
  readonly held: bigint
  readonly fees: bigint
  /** Sum over all accounts of |locked - reserved by open orders|; should be 0. Undefined if not computed. */
  readonly misreserved?: bigint
}

export interface AuditJson {
  readonly assets: Readonly<
    Record<
      string,
      { readonly credited: string; readonly held: string; readonly fees: string; readonly difference: string }
    >
  >
  readonly ok: boolean
}

export const auditDifference = (line: AuditLine): bigint => line.credited - line.held - line.fees

export const isAuditLineRight = (line: AuditLine): boolean =>
  auditDifference(line) === 0n && (line.misreserved ?? 0n) === 0n

export function auditToJson(lines: readonly AuditLine[]): AuditJson {
  const rows = lines.map((line) => {
    const text = (units: bigint): string => formatTrimmed(units, line.scale)
    const difference = text(auditDifference(line))
    return [
      line.asset,
      { credited: text(line.credited), held: text(line.held), fees: text(line.fees), difference },
    ] as const
  })
  return { assets: Object.fromEntries(rows), ok: lines.every(isAuditLineRight) }
}
