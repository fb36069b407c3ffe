/**
 * Strategies in process and through the live adapter, on a small tape that was made for the corners: several trades in
 * a millisecond, trades at the very end of a candle, a burst that no read shows.
 */
import { auditTime, map, merge, of, take } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { parity, portfolioParity, type ParityOptions, type ParityResult } from '../../../src/server/parity/parity.ts'
import { defineStrategy, type Strategy } from '../../../src/strategy/strategy.ts'
import { seededRandom } from '../../../src/runtime/strategies/seeded-random.ts'
import { temporaryFiles } from '../../store/rig/temporary-files.ts'

const START = Date.UTC(2024, 0, 1)
const BURST = 600
const { write } = temporaryFiles()

/** A random walk of cents around 100 in two minutes. */
function tapeOf(seed = 7): string {
  const random = seededRandom(seed)
  const rows = ['trade_id,time_ms,price,qty,is_buyer_maker']
  let [time, cents, isBurstDue] = [START, 10_000, true]
  const add = (): void => {
    cents += Math.round((random() - 0.5) * 12)
    const qty = (10 + Math.floor(random() * 400)) / 100
    rows.push(`${rows.length},${time},${(cents / 100).toFixed(2)},${qty.toFixed(2)},${random() < 0.5}`)
  }
  while (time < START + 120_000) {
    const count = random() < 0.2 ? 4 : 1
    for (let trade = 0; trade < count; trade += 1) add()
    const next = time + 1 + Math.floor(random() * 1_200)
    const boundary = Math.ceil((time + 1) / 5_000) * 5_000
    // Many a candle ends with trades in its last and its first millisecond.
    time = next > boundary && random() < 0.7 ? boundary - (random() < 0.5 ? 1 : 0) : Math.max(next, time + 1)
    if (rows.length < 200 || !isBurstDue) continue
    isBurstDue = false
    for (let trade = 0; trade < BURST; trade += 1) add()
  }
  return `${rows.join('\n')}\n`
}

const file = write(tapeOf(), 'walk.csv')
const run = (options: Omit<ParityOptions, 'tapes'>): Promise<ParityResult> =>
  parity({ tapes: { BTC_USD: file }, fees: { makerBps: '1', takerBps: '7.5' }, ...options })

describe('a ready strategy', () => {
  it.each([
    ['sma-cross', { interval: '5s', fast: 1, slow: 2 }],
    ['grid', { interval: '5s', stepBps: 5 }],
    ['market-maker', { halfSpreadBps: 3, roundSeconds: 2 }],
  ])('%s does the same in process and live, to the byte', async (strategy, params) => {
    // Orders that are smaller than the recorded trades leave the rest of them as they were.
    const result = await run({ strategy, params, credits: { USD: '200' } })
    expect(result.difference).toBeUndefined()
    expect(result).toMatchObject({ failure: undefined, warnings: [] })
    expect(result.counts.request).toBeGreaterThan(5)
    expect(result.counts.fill).toBeGreaterThan(5)
  })
})

const sample = (run: Strategy['run'], name = 'sample'): Strategy =>
  defineStrategy({ name, params: z.object({ symbol: z.string() }), run })

const BTC = 'BTC_USD'

describe('a corner', () => {
  it('many orders and cancels, in the millisecond of the trades that fill them', async () => {
    const strategy = sample(({ trades, openOrders, buyLimit, sellLimit, buyMarket, cancelAll }) =>
      trades(BTC).pipe(
        auditTime(5_000),
        map(({ price }, index) => [
          ...(openOrders().length > 6 ? [cancelAll(BTC)] : []),
          buyMarket(BTC, '0.5'),
          buyLimit(BTC, price.minus('0.01'), '1'),
          sellLimit(BTC, price.plus('0.01'), '0.4'),
          ...(index % 3 === 0 ? [buyLimit(BTC, price, '1000')] : []),
        ]),
      ),
    )
    const { difference, counts } = await run({ strategy })
    expect(difference).toBeUndefined()
    expect(counts.fill).toBeGreaterThan(20)
  })

  it('orders at the very start, on trades, and on answers', async () => {
    const strategy = sample(({ trades, outcomes$, buyMarket, buyLimit }) =>
      merge(
        of(buyLimit(BTC, '99', '0.1')),
        trades(BTC).pipe(
          take(20),
          // No two look alike: those would go one by one.
          map((_, index) => buyMarket(BTC, `0.${index + 11}`)),
        ),
        outcomes$.pipe(
          take(10),
          map((_, index) => buyLimit(BTC, `${98 - index}`, '0.1')),
        ),
      ),
    )
    const { difference, counts } = await run({ strategy, to: START + 20_000 })
    expect(difference).toBeUndefined()
    expect(counts.request).toBe(31)
  })
})

describe('a difference is found and named', () => {
  it('of a service with another fee', async () => {
    const { difference } = await run({
      strategy: 'market-maker',
      params: { halfSpreadBps: 3, roundSeconds: 2 },
      serviceMarkets: (markets) => markets.map((market) => ({ ...market, makerFeeBps: '2' })),
    })
    expect(difference).toMatchObject({ cause: 'balance' })
    expect(difference?.inProcess).not.toBe(difference?.live)
  })

  it('of a strategy that looks at something beside its context', async () => {
    let runs = 0
    const strategy = sample(({ candles, buyMarket }) => {
      runs += 1
      const qty = runs === 1 ? '0.1' : '0.2'
      return candles(BTC, '5s').pipe(map(() => buyMarket(BTC, qty)))
    })
    const { difference } = await run({ strategy })
    expect(difference).toMatchObject({ cause: 'strategy', time: START + 5_000, kind: 'request' })
    expect(difference?.inProcess).toContain('"qty":"0.1"')
    expect(difference?.live).toContain('"qty":"0.2"')
  })

  it('of candles in which a recorded trade came in pieces', async () => {
    const strategy = sample(({ candles, buyLimit }) =>
      candles(BTC, '5s').pipe(map(({ low }) => buyLimit(BTC, low.minus('0.01'), '1'))),
    )
    const { difference, marketData } = await run({ strategy, credits: { USD: '100000' } })
    expect(difference).toMatchObject({ cause: 'market data' })
    expect(difference?.why).toContain('pieces')
    expect(marketData?.time).toBeLessThanOrEqual(difference?.time ?? 0)
  })

  it('of a strategy that counts tickers, of which the wire reports fewer', async () => {
    const strategy = sample(({ tickers, buyMarket }) =>
      tickers(BTC).pipe(map((_, index) => (index % 10 === 9 ? buyMarket(BTC, '0.1') : []))),
    )
    const { difference } = await run({ strategy })
    expect(difference).toMatchObject({ cause: 'market data' })
    expect(difference?.why).toContain('ticker')
  })
})

it('refuses a tape of candles, which no one can replay', async () => {
  const candles = write(
    'time,open,high,low,close,volume\n2024-01-01T00:00:00Z,1,2,1,2,5\n2024-01-01T00:01:00Z,2,2,1,2,5\n',
    'candles.csv',
  )
  await expect(parity({ strategy: 'grid', tapes: { BTC_USD: candles } })).rejects.toThrow(/candles/)
})

describe('strategies on one wallet do the same in process and live, each on its book', () => {
  const second = write(tapeOf(11), 'second.csv')
  const tapes = { BTC_USD: file, ETH_USD: second }
  const together = (
    strategies: Parameters<typeof portfolioParity>[0]['strategies'],
    more: Partial<Parameters<typeof portfolioParity>[0]> = {},
  ): Promise<readonly ParityResult[]> =>
    portfolioParity({ tapes, fees: { makerBps: '1', takerBps: '7.5' }, strategies, credits: { USD: '1000' }, ...more })

  const READY = [
    { strategy: 'sma-cross', params: { symbol: 'BTC_USD', interval: '5s', fast: 1, slow: 2 }, capital: { share: 0.4 } },
    { strategy: 'grid', params: { symbol: 'ETH_USD', interval: '5s', stepBps: 5 }, capital: { amount: '250.5' } },
    { strategy: 'market-maker', params: { symbol: 'BTC_USD', halfSpreadBps: 3, roundSeconds: 2 } },
  ] as const

  it('with three ready ones on two markets', async () => {
    const results = await together(READY)
    for (const { difference, failure, warnings, counts } of results) {
      expect({ difference, failure, warnings }).toEqual({ difference: undefined, failure: undefined, warnings: [] })
      expect(Math.min(counts.request, counts.fill, counts.balances)).toBeGreaterThan(5)
    }
  })

  it('with limits of the wallet', async () => {
    const risk = { dayLoss: '0.3', ordersPerMinute: 40, maxPosition: '700' }
    const results = await together(READY, { walletRisk: risk })
    for (const { difference, counts } of results) expect([difference, counts.state]).toEqual([undefined, 1])
  })

  it.each(['equal', 'inverse-volatility'] as const)('with capital that moves between them, %s', async (rule) => {
    const results = await together(READY, { rebalance: { rule, every: '1d', at: '00:01' } })
    for (const { difference, failure, warnings, counts } of results) {
      expect({ difference, failure, warnings }).toEqual({ difference: undefined, failure: undefined, warnings: [] })
      expect([counts.transfer, Math.min(counts.fill, 6)]).toEqual([1, 6])
    }
  })

  it('with orders that meet', async () => {
    const quotes = sample(({ sellLimit, tickers }) =>
      tickers('BTC_USD').pipe(
        auditTime(1_000),
        take(40),
        map(({ lastPrice }) => sellLimit('BTC_USD', lastPrice.times('1.0002').toDecimalPlaces(2), '0.5')),
      ), 'quotes') // prettier-ignore
    const takes = sample(({ buyLimit, tickers }) =>
      tickers('BTC_USD').pipe(
        auditTime(1_500),
        take(30),
        map(({ lastPrice }) => buyLimit('BTC_USD', lastPrice.times('1.001').toDecimalPlaces(2), '0.6')),
      ), 'takes') // prettier-ignore
    const results = await together([{ strategy: quotes }, { strategy: takes }], {
      credits: { USD: '20000', BTC: '60' },
    })
    for (const { difference, counts } of results) {
      expect(difference).toBeUndefined()
      expect(counts.fill).toBeGreaterThan(5)
    }
  })
})
