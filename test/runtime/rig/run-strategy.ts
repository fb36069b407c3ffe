/**
 * Runs a strategy in a backtest on tapes in memory, and keeps everything that can be seen of it from outside.
 */
import { liquidityOf } from '../../../src/runtime/backtest/liquidity-choice.ts'
import { z } from 'zod'
import { parseAmount } from '../../../src/domain/fixed-point.ts'
import { ledgerScales, type MarketConfig } from '../../../src/domain/market.ts'
import type { BacktestSettings } from '../../../src/runtime/settings/backtest-settings.ts'
import { runBacktest } from '../../../src/runtime/backtest/backtest.ts'
import type { BacktestResult, SimulatedRunListener } from '../../../src/runtime/backtest/simulated-run.ts'
import { candleTapesOf } from '../../../src/runtime/backtest/candle-tapes.ts'
import { setupsOf } from '../../../src/runtime/backtest/liquidity-setups.ts'
import type { PreparedBacktest } from '../../../src/runtime/backtest/prepared-backtest.ts'
import { isLiquidityName, liquidity } from '../../../src/simulation/liquidity/liquidity-models.ts'
import { JournalReader } from '../../../src/runtime/journal/journal-reader.ts'
import type { OwnFill, OwnOrder } from '../../../src/strategy/own-order.ts'
import type { Strategy } from '../../../src/strategy/strategy.ts'
import type { Tape } from '../../../src/tape/tape.ts'
import { market } from '../../exchange/rig/configs.ts'

/** The defaults of the product, but for tapes and strategy; 10 000 USD. */
export const SETTINGS: BacktestSettings = {
  strategy: 'test',
  paramTexts: {},
  params: {},
  tapes: [],
  books: [],
  credit: { USD: '10000' },
  makerFeeBps: '0',
  takerFeeBps: '0',
  liquidity: 'ideal',
  queueSize: 1,
  levelSize: 1,
  spread: null,
  staleAfterMs: null,
  // Tapes in memory jump about as no market does.
  printFilter: 'off',
  orderLatencyMs: 50,
  responseLatencyMs: 0,
  feedLatencyMs: 0,
  onLimit: 'refuse',
  rounding: null,
  maxOrdersAtOnce: null,
  limits: { general: 600, mutations: 30, windowSeconds: 60 },
  maxOrder: null,
  maxPosition: null,
  collarPercent: null,
  ordersPerMinute: null,
  dayLoss: null,
  drawdownPercent: null,
  atLimit: null,
  statsPeriod: '1d',
  periodsPerYear: null,
  riskFreeRate: 0,
  from: null,
  warmupMs: null,
  to: null,
  seed: 1,
}

/** A line of the journal, read back. */
export interface JournalLine {
  readonly t: number
  readonly type: string
  readonly ref?: number
  readonly code?: string
  readonly [key: string]: unknown
}

export interface TestRun {
  readonly result: BacktestResult
  /** The journal as it was written, and read back: what a line leaves out put back. */
  readonly lines: readonly string[]
  readonly journal: readonly JournalLine[]
  readonly orders: readonly { readonly order: OwnOrder; readonly fee: string }[]
  readonly fills: readonly OwnFill[]
  readonly logs: readonly (readonly [time: number, message: string])[]
}

export interface TestRunOptions {
  /** At least one. */
  readonly tapes: readonly Tape[]
  readonly settings?: Partial<BacktestSettings>
  readonly params?: Readonly<Record<string, unknown>>
  readonly watcher?: Partial<SimulatedRunListener>
}

export type TestStrategy = Pick<Strategy, 'run'> & Partial<Strategy>

/** @throws what a run throws */
export async function runStrategy(strategy: TestStrategy, options: TestRunOptions): Promise<TestRun> {
  const lines: string[] = []
  const orders: { order: OwnOrder; fee: string }[] = []
  const fills: OwnFill[] = []
  const logs: [number, string][] = []
  const result = await runBacktest(prepared(strategy, options), {
    onLine: (line) => void lines.push(line),
    onOrder: (order, fee) => void orders.push({ order, fee: fee.toFixed() }),
    onFill: (fill) => void fills.push(fill),
    onLog: (time, message) => void logs.push([time, message]),
    onProgress: () => undefined,
    ...options.watcher,
  })
  return { result, lines, journal: readBack(lines), orders, fills, logs }
}

/** All fields of each line, with what it leaves out. */
export function readBack(lines: readonly string[]): readonly JournalLine[] {
  const journal = new JournalReader()
  return lines.map((line) => ({ ...(JSON.parse(line) as JournalLine), ...journal.read('journal', line) }))
}

/** A run made ready, for anyone who watches it himself. */
export function prepared(strategy: TestStrategy, { tapes, params = {}, ...options }: TestRunOptions): PreparedBacktest {
  const settings = { ...SETTINGS, ...options.settings }
  const markets = marketsOf(tapes, settings)
  const scales = ledgerScales(markets)
  const inspected = tapes.map(({ info }) => ({ source: { file: info.file }, info }))
  const credit = Object.entries(settings.credit).map(([asset, text]) => {
    const amount = parseAmount(text, scales.get(asset) ?? 0)
    if (!amount.ok) throw new Error(`the credit of ${asset} is ${amount.fault}`)
    return [asset, amount.value] as const
  })
  return {
    settings,
    loaded: {
      strategy: { name: 'test', params: z.object({}), ...strategy },
      reference: 'test',
      path: '',
      isReady: false,
      sha256: '',
    },
    params,
    liquidity: { reference: liquidityOf(settings), ...modelOf(liquidityOf(settings)), sha256: null },
    candleTapes: candleTapesOf(inspected),
    liquiditySetups: setupsOf(markets, settings),
    inspected: [],
    inspectedBooks: [],
    inspectedSeries: [],
    tapes,
    books: [],
    markets,
    quoteAsset: markets[0]?.quoteAsset ?? '',
    credit: new Map(credit),
    creditTexts: settings.credit,
    ...(settings.from !== null && settings.warmupMs !== null && { warmupFrom: settings.from - settings.warmupMs }),
    from: settings.from ?? Math.min(...tapes.map(({ info }) => info.from)),
    to: settings.to ?? Math.max(...tapes.map(({ info }) => info.to)),
  }
}

function marketsOf(tapes: readonly Tape[], settings: BacktestSettings): readonly MarketConfig[] {
  const infos = new Map(tapes.map(({ info }) => [info.symbol, info]))
  const { makerFeeBps, takerFeeBps } = settings
  return [...infos.values()].map(({ symbol, pricePrecision, qtyPrecision }) =>
    market(symbol, { pricePrecision, qtyPrecision, makerFeeBps, takerFeeBps }),
  )
}

function modelOf(name: string): ReturnType<typeof liquidity> {
  if (!isLiquidityName(name)) throw new Error(`no liquidity model '${name}'`)
  return liquidity(name)
}
