/**
 * The page of a run, made only of the contents of its files.
 *
 * Invariant: the same files make the same page.
 */
import { GIVEN_LIQUIDITY } from '../../runtime/backtest/liquidity-choice.ts'
import { recordedSpans } from '../../runtime/backtest/recorded-spans.ts'
import { statsPeriodMs } from '../../runtime/settings/run-terms.ts'
import { followsBook, isLiquidityName, type LiquidityName } from '../../simulation/liquidity/liquidity-models.ts'
import { orderExplanation, explanationText } from '../order-explanation/order-explanation.ts'
import type { RunReport } from '../run/run-report.ts'
import { accountSeries, type Benchmark } from './account-series.ts'
import { benchmarkOf, type GivenBenchmark } from './benchmark.ts'
import { cashLine } from './cash-series.ts'
import { depthDetails } from './depth-series.ts'
import type { Definitions } from './figure-forms.ts'
import type { JournalFacts } from './journal-facts.ts'
import { fillsBySymbol, marketSeries, plotsOf } from './market-series.ts'
import { plottedBlocks, plottedLines } from './plotted-lines.ts'
import type { CandleColumns, CandleDetail, Line, MarketSeries, PageRun } from './page-data.ts'
import { figureGroups } from './page-figures.ts'
import { pageVerdict } from './page-verdict.ts'
import { repeatCommand } from './repeat-command.ts'
import { hourReturns, monthReturns, periodReturns, yearReturns } from './return-maps.ts'
import { rollingSeries } from './rolling-series.ts'
import { candleDetails, candlesBySymbol, equityLine, growthLine } from './run-series.ts'
import { priceDecimals, quoteDecimals } from './shown-decimals.ts'
import { strategyTable } from './strategy-table.ts'
import { tripGroups } from './trip-groups.ts'
import { drawdownTable, worstFalls } from './worst-drawdowns.ts'
import { feeTable, holdingTable, markoutTable, noteTable, orderTable, tripTable } from './run-tables.ts'

const NO_FACTS: JournalFacts = { rests: new Map(), explanations: new Map(), isCut: false }

/** Budget of all explanations on a page. */
const MAX_EXPLANATION_CHARACTERS = 120_000

/** The files of a run, on disk or in a database. */
export interface RunTextSource {
  /** Name of the source in error messages. */
  readonly where: string
  readonly report: RunReport
  /** Undefined for a file that the run lacks: written by an older papertape, or too large for the database. */
  readonly text: (
    name:
      | 'orders.csv'
      | 'fills.csv'
      | 'trades.csv'
      | 'equity.csv'
      | 'periods.csv'
      | 'candles.csv'
      | 'candle-blocks.csv'
      | 'depth.csv'
      | 'notes.csv',
  ) => string | undefined
  /** Text of a file in pieces of whole lines; none for a file that the run lacks. */
  readonly pieces: (name: 'plots.csv' | 'plot-blocks.csv') => Iterable<string>
  /** Undefined without a journal. @param maxExplanations  maximum number of orders with stored lines */
  readonly journal: ((maxExplanations: number) => JournalFacts) | undefined
}

export interface PageRunOptions {
  /** Unique among the runs of the page. */
  readonly name: string
  /** The run as named in a command. */
  readonly place: string
  readonly definitions: Definitions
  readonly benchmark?: GivenBenchmark | undefined
  /** Maximum number of orders with an explanation on the page. */
  readonly maxExplanations: number
  /** Details of the document; those of the run are appended. */
  readonly details: string[]
}

const OF_BOOK =
  'Where a book or quotes were recorded, a resting order joins the end of the recorded queue at its price. It fills when recorded trades have used up that queue, when the market trades beyond its price, or when the other side of the book reaches it. A market order takes the recorded levels; what it took stays missing until the recorded level grows.'

const OF_MODEL: Readonly<Record<LiquidityName, string>> = {
  book: `${OF_BOOK} All cancels are assumed to be behind the order.`,
  'book-power': `${OF_BOOK} Most cancels are assumed to be behind the order.`,
  'book-prorata': `${OF_BOOK} Cancels are assumed to be spread evenly over the queue.`,
  tape: 'A resting order joins an estimated queue, sized by the trades before it. It fills when recorded trades have used up that queue or have gone beyond its price. A market order trades against estimated levels of that size, one tick apart.',
  through: 'A resting order fills only by trades beyond its price, as if all other orders at its price came first.',
  touch: 'A resting order fills by any trade at its price, as if it were alone there.',
  ideal: 'Any quantity fills at the last price, without a spread and without a queue.',
}

const NO_REACTION =
  'Quantity that the strategy takes is missing from the book for a while, but other participants do not change what they do.'

/** Assumptions of a run: how orders were filled, and what is not modelled. */
function assumptions({ config, tapes, books = [], live, paper }: RunReport): readonly string[] {
  if (live !== undefined) {
    return [
      'The service filled the orders; nothing is modelled.',
      'Equity is marked to the trades of others that the session received, never to its own.',
    ]
  }
  const { liquidity, orderLatencyMs, responseLatencyMs, feedLatencyMs } = config
  const hasCandles = tapes.some(({ kind }) => kind === 'candles')
  return [
    modelText(liquidity),
    ...(followsBook(liquidity) && books.some(({ reportsOrders }) => reportsOrders)
      ? ['Where the recording identifies each order, cancels are known, and nothing is assumed about them.']
      : []),
    ...(hasCandles
      ? [
          'The price path inside a candle is unknown. Orders that it touches are decided at its close, market orders fill at the next open, and if several outcomes are possible, the worse one is used.',
        ]
      : []),
    `An order takes ${orderLatencyMs} ms to reach the exchange, its answer ${responseLatencyMs} ms to return, and market data ${feedLatencyMs} ms to arrive. These delays are constant.`,
    paper === undefined
      ? `The recorded market does not react. ${NO_REACTION}`
      : `The live market did not see these orders. ${NO_REACTION}`,
    'Exchange outages, fee changes and financing costs are not modelled.',
  ]
}

function modelText(liquidity: string): string {
  if (isLiquidityName(liquidity)) return OF_MODEL[liquidity]
  return liquidity === GIVEN_LIQUIDITY
    ? 'A liquidity model supplied by a program decided the fills; papertape cannot check it.'
    : `The custom liquidity model ${liquidity} decided the fills; papertape cannot check it.`
}

/** @throws {InputError} naming the file that has an unexpected format */
export function pageRun(
  source: RunTextSource,
  { name, place, definitions, benchmark, maxExplanations, details }: PageRunOptions,
): PageRun {
  const { report, where } = source
  const file = (of: Parameters<RunTextSource['text']>[0]): readonly [string, string] => [
    `${where}/${of}`,
    source.text(of) ?? '',
  ]
  const facts = source.journal?.(maxExplanations) ?? NO_FACTS
  const explanations = explanationsOf(facts)
  const isCut =
    source.journal === undefined || facts.isCut || Object.keys(explanations).length < facts.explanations.size
  const samples = samplesOf(source)
  const candles = candlesBySymbol(...file('candles.csv'))
  const all = candleDetails(...file('candle-blocks.csv'), details)
  const depths = depthDetails(...file('depth.csv'), details)
  const markets = marketsOf(source, candles, { all, depths }, facts)
  const decimals = priceDecimals(report, markets)
  const equity = equityLine(...file('equity.csv'))
  const growth = growthLine(...file('equity.csv'))
  return {
    name,
    report: withoutPaths(report),
    verdict: pageVerdict(report, definitions),
    figures: figureGroups(report, definitions),
    ...overTime(
      report,
      samples,
      { equity, growth },
      file('fills.csv'),
      benchmarkOf(report, benchmark, equity, candles),
    ),
    markets,
    strategies: strategyTable(report),
    tripGroups: tripGroups(...file('trades.csv'), quoteDecimals(report)),
    hours: hourReturns(samples, statsPeriodMs(report.config)),
    returns: periodReturns(samples),
    trips: tripTable(...file('trades.csv'), decimals),
    orders: orderTable(...file('orders.csv'), decimals, (key) => Object.hasOwn(explanations, key)),
    holdings: holdingTable(report),
    markouts: markoutTable(report),
    fees: feeTable(report),
    notes: noteTable(...file('notes.csv'), markets[0]?.symbol),
    explanations,
    // The journals of its strategies explain the orders of a wallet.
    explainCommand: isCut && report.strategies === undefined ? `papertape why ${place} ORDER` : null,
    command: repeatCommand(report),
    assumptions: assumptions(report),
  }
}

/** The account of a run, compared with its benchmark. */
function overTime(
  report: RunReport,
  samples: Line,
  { equity, growth }: { readonly equity: Line; readonly growth: Line },
  fills: readonly [where: string, csv: string],
  benchmark: Benchmark,
): Pick<PageRun, 'account' | 'rolling' | 'drawdowns' | 'months' | 'years'> {
  const { quoteAsset, config, tapes, statistics } = report
  const falls = worstFalls(growth, report)
  const cash = cashLine(report, ...fills, equity.times)
  const { riskFreeRate } = config
  const { periodsPerYear } = statistics
  return {
    account: accountSeries({ quoteAsset, equity, growth, benchmark, falls, cash }),
    rolling: periodsPerYear === null ? null : rollingSeries(samples, benchmark.line, { periodsPerYear, riskFreeRate }),
    drawdowns: drawdownTable(falls, equity.times.at(-1) ?? 0, tapes[0]?.symbol ?? ''),
    months: monthReturns(samples, benchmark.line),
    years: yearReturns(samples, benchmark.line),
  }
}

/** Files as they were given: a page that is passed on names no directory of the machine that made it. */
function withoutPaths(report: RunReport): RunReport {
  const asGiven = <Recorded extends { readonly file: string; readonly path: string }>(
    recorded: Recorded,
  ): Recorded => ({
    ...recorded,
    path: recorded.file,
  })
  const { strategy, tapes, books, series, failure } = report
  const { file, path } = strategy
  const place = failure?.place ?? null
  return {
    ...report,
    strategy: { ...strategy, path: path === null ? null : file },
    tapes: tapes.map(asGiven),
    ...(books !== undefined && { books: books.map(asGiven) }),
    ...(series !== undefined && { series: series.map(asGiven) }),
    failure: failure === null || place === null ? failure : { ...failure, place: place.replace(path ?? file, file) },
  }
}

/** Equity at the start, then after every period; empty if equity at the start is unknown, because returns need it. */
export function samplesOf({ report, where, text }: Pick<RunTextSource, 'where' | 'report' | 'text'>): Line {
  const periods = growthLine(`${where}/periods.csv`, text('periods.csv') ?? '')
  const { initialEquity, statistics, config, live, paper } = report
  const spans = recordedSpans(report)
  const from = (live ?? paper)?.startedAt ?? Math.max(Math.min(...spans.map((tape) => tape.from)), config.from ?? 0)
  if (statistics.timeUnderWater === null) return { times: [], values: [] }
  return { times: [from, ...periods.times], values: [Number(initialEquity), ...periods.values] }
}

/** Explanations of the first orders, up to the character budget. */
function explanationsOf({ explanations }: JournalFacts): Readonly<Record<string, readonly string[]>> {
  const reported: (readonly [string, readonly string[]])[] = []
  let room = MAX_EXPLANATION_CHARACTERS
  for (const [key, lines] of explanations) {
    const text = explanationText(orderExplanation(lines, key))
    room -= text.length
    if (room < 0) break
    reported.push([key, text.split('\n')])
  }
  return Object.fromEntries(reported)
}

/** Maximum number of points of a plotted line. */
const MAX_PLOTTED = 20_000

function marketsOf(
  { report, text, where, pieces }: RunTextSource,
  candles: ReadonlyMap<string, CandleColumns>,
  { all, depths }: { readonly all: ReadonlyMap<string, CandleDetail>; readonly depths: ReadonlyMap<string, number> },
  { rests }: JournalFacts,
): readonly MarketSeries[] {
  const precisions = new Map(recordedSpans(report).map(({ symbol, pricePrecision }) => [symbol, pricePrecision]))
  const fills = fillsBySymbol(`${where}/fills.csv`, text('fills.csv') ?? '')
  const taped = report.tapes.map(({ symbol }) => symbol)
  const symbols = [...new Set([...taped, ...candles.keys(), ...fills.keys()])]
  const shown = symbols.filter((symbol) => taped.includes(symbol) || candles.has(symbol) || fills.has(symbol))
  const drawn = shown.map((symbol) => candles.get(symbol) ?? null)
  const lines = [
    ...plottedLines(`${where}/plots.csv`, () => pieces('plots.csv'), MAX_PLOTTED),
    ...plottedBlocks(`${where}/plot-blocks.csv`, () => pieces('plot-blocks.csv'), MAX_PLOTTED),
  ]
  const plots = plotsOf(new Map(lines), drawn)
  return shown.map((symbol, index) => {
    const own = fills.get(symbol)
    return marketSeries({
      symbol,
      initialQty: creditOf(report, symbol, shown),
      fills: own,
      candles: drawn[index] ?? null,
      detail: all.get(symbol) ?? null,
      depth: depths.get(symbol) ?? null,
      plots: plots[index] ?? [],
      pricePrecision: precisions.get(symbol) ?? decimalsOf([...(own?.prices ?? []), ...closesOf(drawn[index])]),
      rests: rests.get(symbol) ?? [],
    })
  })
}

/** Credit in the base asset of a market; '0' for several markets of one asset, which share it. */
function creditOf({ config }: RunReport, symbol: string, symbols: readonly string[]): string {
  const base = (each: string): string => each.split('_')[0] ?? ''
  const isShared = symbols.filter((each) => base(each) === base(symbol)).length > 1
  return isShared ? '0' : (config.credit[base(symbol)] ?? '0')
}

/** Prices of a market of a session, of which nothing else has the tick. */
const closesOf = (candles: CandleColumns | null | undefined): readonly string[] => (candles?.close ?? []).map(String)

const decimalsOf = (prices: readonly string[]): number =>
  prices.reduce((most, price) => Math.max(most, price.split('.')[1]?.length ?? 0), 0)
