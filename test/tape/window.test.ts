import { tradeBlocks } from './rig/trade-blocks.ts'
import { describe, expect, it } from 'vitest'
import type { TapeBlock, TapeWindow } from '../../src/tape/tape.ts'
import { restrictTape } from '../../src/tape/window.ts'
import { blockOf, INFO, tapeOf } from './rig/tape-of.ts'

async function blocksOf(blocks: readonly TapeBlock[], window: TapeWindow): Promise<TapeBlock[]> {
  const collected: TapeBlock[] = []
  for await (const block of tradeBlocks(restrictTape(tapeOf(blocks), window))) collected.push(block)
  return collected
}

describe('restrictTape', () => {
  it.each`
    window                  | expected               | why
    ${{}}                   | ${[[1, 2, 2], [2, 5]]} | ${'no bounds: all of it'}
    ${{ from: 2 }}          | ${[[2, 2], [2, 5]]}    | ${'from is inclusive, with every row of that time'}
    ${{ to: 2 }}            | ${[[1]]}               | ${'to is exclusive'}
    ${{ from: 2, to: 5 }}   | ${[[2, 2], [2]]}       | ${'both'}
    ${{ from: 3, to: 5 }}   | ${[]}                  | ${'between two rows there is nothing'}
    ${{ from: 6 }}          | ${[]}                  | ${'after the end'}
    ${{ to: 1 }}            | ${[]}                  | ${'before the beginning'}
    ${{ from: 2, to: 2 }}   | ${[]}                  | ${'an empty window'}
    ${{ from: -9, to: 99 }} | ${[[1, 2, 2], [2, 5]]} | ${'wider than the tape'}
  `('$why: $window', async ({ window, expected }: { window: TapeWindow; expected: number[][] }) => {
    const blocks = await blocksOf([blockOf([1, 2, 2]), blockOf([2, 5])], window)
    expect(blocks.map((block) => [...block.time])).toEqual(expected)
  })

  it('cuts all columns alike', async () => {
    const numbers = { ...blockOf([1, 2, 3], [10, 20, 30]), ids: Float64Array.of(7, 8, 9), side: Uint8Array.of(1, 2, 1) }
    const texts = { ...blockOf([4, 5]), ids: ['a', 'b'], isDoubtful: Uint8Array.of(1, 0) }
    const [first, second] = await blocksOf([numbers, texts], { from: 2, to: 5 })
    expect(first).toEqual({
      length: 2,
      time: Float64Array.of(2, 3),
      price: Float64Array.of(20, 30),
      qty: Float64Array.of(1, 1),
      side: Uint8Array.of(2, 1),
      ids: Float64Array.of(8, 9),
    })
    expect(second).toMatchObject({ ids: ['a'], isDoubtful: Uint8Array.of(1) })
  })

  it('does not take the room behind the length of a block for rows', async () => {
    const roomy = { ...blockOf([1, 2, 0, 0]), length: 2 }
    const blocks = await blocksOf([roomy], { from: 2 })
    expect(blocks.map((block) => [block.length, ...block.time])).toEqual([[1, 2]])
  })

  it('leaves the description of the file as it is', () => {
    expect(restrictTape(tapeOf([]), { from: 2 }).info).toBe(INFO)
  })

  it('reads the tape to its end, where a changed file is found out', async () => {
    let ended = false
    let read = 0
    const blocks = [blockOf([1]), blockOf([5]), blockOf([9])]
    const tape = tapeOf(blocks, () => (ended = true))
    for await (const block of restrictTape(tape, { to: 2 }).blocks()) read += block.length
    expect({ ended, read }).toEqual({ ended: true, read: 1 })
  })
})
