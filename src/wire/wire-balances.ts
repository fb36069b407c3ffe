/** Balances parsed from a service's response. */

export interface WireBalance {
  /** Decimal strings without trailing zeros. */
  readonly available: string
  readonly locked: string
}

/** Balances by asset. */
export type WireBalances = ReadonlyMap<string, WireBalance>
