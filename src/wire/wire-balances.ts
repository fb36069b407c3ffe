/**
 * Balances as the service tells them, read.
 */

export interface WireBalance {
  /** Decimal strings without trailing zeros. */
  readonly available: string
  readonly locked: string
}

/** By asset. */
export type WireBalances = ReadonlyMap<string, WireBalance>
