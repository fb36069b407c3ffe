/**
 * Standard normal distribution: cumulative distribution function and quantile.
 *
 * Known limit: they use `Math.exp` and `Math.log`, whose last bit differs between engines.
 */
import { invariant } from '../../domain/errors.ts'

const ROOT_OF_TWO_PI = Math.sqrt(2 * Math.PI)
/** Beyond this the tail is a continued fraction; nearer the middle a series is shorter. */
const TAIL = 2.5
/** Levels of the fraction: at 2.5 more than a hundred have no effect. */
const LEVELS = 120

/** @param x  in deviations from the mean */
const density = (x: number): number => Math.exp((-x * x) / 2) / ROOT_OF_TWO_PI

/**
 * Share of a standard normal distribution below `x`, within 1e-15, and within 1e-14 of itself in the lower tail.
 *
 * @param x  in deviations from the mean; infinities are allowed
 * @returns in [0, 1]
 * @see Marsaglia (2004), Evaluating the Normal Distribution, for the series; Laplace's continued fraction for the tails
 */
export function normalShareBelow(x: number): number {
  invariant(!Number.isNaN(x), 'no value is below NaN')
  if (x < -TAIL) return tailBelow(x)
  return x > TAIL ? 1 - tailBelow(-x) : middle(x)
}

/** 1/2 + density(x) (x + x³/3 + x⁵/(3·5) + ...). */
function middle(x: number): number {
  let term = x
  let total = 0
  for (let odd = 3; total + term !== total; odd += 2) {
    total += term
    term *= (x * x) / odd
  }
  return 0.5 + density(x) * total
}

/** density(x) / (z + 1/(z + 2/(z + 3/...))) with z = -x. */
function tailBelow(x: number): number {
  let fraction = -x
  for (let level = LEVELS; level > 0; level -= 1) fraction = -x + level / fraction
  return density(x) / fraction
}

/**
 * Quantile of the standard normal distribution.
 *
 * @param share  in (0, 1)
 * @returns in deviations from the mean, within 1e-13; null outside (0, 1)
 * @see Abramowitz and Stegun (1964), 26.2.23, for the initial value, refined by Halley's method
 */
export function normalQuantile(share: number): number | null {
  if (!(share > 0 && share < 1)) return null
  if (share === 0.5) return 0
  return share < 0.5 ? lowerQuantile(share) : -lowerQuantile(1 - share)
}

/** @param share  in (0, 0.5) */
function lowerQuantile(share: number): number {
  const t = Math.sqrt(-2 * Math.log(share))
  const numerator = 2.515517 + t * (0.802853 + t * 0.010328)
  let x = numerator / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308))) - t
  // The initial value is off by less than 5e-4; each step of Halley's method cubes the error.
  for (let step = 0; step < 3; step += 1) {
    const miss = (normalShareBelow(x) - share) / density(x)
    x -= miss / (1 + (x * miss) / 2)
  }
  return x
}
