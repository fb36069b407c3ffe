/**
 * Backtests whose strategy sees the market from before their beginning.
 */
import { join } from 'node:path'
import { map, mergeMap, tap } from 'rxjs'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { backtest, verify, type BacktestOptions } from '../../src/run.ts'
import { buyMarket } from '../../src/strategy/orders.ts'
import { defineStrategy, type Strategy } from '../../src/strategy/strategy.ts'
import type { Warmup } from '../../src/strategy/warmup.ts'
import { strategySource } from '../cli/rig/sample-files.ts'
import { temporaryFiles } from '../store/rig/temporary-files.ts'

const { folder, write } = temporaryFiles()
const START = 1_700_000_000_000
const FROM = START + 60_000

const rows = (count: number, stepMs = 1_000): string =>
  Array.from({ length: count }, (_, row) => `${START + row * stepMs},${100 + (row % 3)},1`).join('\n')

let tape = ''
let candles = ''
beforeAll(() => {
  tape = write(`time,price,qty\n${rows(120)}\n`, 'trades.csv')
  const lines = Array.from({ length: 12 }, (_, row) => `${START + row * 10_000},100,${102 + row},99,101,5`)
  candles = write(`time,open,high,low,close,volume\n${lines.join('\n')}\n`, 'candles.csv')
})

/** Buys at every candle, and says what it sees. */
const eager = (warmup?: Warmup): Strategy =>
  defineStrategy({
    name: 'eager',
    params: z.object({ symbol: z.string() }),
    ...(warmup !== undefined && { warmup }),
    run: ({ params: { symbol }, candles: candlesOf, log }) =>
      candlesOf(symbol, '10s').pipe(
        tap(({ time }) => log(`saw ${(time - START) / 1_000}`)),
        map(() => buyMarket(symbol, '1')),
      ),
  })

async function run(options: Partial<BacktestOptions>) {
  const logs: string[] = []
  const given = { strategy: eager(), tapes: { A_USD: tape }, liquidity: 'ideal', from: FROM, limits: false, ...options }
  const result = await backtest({
    ...given,
    onLog: (time: number, text: string) => logs.push(`${(time - START) / 1_000} ${text}`),
  })
  return { ...result, logs, sentAt: result.orders.map(({ createdAt }) => (createdAt - START) / 1_000) }
}

describe('a warm-up', () => {
  it.each(['trades', 'candles'])(
    'on a tape of %s shows the past and sends nothing before the beginning',
    async (kind) => {
      const { logs, orders, equity, report } = await run({
        tapes: { A_USD: kind === 'trades' ? tape : candles },
        liquidity: kind === 'trades' ? 'ideal' : 'tape',
        warmup: '30s',
        latency: { orderMs: 0 },
      })
      expect(logs.filter((text) => text.includes('saw')).slice(0, 3)).toEqual(['40 saw 30', '50 saw 40', '60 saw 50'])
      expect(logs).toContain('60 warm-up: 2 orders before 2023-11-14T22:14:20.000Z were not sent')
      // The candle that closes at the beginning is answered.
      const sent = logs.filter((text) => text.includes('saw')).length - 2
      // The tape of candles has no open any more for the last one.
      expect(orders.length).toBe(kind === 'trades' ? sent : sent - 1)
      expect(orders.every(({ createdAt }) => createdAt >= FROM)).toBe(true)
      expect(equity.every(({ time }) => time >= FROM)).toBe(true)
      expect(report.failure).toBeNull()
    },
  )

  it('changes nothing of what a strategy that does not look at it comes to', async () => {
    const quiet = defineStrategy({
      name: 'quiet',
      params: z.object({ symbol: z.string() }),
      run: ({ params: { symbol }, trades, now }) =>
        trades(symbol).pipe(
          mergeMap(({ createdAt }) => (createdAt >= FROM && now() % 5_000 === 0 ? [buyMarket(symbol, '1')] : [])),
        ),
    }) as unknown as Strategy
    const credits = { USD: '1000', A: '3' }
    const risk = { drawdownPercent: '50', dayLoss: '500' }
    const [cold, warm] = await Promise.all(
      [undefined, '1m'].map((warmup) => run({ strategy: quiet, warmup, credits, risk })),
    )
    expect(
      warm?.orders.map(({ price, averagePrice, createdAt, status }) => [price, averagePrice, createdAt, status]),
    ).toEqual(
      cold?.orders.map(({ price, averagePrice, createdAt, status }) => [price, averagePrice, createdAt, status]),
    )
    expect(warm?.equity).toEqual(cold?.equity)
    expect(warm?.statistics).toEqual(cold?.statistics)
    expect(warm?.orders.length).toBeGreaterThan(5)
  })

  it('is as long as the strategy says, from whole candles on, and the term comes before', async () => {
    const seen = async (options: Partial<BacktestOptions>) =>
      (await run(options)).logs.find((text) => text.includes('saw'))
    expect(await seen({ strategy: eager({ '10s': 2 }), from: FROM + 3_000 })).toBe('50 saw 40')
    expect(await seen({ strategy: eager({ '10s': 2, '1s': 40 }) })).toBe('30 saw 20')
    expect(await seen({ strategy: eager({ '10s': 2 }), warmup: '10s' })).toBe('60 saw 50')
  })

  it('that the tape does not have is reported, and so is an order before it is over', async () => {
    const { logs } = await run({ strategy: eager({ '10s': 7 }) })
    expect(logs.filter((text) => !text.includes('saw'))).toEqual([
      '60 the strategy orders after only 6 of the 7 candles of 10s that its warmup requests',
      '60 warm-up: 5 orders before 2023-11-14T22:14:20.000Z were not sent',
    ])
    const cold = await run({ strategy: eager({ '10s': 3 }), from: START })
    expect(cold.logs.filter((text) => !text.includes('saw'))).toEqual([
      '10 the strategy orders after only 1 of the 3 candles of 10s that its warmup requests',
    ])
  })

  it.each<[Partial<BacktestOptions>, RegExp]>([
    [{ warmup: '1m', from: undefined }, /^InputError: warmup: needs from: it is the data before that time$/],
    [
      { warmup: 'a month' },
      /^InputError: warmup: expected a length such as 12h, 30d or 4w, up to 366d, got 'a month'$/,
    ],
    [{ strategy: eager({ '10s': 0 }) }, /warmup.10s: expected a number of candles, 1 to 1000000, got 0/],
    [{ strategy: eager({ '10x': 1 } as unknown as Warmup) }, /no candles of '10x'/],
  ])('%o is refused', async (options, message) => {
    await expect(run(options).catch((error: unknown) => String(error))).resolves.toMatch(message)
  })

  it('is verified to the byte', async () => {
    const source = strategySource({
      name: 'eager',
      run: "return candles(params.symbol, '20s', { empty: 'fill' }).pipe(map(() => buyMarket(params.symbol, '1')))",
    })
    const strategy = write(source, 'eager.js')
    const out = join(folder, 'run')
    const { report } = await backtest({
      strategy,
      tapes: { A_USD: tape },
      from: FROM,
      warmup: '50s',
      out,
    })
    expect(report.orders).toBeGreaterThan(1)
    expect(await verify(out)).toMatchObject({ difference: undefined, strangers: [] })
  })
})
