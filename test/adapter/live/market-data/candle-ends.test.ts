/**
 * Ends of live candles that somebody waits for: informed when the candles up to them are, and before a later trade.
 */
import { beforeEach, expect, it } from 'vitest'
import { CandleBuilder } from '../../../../src/adapter/live/market-data/candle-builder.ts'
import type { Candle } from '../../../../src/domain/candle.ts'
import type { WireTrade } from '../../../../src/wire/wire-trade.ts'
import { FakeLiveTime, START } from '../rig/fake-live-time.ts'

const MINUTE = 60_000
const CLOSE_AFTER_MS = 500

let time: FakeLiveTime
let reported: string[]
let served: Candle[]
let answerAfterMs: number
let builder: CandleBuilder

beforeEach(() => {
  time = new FakeLiveTime()
  reported = []
  served = []
  answerAfterMs = 0
  const candles = async (): Promise<readonly Candle[]> => {
    await new Promise<void>((resolve) => void time.after(answerAfterMs, resolve))
    return served
  }
  builder = new CandleBuilder({
    symbol: 'BTC_USD',
    interval: '1m',
    closeAfterMs: CLOSE_AFTER_MS,
    time,
    clock: time,
    reads: { candles, trades: () => Promise.resolve([]) },
    whenWhole: (action) => {
      action()
    },
    onCandle: (candle) => void reported.push(`${at()} candle ${(candle.time - START) / MINUTE}`),
    onWarning: () => undefined,
  })
  builder.begin([], Number.NEGATIVE_INFINITY)
})

const at = (): number => (time.now() - START) / 1_000

const trade = (seconds: number): void => {
  time.enter(() => {
    const createdAt = START + seconds * 1_000
    const ids = { id: String(createdAt), buyOrderId: '1', sellOrderId: '2', buyerId: 'a', sellerId: 'b' }
    const traded: WireTrade = { ...ids, symbol: 'BTC_USD', price: 100, qty: 1, isBuyerMaker: true, createdAt }
    builder.closeBefore(createdAt)
    reported.push(`${at()} trade`)
    builder.trade(traded)
  })
}

const awaitEnd = (minutes: number): void => {
  builder.afterEnd(START + minutes * MINUTE, () => void reported.push(`${at()} end ${minutes}`))
}

it('one is reported behind its candle, and also where there was no trade', async () => {
  awaitEnd(2)
  awaitEnd(1)
  trade(10)
  await time.pass(3 * MINUTE)
  expect(reported).toEqual(['0 trade', '60.5 candle 0', '60.5 end 1', '120.5 end 2'])
})

it('one is reported before a later trade that comes before its timer, and not before one at its very end', async () => {
  trade(0)
  awaitEnd(1)
  await time.pass(MINUTE)
  trade(60)
  await time.pass(100)
  trade(60.1)
  await time.pass(MINUTE)
  expect(reported).toEqual(['0 trade', '60 trade', '60.1 candle 0', '60.1 end 1', '60.1 trade'])
})

it('one waits for candles before it that have to be read', async () => {
  answerAfterMs = 5_000
  served = [{ time: START, symbol: 'BTC_USD', open: 1, high: 1, low: 1, close: 1, volume: 1n }]
  trade(1)
  time.enter(() => {
    builder.gap(START + 2_000, START + 3_000)
  })
  awaitEnd(1)
  awaitEnd(2)
  await time.pass(3 * MINUTE)
  expect(reported).toEqual(['0 trade', '65.5 candle 0', '65.5 end 1', '120.5 end 2'])
})

it('one that has passed is reported at once, though not within the call, and none after the end', async () => {
  await time.pass(2 * MINUTE)
  awaitEnd(1)
  expect(reported).toEqual([])
  await time.pass(1)
  expect(reported).toEqual(['120 end 1'])
  awaitEnd(3)
  builder.close()
  await time.pass(5 * MINUTE)
  expect(reported).toHaveLength(1)
})
