/**
 * Made seasons of 50 equal players: a sole winner appears in at most 5 %, and a skilled player nearly always.
 * `EQUAL_SEASONS=1000` makes a thousand of each kind, which takes minutes.
 */
import { expect, it } from 'vitest'
import { equityRanks } from '../../src/arena/equity-ranks.ts'
import { seededRandom } from '../../src/runtime/strategies/seeded-random.ts'
import { Chance } from '../exchange/rig/chance.ts'
import { runs } from '../property/property.ts'
import { type GainShape, madeCurves } from './rig/made-gains.ts'

const SEASONS = Number(process.env.EQUAL_SEASONS ?? runs(120))

function soleWinners(seasons: number, shape: Omit<GainShape, 'players'>, players = 50): number {
  let count = 0
  for (let seed = 1; seed <= seasons; seed += 1) {
    const ranks = equityRanks(madeCurves(new Chance(seed), { players, ...shape }), seededRandom(seed))
    if (ranks.filter((rank) => rank === 1).length === 1) count += 1
  }
  return count
}

it.each`
  shape                                            | why
  ${{ periods: 200 }}                              | ${'plain'}
  ${{ periods: 30 }}                               | ${'few samples'}
  ${{ periods: 200, autocorrelation: 0.5 }}        | ${'gains that persist'}
  ${{ periods: 100, fat: true }}                   | ${'fat tails'}
  ${{ periods: 200, common: 0.7 }}                 | ${'a common market'}
  ${{ periods: 100, spread: 1000, fat: true }}     | ${'bold and careful players'}
  ${{ periods: 100, idle: 45 }}                    | ${'45 idle players'}
  ${{ periods: 60, idle: 49 }}                     | ${'one who plays'}
  ${{ periods: 100, copies: 20, clustered: true }} | ${'21 identical players, clustered volatility'}
`('seasons of 50 equal players have a sole winner in at most 5 %: $why', ({ shape }) => {
  // Three standard deviations above 5 % for fewer seasons than a thousand.
  const most = SEASONS * 0.05 + (SEASONS < 1_000 ? 3 * Math.sqrt(SEASONS * 0.05 * 0.95) : 0)
  expect(soleWinners(SEASONS, shape)).toBeLessThanOrEqual(most)
})

it('a player with clearly more skill wins alone', () => {
  const seasons = Math.min(SEASONS, 100)
  expect(soleWinners(seasons, { periods: 400, skill: 0.45 })).toBeGreaterThanOrEqual(Math.floor(seasons * 0.98) - 1)
})
