/**
 * A stream that falls silent on a living connection: reads find what it withholds soon after the last trade, and ask
 * less and less often of a market that is quiet indeed.
 */
import { expect, it } from 'vitest'
import { MARKET_DATA_SETTINGS } from '../../../../src/adapter/live/market-data/market-data-settings.ts'
import { TradeFeed } from '../../../../src/adapter/live/market-data/trade-feed.ts'
import type { WireTrade } from '../../../../src/wire/wire-trade.ts'
import { FakeLiveTime, START } from '../rig/fake-live-time.ts'

function follow(): {
  readonly time: FakeLiveTime
  readonly feed: TradeFeed
  readonly reported: string[]
  readonly readAt: number[]
} & {
  readonly trade: (id: number) => WireTrade
} {
  const time = new FakeLiveTime()
  const [reported, readAt, happened]: [string[], number[], WireTrade[]] = [[], [], []]
  const seconds = (): number => (time.now() - START) / 1_000
  const feed = new TradeFeed({
    symbol: 'BTC_USD',
    reads: {
      trades: () => {
        readAt.push(seconds())
        return Promise.resolve(happened.toReversed())
      },
    },
    isStreamed: true,
    time,
    random: () => 0,
    settings: MARKET_DATA_SETTINGS,
    listener: {
      onSeen: () => undefined,
      onTrade: ({ id }) => void reported.push(`${seconds()} trade ${id}`),
      onGap: () => void reported.push(`${seconds()} gap`),
      onBegin: () => undefined,
      onAhead: () => undefined,
      onSilent: () => void reported.push(`${seconds()} silent`),
      onCurrent: () => undefined,
      onFault: () => undefined,
    },
  })
  const trade = (id: number): WireTrade => {
    const ids = { id: String(id), buyOrderId: '1', sellOrderId: '2', buyerId: 'a', sellerId: 'b' }
    const happening = { ...ids, symbol: 'BTC_USD', price: 100, qty: 1, isBuyerMaker: true, createdAt: time.now() }
    happened.push(happening)
    return happening
  }
  return { time, feed, reported, readAt, trade }
}

it('is read within five seconds of its last trade, and then each time after twice as long, up to half a minute', async () => {
  const { time, feed, reported, readAt, trade } = follow()
  feed.start()
  time.enter(() => {
    feed.onSubscribed()
  })
  await time.pass(2_000)
  readAt.length = 0
  time.enter(() => {
    feed.onStreamTrade(trade(1))
  })
  await time.pass(120_000)
  expect(readAt).toEqual([5, 10, 20, 40, 70, 100])
  expect(reported).toEqual(['2 trade 1'])
})

it('that withholds trades is found out before the stream comes back', async () => {
  const { time, feed, reported, trade } = follow()
  feed.start()
  time.enter(() => {
    feed.onSubscribed()
  })
  await time.pass(2_000)
  time.enter(() => {
    feed.onStreamTrade(trade(1))
  })
  await time.pass(6_000)
  trade(2)
  await time.pass(6_000)
  trade(3)
  await time.pass(6_000)
  expect(reported).toEqual(['2 trade 1', '10 trade 2', '15 silent', '15 trade 3'])
})
