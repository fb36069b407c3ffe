/** Balances of an account, asset by asset: available and locked (section 2, Balances). */
import { formatTrimmed } from './fixed-point.ts'

/** Ledger units of the asset. */
export interface Balance {
  readonly available: bigint
  readonly locked: bigint
}

/** Balances by asset; every asset of the listed markets, zeros included (decision 17). */
export type Balances = ReadonlyMap<string, Balance>

/** Decimal strings by asset. */
export type BalancesJson = Readonly<Record<string, { readonly available: string; readonly locked: string }>>

/** @param scales  ledger digits by asset */
export function balancesToJson(balances: Balances, scales: ReadonlyMap<string, number>): BalancesJson {
  const rows = [...balances].map(([asset, { available, locked }]) => {
    const scale = scales.get(asset) ?? 0
    return [asset, { available: formatTrimmed(available, scale), locked: formatTrimmed(locked, scale) }] as const
  })
  return Object.fromEntries(rows)
}
