/**
 * A stop and what may be lost with it.
 */
import type { DecimalInput } from '../domain/decimal.ts'

/** What is put at risk. */
export interface RiskOfStop {
  /** Price at which the position is closed with a loss, in the quote asset: below the entry for a buy, above it for a sell. */
  readonly stop: DecimalInput
  /** What may be lost, as a fraction of the equity, 0 to 1. */
  readonly share: DecimalInput
  /** Price of the entry, in the quote asset; the last price when absent. */
  readonly entry?: DecimalInput
}
