/**
 * A running session as a chart: candles of its markets since the start, the lines that its strategy plots, and its
 * profit.
 *
 * Nothing is computed until someone looks. Prices and profits are exact decimal strings; plotted values are doubles,
 * for drawing only.
 */
import { Decimal, ZERO } from '../../domain/decimal.ts'
import { formatTrimmed, formatUnits } from '../../domain/fixed-point.ts'
import type { Market } from '../../domain/market.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../domain/time.ts'
import type { AccountFigures } from '../figures/account-figures.ts'
import type { MarketCandle, MarketCandles } from '../figures/market-candles.ts'
import type { PlotPoint, PlotSink } from '../session/plot-commands.ts'

/** A candle; decimal strings. */
export interface ChartedCandle {
  /** Unix milliseconds of its start. */
  readonly time: number
  readonly open: string
  readonly high: string
  readonly low: string
  readonly close: string
  readonly volume: string
}

export interface ChartedMarket {
  readonly symbol: string
  readonly pricePrecision: number
  /** Length of a candle: the shortest with which the session so far fits into the chart. */
  readonly intervalMs: number
  /** Oldest first. */
  readonly candles: readonly ChartedCandle[]
}

/** A line that the strategy plots. */
export interface ChartedPlot {
  readonly name: string
  /** Market whose prices are near its values; undefined for other values, which have an axis of their own. */
  readonly symbol: string | undefined
  /** Unix milliseconds and value, oldest first. */
  readonly points: readonly (readonly [time: number, value: number])[]
}

export interface ChartedSession {
  /** Change of the equity since the start, in the quote asset; undefined while prices are missing. */
  readonly profit: string | undefined
  /** Profit of the open positions at the last prices; undefined while prices are missing. */
  readonly openProfit: string | undefined
  /** Markets that traded since the start. */
  readonly markets: readonly ChartedMarket[]
  readonly plots: readonly ChartedPlot[]
}

export interface SessionChartOptions {
  readonly markets: readonly Market[]
  /** Asset in which the session is valued. */
  readonly quoteAsset: string
  readonly figures: () => AccountFigures
}

const INTERVALS = [5 * SECOND_MS, 15 * SECOND_MS, MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, HOUR_MS]
const MAX_CANDLES = 240
/** Recorded candles that one look reads. */
const MAX_READ = 40_000
const MAX_POINTS = 1_000

export class SessionChart {
  readonly #options: SessionChartOptions
  readonly #plots = new Map<string, (readonly [number, number])[]>()

  constructor(options: SessionChartOptions) {
    this.#options = options
  }

  /** The sink with everything that it receives charted as well. */
  seeing(sink: PlotSink): Required<PlotSink> {
    return {
      onPlot: (plot) => {
        this.#onPlot(plot)
        sink.onPlot?.(plot)
      },
      onNote: (note) => {
        sink.onNote?.(note)
      },
    }
  }

  look(): ChartedSession {
    const { markets, figures } = this.#options
    const { candles, equity } = figures()
    const charted = markets.flatMap((market) => {
      const known = candles.get(market.symbol)
      return known === undefined ? [] : chartedMarket(market, known)
    })
    const profit = equity.isPartial ? undefined : equity.equity() - equity.initialEquity()
    return {
      profit: profit === undefined ? undefined : signedUnits(profit, equity.scale),
      openProfit: this.#openProfit(),
      markets: charted,
      plots: Array.from(this.#plots, ([name, points]) => ({ name, points, symbol: nearbyMarket(points, charted) })),
    }
  }

  #openProfit(): string | undefined {
    const { figures, quoteAsset } = this.#options
    const { traded, equity } = figures()
    let sum = ZERO
    for (const trip of traded.openTrips((symbol) => equity.mark(symbol).lastPrice)) {
      if (trip.unrealizedPnl === null || trip.quoteAsset !== quoteAsset) return undefined
      sum = sum.plus(trip.unrealizedPnl)
    }
    return sum.toFixed()
  }

  #onPlot({ time, name, value }: PlotPoint): void {
    const points = this.#plots.get(name) ?? []
    this.#plots.set(name, points)
    points.push([time, new Decimal(value).toNumber()])
    if (points.length > 2 * MAX_POINTS) points.splice(0, MAX_POINTS)
  }
}

const signedUnits = (units: bigint, scale: number): string =>
  units < 0n ? `-${formatTrimmed(-units, scale)}` : formatTrimmed(units, scale)

function chartedMarket(market: Market, candles: MarketCandles): readonly ChartedMarket[] {
  const read = candles.latest(MAX_READ)
  const [first, last] = [read[0], read.at(-1)]
  if (first === undefined || last === undefined) return []
  const { symbol, pricePrecision, qtyPrecision } = market
  const intervals = INTERVALS.filter((each) => each >= candles.intervalMs && each % candles.intervalMs === 0)
  const covered = last.time - first.time
  const intervalMs = intervals.find((each) => covered / each < MAX_CANDLES) ?? Math.max(DAY_MS, candles.intervalMs)
  const price = (ticks: number): string => formatUnits(ticks, pricePrecision)
  const charted = folded(read, intervalMs).map(({ time, open, high, low, close, volume }) => ({
    time,
    open: price(open),
    high: price(high),
    low: price(low),
    close: price(close),
    volume: formatTrimmed(BigInt(volume ?? 0), qtyPrecision),
  }))
  return [{ symbol, pricePrecision, intervalMs, candles: charted.slice(-MAX_CANDLES) }]
}

/** Longer candles, each from the shorter ones that start in it. */
function folded(candles: readonly MarketCandle[], intervalMs: number): readonly MarketCandle[] {
  const longer: MarketCandle[] = []
  for (const candle of candles) {
    const time = Math.floor(candle.time / intervalMs) * intervalMs
    const last = longer.at(-1)
    if (last?.time !== time) {
      longer.push({ ...candle, time })
      continue
    }
    longer[longer.length - 1] = {
      time,
      open: last.open,
      close: candle.close,
      high: Math.max(last.high, candle.high),
      low: Math.min(last.low, candle.low),
      volume: last.volume === undefined || candle.volume === undefined ? undefined : last.volume + candle.volume,
    }
  }
  return longer
}

/** The market between half the lowest and twice the highest price of which all values are. */
function nearbyMarket(
  points: readonly (readonly [number, number])[],
  markets: readonly ChartedMarket[],
): string | undefined {
  return markets.find(({ candles }) => {
    const lowest = Math.min(...candles.map(({ low }) => Number(low))) / 2
    const highest = Math.max(...candles.map(({ high }) => Number(high))) * 2
    return points.every(([, value]) => value >= lowest && value <= highest)
  })?.symbol
}
