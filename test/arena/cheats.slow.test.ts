/**
 * Seeded cheats, all found, and honest seasons, in which none is; on seeds that set no threshold. `CHEAT_SEASONS=100`
 * makes twenty cheats and a hundred honest seasons, which takes minutes.
 */
import { expect, it } from 'vitest'
import { findings } from '../../src/arena/findings.ts'
import { runs } from '../property/property.ts'
import { cheatMissed, honestSeason } from './rig/made-season.ts'

const HELD_OUT = 20_000
const HONEST = Number(process.env.CHEAT_SEASONS ?? runs(20))
const seeds = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => HELD_OUT + index)

it('finds cheats of all kinds, and accuses no one else', () => {
  expect(seeds(Math.min(HONEST, 20)).flatMap((seed) => cheatMissed(seed) ?? [])).toEqual([])
})

it('finds nothing in honest seasons', () => {
  const found = seeds(HONEST).flatMap((seed) =>
    findings(honestSeason(seed)).map(({ kind, sentence }) => `seed ${seed}: ${kind}: ${sentence}`),
  )
  expect(found).toEqual([])
})
