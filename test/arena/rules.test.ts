import { describe, expect, it } from 'vitest'
import { disqualifications } from '../../src/arena/rules.ts'
import type { SeasonFill, SeasonRules } from '../../src/arena/season-record.ts'
import { madeFill, madeRecord } from './rig/made-record.ts'

const LIMIT_1000 = 1_000_000_000n

const found = (
  rules: Partial<SeasonRules>,
  fills: readonly SeasonFill[],
  curve: readonly number[] = [100, 100],
  isOver = true,
) =>
  disqualifications(
    madeRecord({ ann: curve }, { rules: { selfTrading: 'reject', disqualifying: [], ...rules }, fills }),
    isOver,
  ).map(({ rule, reason, lines, times }) => ({ rule, reason, lines, times: times.length }))

const buys = (...lots: readonly number[]): readonly SeasonFill[] =>
  lots.map((qty, index) =>
    madeFill('ann', 'crowd', { qty: Math.abs(qty), takerSide: qty > 0 ? 'BUY' : 'SELL', line: 20 + index }),
  )

describe('disqualifications', () => {
  it('finds nothing without rules', () => {
    expect(found({}, buys(1e9))).toEqual([])
  })

  it('counts trades as maker and as taker', () => {
    const fills = [madeFill('ann', 'crowd'), madeFill('crowd', 'ann')]
    expect(found({ leastTrades: 2 }, fills)).toEqual([])
    expect(found({ leastTrades: 3 }, fills)).toEqual([
      { rule: 'leastTrades', reason: 'made 2 of at least 3 trades', lines: [2], times: 0 },
    ])
  })

  it('does not ask for enough trades before the end', () => {
    expect(found({ leastTrades: 3 }, [], [100, 100], false)).toEqual([])
    expect(found({ leastTrades: 3, largestDrawdownBps: 2_000 }, [], [100, 70], false)).toHaveLength(1)
  })

  it.each`
    lots                          | lines   | why
    ${[100_000]}                  | ${null} | ${'exactly the limit'}
    ${[100_000, 1]}               | ${[21]} | ${'one lot more'}
    ${[-100_001]}                 | ${[20]} | ${'a short position'}
    ${[100_000, -50_000, 50_000]} | ${null} | ${'a part was sold'}
    ${[60_000, -120_000]}         | ${null} | ${'from long to short'}
  `('limits the position: $why', ({ lots, lines }) => {
    const [breach] = found({ largestPosition: LIMIT_1000 }, buys(...(lots as number[])))
    expect(breach?.lines ?? null).toEqual(lines)
  })

  it('allows to reduce a position that the price has made too valuable', () => {
    const fills = [...buys(100_000), madeFill('ann', 'crowd', { price: 20_000, takerSide: 'SELL' })]
    expect(found({ largestPosition: LIMIT_1000 }, fills)).toEqual([])
  })

  it('says what position there was', () => {
    expect(found({ largestPosition: LIMIT_1000 }, buys(100_001))[0]?.reason).toBe(
      'a position in BTC_USD of 1000.01 USD; the largest is 1000 USD',
    )
  })

  it.each`
    curve              | reason                                                                                                             | why
    ${[100, 80]}       | ${undefined}                                                                                                       | ${'exactly the limit'}
    ${[100, 200, 159]} | ${'equity fell by 20.5 % from 2026-01-01T00:01:00.000Z to 2026-01-01T00:02:00.000Z; the largest drawdown is 20 %'} | ${'from the later peak'}
    ${[0, 0]}          | ${undefined}                                                                                                       | ${'no peak'}
  `('limits the drawdown: $why', ({ curve, reason }) => {
    expect(found({ largestDrawdownBps: 2_000 }, [], curve as number[])[0]?.reason).toBe(reason)
  })

  it('finds trades of a player with itself', () => {
    const fills = [madeFill('ann', 'ann', { line: 7 }), madeFill('ann', 'ann', { line: 9 })]
    expect(found({ selfTrading: 'allow' }, fills)).toEqual([])
    expect(found({ selfTrading: 'disqualify' }, fills)).toEqual([
      { rule: 'selfTrading', reason: '2 trades with itself', lines: [7, 9], times: 0 },
    ])
  })
})
