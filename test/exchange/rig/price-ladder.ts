/**
 * The few prices of a random market, in ticks: what lies between them is what an index of prices has to cope with.
 */
import type { Chance } from './chance.ts'

/** The last one makes 10 units the largest safe integer but one, so that amounts pass 2^104. */
const UNITS = [1, 1, 7, 1_000, 123_456_789, 900_719_925_474_099] as const

/** Around the sizes that words, pages and windows have, and far beyond any window. */
const GAPS = [
  1,
  1,
  2,
  31,
  32,
  33,
  63,
  64,
  65,
  1_023,
  1_024,
  4_096,
  65_536,
  100_001,
  1_000_003,
  2 ** 31,
  2 ** 40,
] as const
const SMALL_GAPS = [1, 1, 1, 1, 2, 3, 31, 64] as const
const POWERS = [2 ** 16, 2 ** 31, 2 ** 32, 2 ** 48, 2 ** 52] as const
const HIGHEST = Number.MAX_SAFE_INTEGER

function withGaps(chance: Chance, length: number, gaps: readonly number[]): readonly number[] {
  let price = chance.pick([0, 0, 1_000, 2 ** 33])
  return chance.list(length, () => (price += chance.pick(gaps)))
}

const evenly = (length: number, unit: number): readonly number[] =>
  Array.from({ length }, (_, index) => (index + 1) * unit)

/** The lowest prices that there are, and the highest. */
function ends(length: number): readonly number[] {
  const half = Math.floor(length / 2)
  return Array.from({ length }, (_, index) => (index < half ? index + 1 : HIGHEST - (length - 1 - index)))
}

/** @returns `length` prices in ticks, rising, each from 1 to 2^53 - 1; `length` is at most ten unless `isLong` */
export function randomLadder(chance: Chance, length: number, isLong: boolean): readonly number[] {
  if (isLong) return withGaps(chance, length, chance.pick([[1], SMALL_GAPS, GAPS, GAPS]))
  switch (chance.below(8)) {
    case 0:
      return withGaps(chance, length, GAPS)
    case 1:
      return ends(length)
    case 2:
      return Array.from({ length }, (_, index) => HIGHEST - (length - 1 - index))
    case 3: {
      const middle = chance.pick(POWERS) - Math.floor(length / 2)
      return Array.from({ length }, (_, index) => middle + index)
    }
    default:
      return evenly(length, chance.pick(UNITS))
  }
}
