import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mergeTapes, type TapeRun } from '../../src/tape/merge.ts'
import { blockOf, tapeOf } from './rig/tape-of.ts'

/** A row as [tape, time, number within its tape]. */
type Row = readonly [number, number, number]

async function collect(stretches: AsyncIterable<Iterable<TapeRun>>): Promise<TapeRun[]> {
  const collected: TapeRun[] = []
  for await (const runs of stretches) collected.push(...runs)
  return collected
}

const rowsOf = (runs: readonly TapeRun[]): Row[] =>
  runs.flatMap(({ tape, block, start, end }) =>
    Array.from({ length: end - start }, (_, index): Row => {
      return [tape, block.time[start + index] ?? NaN, 'price' in block ? (block.price[start + index] ?? NaN) : NaN]
    }),
  )

/** Tapes as lists of blocks as lists of times; prices number the rows of a tape. */
const tapesOf = (times: readonly (readonly (readonly number[])[])[]) =>
  times.map((blocks) => {
    let row = 0
    return tapeOf(
      blocks.map((block) =>
        blockOf(
          block,
          block.map(() => (row += 1)),
        ),
      ),
    )
  })

/** The law, spelt out: all rows, sorted by time, then tape, then row. */
const sortedRows = (times: readonly (readonly (readonly number[])[])[]): Row[] =>
  times
    .flatMap((blocks, tape) => blocks.flat().map((time, row): Row => [tape, time, row + 1]))
    .sort((a, b) => a[1] - b[1] || a[0] - b[0] || a[2] - b[2])

describe('mergeTapes', () => {
  it.each`
    times                               | expected                          | why
    ${[]}                               | ${[]}                             | ${'no tape, no run'}
    ${[[[1, 2], [2, 3]]]}               | ${['0:1,2', '0:2,3']}             | ${'one tape: one run a block'}
    ${[[[1, 5]], [[2, 3]]]}             | ${['0:1', '1:2,3', '0:5']}        | ${'a run ends where another tape comes in'}
    ${[[[1, 2]], [[2, 3]]]}             | ${['0:1,2', '1:2,3']}             | ${'a tie goes to the tape that was named first'}
    ${[[[2, 3]], [[1, 2]]]}             | ${['1:1', '0:2', '1:2', '0:3']}   | ${'a tie ends the run of a tape that was named later'}
    ${[[[1, 1]], [[1, 1]]]}             | ${['0:1,1', '1:1,1']}             | ${'all at once: tape by tape'}
    ${[[[1], [1]], [[1]]]}              | ${['0:1', '0:1', '1:1']}          | ${'the next block of a tape keeps its place in a tie'}
    ${[[[], [4], []], [[], [3]], [[]]]} | ${['1:3', '0:4']}                 | ${'empty blocks and tapes are passed over'}
    ${[[[1, 9]], [[2]], [[2, 3]]]}      | ${['0:1', '1:2', '2:2,3', '0:9']} | ${'three tapes'}
  `('$why', async ({ times, expected }: { times: number[][][]; expected: string[] }) => {
    const runs = await collect(mergeTapes(tapesOf(times)))
    expect(runs.map(({ tape, block, start, end }) => `${tape}:${block.time.slice(start, end).join(',')}`)).toEqual(
      expected,
    )
  })

  it('yields every row once, in the order of time, ties by tape, in runs as long as can be', async () => {
    const reached = { ties: 0, interleaved: 0 }
    const blocks = fc.array(fc.array(fc.nat({ max: 9 }), { maxLength: 4 }), { maxLength: 3 })
    const sorted = blocks.map((lists) => {
      const times = lists.flat().sort((a, b) => a - b)
      return lists.map((list) => times.splice(0, list.length))
    })
    await fc.assert(
      fc.asyncProperty(fc.array(sorted, { maxLength: 4 }), async (times) => {
        const runs = await collect(mergeTapes(tapesOf(times)))
        const rows = rowsOf(runs)
        expect(rows).toEqual(sortedRows(times))
        for (const [index, run] of runs.entries()) {
          expect(run.end).toBeGreaterThan(run.start)
          const before = runs[index - 1]
          if (before?.block === run.block) throw new Error(`runs ${index - 1} and ${index} could have been one`)
        }
        reached.ties += rows.some((row, index) => row[1] === rows[index - 1]?.[1] && row[0] !== rows[index - 1]?.[0])
          ? 1
          : 0
        reached.interleaved += runs.some((run, index) => index > 0 && run.start > 0) ? 1 : 0
      }),
    )
    expect(reached.ties).toBeGreaterThan(0)
    expect(reached.interleaved).toBeGreaterThan(0)
  })

  it('closes every tape when it is left early', async () => {
    const closed: number[] = []
    const tapes = [0, 1].map((tape) => tapeOf([blockOf([1, 2]), blockOf([3, 4])], () => closed.push(tape)))
    for await (const runs of mergeTapes(tapes)) if ([...runs].length > 0) break
    expect(closed).toEqual([0, 1])
  })

  it('awaits nothing within the blocks that are in memory', async () => {
    const times = [[[1, 3, 5, 7]], [[2, 4, 6, 8], [9]]]
    const stretches: number[] = []
    for await (const runs of mergeTapes(tapesOf(times))) stretches.push([...runs].length)
    expect(stretches).toEqual([7, 1, 1])
  })

  it('passes on what a tape throws', async () => {
    const broken = { ...tapeOf([]), blocks: () => failing() }
    await expect(collect(mergeTapes([tapeOf([blockOf([1])]), broken]))).rejects.toThrow('cannot be read')
  })
})

// eslint-disable-next-line require-yield -- it fails before its first block
async function* failing(): AsyncGenerator<never> {
  await Promise.resolve()
  throw new Error('cannot be read')
}
