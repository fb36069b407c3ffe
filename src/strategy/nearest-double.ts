/** Doubles nearest to exact decimals, for indicators. */

// Literals up to 1e22 are exact doubles.
const POWERS_OF_TEN = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12] as const

/** The double nearest to units of 10^-decimals: both operands are exact, so the quotient is rounded once. */
export const nearestDouble = (units: number, decimals: number): number =>
  units / (POWERS_OF_TEN[decimals] ?? Number.NaN)
