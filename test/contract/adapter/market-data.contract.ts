/**
 * Trades, tickers, candles, and time.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { MarketCandle, MarketTicker, MarketTrade } from '../../../src/strategy/market-data.ts'
import { Client } from './contract-client.ts'
import { atMarket, BTC, limit, type ContractSubject } from './contract-stage.ts'

const MINUTE = 60_000

export function describeMarketData({ open }: ContractSubject): void {
  let client: Client
  beforeEach(async () => {
    client = new Client(await open())
  })
  afterEach(() => client.stage.close())

  describe('trades', () => {
    const textOf = ({ price, qty, isBuyerMaker }: MarketTrade): string =>
      `${price.toFixed()} x ${qty.toFixed()} ${isBuyerMaker ? 'sell' : 'buy'}`

    it('are hot: each once to all who watch, nothing of the past, nothing after the end', async () => {
      const trade = async (price: number): Promise<void> => {
        await client.stage.otherPlaces(limit('BUY', price, 10))
        await client.stage.otherPlaces(limit('SELL', price, 10))
        await client.settle()
      }
      const [early, late]: [string[], string[]] = [[], []]
      await trade(1_000)
      const subscription = client.adapter.trades(BTC).subscribe((each) => early.push(textOf(each)))
      await trade(1_001)
      client.adapter.trades(BTC).subscribe((each) => late.push(textOf(each)))
      await trade(1_002)
      subscription.unsubscribe()
      await trade(1_003)
      expect(early).toEqual(['100.1 x 0.1 sell', '100.2 x 0.1 sell'])
      expect(late).toEqual(['100.2 x 0.1 sell', '100.3 x 0.1 sell'])
    })

    it('report the aggressor, the time and a new id each, ours among them', async () => {
      const trades: MarketTrade[] = []
      client.adapter.trades(BTC).subscribe((each) => trades.push(each))
      await client.stage.otherPlaces(limit('SELL', 1_000, 10))
      await client.stage.otherPlaces(limit('BUY', 990, 20))
      await client.placed(atMarket('BUY', 10))
      await client.placed(atMarket('SELL', 20))
      expect(trades.map(textOf)).toEqual(['100 x 0.1 buy', '99 x 0.2 sell'])
      expect(new Set(trades.map(({ id }) => id)).size).toBe(2)
      const fills = client.reported.flatMap((each) => (each.type === 'fill' ? [each.fill] : []))
      expect(fills.map(({ tradeId }) => tradeId)).toEqual(trades.map(({ id }) => id))
      expect(fills.map(({ createdAt }) => createdAt)).toEqual(trades.map(({ createdAt }) => createdAt))
    })

    it('of one market are not those of another', async () => {
      const trades: MarketTrade[] = []
      client.adapter.trades('ETH_USD').subscribe((each) => trades.push(each))
      await client.stage.otherPlaces(limit('SELL', 1_000, 10))
      await client.stage.otherPlaces(limit('BUY', 1_000, 10))
      await client.settle()
      expect(trades).toEqual([])
      expect([client.adapter.lastPrice('ETH_USD'), client.adapter.lastPrice(BTC)?.toFixed()]).toEqual([
        undefined,
        '100',
      ])
    })

    it('set the last price before the strategy hears of them', async () => {
      const prices: unknown[] = []
      client.adapter.trades(BTC).subscribe(() => prices.push(client.adapter.lastPrice(BTC)?.toFixed()))
      await client.stage.otherPlaces(limit('SELL', 1_005, 10))
      await client.stage.otherPlaces(limit('BUY', 1_005, 10))
      await client.settle()
      expect(prices).toEqual(['100.5'])
    })
  })

  describe('tickers', () => {
    it('come after a trade, with what it changed', async () => {
      const tickers: MarketTicker[] = []
      await client.stage.otherPlaces(limit('SELL', 1_000, 10))
      await client.stage.otherPlaces(limit('SELL', 1_020, 10))
      client.adapter.tickers(BTC).subscribe((each) => tickers.push(each))
      await client.stage.otherPlaces(limit('BUY', 1_000, 10))
      await client.settle()
      await client.stage.otherPlaces(limit('BUY', 1_020, 10))
      await client.settle()
      const texts = tickers.map(({ symbol, lastPrice, openPrice, volume }) =>
        [symbol, lastPrice, openPrice, volume].map(String).join(' '),
      )
      expect(texts).toEqual(['BTC_USD 100 100 0.1', 'BTC_USD 102 100 0.2'])
    })
  })

  describe('candles', () => {
    /** Lets time pass to the beginning of a minute. */
    const toNextMinute = (): Promise<void> => client.stage.pass(MINUTE - (client.adapter.now() % MINUTE))
    const trade = async (price: number): Promise<void> => {
      await client.stage.otherPlaces(limit('SELL', price, 10))
      await client.stage.otherPlaces(limit('BUY', price, 10))
    }
    const textOf = ({ open, high, low, close, volume }: MarketCandle): string =>
      [open, high, low, close, volume].map(String).join(' ')

    it('come once, when they are over, and not for an interval without a trade', async () => {
      const candles: MarketCandle[] = []
      client.adapter.candles(BTC, '1m').subscribe((each) => candles.push(each))
      await toNextMinute()
      const opened = client.adapter.now()
      for (const price of [1_010, 1_030, 1_000, 1_020]) await trade(price)
      const before = opened + MINUTE - 1 - client.adapter.now()
      if (before > 0) await client.stage.pass(before)
      expect(candles).toEqual([])
      await client.stage.pass(1 + client.stage.settleMs)
      expect(candles.map(textOf)).toEqual(['101 103 100 102 0.4'])
      expect(candles.map(({ time }) => time)).toEqual([opened])
      await client.stage.pass(2 * MINUTE)
      expect(candles).toHaveLength(1)
    })

    it('are one stream for all who ask for the same', async () => {
      const texts: string[] = []
      for (const who of ['a', 'b']) {
        client.adapter.candles(BTC, '1m').subscribe((each) => texts.push(`${who} ${textOf(each)}`))
      }
      await toNextMinute()
      await trade(1_000)
      await client.stage.pass(MINUTE + client.stage.settleMs)
      expect(texts).toEqual(['a 100 100 100 100 0.1', 'b 100 100 100 100 0.1'])
    })
  })

  describe('after', () => {
    it('calls once, in time, never within the call, in the order of time and then of calling', async () => {
      const start = client.adapter.now()
      const calls: string[] = []
      const plan = (delayMs: number, name: string): void =>
        client.adapter.after(delayMs, () => {
          expect(client.adapter.now()).toBeGreaterThanOrEqual(start + delayMs)
          calls.push(name)
        })
      for (const [delayMs, name] of [
        [20, 'late'],
        [10, 'first'],
        [10, 'second'],
        [0, 'at once'],
      ] as const) {
        plan(delayMs, name)
      }
      expect(calls).toEqual([])
      await client.stage.pass(100)
      expect(calls).toEqual(['at once', 'first', 'second', 'late'])
      await client.stage.pass(100)
      expect(calls).toHaveLength(4)
    })
  })
}
