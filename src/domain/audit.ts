/**
 * Double entry, checked: what was credited is held by accounts or was taken as a fee, and what is locked is locked for
 * an order.
 */
import { formatTrimmed } from './fixed-point.ts'

/** One asset; ledger units. `held` is the sum over all accounts, the crowd's included; credited = held + fees. */
export interface AuditLine {
  readonly asset: string
  readonly scale: number
  readonly credited: bigint
  readonly held: bigint
  readonly fees: bigint
  /**
   * Sum over all accounts of the distance between what is locked and what their open orders reserve: 0. Undefined where
   * it is not known.
   */
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
