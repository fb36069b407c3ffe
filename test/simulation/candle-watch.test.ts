import { beforeEach, describe, expect, it } from 'vitest'
import { CANDLE_INTERVAL_NAMES, type Candle, type CandleInterval } from '../../src/domain/candle.ts'
import { InvariantError } from '../../src/domain/errors.ts'
import { EVENT_KIND } from '../../src/simulation/event-queue.ts'
import { BTC, MarketStage } from './rig/market-stage.ts'
import { memoryTape, type RecordedRow } from './rig/memory-tape.ts'

const MINUTE = 60_000

let stage: MarketStage
let happened: string[]
beforeEach(() => {
  stage = new MarketStage()
  happened = []
})

/** `time: open-high-low-close volume, opened at`. */
const candleText = ({ time, open, high, low, close, volume }: Candle): string =>
  `${stage.queue.now()}: ${open}-${high}-${low}-${close} x ${volume}, opened ${time}`

const watch = (interval: CandleInterval = '1m'): void =>
  stage.simulated.watchCandles(BTC, interval, (candle) => happened.push(candleText(candle)))

const play = (rows: readonly RecordedRow[], end?: number): Promise<void> =>
  stage.play([memoryTape(rows)], end === undefined ? {} : { end })

describe('a candle', () => {
  it('is reported once, at its boundary, with every trade of its interval', async () => {
    watch()
    const rows: RecordedRow[] = [
      [0, 10, 1],
      [20_000, 14, 2],
      [40_000, 8, 3],
      [59_999, 11, 4],
      [MINUTE + 1, 12, 5],
    ]
    await play(rows)
    expect(happened).toEqual(['60000: 10-14-8-11 x 10, opened 0'])
  })

  it('comes after the trades of its boundary, which belong to the next one', async () => {
    watch()
    stage.simulated.listen(BTC, {
      onTrade: ({ price }) => void happened.push(`${stage.queue.now()}: trade at ${price}`),
    })
    const rows: RecordedRow[] = [
      [59_999, 10, 1],
      [MINUTE, 20, 1],
      [MINUTE, 21, 1],
      [MINUTE + 1, 22, 1],
    ]
    await play(rows, 2 * MINUTE)
    expect(happened).toEqual([
      '59999: trade at 10',
      '60000: trade at 20',
      '60000: trade at 21',
      '60000: 10-10-10-10 x 1, opened 0',
      '60001: trade at 22',
      '120000: 20-22-20-22 x 3, opened 60000',
    ])
  })

  it('comes before the timers and messages of its boundary', async () => {
    watch()
    stage.queue.schedule(MINUTE, EVENT_KIND.message, () => happened.push('message'))
    stage.queue.schedule(MINUTE, EVENT_KIND.timer, () => happened.push('timer'))
    await play([[5, 10, 1]], MINUTE)
    expect(happened).toEqual(['60000: 10-10-10-10 x 1, opened 0', 'timer', 'message'])
  })

  it('is not there for an interval without a trade, and comes at its own boundary before a gap', async () => {
    watch()
    const rows: RecordedRow[] = [
      [1_000, 10, 1],
      [10 * MINUTE + 1, 11, 1],
    ]
    await play(rows, 20 * MINUTE)
    expect(happened).toEqual(['60000: 10-10-10-10 x 1, opened 0', '660000: 11-11-11-11 x 1, opened 600000'])
  })

  it('that the end cuts off is not reported; one that ends at the end is', async () => {
    watch()
    await play([[1_000, 10, 1]], MINUTE - 1)
    expect(happened).toEqual([])
    stage = new MarketStage()
    watch()
    await play([[1_000, 10, 1]], MINUTE)
    expect(happened).toHaveLength(1)
  })

  it('of a market that is not recorded holds every match, and is there for them alone', () => {
    stage = new MarketStage({ isRecorded: false })
    stage.credit('me', 'BTC', 5n)
    stage.credit('you', 'USD', 500n)
    watch()
    stage.limit('me', 'SELL', 100, 5)
    stage.queue.schedule(30_000, EVENT_KIND.message, () => void stage.limit('you', 'BUY', 100, 3))
    while (stage.queue.nextTime <= MINUTE) stage.queue.runNext()
    expect(happened).toEqual(['60000: 100-100-100-100 x 3, opened 0'])
  })

  it('of a recorded market holds the rows of its tape alone, each as it was recorded', async () => {
    stage.credit('me', 'BTC', 5n)
    stage.credit('you', 'USD', 500n)
    watch()
    stage.limit('me', 'SELL', 100, 5)
    stage.queue.schedule(30_000, EVENT_KIND.message, () => void stage.limit('you', 'BUY', 100, 3))
    await play([[40_000, 104, 7]], MINUTE)
    expect(happened).toEqual(['60000: 104-104-104-104 x 7, opened 0'])
  })
})

describe('watched from the middle of an interval', () => {
  it('a candle that runs is reported with all of its trades, also when no other follows', async () => {
    stage.record(10_000, 10, 1)
    stage.record(20_000, 15, 1)
    watch()
    await play([], MINUTE)
    expect(happened).toEqual(['60000: 10-15-10-15 x 2, opened 0'])
  })

  it('a candle that is over is not', async () => {
    stage.record(10_000, 10, 1)
    stage.queue.advance(MINUTE)
    watch()
    await play([], 10 * MINUTE)
    expect(happened).toEqual([])
  })
})

describe('intervals', () => {
  it('all end where they divide the day', async () => {
    for (const interval of CANDLE_INTERVAL_NAMES) {
      stage.simulated.watchCandles(BTC, interval, ({ time }) =>
        happened.push(`${interval} ${stage.queue.now() - time}`),
      )
    }
    await play([[86_400_000 - 1, 10, 1]], 86_400_000)
    const lengths = { '1s': 1e3, '5s': 5e3, '15s': 15e3, '30s': 30e3, '1m': 6e4, '5m': 3e5, '15m': 9e5 }
    const longer = { '30m': 18e5, '1h': 36e5, '4h': 144e5, '1d': 864e5 }
    const expected = Object.entries({ ...lengths, ...longer }).map(([interval, ms]) => `${interval} ${ms}`)
    expect([...happened].sort()).toEqual(expected.sort())
  })

  it('of a market that is not there are a bug', () => {
    expect(() => stage.simulated.watchCandles('ETH_USD', '1m', () => undefined)).toThrow(InvariantError)
  })
})
