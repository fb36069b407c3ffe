/** Twenty seeded cheats, all found, and a hundred honest seasons, in which none is; on seeds that set no threshold. */
import { expect, it } from 'vitest'
import { findings } from '../../src/arena/findings.ts'
import { cheatMissed, honestSeason } from './rig/made-season.ts'

const HELD_OUT = 20_000
const seeds = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => HELD_OUT + index)

it('finds twenty cheats of all kinds, and accuses no one else', () => {
  expect(seeds(20).flatMap((seed) => cheatMissed(seed) ?? [])).toEqual([])
})

it('finds nothing in a hundred honest seasons', () => {
  const found = seeds(100).flatMap((seed) =>
    findings(honestSeason(seed)).map(({ kind, sentence }) => `seed ${seed}: ${kind}: ${sentence}`),
  )
  expect(found).toEqual([])
})
