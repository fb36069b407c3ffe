/**
 * Chance from a seed: the same numbers on every machine.
 */
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64'
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus'

/**
 * @param seed  a 32-bit integer
 * @returns     a function that gives the next number in [0, 1)
 */
export function seededRandom(seed: number): () => number {
  const generator = xoroshiro128plus(seed)
  return () => uniformFloat64(generator)
}
