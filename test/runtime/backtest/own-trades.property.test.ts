/**
 * Our own trades are not the market: whatever a strategy does, the market data of a recorded market is that of its
 * tape.
 */
import fc from 'fast-check'
import * as rx from 'rxjs'
import { expect, it } from 'vitest'
import { CANDLE_INTERVAL_NAMES } from '../../../src/domain/candle.ts'
import { ACCOUNT } from '../../../src/runtime/backtest/backtest-stage.ts'
import type { StrategyContext } from '../../../src/strategy/context.ts'
import type { Intent } from '../../../src/strategy/intent.ts'
import type { IntentStream } from '../../../src/strategy/strategy.ts'
import { memoryTape, type RecordedRow } from '../../simulation/rig/memory-tape.ts'
import { NaiveOutlierFilter } from '../../tape/rig/naive-outlier-filter.ts'
import { runStrategy, type TestRun } from '../rig/run-strategy.ts'
import { runs } from '../../property/property.ts'

/** So that no print is dropped for a gap. */
const NEVER_STALE_MS = 1_000_000_000

const SYMBOLS = ['BTC_USD', 'ETH_USD'] as const

/** Writes down all market data that is no single trade, and acts on nothing. */
function watch({ tickers, candles, log }: StrategyContext<unknown>): void {
  for (const symbol of SYMBOLS) {
    tickers(symbol).subscribe(({ lastPrice, openPrice, high, low, volume, quoteVolume, timestamp }) =>
      log(`${symbol} ${timestamp} ${[lastPrice, openPrice, high, low, volume, quoteVolume].join(' ')}`),
    )
    for (const interval of ['1s', '1m'] as const) {
      candles(symbol, interval).subscribe(({ time, open, high, low, close, volume }) =>
        log(`${symbol} ${interval} ${time} ${[open, high, low, close, volume].join(' ')}`),
      )
    }
  }
}

const idle = (context: StrategyContext<unknown>): IntentStream => {
  watch(context)
  return rx.NEVER
}

interface Seen {
  readonly symbol: string
  readonly time: number
  readonly qty: number
}

/** Trades a lot, in both markets, with itself too, and keeps what it is reported. */
function busy(
  pieces: Seen[],
  fills: { readonly taken: Seen[]; readonly made: Seen[] },
  reached: Record<string, number>,
): (context: StrategyContext<unknown>) => IntentStream {
  return (context) => {
    watch(context)
    const { trades, fills$, openOrders, random, timer } = { ...context, timer: rx.interval }
    fills$.subscribe(({ symbol, createdAt, qty, isMaker }) => {
      reached[isMaker ? 'a fill as maker' : 'a fill as taker'] = 1
      fills[isMaker ? 'made' : 'taken'].push({ symbol, time: createdAt, qty: qty.toNumber() })
    })
    for (const symbol of SYMBOLS) {
      trades(symbol).subscribe(({ createdAt, qtyNumber, isOwn, believed }) => {
        if (isOwn) reached['an own trade'] = 1
        if (!believed) reached['a print that is not believed'] = 1
        pieces.push({ symbol, time: createdAt, qty: qtyNumber })
      })
    }
    const act = (symbol: string): readonly Intent[] => {
      const [newest] = openOrders()
      const price = 95 + Math.floor(random() * 11)
      const qty = 1 + Math.floor(random() * 4)
      if (random() < 0.3) return [random() < 0.5 ? context.buyMarket(symbol, qty) : context.sellMarket(symbol, qty)]
      if (newest !== undefined && random() < 0.2) return [context.cancel(newest)]
      return random() < 0.5 ? [context.buyLimit(symbol, price, qty)] : [context.sellLimit(symbol, price, qty)]
    }
    return rx.merge(
      ...SYMBOLS.map((symbol) => trades(symbol).pipe(rx.map(() => act(symbol)))),
      timer(2_900).pipe(rx.map((count) => act(SYMBOLS[count % 2] ?? SYMBOLS[0]))),
    )
  }
}

const rows = fc
  .array(
    fc.tuple(
      fc.constantFrom(0, 0, 1, 50, 300, 999, 1_000, 9_000),
      fc.constantFrom(98, 99, 100, 101, 102, 100, 130, 130, 131),
      fc.integer({ min: 1, max: 6 }),
    ),
    { minLength: 4, maxLength: 30, size: 'max' },
  )
  .map((steps) => {
    let time = 0
    return steps.map(([step, price, qty]): RecordedRow => [(time += step), price, qty])
  })

const latency = fc.record({
  orderLatencyMs: fc.constantFrom(0, 50, 400),
  responseLatencyMs: fc.constantFrom(0, 30),
  feedLatencyMs: fc.constantFrom(0, 20),
})

/** All that can be read of the markets in the end. */
function statisticsOf({ result: { exchange, figures } }: TestRun, now: number) {
  return {
    tickers: SYMBOLS.map((symbol) => exchange.ticker(symbol, now)),
    candles: SYMBOLS.flatMap((symbol) =>
      CANDLE_INTERVAL_NAMES.map((interval) => exchange.candles(symbol, { interval, limit: 3 })),
    ),
    marks: exchange.portfolio(ACCOUNT, now).positions.map(({ asset, markPrice }) => [asset, markPrice]),
    prices: figures.equity.prices.map(({ firstPrice, lastPrice }) => [firstPrice, lastPrice]),
  }
}

const seenOf = (symbol: string, rows: readonly RecordedRow[]): readonly Seen[] =>
  rows.map(([time, , qty]) => ({ symbol, time, qty }))

/** The rows that are believed late, at the moment at which they are. */
function lateOf(symbol: string, rows: readonly RecordedRow[]): readonly Seen[] {
  const naiveFilter = new NaiveOutlierFilter<{ time: number; price: number; qty: number }>(1)
  return rows.flatMap(([time, price, qty]) => {
    const verdict = naiveFilter.judge({ time, price, qty })
    const late =
      verdict === 'borne out' ? naiveFilter.held.map((print): Seen => ({ symbol, time, qty: print.qty })) : []
    if (verdict === 'borne out') naiveFilter.drop()
    return late
  })
}

/** Lots by market and millisecond. */
function lotsOf(seen: readonly Seen[]): ReadonlyMap<string, number> {
  const lots = new Map<string, number>()
  for (const { symbol, time, qty } of seen) lots.set(`${symbol} ${time}`, (lots.get(`${symbol} ${time}`) ?? 0) + qty)
  return lots
}

it('tickers, candles and marks are, byte for byte, those of the same run without orders, and pieces add up to the row', async () => {
  const reached: Record<string, number> = {}
  await fc.assert(
    fc.asyncProperty(
      rows,
      rows,
      fc.constantFrom('tape', 'through', 'touch', 'ideal'),
      fc.constantFrom('auto' as const, 'off' as const),
      latency,
      async (btc, eth, liquidity, printFilter, waits) => {
        const tapes = [memoryTape(btc), memoryTape(eth, { symbol: 'ETH_USD' })]
        const credit = { USD: '5000', BTC: '20', ETH: '20' }
        const settings = { ...waits, liquidity, printFilter, credit, limits: null, staleAfterMs: NEVER_STALE_MS }
        const [pieces, taken, made]: [Seen[], Seen[], Seen[]] = [[], [], []]
        const with_ = await runStrategy({ run: busy(pieces, { taken, made }, reached) }, { tapes, settings })
        const without = await runStrategy({ run: idle }, { tapes, settings })
        expect(with_.result.failure).toBeUndefined()
        expect(with_.logs).toEqual(without.logs)
        const end = Math.max(...tapes.map(({ info }) => info.to)) + 1_000
        expect(statisticsOf(with_, end)).toEqual(statisticsOf(without, end))
        if (liquidity === 'ideal') return
        const recorded = [btc, eth].flatMap((tape, index) => seenOf(SYMBOLS[index] ?? '', tape))
        const late =
          printFilter === 'off' ? [] : [btc, eth].flatMap((tape, index) => lateOf(SYMBOLS[index] ?? '', tape))
        // What is still on its way at the end is not reported.
        const reportedUntil =
          Math.max(...tapes.map(({ info }) => info.to)) - waits.feedLatencyMs - waits.responseLatencyMs
        const lots = (seen: readonly Seen[]) => lotsOf(seen.filter(({ time }) => time < reportedUntil))
        const [reported, byTaking, byMaking] = [lots(pieces), lots(taken), lots(made)]
        const [rowLots, lateLots] = [lots(recorded), lots(late)]
        for (const at of new Set([...reported.keys(), ...byTaking.keys(), ...rowLots.keys()])) {
          const again = (reported.get(at) ?? 0) - (byTaking.get(at) ?? 0) - (rowLots.get(at) ?? 0)
          // What is believed late was shown when it came, and is reported again where it filled an order.
          expect(again, at).toBeGreaterThanOrEqual(0)
          expect(again, at).toBeLessThanOrEqual(Math.min(lateLots.get(at) ?? 0, byMaking.get(at) ?? 0))
          if (again > 0) reached['a late print fills an order'] = 1
          if (byMaking.has(at) && waits.feedLatencyMs > 0) reached['pieces add up with a feed that takes time'] = 1
        }
        reached['pieces that add up'] = 1
      },
    ),
    { numRuns: runs(60) },
  )
  const corners = [
    'a fill as maker',
    'a fill as taker',
    'an own trade',
    'a print that is not believed',
    'pieces that add up',
    'pieces add up with a feed that takes time',
    'a late print fills an order',
  ]
  expect(Object.keys(reached).sort()).toEqual(corners.sort())
})
