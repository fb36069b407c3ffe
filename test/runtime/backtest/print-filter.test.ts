/**
 * Prints that no one could trade at, worked by hand through whole runs: what a strategy is shown, what fills, what a
 * taker pays.
 *
 * Prices move by one tick, so a print more than 5 ticks (2 + 3) from the last believed one is held.
 */
import { filter, map, merge, NEVER, take } from 'rxjs'
import { describe, expect, it } from 'vitest'
import type { StrategyContext } from '../../../src/strategy/context.ts'
import type { Intent } from '../../../src/strategy/intent.ts'
import { buyMarket, sellLimit, sellMarket } from '../../../src/strategy/orders.ts'
import type { IntentStream } from '../../../src/strategy/strategy.ts'
import { memoryTape, type RecordedRow } from '../../simulation/rig/memory-tape.ts'
import { runStrategy } from '../rig/run-strategy.ts'

const BTC = 'BTC_USD'

interface Reported {
  readonly trades: readonly string[]
  readonly tickers: readonly string[]
  readonly candles: readonly string[]
  readonly fills: readonly string[]
  readonly counts: readonly number[]
}

/** Plays rows without sides. @param intents  each sent when the trade of its time is shown */
async function play(
  rows: readonly RecordedRow[],
  intents: Readonly<Record<number, Intent>> = {},
  staleAfterMs = 600_000,
): Promise<Reported> {
  const [trades, tickers, candles]: [string[], string[], string[]] = [[], [], []]
  const run = (context: StrategyContext<unknown>): IntentStream => {
    context.trades(BTC).subscribe(({ createdAt, qty, price, believed, isOwn }) => {
      trades.push(
        `${createdAt}: ${qty.toFixed()} at ${price.toFixed()}${believed ? '' : ', not believed'}${isOwn ? ', own' : ''}`,
      )
    })
    context.tickers(BTC).subscribe(({ timestamp, lastPrice, high, low, volume }) => {
      tickers.push(
        `${timestamp}: last ${lastPrice.toFixed()}, ${low.toFixed()} to ${high.toFixed()}, ${volume.toFixed()} lots`,
      )
    })
    context.candles(BTC, '1m').subscribe(({ time, open, high, low, close, volume }) => {
      candles.push(
        `${time}: ${open.toFixed()} ${high.toFixed()} ${low.toFixed()} ${close.toFixed()}, ${volume.toFixed()} lots`,
      )
    })
    const sent = Object.entries(intents).map(([time, intent]) =>
      context.trades(BTC).pipe(
        filter(({ createdAt }) => createdAt === Number(time)),
        take(1),
        map(() => intent),
      ),
    )
    return merge(NEVER, ...sent)
  }
  const settings = { printFilter: 'auto', liquidity: 'tape', orderLatencyMs: 0, staleAfterMs } as const
  const credit = { USD: '100000', BTC: '100' }
  const { fills, result } = await runStrategy({ run }, { tapes: [memoryTape(rows)], settings: { ...settings, credit } })
  expect(result.failure).toBeUndefined()
  const { prints, doubted, late } = result.prints.get(BTC) ?? { prints: 0, doubted: 0, late: 0 }
  const reported = fills.map(({ createdAt, qty, price }) => `${createdAt}: ${qty.toFixed()} at ${price.toFixed()}`)
  return { trades, tickers, candles, fills: reported, counts: [prints, doubted, late] }
}

it('a print that the next one does not bear out is shown, counts in the volume of the ticker, and does nothing else', async () => {
  const rows: RecordedRow[] = [
    [0, 100, 5],
    [1_000, 110, 3],
    [2_000, 101, 4],
    [60_000, 101, 1],
  ]
  expect(await play(rows, { 0: sellLimit(BTC, 105, 2) })).toEqual({
    trades: ['0: 5 at 100', '1000: 3 at 110, not believed', '2000: 4 at 101', '60000: 1 at 101'],
    tickers: [
      '0: last 100, 100 to 100, 5 lots',
      '1000: last 100, 100 to 100, 8 lots',
      '2000: last 101, 100 to 101, 12 lots',
      '60000: last 101, 100 to 101, 13 lots',
    ],
    candles: ['0: 100 101 100 101, 9 lots'],
    fills: [],
    counts: [4, 1, 0],
  })
})

describe('prints that are borne out', () => {
  it('by five votes are believed at the fifth, in their order, and fill what rests then', async () => {
    const rows: RecordedRow[] = [
      [0, 100, 5],
      [10, 110, 1],
      [20, 110, 1],
      [30, 111, 1],
      // No vote of its own: its millisecond has voted.
      [30, 110, 1],
      [40, 110, 1],
      [50, 110, 1],
      [60, 110, 2],
      [60_000, 110, 1],
    ]
    // The 5 lots that were ahead of it are gone with the first trade beyond its price.
    expect(await play(rows, { 0: sellLimit(BTC, 105, 4) })).toEqual({
      trades: [
        ...['0: 5 at 100', '10: 1 at 110, not believed', '20: 1 at 110, not believed', '30: 1 at 111, not believed'],
        ...['30: 1 at 110, not believed', '40: 1 at 110, not believed', '50: 1 at 110, not believed'],
        ...['60: 1 at 105, own', '60: 1 at 105, own', '60: 1 at 105, own', '60: 1 at 105, own'],
        ...['60: 2 at 110', '60000: 1 at 110'],
      ],
      tickers: [
        '0: last 100, 100 to 100, 5 lots',
        ...[10, 20, 30, 30, 40, 50].map((time, row) => `${time}: last 100, 100 to 100, ${6 + row} lots`),
        // What was shown is not counted again; each of the six happens, and then the one that bore them out.
        ...['60: last 110, 100 to 110, 11 lots', '60: last 110, 100 to 110, 11 lots'],
        ...['60: last 111, 100 to 111, 11 lots', '60: last 110, 100 to 111, 11 lots'],
        ...['60: last 110, 100 to 111, 11 lots', '60: last 110, 100 to 111, 11 lots'],
        ...['60: last 110, 100 to 111, 13 lots', '60000: last 110, 100 to 111, 14 lots'],
      ],
      candles: ['0: 100 111 100 110, 13 lots'],
      fills: ['60: 1 at 105', '60: 1 at 105', '60: 1 at 105', '60: 1 at 105'],
      counts: [9, 6, 6],
    })
  })

  it('by one vote after a second happen then, in the candle of that moment', async () => {
    const rows: RecordedRow[] = [
      [0, 100, 5],
      [59_500, 110, 1],
      // 900 ms after the first.
      [60_400, 111, 1],
      [60_500, 110, 2],
      [120_000, 110, 1],
    ]
    expect(await play(rows)).toEqual({
      trades: [
        ...['0: 5 at 100', '59500: 1 at 110, not believed', '60400: 1 at 111, not believed'],
        ...['60500: 2 at 110', '120000: 1 at 110'],
      ],
      tickers: [
        '0: last 100, 100 to 100, 5 lots',
        '59500: last 100, 100 to 100, 6 lots',
        '60400: last 100, 100 to 100, 7 lots',
        '60500: last 110, 100 to 110, 7 lots',
        '60500: last 111, 100 to 111, 7 lots',
        '60500: last 110, 100 to 111, 9 lots',
        '120000: last 110, 100 to 111, 10 lots',
      ],
      candles: ['0: 100 100 100 100, 5 lots', '60000: 110 111 110 110, 4 lots'],
      fills: [],
      counts: [5, 2, 2],
    })
  })

  it('fill no more than they were, and the row that bore them out fills the rest', async () => {
    const rows: RecordedRow[] = [
      [0, 100, 5],
      [10, 110, 2],
      [1_010, 110, 2],
    ]
    const { fills, trades } = await play(rows, { 0: sellLimit(BTC, 105, 9) })
    expect(fills).toEqual(['1010: 2 at 105', '1010: 2 at 105'])
    // The row came to a piece of ours alone; the late one is reported a second time, as ours.
    expect(trades).toEqual(['0: 5 at 100', '10: 2 at 110, not believed', '1010: 2 at 105, own', '1010: 2 at 105, own'])
  })
})

it('a gap drops what is held: the next print, which would have borne it out, is held itself', async () => {
  const rows: RecordedRow[] = [
    [0, 100, 5],
    [500, 110, 1],
    [5_000, 110, 1],
    [5_100, 100, 1],
  ]
  const order = { 0: sellLimit(BTC, 105, 2) }
  expect(await play(rows, order, 1_000)).toMatchObject({ fills: [], counts: [4, 2, 0] })
  // Without the gap it is a vote after a second, and the market is at 110: then 100 is held.
  expect(await play(rows, order, 600_000)).toMatchObject({
    fills: ['5000: 1 at 105', '5000: 1 at 105'],
    counts: [4, 2, 1],
  })
})

describe('while a print is held, a taker gets the worse of the believed quote and the held price', () => {
  // The quote of a buy at 100: 99 to 100.
  const above: RecordedRow[] = [
    [0, 100, 8],
    [1_000, 110, 3],
    [2_000, 100, 1],
  ]
  const below: RecordedRow[] = [
    [0, 100, 8],
    [1_000, 90, 3],
    [2_000, 100, 1],
  ]
  it.each`
    rows     | at       | order                 | expected            | why
    ${above} | ${0}     | ${buyMarket(BTC, 2)}  | ${'0: 2 at 100'}    | ${'nothing is held yet'}
    ${above} | ${1_000} | ${buyMarket(BTC, 2)}  | ${'1000: 2 at 110'} | ${'the held price is worse to buy at'}
    ${above} | ${1_000} | ${sellMarket(BTC, 2)} | ${'1000: 2 at 99'}  | ${'the believed bid is worse to sell at'}
    ${above} | ${2_000} | ${buyMarket(BTC, 2)}  | ${'2000: 2 at 100'} | ${'it was dropped'}
    ${below} | ${1_000} | ${buyMarket(BTC, 2)}  | ${'1000: 2 at 100'} | ${'the believed ask is worse to buy at'}
    ${below} | ${1_000} | ${sellMarket(BTC, 2)} | ${'1000: 2 at 90'}  | ${'the held price is worse to sell at'}
  `(
    '$why',
    async ({ rows, at, order, expected }: { rows: RecordedRow[]; at: number; order: Intent; expected: string }) => {
      const { fills } = await play(rows, { [at]: order })
      expect(fills).toEqual([expected])
    },
  )
})
