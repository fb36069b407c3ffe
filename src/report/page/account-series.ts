/**
 * The account of a run on one time axis: equity, drawdown, and buy-and-hold.
 *
 * Known limit: buy-and-hold is drawn from candle closes; the figure next to it is exact.
 */
import { closeTimeOf } from '../../domain/candle-length.ts'
import { exposureLine } from './cash-series.ts'
import type { AccountSeries, CandleColumns, Line } from './page-data.ts'
import { thinnedLine } from './thinned-line.ts'
import type { Fall } from './worst-drawdowns.ts'

/** More than equity.csv has, and than candles.csv has of a market. */
const MAX_POINTS = 20_000

export interface AccountParts {
  readonly quoteAsset: string
  /** All samples of equity.csv. */
  readonly equity: Line
  /** Cash at the times of `equity`; undefined if unknown. */
  readonly cash: Line | undefined
  readonly benchmark: Line
  readonly falls: readonly Fall[]
}

export function accountSeries({ quoteAsset, equity: whole, cash, benchmark, falls }: AccountParts): AccountSeries {
  const fallen = drawdownOf(whole)
  const kept = new Set(thinnedLine(whole, MAX_POINTS).times)
  const shown = whole.times.flatMap((time, index) => (kept.has(time) ? [index] : []))
  const times = shown.map((index) => whole.times[index] ?? 0)
  const of = (values: Line['values']): Line => ({ times, values: shown.map((index) => drawn(values[index] ?? null)) })
  const exposure = cash === undefined ? undefined : exposureLine(whole, cash)
  const end = whole.times.at(-1) ?? 0
  return {
    quoteAsset,
    equity: of(whole.values),
    drawdown: of(fallen),
    buyAndHold: thinnedLine(benchmark, MAX_POINTS),
    cash: cash === undefined ? null : of(cash.values),
    exposure: exposure === undefined ? null : of(exposure.values),
    falls: falls.map(({ peakAt, recoveredAt }) => ({ from: peakAt, to: recoveredAt ?? end })),
  }
}

/** The last value at or before a time; undefined before the first. */
export function lastBefore({ times, values }: Line, time: number): number | undefined {
  let [low, high] = [0, times.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((times[middle] ?? 0) <= time) low = middle + 1
    else high = middle
  }
  return values[low - 1] ?? undefined
}

/** More digits than any screen has points, and fewer than a double. */
const drawn = (value: number | null): number | null => (value === null ? null : Number(value.toPrecision(9)))

function drawdownOf({ values }: Line): readonly (number | null)[] {
  let peak = Number.NEGATIVE_INFINITY
  return values.map((value) => {
    if (value === null) return null
    peak = Math.max(peak, value)
    return peak > 0 ? value / peak - 1 : null
  })
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
