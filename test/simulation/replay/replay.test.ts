import type { RecordedTrade } from '../../../src/simulation/liquidity/liquidity-model.ts'
import { beforeEach, describe, expect, it } from 'vitest'
import { EVENT_KIND, type EventKind } from '../../../src/simulation/event-queue.ts'
import { market } from '../../exchange/rig/configs.ts'
import { MarketStage } from '../rig/market-stage.ts'
import { memoryTape, type RecordedRow } from '../rig/memory-tape.ts'

let stage: MarketStage
let happened: string[]
beforeEach(() => {
  stage = new MarketStage({ markets: [market('BTC_USD'), market('ETH_USD')] })
  happened = []
  for (const symbol of ['BTC_USD', 'ETH_USD']) {
    stage.simulated.listen(symbol, {
      onTrade: ({ price }) => void happened.push(`${stage.queue.now()} ${symbol.slice(0, 3)} ${price}`),
    })
  }
})

const schedule = (time: number, kind: EventKind, name: string): void =>
  void stage.queue.schedule(time, kind, () => happened.push(`${stage.queue.now()} ${name}`))

const btc = (rows: readonly RecordedRow[]): ReturnType<typeof memoryTape> => memoryTape(rows, { blockRows: 2 })
const eth = (rows: readonly RecordedRow[]): ReturnType<typeof memoryTape> => memoryTape(rows, { symbol: 'ETH_USD' })

describe('the order of one moment', () => {
  it('is recorded trades of every tape as they were named, then candles, timers, messages', async () => {
    schedule(5, EVENT_KIND.message, 'message')
    schedule(5, EVENT_KIND.timer, 'timer')
    schedule(5, EVENT_KIND.candle, 'candle')
    schedule(5, EVENT_KIND.data, 'late data')
    const rows: RecordedRow[] = [
      [5, 1, 1],
      [5, 2, 1],
      [5, 3, 1],
    ]
    await stage.play([eth(rows), btc(rows)])
    expect(happened).toEqual([
      ...['5 ETH 1', '5 ETH 2', '5 ETH 3', '5 BTC 1', '5 BTC 2', '5 BTC 3'],
      ...['5 late data', '5 candle', '5 timer', '5 message'],
    ])
  })

  it('lets what is due before a row happen before it, and what a row causes for its own moment after all of its rows', async () => {
    schedule(4, EVENT_KIND.message, 'before')
    let isFirst = true
    stage.simulated.listen('BTC_USD', {
      onTrade: () => {
        if (isFirst) schedule(5, EVENT_KIND.timer, 'caused')
        isFirst = false
      },
    })
    const rows: RecordedRow[] = [
      [5, 1, 1],
      [5, 2, 1],
      [6, 3, 1],
    ]
    await stage.play([btc(rows)])
    expect(happened).toEqual(['4 before', '5 BTC 1', '5 BTC 2', '5 caused', '6 BTC 3'])
  })

  it('is kept across blocks: a message waits for the rows of its moment in the next block', async () => {
    schedule(5, EVENT_KIND.message, 'message')
    await stage.play([
      btc([
        [5, 1, 1],
        [5, 2, 1],
        [5, 3, 1],
      ]),
    ])
    expect(happened).toEqual(['5 BTC 1', '5 BTC 2', '5 BTC 3', '5 message'])
  })
})

describe('several tapes', () => {
  it('are merged by time', async () => {
    const first: RecordedRow[] = [
      [1, 10, 1],
      [3, 11, 1],
      [4, 12, 1],
    ]
    const second: RecordedRow[] = [
      [2, 20, 1],
      [3, 21, 1],
    ]
    await stage.play([btc(first), eth(second)])
    expect(happened).toEqual(['1 BTC 10', '2 ETH 20', '3 BTC 11', '3 ETH 21', '4 BTC 12'])
  })

  it('of one market go into one book, and share what is known of the aggressor', async () => {
    const first: RecordedRow[] = [
      [1, 10, 1, 'sell'],
      [3, 9, 1],
    ]
    await stage.play([btc(first), btc([[2, 10, 1]])])
    expect(stage.tape).toEqual(['10 x 1 sell', '10 x 1 sell', '9 x 1 sell'])
  })

  it('of two markets do not: each has its own tick rule', async () => {
    const first: RecordedRow[] = [
      [1, 10, 1, 'sell'],
      [3, 10, 1],
    ]
    await stage.play([btc(first), eth([[2, 10, 1]])])
    expect(stage.tape).toEqual(['10 x 1 sell', '10 x 1 buy', '10 x 1 sell'])
  })
})

describe('the end', () => {
  it('is the last moment: what is due then happens, what is due later does not', async () => {
    schedule(7, EVENT_KIND.message, 'at the end')
    schedule(8, EVENT_KIND.data, 'later')
    await stage.play([btc([[5, 1, 1]])], { end: 7 })
    expect(happened).toEqual(['5 BTC 1', '7 at the end'])
  })

  it('lets what the last row causes happen in time', async () => {
    stage.simulated.listen('BTC_USD', { onTrade: () => schedule(6, EVENT_KIND.message, 'caused') })
    await stage.play([btc([[5, 1, 1]])], { end: 6 })
    expect(happened).toEqual(['5 BTC 1', '6 caused'])
  })

  it('comes also for a tape without a row', async () => {
    schedule(3, EVENT_KIND.timer, 'timer')
    await stage.play([btc([])], { end: 3 })
    expect(happened).toEqual(['3 timer'])
  })
})

describe('a listener', () => {
  const rows: RecordedRow[] = [
    [1, 10, 1],
    [2, 20, 1],
    [3, 30, 1],
  ]

  it('hears of a recorded trade before it is played', async () => {
    const onRecorded = (symbol: string, { time, price }: RecordedTrade): unknown =>
      happened.push(`recorded ${symbol} ${time} ${price}`)
    await stage.play([btc(rows.slice(0, 2))], { listener: { onRecorded } })
    expect(happened).toEqual(['recorded BTC_USD 1 10', '1 BTC 10', 'recorded BTC_USD 2 20', '2 BTC 20'])
  })

  it.each`
    stopAt        | expected                                                    | why
    ${'2 BTC 20'} | ${['1 BTC 10', '2 BTC 20']}                                 | ${'in a recorded trade'}
    ${'2 timer'}  | ${['1 BTC 10', '2 BTC 20', '2 timer']}                      | ${'in an event between'}
    ${'4 end'}    | ${['1 BTC 10', '2 BTC 20', '2 timer', '3 BTC 30', '4 end']} | ${'in an event after the last row'}
  `('stops it at once: $why', async ({ stopAt, expected }) => {
    schedule(2, EVENT_KIND.timer, 'timer')
    schedule(4, EVENT_KIND.timer, 'end')
    schedule(4, EVENT_KIND.message, 'more')
    await stage.play([btc(rows)], { end: 9, listener: { stopped: () => happened.includes(String(stopAt)) } })
    expect(happened).toEqual(expected)
  })

  it('that wants a turn gets one after every trade and every event, never within a stretch', async () => {
    schedule(2, EVENT_KIND.timer, 'timer')
    schedule(9, EVENT_KIND.timer, 'last')
    await stage.play([btc(rows)], {
      end: 9,
      listener: {
        enter: () => happened.push('('),
        leave: () => happened.push(')'),
        wantsTurn: () => true,
        turn: async () => {
          happened.push('turn')
          await Promise.resolve()
          happened.push('turned')
        },
      },
    })
    const around = (event: string): readonly string[] => ['(', event, ')', 'turn', 'turned']
    const all = ['1 BTC 10', '2 BTC 20', '2 timer', '3 BTC 30', '9 last']
    expect(happened).toEqual(all.flatMap(around))
  })

  it('is notified when a stretch is left by a throw', async () => {
    schedule(2, EVENT_KIND.timer, 'timer')
    stage.queue.schedule(2, EVENT_KIND.message, () => {
      throw new Error('a bug')
    })
    const listener = { enter: () => happened.push('('), leave: () => happened.push(')') }
    await expect(stage.play([btc(rows)], { listener })).rejects.toThrow('a bug')
    expect(happened.filter((each) => '()'.includes(each)).join('')).toMatch(/^(\(\))+$/)
  })

  it('hears of progress every 4096 rows, and at the end', async () => {
    const progress: (readonly [number, number])[] = []
    const many = Array.from({ length: 10_000 }, (_, index): RecordedRow => [index, 10, 1])
    await stage.play([memoryTape(many, { blockRows: 1_000 })], {
      end: 20_000,
      listener: { onProgress: (count, time) => progress.push([count, time]) },
    })
    expect(progress).toEqual([
      [4096, 4095],
      [8192, 8191],
      [10_000, 20_000],
    ])
  })
})
