/**
 * Decimal values as a strategy sees them. Nothing in the exchange, and no loop per event, uses them.
 */
import { Decimal } from 'decimal.js'
import { formatUnits } from './fixed-point.ts'

// 64 digits hold every product of a price and a quantity; exponents would hide digits from a reader.
const ExactDecimal = Decimal.clone({ precision: 64, toExpNeg: -64, toExpPos: 64, defaults: true })

export type { Decimal }

/** What a strategy may write where the exchange wants a decimal string. */
export type DecimalInput = string | number | Decimal

/** The exact decimal of an integer of units with `decimals` digits behind the point. */
export const decimalOf = (units: number | bigint, decimals: number): Decimal =>
  new ExactDecimal(formatUnits(units, decimals))

export const toDecimal = (value: DecimalInput): Decimal => new ExactDecimal(value)
