/**
 * Prices or quantities of a file as integers of units, in the fewest decimals that hold every row so far.
 *
 * Invariant: each value that was taken stays a safe integer when it is written with the present `precision`.
 */
import { invariant } from '../../domain/errors.ts'
import { powerOfTen } from '../../domain/fixed-point.ts'
import { MAX_PRECISION } from '../../domain/market.ts'

/** Answers of `units` that are no units. */
export const TOO_PRECISE = -1
export const TOO_LARGE = -2
/** The value fits, but with its decimals a larger one before it would not. */
export const TOO_WIDE = -3

/** 10^0 to 10^12, exactly. */
const SCALES = Float64Array.from({ length: MAX_PRECISION + 1 }, (_, exponent) => Number(powerOfTen(exponent)))

/** A column between two rows. */
export interface DecimalMark {
  readonly precision: number
  readonly largest: number
  readonly rowsAtPrecision: number
  readonly finestLine: number | undefined
}

export class DecimalColumn {
  /** The most decimals that a value may have. */
  readonly maxPrecision: number
  #precision: number
  #largest = 0
  /** A value since the last row has as many decimals as any. */
  #isFinest = false
  #rowsAtPrecision = 0
  #finestLine: number | undefined

  /** @param precision  decimal digits, 0 to 12; detected if undefined */
  constructor(precision?: number) {
    this.#precision = precision ?? 0
    this.maxPrecision = precision ?? MAX_PRECISION
  }

  /** Decimal digits of the units returned last. */
  get precision(): number {
    return this.#precision
  }

  /** Units, in the present precision, of the largest value that was taken. */
  get largest(): number {
    return this.#largest
  }

  /** Rows that need the maximum of decimals, and the line of the first of them, if known. */
  get rowsAtPrecision(): number {
    return this.#rowsAtPrecision
  }

  get finestLine(): number | undefined {
    return this.#finestLine
  }

  /**
   * Call after the values of each accepted row.
   *
   * @param line  if the row may need more decimals than earlier ones
   */
  endRow(line?: number): void {
    if (!this.#isFinest) return
    this.#isFinest = false
    if (this.#rowsAtPrecision === 0) this.#finestLine = line
    this.#rowsAtPrecision += 1
  }

  /** Call after the values of a rejected row. */
  skipRow(): void {
    this.#isFinest = false
  }

  /** Snapshot of the present state. */
  mark(): DecimalMark {
    return {
      precision: this.#precision,
      largest: this.#largest,
      rowsAtPrecision: this.#rowsAtPrecision,
      finestLine: this.#finestLine,
    }
  }

  /** Restores the state before rejected values. */
  restore({ precision, largest, rowsAtPrecision, finestLine }: DecimalMark): void {
    this.#precision = precision
    this.#largest = largest
    this.#rowsAtPrecision = rowsAtPrecision
    this.#finestLine = finestLine
    this.#isFinest = false
  }

  /**
   * The value in units of 10^-precision, or TOO_PRECISE, TOO_LARGE or TOO_WIDE; taking a value twice changes nothing.
   *
   * @param mantissa  safe integer, >= 0
   * @param decimals  the value is mantissa x 10^-decimals
   */
  units(mantissa: number, decimals: number): number {
    if (decimals > this.#precision) {
      if (decimals > this.maxPrecision) return TOO_PRECISE
      if (!this.#refine(decimals)) return TOO_WIDE
    }
    // Both factors are exact, and a product beyond 2^53 never rounds to one below it.
    const units = mantissa * scale(this.#precision - decimals)
    if (units > Number.MAX_SAFE_INTEGER) return TOO_LARGE
    if (units > this.#largest) this.#largest = units
    if (decimals === this.#precision) this.#isFinest = true
    return units
  }

  #refine(precision: number): boolean {
    const largest = this.#largest * scale(precision - this.#precision)
    if (largest > Number.MAX_SAFE_INTEGER) return false
    this.#largest = largest
    this.#precision = precision
    this.#rowsAtPrecision = 0
    return true
  }
}

/** Writes the first values of a column, which were taken, with more decimals. */
export function refineValues(values: Float64Array, length: number, decimals: number): void {
  const factor = scale(decimals)
  for (let row = 0; row < length; row += 1) values[row] = (values[row] ?? 0) * factor
}

function scale(exponent: number): number {
  const power = SCALES[exponent]
  invariant(power !== undefined, `no scale for ${exponent} decimals`)
  return power
}
