/**
 * Backtests on tapes of candles, through everything between a strategy and the tape.
 */
import { concatMap, ignoreElements, map, merge, take, tap, timer, type Observable } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { InputError } from '../../../src/domain/errors.ts'
import type { StrategyContext } from '../../../src/strategy/context.ts'
import type { Intent } from '../../../src/strategy/intent.ts'
import { restrictTape } from '../../../src/tape/window.ts'
import { buyLimit, buyMarket, cancelAll, sellLimit, sellMarket } from '../../../src/strategy/orders.ts'
import { memoryCandles, type CandleRow } from '../../simulation/rig/memory-candles.ts'
import { memoryTape } from '../../simulation/rig/memory-tape.ts'
import { runStrategy, type TestRun, type TestRunOptions } from '../rig/run-strategy.ts'
import { at, type Acts } from '../rig/scripted-orders.ts'

const BTC = 'BTC_USD'
const ETH = 'ETH_USD'
const MINUTE = 60_000

/** Minutes of a market that opens at 100 and closes at 104, its range 20 and its volume ten thousand lots. */
const minutes = (...numbers: readonly number[]): readonly CandleRow[] =>
  numbers.map((minute) => [minute * MINUTE, 100, 110, 90, 104, 10_000])

type Context = StrategyContext<unknown>

const play = (
  run: (context: Context) => Observable<Intent | readonly Intent[]>,
  options: Partial<TestRunOptions>,
): Promise<TestRun> =>
  runStrategy(
    { run },
    {
      tapes: [memoryCandles(minutes(0, 1, 2, 3))],
      ...options,
      settings: {
        liquidity: 'tape',
        spread: '2',
        limits: null,
        credit: { USD: '10000', BTC: '100' },
        ...options.settings,
      },
    },
  )

const playActs = (acts: Acts, options: Partial<TestRunOptions> = {}): Promise<TestRun> => play(() => at(acts), options)

/** Time in seconds, price, lots, and whether as maker. */
const fillsOf = ({ fills }: TestRun): readonly string[] =>
  fills.map((fill) => {
    const { createdAt, symbol, side, qty, price, isMaker } = fill
    return `${createdAt / 1_000} ${symbol} ${side} ${qty.toFixed()} at ${price.toFixed()} ${isMaker ? 'maker' : 'taker'}`
  })

describe('market data that a tape of candles does not report', () => {
  it.each<[string, (context: Context) => Observable<unknown>, Partial<{ isAligned: boolean }>]>([
    [`trades('BTC_USD')`, ({ trades }) => trades(BTC), {}],
    [`candles('BTC_USD', '30s')`, ({ candles }) => candles(BTC, '30s'), {}],
    [`candles('BTC_USD', '90s')`, ({ candles }) => candles(BTC, '90s'), { isAligned: false }],
  ])('%s is refused at the start, by name', async (name, ask, info) => {
    const run = play((context) => ask(context).pipe(ignoreElements()), {
      tapes: [memoryCandles(minutes(0, 1), info)],
    })
    await expect(run).rejects.toThrow(InputError)
    await expect(run).rejects.toThrow(name)
  })

  it('coarser candles are there when those of the tape begin on the minute', async () => {
    const { logs, result } = await play(
      ({ candles, log, now }) =>
        candles(BTC, '5m').pipe(
          tap(({ time, close, volume }) => log(`${now()} ${time} ${close.toFixed()} ${volume.toFixed()}`)),
          ignoreElements(),
        ),
      { tapes: [memoryCandles(minutes(0, 1, 3, 4, 5, 6, 12, 15), { blockRows: 3 })] },
    )
    expect(result.failure).toBeUndefined()
    expect(logs.map(([, text]) => text)).toEqual([
      '300000 0 104 40000',
      '600000 300000 104 20000',
      '900000 600000 104 10000',
    ])
  })
})

describe('tapes of one market', () => {
  it('of candles and of trades are refused', async () => {
    const tapes = [memoryCandles(minutes(0), { file: 'a.csv' }), memoryTape([[0, 100, 1]], { file: 'b.csv' })]
    await expect(playActs([], { tapes })).rejects.toThrow(/BTC_USD has candles in a\.csv and trades in b\.csv/)
  })

  it('of candles of two lengths are refused', async () => {
    const long = memoryCandles([[600_000, 100, 110, 90, 104, 1]], { file: 'b.csv', intervalMs: 300_000 })
    await expect(playActs([], { tapes: [memoryCandles(minutes(0)), long] })).rejects.toThrow(InputError)
  })

  it('of candles one after the other are one market', async () => {
    const acts: Acts = [[MINUTE + 1, buyMarket(BTC, 1)]]
    const parts = [memoryCandles(minutes(0, 1)), memoryCandles(minutes(2, 3), { file: 'more' })]
    const [whole, inParts] = [await playActs(acts), await playActs(acts, { tapes: parts })]
    expect(inParts.lines.slice(1)).toEqual(whole.lines.slice(1))
    expect(fillsOf(inParts)).toEqual(['120 BTC_USD BUY 1 at 101 taker'])
  })

  it('of candles that overlap are refused where the second of them is wrong', async () => {
    const tapes = [memoryCandles(minutes(0, 1, 2)), memoryCandles(minutes(2, 3), { file: 'over.csv' })]
    const run = playActs([], { tapes })
    await expect(run).rejects.toThrow(InputError)
    await expect(run).rejects.toThrow(
      /over\.csv.*expected a candle from 1970-01-01T00:03:00\.000Z on.*got one at 1970-01-01T00:02:00\.000Z/,
    )
  })
})

it('a market of trades beside one of candles is played as it is, each in its own way', async () => {
  const trades = memoryTape(
    [
      [0, 70, 500],
      [MINUTE, 71, 500],
      [2 * MINUTE + 50, 73, 500, 'buy'],
      [2 * MINUTE + 51, 75, 500],
    ],
    { symbol: ETH },
  )
  const run = await playActs(
    [
      [2 * MINUTE, buyMarket(ETH, 1)],
      [2 * MINUTE, buyMarket(BTC, 1)],
    ],
    { tapes: [memoryCandles(minutes(0, 1, 2)), trades], settings: { liquidity: 'ideal' } },
  )
  expect(fillsOf(run)).toEqual(['120 BTC_USD BUY 1 at 100 taker', '120.05 ETH_USD BUY 1 at 73 taker'])
})

describe('a window', () => {
  const window = (from: number, to: number): Partial<TestRunOptions> => ({
    tapes: [restrictTape(memoryCandles(minutes(0, 1, 2, 3)), { from, to })],
    settings: { from, to },
  })
  const watch = ({ candles, log }: Context): Observable<never> =>
    candles(BTC, '1m').pipe(
      tap(({ time }) => log(String(time))),
      ignoreElements(),
    )

  it('that begins or ends inside of a candle has neither of the two', async () => {
    const { logs, result } = await play(watch, window(30_000, 3 * MINUTE + 30_000))
    expect(logs.map(([, text]) => text)).toEqual(['60000', '120000'])
    expect(result.failure).toBeUndefined()
  })

  it('that ends where a candle does has it', async () => {
    const { logs } = await play(watch, window(0, 3 * MINUTE))
    expect(logs.map(([, text]) => text)).toEqual(['0', '60000', '120000'])
  })
})

describe('equity', () => {
  it('is marked at the open of a candle and at its close', async () => {
    const marks: [number, string][] = []
    const run = await play(
      ({ portfolio, now }) =>
        merge(
          at([[1, buyMarket(BTC, 1)]]),
          // Just after an open, and just after an end, as far as a strategy can know.
          timer(MINUTE + 1, MINUTE).pipe(
            tap(() => void marks.push([now(), portfolio().equity.toFixed()])),
            ignoreElements(),
          ),
        ),
      { settings: { credit: { USD: '10000' } }, tapes: [memoryCandles(minutes(0, 1, 2))] },
    )
    // Bought at 101, marked by the strategy at the close that it has seen: 104.
    expect(marks).toEqual([
      [MINUTE + 1, '10003'],
      [2 * MINUTE + 1, '10003'],
    ])
    // The record marks it at what was recorded: 100 at each open, 104 at the end of the last.
    const { samples } = run.result.figures.equity
    const recorded = new Map(samples.map(({ time, equity }) => [time, equity]))
    expect([1, 1.5, 2.5, 3].map((minute) => recorded.get(minute * MINUTE))).toEqual([9_999n, 9_999n, 9_999n, 10_003n])
  })
})

describe('a request that finds no open', () => {
  it('is refused at the end when it is an order, and is unsent when it is a cancel', async () => {
    const run = await playActs(
      [
        [1, buyLimit(BTC, 50, 1)],
        [3 * MINUTE + 1, buyMarket(BTC, 1)],
        [3 * MINUTE + 2, cancelAll()],
      ],
      {},
    )
    expect(run.journal.filter(({ type }) => type === 'refused')).toMatchObject([
      { t: 4 * MINUTE, ref: 2, code: 'NO_LIQUIDITY' },
    ])
    expect(run.result.unsent).toBe(1)
  })
})

describe('the journal of an order', () => {
  const LIFE_TYPES = new Set(['rested', 'met', 'met-own', 'left'])

  it('that rests reports what each candle was beyond its price, and what it got', async () => {
    const rows: readonly CandleRow[] = [
      ...minutes(0),
      [MINUTE, 100, 110, 96, 104, 10_000],
      [2 * MINUTE, 100, 110, 95, 104, 9_000],
      [3 * MINUTE, 100, 110, 90, 104, 800],
      [4 * MINUTE, 100, 110, 90, 104, 10_000],
    ]
    const run = await playActs([[1, buyLimit(BTC, 95, 70)]], { tapes: [memoryCandles(rows)] })
    expect(run.journal.filter(({ type }) => LIFE_TYPES.has(type))).toEqual([
      { t: MINUTE, type: 'rested', orderId: '1', crowdAhead: '0', oursAhead: '0' },
      // The candle that ends at 180 s touched its price and gave nothing.
      { t: 4 * MINUTE, type: 'met', orderId: '1', tradeId: '1', price: '90', qty: '800' },
      { t: 5 * MINUTE, type: 'met', orderId: '1', tradeId: '2', price: '90', qty: '10000' },
      {
        t: 5 * MINUTE,
        type: 'left',
        orderId: '1',
        status: 'FILLED',
        ofCandles: true,
        tradesAt: 1,
        qtyAt: '9000',
        tradesThrough: 2,
        qtyThrough: '10800',
        qtyToOurs: '0',
        gaps: 0,
      },
    ])
    expect(fillsOf(run)).toEqual(['240 BTC_USD BUY 50 at 95 maker', '300 BTC_USD BUY 20 at 95 maker'])
  })
})

describe('money', () => {
  it('is all there after takes and fills in bodies with fees on both', async () => {
    const run = await playActs(
      [
        [1, buyMarket(BTC, 7)],
        [MINUTE + 1, buyLimit(BTC, 95, 900)],
        [MINUTE + 2, sellLimit(BTC, 108, 40)],
        [2 * MINUTE + 1, sellMarket(BTC, 3)],
      ],
      { settings: { makerFeeBps: '10', takerFeeBps: '25', credit: { USD: '100000', BTC: '100' } } },
    )
    expect(run.result.failure).toBeUndefined()
    expect(fillsOf(run)).toEqual([
      // Levels of 1, 3 and 5 lots at 101: R is 20, and the third is floor(40 / 200) behind.
      ...['60 BTC_USD BUY 1 at 101 taker', '60 BTC_USD BUY 3 at 101 taker', '60 BTC_USD BUY 3 at 101 taker'],
      // 10000 x 5 / 80 of them came by; of 2 / 80 at 108.
      ...['180 BTC_USD BUY 625 at 95 maker', '180 BTC_USD SELL 40 at 108 maker'],
      ...['180 BTC_USD SELL 1 at 99 taker', '180 BTC_USD SELL 2 at 99 taker'],
      '240 BTC_USD BUY 275 at 95 maker',
    ])
    for (const line of run.result.exchange.audit()) expect(line.credited).toBe(line.held + line.fees)
  })
})

it('the same run twice is the same journal, of whatever blocks', async () => {
  const trade = ({ candles, random }: Context): Observable<Intent> =>
    candles(BTC, '1m').pipe(
      take(40),
      concatMap(() => [random() < 0.5 ? buyLimit(BTC, 95, 3) : sellLimit(BTC, 105, 3), buyMarket(BTC, 1)]),
      map((intent) => intent),
    )
  const rows = minutes(...Array.from({ length: 50 }, (_, minute) => minute + Math.floor(minute / 9)))
  const runs = []
  for (const blockRows of [1, 7, 100]) runs.push(await play(trade, { tapes: [memoryCandles(rows, { blockRows })] }))
  expect(new Set(runs.map(({ result }) => result.digest)).size).toBe(1)
  expect(runs[0]?.fills.length).toBeGreaterThan(50)
})
