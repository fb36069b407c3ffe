import { describe, expect, it } from 'vitest'
import { disqualifiedAccounts, findings } from '../../src/arena/findings.ts'
import { CHEATS } from './rig/cheaters.ts'
import { madeFill, madeRecord } from './rig/made-record.ts'
import { cheatMissed, honestSeason } from './rig/made-season.ts'

describe('findings', () => {
  it.each(CHEATS.map(([kind], seed) => [kind, seed] as const))('has %s of a season, and nothing else', (_, seed) => {
    expect(cheatMissed(seed, 45)).toBeUndefined()
  })

  it('has nothing of an honest season', () => {
    expect(findings(honestSeason(2, 30))).toEqual([])
  })

  const HOUR = 3_600_000
  const start = Date.UTC(2026, 0, 1)
  const push = (index: number) => [
    madeFill('crowd', 'crowd', { time: start + index * 60_000, line: 10 * index + 1 }),
    madeFill('ann', 'bob', { time: start + index * 60_000 + 1, line: 10 * index + 2, price: 11_000 }),
    madeFill('crowd', 'crowd', { time: start + index * 60_000 + 30_000, line: 10 * index + 3 }),
  ]
  const pushed = (pushes: number, disqualifying: readonly 'price-pushing'[] = []) =>
    madeRecord(
      { ann: [10_000_000_000], bob: [10_000_000_000] },
      {
        start,
        end: start + HOUR,
        fills: Array.from({ length: pushes }, (_, index) => push(index)).flat(),
        rules: { selfTrading: 'reject', disqualifying },
      },
    )

  it('proves a push with its lines and the exact money', () => {
    expect(findings(pushed(5))).toEqual([
      {
        kind: 'price-pushing',
        accounts: ['ann', 'bob'],
        lines: [2, 12, 22, 32, 42],
        sentence: 'ann lost 50 USD to bob in 5 orders at prices more than 50 basis points away from the market',
      },
    ])
    expect(findings(pushed(4))).toEqual([])
  })

  it('disqualifies for a kind that the season names, and otherwise only reports it', () => {
    const reported = pushed(5)
    expect(disqualifiedAccounts(reported.rules, [], findings(reported))).toEqual(new Set())
    const named = pushed(5, ['price-pushing'])
    expect(disqualifiedAccounts(named.rules, [], findings(named))).toEqual(new Set(['ann', 'bob']))
  })
})
