import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Exposure } from '../../src/analysis/exposure.ts'

type Change = readonly [time: number, asset: string, total: bigint]

function shareOf(changes: readonly Change[], from = 0, to = 100): number {
  const exposure = new Exposure(from, to)
  for (const change of changes) exposure.hold(...change)
  return exposure.share
}

describe('exposure', () => {
  it.each`
    changes                                                                 | expected | why
    ${[]}                                                                   | ${0}     | ${'nothing was ever held'}
    ${[[20, 'BTC', 5n]]}                                                    | ${0.8}   | ${'held to the end'}
    ${[[20, 'BTC', 5n], [30, 'BTC', 9n], [70, 'BTC', 0n]]}                  | ${0.5}   | ${'the size does not matter'}
    ${[[20, 'BTC', 5n], [30, 'ETH', 1n], [50, 'BTC', 0n], [60, 'ETH', 0n]]} | ${0.4}   | ${'any position, each moment once'}
    ${[[20, 'BTC', 5n], [20, 'BTC', 0n]]}                                   | ${0}     | ${'for no time'}
    ${[[-50, 'BTC', 5n], [40, 'BTC', 0n]]}                                  | ${0.4}   | ${'initial inventory counts from the start'}
    ${[[90, 'BTC', 5n], [150, 'BTC', 0n]]}                                  | ${0.1}   | ${'nothing counts after the end'}
    ${[[10, 'BTC', 0n], [20, 'BTC', -3n]]}                                  | ${0}     | ${'a debt is no holding'}
  `('$why -> $expected', ({ changes, expected }: { changes: Change[]; expected: number }) => {
    expect(shareOf(changes)).toBe(expected)
  })

  it('is 0 of a period without length', () => {
    expect(shareOf([[5, 'BTC', 1n]], 5, 5)).toBe(0)
  })

  it('refuses a change that goes back in time, and a period that does', () => {
    expect(() =>
      shareOf([
        [20, 'BTC', 1n],
        [10, 'BTC', 0n],
      ]),
    ).toThrow('cannot change at 10')
    expect(() => new Exposure(2, 1)).toThrow('cannot go back')
  })

  it('is the number of milliseconds with a holding over their number', () => {
    let partly = 0
    const changeLists = fc.array(
      fc.tuple(fc.integer({ min: -5, max: 35 }), fc.constantFrom('BTC', 'ETH'), fc.bigInt({ min: 0n, max: 1n })),
      { maxLength: 12 },
    )
    fc.assert(
      fc.property(changeLists, fc.integer({ min: 1, max: 30 }), (list, length) => {
        const changes = list.toSorted(([a], [b]) => a - b)
        const isHeld = (ms: number, asset: string): boolean =>
          (changes.findLast(([time, name]) => time <= ms && name === asset)?.[2] ?? 0n) > 0n
        const held = Array.from({ length }, (_, ms) => isHeld(ms, 'BTC') || isHeld(ms, 'ETH')).filter(Boolean).length
        expect(shareOf(changes, 0, length)).toBe(held / length)
        if (held > 0 && held < length) partly += 1
      }),
    )
    expect(partly).toBeGreaterThan(0)
  })
})
