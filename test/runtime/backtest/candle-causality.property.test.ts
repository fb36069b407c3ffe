/**
 * Candles show nothing of what is inside of them: what a strategy is reported, and what becomes of its orders, before a
 * moment is the same whatever the candles that have not ended then come to, beside the opens that were played.
 */
import fc from 'fast-check'
import * as rx from 'rxjs'
import { expect, it } from 'vitest'
import type { StrategyContext } from '../../../src/strategy/context.ts'
import type { Intent } from '../../../src/strategy/intent.ts'
import type { IntentStream } from '../../../src/strategy/strategy.ts'
import { memoryCandles, type CandleRow } from '../../simulation/rig/memory-candles.ts'
import { memoryTape, type RecordedRow } from '../../simulation/rig/memory-tape.ts'
import { runStrategy, type TestRun } from '../rig/run-strategy.ts'

const MINUTE = 60_000
const SYMBOLS = ['BTC_USD', 'ETH_USD', 'XRP_USD']
const [BTC = '', ETH = '', XRP = ''] = SYMBOLS

/** Everything that an object of the market says: its figures are made when they are asked for. */
const figuresOf = (data: object): unknown => {
  const names = Object.getOwnPropertyNames(Object.getPrototypeOf(data)).filter((name) => name !== 'constructor')
  return [data, ...names.map((name) => [name, (data as Readonly<Record<string, unknown>>)[name]])]
}

/** Reads everything whenever it is called, and trades a lot. */
const spy = (context: StrategyContext<unknown>): IntentStream => {
  const { random, now, log, openOrders } = context
  const note = (kind: string, what: unknown): void => {
    const { equity } = context.portfolio()
    const held = ['USD', 'BTC', 'ETH', 'XRP'].map((asset) => JSON.stringify(context.balance(asset)))
    log(`${now()} ${kind} ${JSON.stringify(what)} ${equity.toFixed()} ${held.join()} ${JSON.stringify(openOrders())}`)
  }
  const intents = (symbol: string, price: number): readonly Intent[] => {
    const [newest] = openOrders(symbol)
    const limit = Math.max(1, price + Math.floor(random() * 5) - 2)
    if (random() < 0.25) return [random() < 0.5 ? context.buyMarket(symbol, 2) : context.sellMarket(symbol, 2)]
    if (newest !== undefined && random() < 0.3) return [context.cancel(newest)]
    return [random() < 0.5 ? context.buyLimit(symbol, limit, 2) : context.sellLimit(symbol, limit, 2)]
  }
  const { outcomes$, fills$, orders$, balances$ } = context
  const own = { outcomes$, fills$, orders$, balances$ }
  for (const [kind, stream] of Object.entries<rx.Observable<unknown>>(own)) stream.subscribe((each) => note(kind, each))
  const noted = <Each extends object | number>(kind: string): rx.MonoTypeOperatorFunction<Each> =>
    rx.tap((each) => note(kind, typeof each === 'number' ? each : figuresOf(each)))
  // Fills of a market of trades would answer themselves without end.
  const own$ = fills$.pipe(
    rx.filter(({ symbol }) => symbol !== XRP),
    rx.map(({ symbol, price }) => intents(symbol, price.toNumber())),
  )
  return rx.merge(
    context.candles(BTC, '1m').pipe(
      noted('candle'),
      rx.map(({ closeNumber }) => [...intents(BTC, closeNumber), ...intents(ETH, closeNumber)]),
    ),
    context.candles(ETH, '5m').pipe(
      noted('candle'),
      rx.map(({ low }) => context.buyLimit(ETH, low, 1)),
    ),
    ...[BTC, ETH, XRP].map((symbol) => context.tickers(symbol).pipe(noted('ticker'), rx.ignoreElements())),
    context.trades(XRP).pipe(
      noted('trade'),
      rx.map(({ priceNumber }) => intents(XRP, priceNumber)),
    ),
    rx.interval(47_000).pipe(
      noted('timer'),
      rx.map(() => intents(BTC, 10)),
    ),
    own$,
  )
}

interface Tapes {
  readonly btc: readonly CandleRow[]
  /** Candles of five minutes. */
  readonly eth: readonly CandleRow[]
  readonly xrp: readonly RecordedRow[]
}

const price = (): fc.Arbitrary<number> => fc.integer({ min: 8, max: 13 })

const candleRows = (intervalMs: number, maxLength: number): fc.Arbitrary<readonly CandleRow[]> =>
  fc
    .array(
      fc.record({
        hole: fc.constantFrom(0, 0, 0, 1, 2),
        prices: fc.tuple(price(), price(), price(), price()),
        volume: fc.constantFrom(3, 40, 20_000),
      }),
      { minLength: 2, maxLength, size: 'max' },
    )
    .map((draws) => {
      let time = -intervalMs
      return draws.map(({ hole, prices, volume }): CandleRow => {
        time += intervalMs * (1 + hole)
        return [time, prices[0], Math.max(...prices), Math.min(...prices), prices[1], volume]
      })
    })

const tapes = (): fc.Arbitrary<Tapes> =>
  fc.record({
    btc: candleRows(MINUTE, 10),
    eth: candleRows(5 * MINUTE, 3),
    xrp: fc
      .array(fc.tuple(fc.constantFrom(0, 1, 7_000, 30_000, MINUTE), price(), fc.integer({ min: 1, max: 5 })), {
        minLength: 1,
        maxLength: 8,
        size: 'max',
      })
      .map((steps) => {
        let time = 0
        return steps.map(([step, ticks, qty]): RecordedRow => [(time += step), ticks, qty])
      }),
  })

/** What was played before `cut`, with other bodies of the candles that run then; and then other rows. */
function otherwise(all: Tapes, others: Tapes, cut: number): Tapes {
  const candles = (name: 'btc' | 'eth', intervalMs: number): readonly CandleRow[] => {
    const lies = others[name]
    const known = all[name].filter(([time]) => time < cut)
    const kept = known.map((row, index): CandleRow => {
      const [time, open] = row
      if (time + intervalMs <= cut) return row
      const [, , high, low, close, volume] = lies[index % lies.length] ?? row
      return [time, open, Math.max(open, high), Math.min(open, low), close, volume]
    })
    const next = Math.max(Math.ceil(cut / intervalMs) * intervalMs, (known.at(-1)?.[0] ?? 0) + intervalMs)
    return [...kept, ...lies.map(([time, ...rest]): CandleRow => [next + time, ...rest])]
  }
  const xrp = [
    ...all.xrp.filter(([time]) => time < cut),
    ...others.xrp.map(([time, ticks, qty]): RecordedRow => [cut + 1 + time, 21 - ticks, qty]),
  ]
  return { btc: candles('btc', MINUTE), eth: candles('eth', 5 * MINUTE), xrp }
}

const cutAt = (all: Tapes, cut: number): Tapes => ({
  btc: all.btc.filter(([time]) => time < cut),
  eth: all.eth.filter(([time]) => time < cut),
  xrp: all.xrp.filter(([time]) => time < cut),
})

const play = ({ btc, eth, xrp }: Tapes, settings: object): Promise<TestRun> =>
  runStrategy(
    { run: spy },
    {
      tapes: [
        memoryCandles(btc),
        memoryCandles(eth, { symbol: ETH, intervalMs: 5 * MINUTE, blockRows: 2 }),
        memoryTape(xrp, { symbol: XRP }),
      ],
      settings: {
        liquidity: 'tape',
        limits: null,
        from: 0,
        takerFeeBps: '10',
        makerFeeBps: '5',
        credit: { USD: '2000', BTC: '30', ETH: '30', XRP: '30' },
        ...settings,
      },
    },
  )

/** Kinds that are reported before the market opens. */
const BEFORE_OPENS = /^[0-9]+ (candle|ticker|trade) /

/** Up to a moment that both of them reach. */
function expectSame(runs: readonly TestRun[], cut: number): void {
  const end = Math.min(cut, ...runs.map(({ result }) => result.prepared.to))
  const [one, other] = runs.map(({ result, journal, lines, logs }) => {
    expect(result.failure).toBeUndefined()
    return [lines.filter((_, index) => (journal[index]?.t ?? 0) < end), logs.filter(([time]) => time < end)]
  })
  expect(other).toEqual(one)
}

const candlesAt = ({ logs }: TestRun, cut: number): readonly string[] =>
  logs
    .filter(([time, text]) => time === cut && BEFORE_OPENS.test(text) && text.includes('"closeNumber"'))
    .map(([, text]) => text)

it('nothing that happens before a moment depends on what candles are after their open, nor on what comes later', async () => {
  const reached = { fill: 0, refused: 0, lies: 0, 'at an end': 0 }
  await fc.assert(
    fc.asyncProperty(
      tapes(),
      tapes(),
      fc.record({ row: fc.nat(), ms: fc.constantFrom(1, 30_000, 59_999, MINUTE, MINUTE) }),
      fc.record({
        liquidity: fc.constantFrom('tape', 'tape', 'touch', 'through', 'ideal'),
        orderLatencyMs: fc.constantFrom(0, 50, MINUTE, 90_000),
        responseLatencyMs: fc.constantFrom(0, 30, 70_000),
        feedLatencyMs: fc.constantFrom(0, 20, 61_000),
        spread: fc.constantFrom(null, '2'),
      }),
      async (all, others, { row, ms }, settings) => {
        const cut = (all.btc[row % all.btc.length]?.[0] ?? 0) + ms
        const reported = await play(all, settings)
        const lied = await play(otherwise(all, others, cut), settings)
        expectSame([reported, lied], cut)
        const kept = cutAt(all, cut)
        if (kept.eth.length > 0 && kept.xrp.length > 0) expectSame([reported, await play(kept, settings)], cut)
        // A candle that ends at the very moment is whole in each of them.
        if (reported.result.prepared.to >= cut && settings.feedLatencyMs === 0) {
          expect(candlesAt(lied, cut)).toEqual(candlesAt(reported, cut))
        }
        if (candlesAt(reported, cut).length > 0) reached['at an end'] += 1
        for (const { type, t } of reported.journal)
          if (t < cut && (type === 'fill' || type === 'refused')) reached[type] += 1
        if (all.btc.some(([time]) => time < cut && time + MINUTE > cut)) reached.lies += 1
      },
    ),
    { numRuns: 8 },
  )
  for (const [corner, times] of Object.entries(reached)) expect(times, corner).toBeGreaterThan(0)
})
