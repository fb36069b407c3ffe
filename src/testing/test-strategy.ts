/** Runs a strategy on a few rows in memory, and returns all its intents and their outcomes. */
import type { z } from 'zod'
import { InputError } from '../domain/errors.ts'
import { setting } from '../domain/setting-name.ts'
import { formatTrimmed } from '../domain/fixed-point.ts'
import type { Refuser, RefusalCode } from '../domain/refusal.ts'
import { prepareBacktest } from '../runtime/backtest/prepared-backtest.ts'
import { ACCOUNT } from '../runtime/backtest/backtest-stage.ts'
import type { BacktestResult } from '../runtime/backtest/simulated-run.ts'
import type { BacktestOptions } from '../run/backtest-options.ts'
import { fillRowOf, orderRowOf, type FillRow, type OrderRow } from '../runtime/figures/run-rows.ts'
import { settingsOfOptions } from '../run/settings-of-options.ts'
import type { Intent } from '../strategy/intent.ts'
import type { Strategy } from '../strategy/strategy.ts'
import type { InspectedTape } from '../store/tapes/inspected-tape.ts'
import type { ExchangeFault } from './faults/exchange-fault.ts'
import type { InspectedBook } from '../store/books/inspected/inspected-book.ts'
import { framesOf, inspectedBookOf, type TestFrame } from './tapes/memory-book.ts'
import { memorySeries, type TestSeriesRow } from './tapes/memory-series.ts'
import { digitsOf, inspectedOf } from './tapes/memory-tape.ts'
import type { TapeRows, TestCandle, TestTrade } from './tapes/tape-rows.ts'
import { candlesOf, tradesOf } from './tapes/tape-text.ts'
import { intentText } from './trial/intent-text.ts'
import { runTrial, type TrialResult } from './trial/trial.ts'

/** Rows of one market, or a line of text with them. */
export type TestRows<Row> = string | readonly Row[]

type RunOptions<Schema extends z.ZodObject> = Pick<
  BacktestOptions<Schema>,
  | 'params'
  | 'fees'
  | 'latency'
  | 'liquidity'
  | 'printFilter'
  | 'believe'
  | 'onLimit'
  | 'rounding'
  | 'limits'
  | 'risk'
  | 'seed'
  | 'signal'
>

/** A market in a few rows, and the terms of the run. Pass either `trades` or `candles`. */
export interface StrategyTestOptions<Schema extends z.ZodObject = z.ZodObject> extends RunOptions<Schema> {
  /** Recorded trades, or a line such as `100 101x2 - 99`; of BTC_USD, or an object by symbol. */
  readonly trades?: TestRows<TestTrade> | Readonly<Record<string, TestRows<TestTrade>>> | undefined
  /** Recorded candles, or a line of closes such as `100 101 - 99`; of BTC_USD, or an object by symbol. */
  readonly candles?: TestRows<TestCandle> | Readonly<Record<string, TestRows<TestCandle>>> | undefined
  /**
   * Recorded order books next to the trades, or a line such as `99x5 98x4 / 101x3 | 100x2 / 101x3`; of BTC_USD, or an
   * object by symbol.
   */
  readonly books?: TestRows<TestFrame> | Readonly<Record<string, TestRows<TestFrame>>> | undefined
  /** The strategy's own data by name, as `--series` gives it to a run; default: none. */
  readonly series?: Readonly<Record<string, readonly TestSeriesRow[]>> | undefined
  /** Length of a candle in milliseconds; default: 60000. */
  readonly candleMs?: number | undefined
  /** Starting balances, decimal strings by asset; default: 10000 of the quote asset of the first market. */
  readonly balances?: Readonly<Record<string, string>> | undefined
  /** Decimal digits of prices; default: 2, or as many as a row needs. */
  readonly pricePrecision?: number | undefined
  /** Decimal digits of quantities; default: 4, or as many as a row needs. */
  readonly qtyPrecision?: number | undefined
  /** Milliseconds that the market continues after its last row, so that pending replies arrive; default: 60000. */
  readonly afterMs?: number | undefined
  /** Faults of the exchange; default: none. */
  readonly faults?: readonly ExchangeFault[] | undefined
}

/** An intent, and when the strategy emitted it. */
export interface TestedIntent {
  /** Milliseconds since the first row. */
  readonly at: number
  /** The intent in words, such as `BUY 1 at 99.5`; with the symbol if there are several markets. */
  readonly text: string
  /** The emitted intent. */
  readonly intent: Intent
}

/** A refusal, and when the strategy received it. */
export interface TestedRefusal {
  /** Milliseconds since the first row. */
  readonly at: number
  /** The refused order or cancel in words, as in `TestedIntent`. */
  readonly text: string
  /** Refusal code. */
  readonly code: RefusalCode
  /** Message of the refusal. */
  readonly message: string
  /** Source of the refusal: the exchange, or a stage before it. */
  readonly by: Refuser
}

/** Everything that a strategy sent, and the result. */
export interface StrategyTest {
  /** Intents in the order in which they were emitted. */
  readonly intents: readonly TestedIntent[]
  /** The intents on one line, each after its time: `1s BUY 1 at 99.5 | 2.5s cancel 1`. */
  readonly timeline: string
  /** Former name of `timeline`. */
  readonly story: string
  /** Accepted orders in their last state, in the order in which they finished; open orders last. */
  readonly orders: readonly OrderRow[]
  /** Fills in the order in which the strategy received them. */
  readonly fills: readonly FillRow[]
  /** Refusals in the order in which the strategy received them. */
  readonly refusals: readonly TestedRefusal[]
  /** Balances at the end, open orders included: decimal strings by asset, without trailing zeros. */
  readonly balances: Readonly<Record<string, string>>
  /** Lines of `log`, each after its milliseconds since the first row. */
  readonly logs: readonly (readonly [at: number, message: string])[]
  /** Plotted values, each after its milliseconds since the first row and its name: exact decimal strings. */
  readonly plots: readonly (readonly [at: number, name: string, value: string])[]
  /** Notes, each after its milliseconds since the first row. */
  readonly notes: readonly (readonly [at: number, text: string])[]
  /** Error of the strategy; undefined if it threw none. */
  readonly failure: Error | undefined
  /** SHA-256 of the journal; with `afterMs: 0`, that of a backtest of the same rows from a file. */
  readonly digest: string
}

const SYMBOL = 'BTC_USD'
const CANDLE_MS = 60_000
const AFTER_MS = 60_000
const PRICE_DIGITS = 2
const QTY_DIGITS = 4

/**
 * Runs a strategy on a few rows of a market, as a backtest does, without a file.
 *
 * Prices may jump, because `printFilter` is off by default. An order takes 50 ms by default.
 *
 * @throws {InputError} naming the option or the row that is wrong
 */
export async function testStrategy<Schema extends z.ZodObject>(
  strategy: Strategy<Schema>,
  options: StrategyTestOptions<Schema>,
): Promise<StrategyTest> {
  const inspected = tapesOf(options)
  const inspectedBooks = booksOf(options)
  const inspectedSeries = Object.entries(options.series ?? {}).map(([name, rows]) => memorySeries(name, rows))
  const { settings, given } = settingsOfOptions({
    ...runOptionsOf(options),
    strategy,
    tapes: inspected.map(({ source }) => source),
  })
  const prepared = await prepareBacktest(settings, { ...given, inspected, inspectedBooks, inspectedSeries })
  const trial = await runTrial(prepared, prepared.loaded.strategy, {
    faults: options.faults,
    signal: options.signal,
  })
  return testOf(trial, prepared.from)
}

const OWN_OPTIONS: readonly string[] = [
  'trades',
  'candles',
  'books',
  'series',
  'candleMs',
  'balances',
  'pricePrecision',
  'qtyPrecision',
  'afterMs',
  'faults',
] satisfies readonly (keyof StrategyTestOptions)[]

/** The remaining options are those of a backtest, which rejects unknown ones. */
const runOptionsOf = (options: object): object => {
  const { balances } = options as Pick<StrategyTestOptions, 'balances'>
  const others = Object.entries(options).filter(([name]) => !OWN_OPTIONS.includes(name))
  const filter = 'believe' in options ? {} : { printFilter: 'off' }
  return { ...filter, credits: balances, ...Object.fromEntries(others) }
}

function tapesOf(options: Omit<StrategyTestOptions, 'params'>): readonly InspectedTape[] {
  const { trades, candles, candleMs = CANDLE_MS, pricePrecision, qtyPrecision, afterMs = AFTER_MS } = options
  checkWhole({ pricePrecision, qtyPrecision, afterMs })
  if ((trades === undefined) === (candles === undefined)) {
    throw new InputError(setting('trades'), 'pass either trades or candles')
  }
  const markets: readonly (readonly [string, string, TapeRows])[] =
    trades === undefined
      ? bySymbol('candles', candles).map(([where, symbol, rows]) => [where, symbol, candleRows(rows, candleMs)])
      : bySymbol('trades', trades).map(([where, symbol, rows]) => [where, symbol, tradeRows(rows)])
  return markets.map(([where, symbol, rows]) => {
    const last = (rows.kind === 'trades' ? rows.trades : rows.candles).at(-1)?.time ?? 0
    const until = last + afterMs + (rows.kind === 'trades' ? 0 : rows.intervalMs)
    const digits = digitsOf(rows)
    return inspectedOf({
      where,
      symbol,
      rows,
      pricePrecision: pricePrecision ?? Math.max(PRICE_DIGITS, digits.pricePrecision),
      qtyPrecision: qtyPrecision ?? Math.max(QTY_DIGITS, digits.qtyPrecision),
      until,
    })
  })
}

/** @throws {InputError} unless all are integers of 0 or more */
function checkWhole(numbers: Readonly<Record<string, number | undefined>>): void {
  for (const [name, number] of Object.entries(numbers)) {
    if (number === undefined || (Number.isSafeInteger(number) && number >= 0)) continue
    throw new InputError(setting(name), `expected a whole number of 0 or more, got ${String(number)}`)
  }
}

function booksOf({
  books,
  candles,
  pricePrecision,
  qtyPrecision,
}: Omit<StrategyTestOptions, 'params'>): readonly InspectedBook[] {
  if (books === undefined) return []
  if (candles !== undefined)
    throw new InputError(setting('books'), 'a book needs trades: the path inside a candle is unknown')
  const digits = {
    ...(pricePrecision !== undefined && { pricePrecision }),
    ...(qtyPrecision !== undefined && { qtyPrecision }),
  }
  return bySymbol('books', books).map(([where, symbol, rows]) =>
    inspectedBookOf(where, symbol, typeof rows === 'string' ? framesOf(rows) : rows, digits),
  )
}

function bySymbol<Row>(
  name: string,
  rows: TestRows<Row> | Readonly<Record<string, TestRows<Row>>> | undefined,
): readonly (readonly [where: string, symbol: string, rows: TestRows<Row>])[] {
  if (rows === undefined) return []
  if (typeof rows === 'string' || isRows(rows)) return [[name, SYMBOL, rows]]
  return Object.entries(rows).map(([symbol, each]) => [`${name}.${symbol}`, symbol, each])
}

const isRows = <Row>(rows: readonly Row[] | Readonly<Record<string, unknown>>): rows is readonly Row[] =>
  Array.isArray(rows)

const tradeRows = (rows: TestRows<TestTrade>): TapeRows => ({
  kind: 'trades',
  trades: typeof rows === 'string' ? tradesOf(rows) : rows,
})

const candleRows = (rows: TestRows<TestCandle>, intervalMs: number): TapeRows => ({
  kind: 'candles',
  candles: typeof rows === 'string' ? candlesOf(rows, { stepMs: intervalMs }) : rows,
  intervalMs,
})

function testOf({ events, orders, fills, failure, result, ...rows }: TrialResult, from: number): StrategyTest {
  const isOneMarket = result.prepared.markets.length === 1
  const intents = events.flatMap((event): readonly TestedIntent[] =>
    event.type === 'intent'
      ? [{ at: event.time - from, text: intentText(event.intent, isOneMarket), intent: event.intent }]
      : [],
  )
  const refusals = events.flatMap((event): readonly TestedRefusal[] => {
    if (event.type !== 'outcome' || event.outcome.type !== 'refused') return []
    const { intent, refusal, by } = event.outcome
    const { code, message } = refusal
    return [{ at: event.time - from, text: intentText(intent, isOneMarket), code, message, by }]
  })
  const timeline = intents.map(({ at, text }) => `${secondsText(at)} ${text}`).join(' | ')
  return {
    intents,
    timeline,
    story: timeline,
    orders: orders.map(({ order, fee }) => orderRowOf(order, fee)),
    fills: fills.map(fillRowOf),
    refusals,
    balances: totalsOf(result),
    logs: rows.logs.map(({ time, message }) => [time - from, message] as const),
    plots: rows.plots.map(({ time, name, value }) => [time - from, name, value] as const),
    notes: rows.notes.map(({ time, text }) => [time - from, text] as const),
    failure,
    digest: result.digest,
  }
}

/** `2.5s` for 2500 ms. */
const secondsText = (ms: number): string => `${ms / 1_000}s`

function totalsOf({ exchange }: BacktestResult): Readonly<Record<string, string>> {
  const totals = [...exchange.balances(ACCOUNT)].map(([asset, { available, locked }]) => {
    return [asset, formatTrimmed(available + locked, exchange.scales.get(asset) ?? 0)] as const
  })
  return Object.fromEntries(totals)
}
