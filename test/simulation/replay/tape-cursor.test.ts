import { expect, it } from 'vitest'
import { channelsOf } from '../../../src/simulation/replay/tape-channel.ts'
import { TapeCursor } from '../../../src/simulation/replay/tape-cursor.ts'
import { mergeTapes } from '../../../src/tape/merge.ts'
import { MarketStage } from '../rig/market-stage.ts'
import { memoryTape, type RecordedRow } from '../rig/memory-tape.ts'

const cursorOver = (stage: MarketStage, rows: readonly RecordedRow[], shiftMs?: number): TapeCursor => {
  const tape = memoryTape(rows, { blockRows: 2 })
  const channels = channelsOf([{ tape, longestSilenceMs: Infinity }])
  const stretches = mergeTapes([tape])
  return new TapeCursor(stage.simulated, { stretches, channels, ...(shiftMs !== undefined && { shiftMs }) })
}

const ROWS: readonly RecordedRow[] = [
  [1, 10, 1],
  [1, 11, 1],
  [3, 12, 1],
]

/** Plays all there is. Returns when each row happened. */
async function playAll(cursor: TapeCursor): Promise<readonly number[]> {
  const times: number[] = []
  while (await cursor.read()) {
    for (let { run } = cursor; run !== undefined; run = cursor.run) {
      const time = cursor.timeOf(run, cursor.row)
      times.push(time)
      cursor.play(run, cursor.row, time, Infinity)
      cursor.moveTo(cursor.row + 1)
    }
  }
  return times
}

it.each`
  shiftMs      | times              | why
  ${undefined} | ${[1, 1, 3]}       | ${'as recorded'}
  ${100}       | ${[101, 101, 103]} | ${'moved on'}
`('tells when each row happens, and plays it then: $why', async ({ shiftMs, times }) => {
  const stage = new MarketStage()
  expect(await playAll(cursorOver(stage, ROWS, shiftMs))).toEqual(times)
  expect(stage.trades.map(({ createdAt }) => createdAt)).toEqual(times)
  expect(stage.trades.map(({ price }) => price)).toEqual([10, 11, 12])
})

it('heeds marked gaps where they are in the file, however its time is moved', async () => {
  const stage = new MarketStage()
  const gaps = [{ from: 1, to: 3, why: 'lost' }]
  const tape = memoryTape(ROWS, { blockRows: 2, gaps })
  const told: unknown[] = []
  const channels = channelsOf([{ tape, longestSilenceMs: Infinity }])
  const parts = { stretches: mergeTapes([tape]), channels, shiftMs: 100, onGap: (gap: unknown) => void told.push(gap) }
  await playAll(new TapeCursor(stage.simulated, parts))
  expect(told).toEqual([{ symbol: 'BTC_USD', from: 101, to: 103 }])
})

it('has no row before the first stretch was read, and none after the last', async () => {
  const cursor = cursorOver(new MarketStage(), ROWS)
  expect(cursor.run).toBeUndefined()
  await playAll(cursor)
  expect(cursor.run).toBeUndefined()
  expect(await cursor.read()).toBe(false)
})

it('reads no further once it is closed', async () => {
  const cursor = cursorOver(new MarketStage(), ROWS)
  expect(await cursor.read()).toBe(true)
  await cursor.close()
  expect(await cursor.read()).toBe(false)
})
