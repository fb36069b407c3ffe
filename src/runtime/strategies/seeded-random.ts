/**
 * Seeded random numbers (xoroshiro128+): the same on every machine.
 * @see https://prng.di.unimi.it/
 */
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64'
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus'

/** The generator's first numbers are nearly the same for every small seed; its state is mixed by then. */
const SKIPPED = 32

/**
 * @param seed  a 32-bit integer
 * @returns     a function that returns the next number in [0, 1)
 */
export function seededRandom(seed: number): () => number {
  const generator = xoroshiro128plus(seed)
  for (let skipped = 0; skipped < SKIPPED; skipped += 1) generator.next()
  return () => uniformFloat64(generator)
}
