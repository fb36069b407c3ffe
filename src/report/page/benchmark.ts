/**
 * Benchmarks on the page of a run: holding its markets, holding one of them, or another run.
 *
 * Known limit: buy-and-hold is drawn from candle closes; the figure next to it is exact.
 */
import { closeTimeOf } from '../../domain/candle-length.ts'
import { InputError } from '../../domain/errors.ts'
import { setting } from '../../domain/setting-name.ts'
import type { RunReport } from '../run/run-report.ts'
import { drawn, lastBefore, type Benchmark } from './account-series.ts'
import type { CandleColumns, Line } from './page-data.ts'

/** A benchmark as given: the name of a market, or of another run. */
export interface GivenBenchmark {
  readonly name: string
  /** Equity of the run of that name; undefined if there is none. */
  readonly equity: Line | undefined
}

/** @throws {InputError} for a market without candles in the run, and for a run without equity in its time */
export function benchmarkOf(
  report: Pick<RunReport, 'tapes'>,
  given: GivenBenchmark | undefined,
  equity: Line,
  candles: ReadonlyMap<string, CandleColumns>,
): Benchmark {
  if (given === undefined) return { name: 'buy and hold', line: heldLine(equity, tapedCandles(report, candles)) }
  const { name, equity: other } = given
  const market = candles.get(name)
  if (market !== undefined) return { name: `hold ${name}`, line: heldLine(equity, [market]) }
  if (other === undefined) {
    const markets = [...candles.keys()].join(', ')
    throw new InputError(setting('benchmark'), `expected a market of the run (${markets}) or a run, got '${name}'`)
  }
  const line = scaledLine(other, equity)
  if (line.times.length > 0) return { name, line }
  throw new InputError(setting('benchmark'), `the run '${name}' has no equity in the time of this run`)
}

/** Candles in the order of the tapes; all candles of a session. */
function tapedCandles(
  { tapes }: Pick<RunReport, 'tapes'>,
  candles: ReadonlyMap<string, CandleColumns>,
): readonly CandleColumns[] {
  const symbols = tapes.length === 0 ? [...candles.keys()] : tapes.map(({ symbol }) => symbol)
  return symbols.flatMap((symbol) => candles.get(symbol) ?? [])
}

/**
 * The account of another run, scaled to the equity of this one where both have begun.
 *
 * @param of   equity of the other run
 * @param own  equity of this run
 * @returns    empty if the other run has no equity in the time of this one
 */
function scaledLine(of: Line, own: Line): Line {
  const end = Math.min(own.times.at(-1) ?? 0, of.times.at(-1) ?? 0)
  const begin = Math.max(own.times[0] ?? 0, of.times[0] ?? Number.POSITIVE_INFINITY)
  const [start, other] = [lastBefore(own, begin), lastBefore(of, begin)]
  if (begin >= end || start === undefined || other === undefined || other <= 0) return { times: [], values: [] }
  const rows = of.times.flatMap((time, index) =>
    time > begin && time <= end ? [{ time, value: of.values[index] }] : [],
  )
  const scaled = (value: number | null | undefined): number | null =>
    drawn(typeof value === 'number' ? (value / other) * start : null)
  return {
    times: [begin, ...rows.map(({ time }) => time)],
    values: [drawn(start), ...rows.map(({ value }) => scaled(value))],
  }
}

/**
 * Buy-and-hold: the mean over the markets of price over first price, times the equity at the start.
 *
 * @param candles  of the markets in which it has equal parts
 */
export function heldLine({ values }: Line, candles: readonly CandleColumns[]): Line {
  const [start] = values.filter((value) => value !== null)
  const traded = candles.filter(({ times }) => times.length > 0)
  if (start === undefined || start <= 0 || traded.length === 0) return { times: [], values: [] }
  const closes = traded.flatMap(({ times, close, intervalMs }, market) =>
    times.map((time, index) => ({ time: closeTimeOf(time, intervalMs), market, price: close[index] ?? 0 })),
  )
  closes.sort((a, b) => a.time - b.time)
  const first = traded.map(({ open }) => open[0] ?? 1)
  const last = [...first]
  const [line, begin] = [
    { times: [] as number[], values: [] as number[] },
    Math.min(...traded.map(({ times }) => times[0] ?? 0)),
  ]
  line.times.push(begin)
  line.values.push(start)
  for (const { time, market, price } of closes) {
    last[market] = price
    const growth = last.reduce((sum, each, index) => sum + each / (first[index] ?? 1), 0) / last.length
    if (line.times.at(-1) !== time) line.times.push(time)
    line.values[line.times.length - 1] = drawn(start * growth) ?? 0
  }
  return line
}
