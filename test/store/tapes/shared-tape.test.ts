import { describe, expect, it } from 'vitest'
import { openTape } from '../../../src/store/tapes/open-tape.ts'
import { inspectTape } from '../../../src/store/tapes/inspect-tape.ts'
import { openShared, shareTape, type SharedTape } from '../../../src/store/tapes/shared-tape.ts'
import type { RecordedBlock, Tape, TapeWindow } from '../../../src/tape/tape.ts'
import { temporaryFiles } from '../rig/temporary-files.ts'

const { write } = temporaryFiles()
const ROWS = 40_000

const lines = (row: (index: number) => string): string =>
  Array.from({ length: ROWS }, (_, index) => row(index)).join('\n')
const TRADES = `id,time,price,qty,side\n${lines((row) => `${row},${1e12 + row * 7},${100 + (row % 90) / 10},${1 + (row % 3)},${row % 2 === 0 ? 'buy' : 'sell'}`)}\n`
const CANDLES = `time,open,high,low,close,volume\n${lines((row) => `${1e12 + row * 60_000},10.1,10.3,10,10.2,${1 + (row % 5)}`)}\n`
const NAMED = `id,time,price,qty\na-1,1000000000000,1,1\na-2,${1e12 + 5},2,1\n`

async function tapeOf(text: string, name: string): Promise<Tape> {
  const inspected = await inspectTape({ file: write(text, name), symbol: 'A_USD' })
  return openTape(inspected, inspected.info)
}

async function rowsOf(tape: Tape, window?: TapeWindow): Promise<readonly string[]> {
  const rows: string[] = []
  for await (const block of tape.blocks(window)) rows.push(...textsOf(block))
  return rows
}

function textsOf(block: RecordedBlock): string[] {
  const columns = Object.entries(block).filter(([name]) => name !== 'length') as [
    string,
    ArrayLike<number> | undefined,
  ][]
  return Array.from({ length: block.length }, (_, row) =>
    columns
      .map(([name, column]) => `${name}=${column?.[row] ?? ''}`)
      .sort()
      .join(' '),
  )
}

const all = { bytes: 2 ** 30 }

async function sharedOf(tape: Tape): Promise<SharedTape> {
  const shared = await shareTape(tape, { ...all })
  if (shared === undefined) throw new Error('no room for it')
  return shared
}

describe.each([
  ['trades', TRADES],
  ['candles', CANDLES],
])('a shared tape of %s', (name, text) => {
  it('has the rows of the tape, as often as they are asked for, in memory that is shared', async () => {
    const tape = await tapeOf(text, `${name}.csv`)
    const shared = structuredClone(await sharedOf(tape))
    const expected = await rowsOf(tape)
    expect(expected).toHaveLength(ROWS)
    expect(await rowsOf(openShared(shared))).toEqual(expected)
    expect(await rowsOf(openShared(shared))).toEqual(expected)
    for (const { time } of shared.blocks) expect(time.buffer).toBeInstanceOf(SharedArrayBuffer)
    expect(shared.blocks.length).toBeGreaterThan(1)
  })

  it('leaves out blocks that lie outside of a window, and no row of it', async () => {
    const tape = await tapeOf(text, `${name}.csv`)
    const shared = await sharedOf(tape)
    const { from, to } = tape.info
    const window = { from: from + (to - from) * 0.6, to: from + (to - from) * 0.61 }
    const times = (rows: readonly string[]): readonly number[] => rows.map((row) => Number(/time=(\d+)/.exec(row)?.[1]))
    const inside = times(await rowsOf(tape)).filter((time) => time >= window.from && time < window.to)
    const found = times(await rowsOf(openShared(shared), window))
    expect(found.filter((time) => time >= window.from && time < window.to)).toEqual(inside)
    expect(found.length).toBeLessThan(ROWS)
  })

  it('takes the room that it needs, and none where there is not enough', async () => {
    const tape = await tapeOf(text, `${name}.csv`)
    const room = { ...all }
    await shareTape(tape, room)
    const needed = all.bytes - room.bytes
    expect(needed).toBe(ROWS * (name === 'trades' ? 33 : 48))
    for (const bytes of [needed - 1, 0]) {
      const small = { bytes }
      expect(await shareTape(tape, small)).toBeUndefined()
      expect(small.bytes).toBe(bytes)
    }
    expect(await shareTape(tape, { bytes: needed })).toBeDefined()
  })
})

it('does not share ids that are texts', async () => {
  expect(await shareTape(await tapeOf(NAMED, 'named.csv'), { ...all })).toBeUndefined()
})
