/**
 * `candles` of a context: what it takes, and what it refuses by name.
 */
import { concatMap, ignoreElements, tap, timer, type Observable } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { openTimeOf, lengthMsOf } from '../../../../src/domain/candle-length.ts'
import { InputError } from '../../../../src/domain/errors.ts'
import type { StrategyContext } from '../../../../src/strategy/context.ts'
import type { MarketCandle } from '../../../../src/strategy/market-data.ts'
import { memoryCandles, type CandleRow } from '../../../simulation/rig/memory-candles.ts'
import { memoryTape } from '../../../simulation/rig/memory-tape.ts'
import { runStrategy } from '../../rig/run-strategy.ts'

const BTC = 'BTC_USD'
const MINUTE = 60_000
const HOUR = 3_600_000
const DAY = 86_400_000

type Context = StrategyContext<unknown>
type Asked = (context: Context) => Observable<MarketCandle>

async function reported(ask: Asked, options: Parameters<typeof runStrategy>[1]): Promise<readonly string[]> {
  const { logs, result } = await runStrategy(
    {
      run: (context) =>
        ask(context).pipe(
          tap(({ time, open, close, volume }) => {
            context.log(`${time} ${open.toFixed()} ${close.toFixed()} ${volume.toFixed()}`)
          }),
          ignoreElements(),
        ),
    },
    options,
  )
  expect(result.failure).toBeUndefined()
  return logs.map(([time, text]) => `${time}: ${text}`)
}

const candleRows = (stepMs: number, ...opens: readonly number[]): readonly CandleRow[] =>
  opens.map((index) => [index * stepMs, 100 + index, 110 + index, 90, 101 + index, 10])

describe('lengths', () => {
  it.each(['0m', '-5m', '1.5h', '0M', '13M', '5', 'm', '01m', '7 m', '367d', '99999999w', '', '1e3s', 'daily'])(
    "'%s' is refused by name",
    async (length) => {
      const run = reported(({ candles }) => candles(BTC, length as '1m'), { tapes: [memoryTape([[0, 1, 1]])] })
      await expect(run).rejects.toThrow(InputError)
      await expect(run).rejects.toThrow(`no candles of '${length}'`)
    },
  )

  it.each`
    length   | time                          | opens                         | why
    ${'1w'}  | ${'2024-02-29T12:00:00.000Z'} | ${'2024-02-26T00:00:00.000Z'} | ${'a week begins on Monday'}
    ${'7d'}  | ${'2024-02-26T00:00:00.000Z'} | ${'2024-02-26T00:00:00.000Z'} | ${'seven days are a week'}
    ${'2w'}  | ${'1970-01-06T00:00:00.000Z'} | ${'1970-01-05T00:00:00.000Z'} | ${'two weeks count from the first Monday'}
    ${'1w'}  | ${'1970-01-01T00:00:00.000Z'} | ${'1969-12-29T00:00:00.000Z'} | ${'also before it'}
    ${'3d'}  | ${'1970-01-05T00:00:00.000Z'} | ${'1970-01-04T00:00:00.000Z'} | ${'three days count from the epoch'}
    ${'45m'} | ${'1970-01-01T02:20:00.000Z'} | ${'1970-01-01T02:15:00.000Z'} | ${'so do minutes'}
  `('$length of $time begins at $opens: $why', ({ length, time, opens }) => {
    const text = new Date(openTimeOf(Date.parse(time as string), lengthMsOf(length as string))).toISOString()
    expect(text).toBe(opens)
  })
})

describe('on a tape of candles', () => {
  it('a multiple of its own candles is made of them, and one over a hole is reported at its boundary', async () => {
    const tapes = [memoryCandles(candleRows(MINUTE, 0, 1, 3, 7))]
    expect(await reported(({ candles }) => candles(BTC, '3m'), { tapes, settings: { to: 12 * MINUTE } })).toEqual([
      '180000: 0 100 102 20',
      '360000: 180000 103 104 10',
      '540000: 360000 107 108 10',
    ])
  })

  it('it may have candles of a length that is not listed', async () => {
    const tapes = [memoryCandles(candleRows(3 * MINUTE, 0, 1, 2, 3), { intervalMs: 3 * MINUTE })]
    const settings = { to: HOUR }
    expect(await reported(({ candles }) => candles(BTC, '3m'), { tapes, settings })).toHaveLength(4)
    expect(await reported(({ candles }) => candles(BTC, '180s'), { tapes, settings })).toHaveLength(4)
    expect(await reported(({ candles }) => candles(BTC, '6m'), { tapes, settings })).toEqual([
      '360000: 0 100 102 20',
      '720000: 360000 102 104 20',
    ])
  })

  it.each`
    asked    | intervalMs    | offset   | what
    ${'30s'} | ${MINUTE}     | ${0}     | ${/^candles\('BTC_USD', '30s'\): its tape has candles of 1m; ask for 1m, 5m.* or a multiple$/}
    ${'90s'} | ${MINUTE}     | ${0}     | ${/candles of 1m; ask for/}
    ${'10m'} | ${3 * MINUTE} | ${0}     | ${/candles of 3m; ask for 3m, 15m/}
    ${'90s'} | ${MINUTE}     | ${7_000} | ${/candles of 1m; ask for 1m, or a multiple$/}
    ${'1M'}  | ${7 * DAY}    | ${0}     | ${/candles of 1w/}
  `(
    '$asked of candles of $intervalMs ms from $offset is refused: $what',
    async ({ asked, intervalMs, offset, what }) => {
      const rows = candleRows(intervalMs as number, 0, 1).map((row): CandleRow => [
        row[0] + (offset as number),
        row[1],
        row[2],
        row[3],
        row[4],
        row[5],
      ])
      const tapes = [memoryCandles(rows, { intervalMs: intervalMs as number })]
      await expect(reported(({ candles }) => candles(BTC, asked as '1m'), { tapes })).rejects.toThrow(what as RegExp)
    },
  )

  it('an interval without a row is filled, and the candle of the row stays as it is', async () => {
    const tapes = [memoryCandles(candleRows(MINUTE, 1, 3))]
    const filled = await reported(({ candles }) => candles(BTC, '1m', { empty: 'fill' }), {
      tapes,
      settings: { to: 6 * MINUTE },
    })
    expect(filled).toEqual([
      '120000: 60000 101 102 10',
      '180000: 120000 102 102 0',
      '240000: 180000 103 104 10',
      '300000: 240000 104 104 0',
      '360000: 300000 104 104 0',
    ])
  })
})

describe('a multiple that is asked for in the middle of its interval', () => {
  it('begins with the next one', async () => {
    const tapes = [
      memoryTape([
        [0, 100, 1],
        [1_000, 101, 1],
        [3_500, 102, 1],
        [6_500, 103, 1],
      ]),
    ]
    const asked: Asked = ({ candles }) => timer(3_200).pipe(concatMap(() => candles(BTC, '3s')))
    expect(await reported(asked, { tapes, settings: { to: 10_000 } })).toEqual(['9000: 6000 103 103 1'])
  })
})

describe('several markets', () => {
  it.each<[string, (context: Context) => Observable<unknown>]>([
    ['expected at least one symbol', ({ candles }) => candles([], '1m')],
    ["'BTC_USD' is named twice", ({ candles }) => candles([BTC, BTC], '1m')],
    ["no market 'ETH_USD'", ({ candles }) => candles([BTC, 'ETH_USD'], '1m')],
    ["no option 'fill'", ({ candles }) => candles(BTC, '1m', { fill: true } as object)],
    ["empty: expected 'omit' or 'fill', got 'flat'", ({ candles }) => candles(BTC, '1m', { empty: 'flat' as 'fill' })],
  ])('%s', async (message, ask) => {
    const run = runStrategy(
      { run: (context) => ask(context).pipe(ignoreElements()) },
      { tapes: [memoryTape([[0, 1, 1]])] },
    )
    await expect(run).rejects.toThrow(message)
  })

  it('may be of a tape of trades and of one of candles', async () => {
    const texts: string[] = []
    await runStrategy(
      {
        run: ({ candles, now }) =>
          candles([BTC, 'ETH_USD'], '2m').pipe(
            tap(({ time, candles: [btc, eth], missing }) => {
              texts.push(`${now()} ${time} ${btc?.close.toFixed()} ${eth?.close.toFixed()} ${missing.join()}`)
            }),
            ignoreElements(),
          ),
      },
      {
        tapes: [
          memoryTape([
            [0, 50, 1],
            [130_000, 51, 1],
            [250_000, 52, 1],
          ]),
          memoryCandles(candleRows(MINUTE, 0, 1, 4), { symbol: 'ETH_USD' }),
        ],
        settings: { feedLatencyMs: 20, to: 10 * MINUTE },
      },
    )
    expect(texts).toEqual(['120020 0 50 102 ', '240020 120000 51 undefined ETH_USD', '360020 240000 52 105 '])
  })
})
