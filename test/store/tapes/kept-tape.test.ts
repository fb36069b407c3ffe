import { tradeBlocks } from '../../tape/rig/trade-blocks.ts'
import { describe, expect, it } from 'vitest'
import { keptTape } from '../../../src/store/tapes/kept-tape.ts'
import type { Tape, TapeBlock } from '../../../src/tape/tape.ts'
import { memoryTape } from '../../simulation/rig/memory-tape.ts'

/** A tape of two blocks that counts how often it is read, and says it has so many rows. */
function countedTape(rows: number, kind: 'trades' | 'candles' = 'trades'): { tape: Tape; readings: () => number } {
  const memory = memoryTape([[0, 100, 1]])
  let readings = 0
  async function* twice(): AsyncGenerator<TapeBlock, void, undefined> {
    readings += 1
    yield* tradeBlocks(memory)
    yield* tradeBlocks(memory)
  }
  return { tape: { info: { ...memory.info, rows, kind }, blocks: twice }, readings: () => readings }
}

async function timesOf(tape: Tape): Promise<readonly (number | undefined)[]> {
  const times: (number | undefined)[] = []
  for await (const { time } of tape.blocks()) times.push(time[0])
  return times
}

describe('a small tape', () => {
  it('is read once, and is the same from then on', async () => {
    const { tape, readings } = countedTape(2)
    const kept = keptTape(tape)
    for (let time = 0; time < 3; time += 1) expect(await timesOf(kept)).toEqual([0, 0])
    expect(readings()).toBe(1)
    expect(kept.info).toBe(tape.info)
  })

  it('is read again when the first reading did not come to its end', async () => {
    const { tape, readings } = countedTape(2)
    const kept = keptTape(tape)
    for await (const { length } of kept.blocks()) {
      expect(length).toBe(1)
      break
    }
    expect(await timesOf(kept)).toEqual([0, 0])
    expect(readings()).toBe(2)
  })
})

describe('a large tape is read each time', () => {
  it.each`
    rows       | kind         | expected
    ${500_000} | ${'trades'}  | ${1}
    ${500_001} | ${'trades'}  | ${2}
    ${500_000} | ${'candles'} | ${1}
    ${500_001} | ${'candles'} | ${2}
  `('$rows $kind: $expected', async ({ rows, kind, expected }) => {
    const { tape, readings } = countedTape(rows as number, kind as 'trades' | 'candles')
    const kept = keptTape(tape)
    await timesOf(kept)
    await timesOf(kept)
    expect(readings()).toBe(expected)
  })
})
