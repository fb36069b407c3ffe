import { describe, expect, it } from 'vitest'
import { board } from '../../src/arena/board.ts'
import { seededRandom } from '../../src/runtime/strategies/seeded-random.ts'
import { Chance } from '../exchange/rig/chance.ts'
import { madeCurves } from './rig/made-gains.ts'
import { madeRecord } from './rig/made-record.ts'

const NONE: ReadonlySet<string> = new Set()
const named = (curves: readonly (readonly bigint[])[]): Record<string, readonly bigint[]> =>
  Object.fromEntries(curves.map((curve, index) => [`p${index}`, curve]))
const ranks = (curves: Record<string, readonly (number | bigint)[]>, disqualified = NONE) =>
  Object.fromEntries(
    board(madeRecord(curves), disqualified, seededRandom(1)).map(({ account, rank }) => [account, rank]),
  )

describe('the board', () => {
  it('shows the figures of a curve', () => {
    const [row] = board(madeRecord({ ann: [1000, 1500, 1200] }), NONE, seededRandom(1))
    expect(row).toEqual({
      account: 'ann',
      name: 'ann',
      rank: 1,
      equity: 1200n,
      totalReturn: 0.2,
      drawdown: 0.2,
      sharpe: null,
      sharpeInterval: null,
    })
  })

  it('gives a Sharpe ratio inside of its interval', () => {
    const [row] = board(
      madeRecord(named(madeCurves(new Chance(1), { players: 1, periods: 1300, skill: 0.1 }))),
      NONE,
      seededRandom(1),
    )
    const [low = 0, high = 0] = row?.sharpeInterval ?? []
    expect(low).toBeLessThan(row?.sharpe ?? 0)
    expect(high).toBeGreaterThan(row?.sharpe ?? 0)
  })

  it('ties players with few samples, equal curves, or no trade', () => {
    expect(ranks({ ann: [100, 900], bob: [100, 100] })).toEqual({ ann: 1, bob: 1 })
    const curve = Array.from({ length: 100 }, (_, index) => 100 + (index % 7))
    expect(ranks({ ann: curve, bob: curve, idle: curve.map(() => 100) })).toEqual({ ann: 1, bob: 1, idle: 1 })
  })

  it('names a sole winner who is better than all others, and ties those', () => {
    const curves = madeCurves(new Chance(3), { players: 20, periods: 1000, skill: 0.4 })
    const found = ranks(named(curves))
    expect(Object.entries(found).filter(([, rank]) => rank === 1)).toEqual([['p0', 1]])
    expect(new Set(Object.values(found))).toEqual(new Set([1, 2]))
  })

  it('leaves disqualified players without a rank, at the end', () => {
    const curves = named(madeCurves(new Chance(3), { players: 5, periods: 1000, skill: 1 }))
    const rows = board(madeRecord(curves), new Set(['p0']), seededRandom(1))
    expect(rows.at(-1)).toMatchObject({ account: 'p0', rank: undefined })
    expect(rows.slice(0, 4).map(({ rank }) => rank)).toEqual([1, 1, 1, 1])
  })

  it('never ranks a player above one with more equity', () => {
    for (let seed = 1; seed <= 10; seed += 1) {
      const shape = { players: 12, periods: 400, spread: 1e4, skill: 0.5, fat: true }
      const rows = board(madeRecord(named(madeCurves(new Chance(seed), shape))), NONE, seededRandom(seed))
      const byEquity = rows.toSorted((a, b) => Number(b.equity - a.equity)).map(({ rank = 0 }) => rank)
      expect(byEquity).toEqual(byEquity.toSorted((a, b) => a - b))
    }
  })

  it('is the same for the same seed', () => {
    const record = madeRecord(named(madeCurves(new Chance(5), { players: 8, periods: 300, fat: true })))
    expect(board(record, NONE, seededRandom(7))).toEqual(board(record, NONE, seededRandom(7)))
  })
})
