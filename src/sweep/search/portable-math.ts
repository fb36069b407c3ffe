/**
 * Functions that are the same to the last bit on every machine and Node version, unlike `Math.exp` and `Math.log`: a
 * search that rests on them asks for the same points everywhere.
 *
 * Invariant: only comparisons, + - * / and square roots of doubles.
 */
import { invariant } from '../../domain/errors.ts'

/** @param x  in [-1, 1] @returns e^x, within 4e-16 of itself */
export function exponential(x: number): number {
  invariant(x >= -1 && x <= 1, 'a short series is for small numbers')
  let term = 1
  let sum = 1
  for (let power = 1; sum + term !== sum; power += 1) {
    term *= x / power
    sum += term
  }
  return sum
}

/**
 * Range reduction by powers of 2, then the series 2 artanh((x - 1) / (x + 1)) for the rest.
 *
 * @param x  above 0, not infinite
 * @returns ln x, within 1e-15 of itself or of 1
 */
export function naturalLogarithm(x: number): number {
  invariant(x > 0 && x < Infinity, 'only numbers above 0 have a logarithm')
  let left = x
  let doublings = 0
  for (; left > 1.5; doublings += 1) left /= 2
  for (; left < 0.75; doublings -= 1) left *= 2
  const ratio = (left - 1) / (left + 1)
  let power = ratio
  let sum = 0
  for (let odd = 1; sum + power / odd !== sum; odd += 2) {
    sum += power / odd
    power *= ratio * ratio
  }
  return doublings * Math.LN2 + 2 * sum
}

/**
 * Irwin-Hall approximation of a standard normal: the sum of twelve uniform draws minus 6, with mean 0 and variance 1.
 *
 * @param random  in [0, 1)
 */
export function nearlyNormal(random: () => number): number {
  let sum = -6
  for (let draw = 0; draw < 12; draw += 1) sum += random()
  return sum
}
