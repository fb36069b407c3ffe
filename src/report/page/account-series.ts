/**
 * The account of a run on one time axis: equity, drawdown, and the benchmark.
 */
import { firstIndex } from '../../domain/first-index.ts'
import { exposureLine } from './cash-series.ts'
import type { AccountSeries, Line } from './page-data.ts'
import { thinnedLine } from './thinned-line.ts'
import type { Fall } from './worst-drawdowns.ts'

/** A line with which a run is compared. */
export interface Benchmark {
  readonly name: string
  readonly line: Line
}

/** More than equity.csv has, and than candles.csv has of a market. */
const MAX_POINTS = 20_000

export interface AccountParts {
  readonly quoteAsset: string
  /** All samples of equity.csv. */
  readonly equity: Line
  /** The same without what transfers brought. */
  readonly growth: Line
  /** Cash at the times of `equity`; undefined if unknown. */
  readonly cash: Line | undefined
  readonly benchmark: Benchmark
  readonly falls: readonly Fall[]
}

export function accountSeries({
  quoteAsset,
  equity: whole,
  growth,
  cash,
  benchmark,
  falls,
}: AccountParts): AccountSeries {
  const fallen = drawdownOf(growth)
  const drawnTimes = new Set(thinnedLine(whole, MAX_POINTS).times)
  const shown = whole.times.flatMap((time, index) => (drawnTimes.has(time) ? [index] : []))
  const times = shown.map((index) => whole.times[index] ?? 0)
  const of = (values: Line['values']): Line => ({ times, values: shown.map((index) => drawn(values[index] ?? null)) })
  const exposure = cash === undefined ? undefined : exposureLine(whole, cash)
  const end = whole.times.at(-1) ?? 0
  return {
    quoteAsset,
    equity: of(whole.values),
    drawdown: of(fallen),
    benchmark: benchmark.name,
    buyAndHold: thinnedLine(benchmark.line, MAX_POINTS),
    cash: cash === undefined ? null : of(cash.values),
    exposure: exposure === undefined ? null : of(exposure.values),
    falls: falls.map(({ peakAt, recoveredAt }) => ({ from: peakAt, to: recoveredAt ?? end })),
  }
}

/** The last value at or before a time; undefined before the first. */
export function lastBefore({ times, values }: Line, time: number): number | undefined {
  return values[firstIndex(0, times.length, (index) => (times[index] ?? 0) > time) - 1] ?? undefined
}

/** More digits than any screen has points, and fewer than a double. */
export const drawn = (value: number | null): number | null => (value === null ? null : Number(value.toPrecision(9)))

function drawdownOf({ values }: Line): readonly (number | null)[] {
  let peak = Number.NEGATIVE_INFINITY
  return values.map((value) => {
    if (value === null) return null
    peak = Math.max(peak, value)
    return peak > 0 ? value / peak - 1 : null
  })
}
