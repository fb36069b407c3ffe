/**
 * The ready strategies that stand on targets, waiting orders, times of day and several markets, on tapes of a few
 * words.
 */
import { describe, expect, it } from 'vitest'
import { testStrategy, type StrategyTest } from '../../src/testing/test-strategy.ts'
import donchianBreakout from '../../strategies/donchian-breakout.ts'
import openingHours from '../../strategies/opening-hours.ts'
import pairs from '../../strategies/pairs.ts'
import rebalancer from '../../strategies/rebalancer.ts'
import rsiReversion from '../../strategies/rsi-reversion.ts'

/** Every order is filled whole, at once, at the last price. */
const IDEAL = { liquidity: 'ideal', latency: { orderMs: 0 } } as const

const fillsIn = ({ fills }: StrategyTest): readonly string[] =>
  fills.map(({ side, qty, price }) => `${side} ${qty} at ${price}`)

describe('rsi-reversion', () => {
  const run = (candles: string, more: object = {}): Promise<StrategyTest> =>
    testStrategy(rsiReversion, { params: { interval: '1m', length: 2, share: 0.5 }, candles, ...IDEAL, ...more })

  it('buys when the RSI falls below a level, and sells when it has recovered', async () => {
    const { timeline, balances, refusals } = await run('100 102 104 101 98 99 102 104 105')
    expect(timeline).toBe('300s target 0.5 | 420s target 0')
    expect({ balances, refusals }).toMatchObject({ balances: { BTC: '0' }, refusals: [] })
  })

  it('gives up a position that lost too much, and does not buy it back while the price falls on', async () => {
    const { timeline } = await run('100 102 104 103 101 99 97 95 93 91 89 87')
    expect(timeline.split(' | ').map((each) => each.replace(/^\d+s /, ''))).toEqual(['target 0.5', 'target 0'])
  })

  it('does nothing in a market that was falling when it came', async () => {
    expect((await run('100 99 98 97 96 95 94')).timeline).toBe('')
  })

  it('does not ask again for a buy that was refused', async () => {
    const refused = await run('100 102 104 101 98 97 96', { faults: [{ type: 'refuse', request: 1 }] })
    expect(refused.intents).toHaveLength(1)
    expect(refused.fills).toEqual([])
  })
})

describe('donchian-breakout', () => {
  const run = (trades: string, more: object = {}): Promise<StrategyTest> =>
    testStrategy(donchianBreakout, { params: { interval: '1m', length: 3, trail: 1 }, trades, ...IDEAL, ...more })
  const RANGE = '100 1m 101 1m 100 1m 101 1m 100 1m'

  it('buys behind a close above the channel of the candles before, and sells when the price falls behind its best', async () => {
    const { timeline, fills } = await run(`${RANGE} 103 1m 105 1m 108 1m 107 1m 104 1m 100 1m 100`)
    expect(timeline).toMatch(/^\d+s BUY [\d.]+ at market with trail [\d.]+$/)
    expect(fills.map(({ side, price }) => `${side} ${price}`)).toEqual(['BUY 103', 'SELL 104'])
    expect(fills[0]?.qty).toBe(fills[1]?.qty)
  })

  it.each([{ orderMs: 130_000 }, { responseMs: 130_000 }])(
    'buys once while a buy is on its way: %j',
    async (latency) => {
      const rise = `${RANGE} 103 1m 105 1m 108 1m 111 1m 114 1m 117 1m 120 1m 123`
      const params = { interval: '1m', length: 3, trail: 1, risk: 0.0005 }
      const { timeline, fills } = await run(rise, { params, latency: { orderMs: 0, ...latency } })
      expect(timeline.match(/BUY/g)).toHaveLength(1)
      expect(fills.map(({ side }) => side)).toEqual(['BUY'])
    },
  )

  it('buys at the next breakout where a buy was refused', async () => {
    const { fills } = await run(`${RANGE} 103 1m 105 1m 106 1m 106`, { faults: [{ type: 'refuse', request: 1 }] })
    expect(fills.map(({ side, price }) => `${side} ${price}`)).toEqual(['BUY 105'])
  })

  it('sells at the next candle what has lost its stop because that was refused', async () => {
    const { fills, balances } = await run(`${RANGE} 103 1m 105 1m 108 1m 107 1m 104 1m 103 1m 102`, {
      faults: [{ type: 'refuse', request: 2 }],
    })
    expect(fills.map(({ side }) => side)).toEqual(['BUY', 'SELL'])
    expect(balances.BTC).toBe('0')
  })

  it('sells once where the answer to its stop is late', async () => {
    const { fills, balances, refusals } = await run(
      `${RANGE} 103 1m 105 1m 108 1m 107 1m 104 1m 103 1m 102 1m 101 1m 100 1m 99`,
      { latency: { orderMs: 0, responseMs: 130_000 } },
    )
    expect(fills.map(({ side }) => side)).toEqual(['BUY', 'SELL'])
    expect({ balances, refusals }).toMatchObject({ balances: { BTC: '0' }, refusals: [] })
  })

  it('does nothing within the channel', async () => {
    expect((await run(`${RANGE} 101 1m 100 1m 101 1m 99 1m 100`)).timeline).toBe('')
  })

  it('has one position at a time, however often the channel is left', async () => {
    const { fills } = await run(`${RANGE} 103 1m 106 1m 109 1m 112 1m 115 1m 118`)
    expect(fills.map(({ side }) => side)).toEqual(['BUY'])
  })

  it('risks the share of the equity that it is given, where the money is enough', async () => {
    const { fills } = await run(`${RANGE} 103 1m 90 1m 90`, {
      params: { interval: '1m', length: 3, trail: 3, risk: 0.001 },
    })
    const [buy] = fills
    // 10 USD on a stop three ranges of 5/3 away.
    expect(Number(buy?.qty) * 3 * (5 / 3)).toBeGreaterThan(9.9)
    expect(Number(buy?.qty) * 3 * (5 / 3)).toBeLessThanOrEqual(10)
  })
})

describe('rebalancer', () => {
  const trades = {
    BTC_USD: '100 59s 100 1m 100 1m 150 1m 150 1m 150',
    ETH_USD: '10 59s 10 1m 10 1m 10 1m 10 1m 5 1m',
  }
  const run = (drift: number): Promise<StrategyTest> =>
    testStrategy(rebalancer, { params: { every: '1m', share: 0.8, drift }, trades, ...IDEAL })

  it('brings each market back to its share, sells first, and leaves small drifts alone', async () => {
    const close = await run(0.02)
    expect(fillsIn(close)).toEqual([
      ...['BUY 40 at 100', 'BUY 400 at 10', 'SELL 8 at 150', 'BUY 80 at 10', 'SELL 6.4 at 150', 'BUY 288 at 5'],
    ])
    const shares = [Number(close.balances.BTC) * 150, Number(close.balances.ETH) * 5, Number(close.balances.USD)]
    expect(shares).toEqual([3840, 3840, 1920])
    expect(fillsIn(await run(0.3))).toEqual(['BUY 40 at 100', 'BUY 400 at 10'])
  })

  it('does not add up to more than its share, whatever the number of markets', async () => {
    const of = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`A${index}_USD`, '10 1m 10 1m 10']))
    for (const count of [3, 6, 7, 11]) {
      const test = await testStrategy(rebalancer, { params: { every: '1m', share: 1 }, trades: of(count), ...IDEAL })
      expect([test.failure, test.refusals]).toEqual([undefined, []])
      expect(test.fills.length).toBeGreaterThanOrEqual(count)
    }
  })
})

describe('opening-hours', () => {
  const HOURS = { opens: '00:01', closes: '00:03', zone: 'UTC' }
  const trades = '100 59s 101 59s 102 59s 103 59s 104 59s 104'
  const run = (params: object, more: object = {}): Promise<StrategyTest> =>
    testStrategy(openingHours, { params: { ...HOURS, ...params }, trades, ...IDEAL, ...more })

  it('buys at the one time and sells all at the other', async () => {
    const { timeline, balances } = await run({ share: 1 })
    expect(timeline).toBe('60s target 1 | 180s target 0')
    expect(balances.BTC).toBe('0')
  })

  it('sells as soon as it can what it could not sell at the close', async () => {
    const { timeline, balances } = await run({}, { faults: [{ type: 'refuse', request: 2 }] })
    expect(timeline).toBe('60s target 0.9 | 180s target 0 | 240s target 0')
    expect(balances.BTC).toBe('0')
  })

  it('sells what it finds where it begins outside of the hours, and keeps it within them', async () => {
    const held = { balances: { USD: '1000', BTC: '1' } }
    expect((await run({ opens: '10:00', closes: '20:00' }, held)).balances).toMatchObject({ BTC: '0' })
    expect((await run({ opens: '20:00', closes: '10:00' }, held)).balances).toMatchObject({ BTC: '1' })
    expect((await run({ opens: '00:00', closes: '10:00' }, held)).balances.BTC).not.toBe('0')
  })

  it('follows the summer time of its zone, and is flat at night: it came to New York on 2024-03-10', async () => {
    const [friday, quarter] = [Date.parse('2024-03-08T00:00:00Z'), 900_000]
    const trades = Array.from({ length: 4 * 96 }, (_, at) => ({ time: friday + at * quarter, price: '100' }))
    const { intents, balances } = await testStrategy(openingHours, { params: {}, trades, ...IDEAL })
    expect(intents.map(({ at, text }) => `${new Date(friday + at).toISOString()} ${text}`)).toEqual([
      '2024-03-08T14:30:00.000Z target 0.9',
      '2024-03-08T21:00:00.000Z target 0',
      '2024-03-11T13:30:00.000Z target 0.9',
      '2024-03-11T20:00:00.000Z target 0',
    ])
    expect(balances.BTC).toBe('0')
  })

  it('stays out at weekends unless it is set otherwise: 2024-01-06 is a Saturday', async () => {
    const saturday = { trades: `100 5d ${trades}` }
    expect((await run({}, saturday)).timeline).not.toContain('432060s')
    expect((await run({ weekends: true }, saturday)).timeline).toContain('432060s target 0.9')
  })

  it('knows the times of its zone', async () => {
    // 01:01 in Berlin is 00:01 UTC in winter.
    expect((await run({ opens: '01:01', closes: '01:03', zone: 'Europe/Berlin' })).timeline).toBe(
      '60s target 0.9 | 180s target 0',
    )
  })
})

describe('pairs', () => {
  const params = { symbol: 'BTC_USD', other: 'ETH_USD', interval: '1m', length: 3, enter: 1.2, leave: 0.5 } as const
  const ETH = '10 10 10 10 10 10 10 10 10 10 10 10'

  it('holds what is cheap against the other, and nothing in between', async () => {
    const candles = { BTC_USD: '100 101 100 90 95 100 100 101 110 105 104 104', ETH_USD: ETH }
    const test = await testStrategy(pairs, { params, candles, ...IDEAL })
    expect(test.timeline.split(' | ').map((each) => each.replace(/^\d+s rebalance /, ''))).toEqual([
      ...['BTC 0.9, ETH 0', 'BTC 0, ETH 0', 'BTC 0, ETH 0.9', 'BTC 0, ETH 0'],
    ])
    expect(test.fills.map(({ side, symbol }) => `${side} ${symbol}`)).toEqual([
      ...['BUY BTC_USD', 'SELL BTC_USD', 'BUY ETH_USD', 'SELL ETH_USD'],
    ])
    expect(test.plots.every(([, name]) => name === 'distance')).toBe(true)
  })

  it('passes over an interval in which one of the two was not traded', async () => {
    const holed = { BTC_USD: '100 100 100 50 100 100 100', ETH_USD: '10 10 10 - 10 10 10' }
    const { fills, plots } = await testStrategy(pairs, { params, candles: holed, ...IDEAL })
    expect(fills).toEqual([])
    expect(plots.map(([, , value]) => value)).toEqual(['0', '0', '0', '0'])
  })

  it('needs two markets', () => {
    expect(pairs.params.safeParse({ symbol: 'A_USD', other: 'A_USD' }).success).toBe(false)
  })
})
