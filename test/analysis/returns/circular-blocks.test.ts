/**
 * Blocks that go round: each from one place on, all places as likely, one draw a block.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CircularBlocks, blockLength } from '../../../src/analysis/returns/circular-blocks.ts'
import { chance } from '../../sweep/selection/rig/chance.ts'

describe('circular blocks', () => {
  it('go on as the row does, and round its end', () => {
    const sizes = fc.record({
      length: fc.integer({ min: 1, max: 40 }),
      block: fc.integer({ min: 1, max: 50 }),
      seed: fc.nat(),
    })
    fc.assert(
      fc.property(sizes, ({ length, block, seed }) => {
        let draws = 0
        const random = chance(seed)
        const blocks = new CircularBlocks(length, block, () => {
          draws += 1
          return random()
        })
        expect(draws).toBe(Math.ceil(length / block))
        for (let index = 0; index < length; index += 1) {
          expect(blocks.at(index)).toBeGreaterThanOrEqual(0)
          expect(blocks.at(index)).toBeLessThan(length)
          if (index % block > 0) expect(blocks.at(index)).toBe((blocks.at(index - 1) + 1) % length)
        }
      }),
    )
  })

  it('draw each place as often as any other', () => {
    const counts = new Array<number>(10).fill(0)
    const random = chance(4)
    for (let round = 0; round < 2_000; round += 1) {
      const blocks = new CircularBlocks(10, 3, random)
      for (let index = 0; index < 10; index += 1) counts[blocks.at(index)] = (counts[blocks.at(index)] ?? 0) + 1
    }
    for (const count of counts) expect(Math.abs(count / 2_000 - 1)).toBeLessThan(0.1)
  })

  it('of nothing draw nothing', () => {
    expect(() => new CircularBlocks(0, 1, () => Number.NaN)).not.toThrow()
    expect(() => new CircularBlocks(5, 0, () => 0)).toThrow('blocks of 0')
  })

  it.each([
    [0, 1],
    [1, 1],
    [8, 2],
    [9, 3],
    [27, 3],
    [28, 4],
    [1e7, 216],
  ])('of %i have a length of %i', (length, block) => {
    expect(blockLength(length)).toBe(block)
  })
})
