/**
 * Fees and what they reserve (decision 12).
 *
 * An order's fee is the exact fee over all its fills, each at its own role's rate, rounded up once to the last ledger
 * digit; a fill is charged the increase of that total.
 */
import { divideUp } from '../domain/fixed-point.ts'
import { FEE_RATE_ONE } from '../domain/market.ts'

/** Fee in ledger units, rounded up from `exact` in 10^-8 units. */
const feeOf = (exact: bigint): bigint => divideUp(exact, FEE_RATE_ONE)

/** A cost and the fee on it at `rate`. */
export function costWithFee(cost: bigint, rate: bigint): bigint {
  return cost + feeOf(cost * rate)
}

/** The fee of one order so far. */
export class OrderFee {
  /** Exact fee over its fills, in 10^-8 ledger units of the quote asset. */
  exact: bigint
  /** Charged, in ledger units of the quote asset. */
  charged: bigint

  constructor(exact = 0n, charged = 0n) {
    this.exact = exact
    this.charged = charged
  }

  /** Adds a fill of `cost` and returns the fee charged for it. */
  charge(cost: bigint, rate: bigint): bigint {
    this.exact += cost * rate
    const increase = feeOf(this.exact) - this.charged
    this.charged += increase
    return increase
  }

  /**
   * The amount that must stay reserved for a buy order whose rest costs `cost` at its limit, in ledger units of the
   * quote asset.
   */
  reservation(cost: bigint, highestRate: bigint): bigint {
    return cost + feeOf(this.exact + cost * highestRate) - this.charged
  }
}
