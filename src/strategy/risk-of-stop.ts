/** Risk of a position with a stop. */
import type { DecimalInput } from '../domain/decimal.ts'

/** Risk for `riskQty`. */
export interface RiskOfStop {
  /** Stop price, in the quote asset: below the entry to buy, above it to sell. */
  readonly stop: DecimalInput
  /** Fraction of the equity that may be lost, 0 to 1. */
  readonly share: DecimalInput
  /** Entry price, in the quote asset; default: the last price. */
  readonly entry?: DecimalInput
}
