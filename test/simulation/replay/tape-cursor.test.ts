import { expect, it } from 'vitest'
import { channelsOf } from '../../../src/simulation/replay/tape-channel.ts'
import { TapeCursor } from '../../../src/simulation/replay/tape-cursor.ts'
import { mergeTapes } from '../../../src/tape/merge.ts'
import { BTC, MarketStage } from '../rig/market-stage.ts'
import { memoryCandles } from '../rig/memory-candles.ts'
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

/** Plays all there is, and on a stage what comes of each row before the next. Returns when each row happened. */
async function playAll(cursor: TapeCursor, stage?: MarketStage): Promise<readonly number[]> {
  const times: number[] = []
  while (await cursor.read()) {
    for (let { run } = cursor; run !== undefined; run = cursor.run) {
      const time = cursor.timeOf(run, cursor.row)
      times.push(time)
      cursor.play(run, cursor.row, time, Infinity)
      cursor.moveTo(cursor.row + 1)
      while (stage !== undefined && stage.queue.nextTime < Infinity) stage.queue.runNext()
    }
  }
  return times
}

it.each`
  shiftMs      | times              | why
  ${undefined} | ${[1, 1, 3]}       | ${'as recorded'}
  ${100}       | ${[101, 101, 103]} | ${'moved on'}
`('reports when each row happens, and plays it then: $why', async ({ shiftMs, times }) => {
  const stage = new MarketStage()
  expect(await playAll(cursorOver(stage, ROWS, shiftMs))).toEqual(times)
  expect(stage.trades.map(({ createdAt }) => createdAt)).toEqual(times)
  expect(stage.trades.map(({ price }) => price)).toEqual([10, 11, 12])
})

it.each`
  shiftMs      | opens          | ends            | why
  ${undefined} | ${[0, 1_000]}  | ${[500, 1_500]} | ${'as recorded'}
  ${250}       | ${[250, 1250]} | ${[750, 1_750]} | ${'moved on'}
`('opens and ends each candle when its row happens: $why', async ({ shiftMs, opens, ends }) => {
  const terms = { intervalMs: 500, isAligned: false, spread: 1, fills: 'tape' } as const
  const stage = new MarketStage({ candles: new Map([[BTC, terms]]) })
  const reported: Record<'opens' | 'ends', number[]> = { opens: [], ends: [] }
  stage.simulated.market(BTC).candles?.listeners.push({
    onOpen: ({ time }) => void reported.opens.push(time),
    onCandle: (_, endsAt) => void reported.ends.push(endsAt),
  })
  const rows = [0, 1_000].map((time) => [time, 10, 12, 9, 11, 5] as const)
  const tape = memoryCandles(rows, { intervalMs: 500 })
  const channels = channelsOf([{ tape, longestSilenceMs: Infinity }])
  const cursor = new TapeCursor(stage.simulated, { stretches: mergeTapes([tape]), channels, shiftMs })
  expect(await playAll(cursor, stage)).toEqual(opens)
  expect(reported).toEqual({ opens, ends })
})

it('heeds marked gaps where they are in the file, however its time is moved', async () => {
  const stage = new MarketStage()
  const gaps = [{ from: 1, to: 3, why: 'lost' }]
  const tape = memoryTape(ROWS, { blockRows: 2, gaps })
  const reported: unknown[] = []
  const channels = channelsOf([{ tape, longestSilenceMs: Infinity }])
  const parts = {
    stretches: mergeTapes([tape]),
    channels,
    shiftMs: 100,
    onGap: (gap: unknown) => void reported.push(gap),
  }
  await playAll(new TapeCursor(stage.simulated, parts))
  expect(reported).toEqual([{ symbol: 'BTC_USD', from: 101, to: 103 }])
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
