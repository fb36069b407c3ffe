import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { frameEnd, type DepthBlock } from '../../src/tape/depth-block.ts'
import { mergeTapes, type TapeRun, type TimedTape } from '../../src/tape/merge.ts'
import type { QuoteBlock } from '../../src/tape/quote-block.ts'
import type { TapeBlock } from '../../src/tape/tape.ts'
import { depthBlockOf, type MadeFrame } from './rig/depth-of.ts'
import { blockOf } from './rig/tape-of.ts'

type AnyBlock = TapeBlock | DepthBlock | QuoteBlock
type Kind = TimedTape<AnyBlock>['info']['kind']

const tapeOf = (kind: Kind, blocks: readonly AnyBlock[]): TimedTape<AnyBlock> => ({
  info: { symbol: 'BTC_USD', kind, to: 100 },
  async *blocks() {
    for (const block of blocks) yield await Promise.resolve(block)
  },
})

const quotesOf = (times: readonly number[]): QuoteBlock => {
  const column = new Float64Array(times.length)
  return { length: times.length, time: Float64Array.from(times), bid: column, bidQty: column, ask: column, askQty: column } // prettier-ignore
}

const framesAt = (times: readonly number[]): readonly MadeFrame[] =>
  times.map((time) => ({ time, bids: [[10, 1]], asks: [[11, 1]] }))

async function collect(tapes: readonly TimedTape<AnyBlock>[]): Promise<readonly TapeRun<AnyBlock>[]> {
  const collected: TapeRun<AnyBlock>[] = []
  for await (const runs of mergeTapes(tapes)) collected.push(...runs)
  return collected
}

const reported = (runs: readonly TapeRun<AnyBlock>[]): readonly string[] =>
  runs.map(({ tape, block, start, end }) => `${tape}:${block.time.slice(start, end).join(',')}`)

describe('one moment', () => {
  it('has its trades first, then its frames of the book, then its quotes, whatever was named first', async () => {
    const tapes = [
      tapeOf('quotes', [quotesOf([1, 2])]),
      tapeOf('depth', [depthBlockOf(framesAt([1, 2]))]),
      tapeOf('trades', [blockOf([1, 2, 2])]),
    ]
    expect(reported(await collect(tapes))).toEqual(['2:1', '1:1,1', '0:1', '2:2,2', '1:2,2', '0:2'])
  })

  it('goes on with the trades of a next block before any frame', async () => {
    const tapes = [tapeOf('depth', [depthBlockOf(framesAt([3]))]), tapeOf('trades', [blockOf([3]), blockOf([3, 4])])]
    expect(reported(await collect(tapes))).toEqual(['1:3', '1:3', '0:3,3', '1:4'])
  })
})

it('a tape that ends makes the next of another kind follow no one', async () => {
  const tapes = [tapeOf('trades', [blockOf([1])]), tapeOf('depth', [depthBlockOf(framesAt([101]))])]
  const runs = await collect(tapes)
  // As for the first rows of the only tape of its kind: there is no other that has begun.
  expect(runs.map(({ followsOthers }) => followsOthers)).toEqual([true, true])
})

it('never cuts a frame, and orders by time, kind, tape and row', async () => {
  const times = fc.array(fc.nat({ max: 6 }), { maxLength: 8 }).map((list) => list.sort((a, b) => a - b))
  const kinds = fc.array(fc.tuple(fc.constantFrom<Kind>('trades', 'depth', 'quotes'), times), { maxLength: 4 })
  const rank = { trades: 0, candles: 0, depth: 1, quotes: 2 }
  let cuts = 0
  await fc.assert(
    fc.asyncProperty(kinds, async (named) => {
      const tapes = named.map(([kind, at]) =>
        tapeOf(kind, [kind === 'depth' ? depthBlockOf(framesAt(at)) : kind === 'quotes' ? quotesOf(at) : blockOf(at)]),
      )
      const runs = await collect(tapes)
      for (const { block, end } of runs) {
        if (!('flags' in block) || end === block.length) continue
        cuts += 1
        expect(frameEnd(block, end - 1)).toBe(end)
      }
      const rows = runs.flatMap(({ tape, block, start, end }) =>
        Array.from({ length: end - start }, (_, at) => [tape, block.time[start + at] ?? 0] as const),
      )
      const rankOf = (tape: number): number => rank[named[tape]?.[0] ?? 'trades']
      expect(rows).toEqual(rows.toSorted((a, b) => a[1] - b[1] || rankOf(a[0]) - rankOf(b[0]) || a[0] - b[0]))
      const count = named.reduce((sum, [kind, at]) => sum + at.length * (kind === 'depth' ? 2 : 1), 0)
      expect(rows).toHaveLength(count)
    }),
  )
  expect(cuts).toBeGreaterThan(0)
})
