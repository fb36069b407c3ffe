/**
 * A market of a replay at a moment: candles with own fills, recorded trades, and the book with own orders in it.
 */
import { firstIndex } from '../../domain/first-index.ts'
import { formatTrimmed, formatUnits, parseUnits } from '../../domain/fixed-point.ts'
import type { PlotLine } from '../../report/page/page-data.ts'
import type { ReplayedOrder } from '../../report/replay/replayed-run.ts'
import type { ReplayedFiles } from '../../run/replayed-files.ts'
import type { RecordedLevel } from '../../tape/book/recorded-book.ts'

/** Prices and quantities are decimal strings. */
export interface ReplayMarket {
  readonly symbol: string
  readonly length: number
  /** False if the candles only continue those from before `since`. */
  readonly isWhole: boolean
  /** Oldest first. */
  readonly candles: readonly {
    readonly time: number
    readonly open: string
    readonly high: string
    readonly low: string
    readonly close: string
    readonly volume: string
  }[]
  /** Own fills in the candles of the window, oldest first: one for each candle, side and price. */
  readonly fills: readonly ReplayFill[]
  /** The last own fills, oldest first. */
  readonly lastFills: readonly ReplayFill[]
  /** Lines of the strategy in the candles of the window up to the moment: the last value in each candle. */
  readonly plots: readonly ReplayPlot[]
  /** Recorded trades, newest first; undefined if the recording has none, or is not read. */
  readonly trades: readonly { time: number; price: string; qty: string; side: string | undefined }[] | undefined
  /** Best first. */
  readonly bids: readonly ReplayLevel[]
  readonly asks: readonly ReplayLevel[]
  readonly isBookRecorded: boolean
  /** Why the recording is not shown; empty if it is. */
  readonly recording: string
}

interface ReplayFill {
  readonly time: number
  readonly side: string
  readonly price: string
  readonly qty: string
}

interface ReplayPlot extends Pick<PlotLine, 'name' | 'isPrice'> {
  /** Oldest first. */
  readonly points: readonly (readonly [time: number, value: number])[]
}

/** A price at which something rests. */
export interface ReplayLevel {
  readonly price: string
  /** Recorded quantity of others; undefined if no book was recorded. */
  readonly qty: string | undefined
  /** Own quantity that is still open; undefined for none. */
  readonly own: string | undefined
  /** Quantity of others ahead of the own order that comes first; undefined if it is unknown. */
  readonly ahead: string | undefined
}

/** Market and moment that a page looks at. */
interface MarketLook {
  readonly symbol: string
  /** Length of the candles, in milliseconds. */
  readonly length: number
  /** Start of the last candle that the page has. */
  readonly since: number | undefined
  readonly at: number
  /** Unix milliseconds. */
  readonly clock: number
  readonly orders: readonly ReplayedOrder[]
}

type Market = ReplayedFiles['run']['markets'][number]

const MAX_FILLS = 5_000
const MAX_TRADES = 40
/** Levels of each side, recorded ones and own ones. */
const LEVELS = 8

/** Undefined if the run has no such market. */
export async function marketAt(files: ReplayedFiles, look: MarketLook): Promise<ReplayMarket | undefined> {
  const { run, recording } = files
  const { symbol, length, since, at, clock, orders } = look
  const market = run.markets.find((each) => each.symbol === symbol)
  if (market === undefined) return undefined
  const candles = files.candles.get(symbol)
  const window = candles?.lengths.includes(length) === true ? candles.upTo(clock, length) : []
  // The page continues its candles only if it has seen those before.
  const isNext = since !== undefined && window.some(({ time }) => time === since)
  const fixed = (value: number): string => value.toFixed(market.pricePrecision)
  const book = await recording.bookOf(symbol, clock, LEVELS)
  const own = ownOrders(files, market, orders, clock)
  const side = (isBuy: boolean, levels: readonly RecordedLevel[] | undefined) =>
    levelsOf(
      levels,
      own.filter((each) => each.isBuy === isBuy),
      { isBuy, market },
    )
  return {
    symbol,
    length,
    isWhole: !isNext,
    recording: recording.state,
    isBookRecorded: book !== undefined,
    candles: window
      .filter(({ time }) => !isNext || time >= since)
      .map(({ time, open, high, low, close, volume }) => ({
        time,
        open: fixed(open),
        high: fixed(high),
        low: fixed(low),
        close: fixed(close),
        volume: volume.toFixed(market.qtyPrecision),
      })),
    fills: drawnFills(run.fillsOf(symbol, at, { since: window[0]?.time ?? 0, most: MAX_FILLS }), length),
    plots: (files.plots.get(symbol) ?? []).map((plot) => plotted(plot, [window[0]?.time ?? Infinity, clock], length)),
    lastFills: run.fillsOf(symbol, at, { since: 0, most: MAX_TRADES }).map(fillOf),
    trades: recording
      .tradesOf(symbol)
      ?.last(clock, MAX_TRADES)
      .map(({ time, price, qty, side: each }) => ({
        time,
        price: formatUnits(price, market.pricePrecision),
        qty: formatTrimmed(qty, market.qtyPrecision),
        side: each,
      })),
    bids: side(true, book?.bids),
    asks: side(false, book?.asks),
  }
}

type Fill = ReturnType<ReplayedFiles['run']['fillsOf']>[number]

const fillOf = ({ createdAt, side, price, qty }: Fill): ReplayFill => ({ time: createdAt, side, price, qty })

/** The parts of a fill at one price in one candle would be drawn on one spot. @param length  of a candle, in ms */
const drawnFills = (fills: readonly Fill[], length: number): readonly ReplayFill[] => [
  ...new Map(
    fills.map((fill) => [`${Math.floor(fill.createdAt / (length || 1))} ${fill.side} ${fill.price}`, fillOf(fill)]),
  ).values(),
]

function plotted({ name, isPrice, line }: PlotLine, [from, to]: readonly [number, number], length: number): ReplayPlot {
  const { times, values } = line
  const points = new Map<number, readonly [number, number]>()
  for (let at = firstIndex(0, times.length, (each) => (times[each] ?? 0) >= from); at < times.length; at += 1) {
    const [time = 0, value] = [times[at], values[at] ?? undefined]
    if (time > to) break
    if (value !== undefined) points.set(Math.floor(time / length), [time, value])
  }
  return { name, isPrice, points: [...points.values()] }
}

/** An own order that rests; ticks and lots. */
interface OwnOrder {
  readonly isBuy: boolean
  readonly price: number
  readonly open: number
  readonly ahead: number | undefined
}

function ownOrders(
  { recording }: ReplayedFiles,
  { symbol, pricePrecision, qtyPrecision }: Market,
  orders: readonly ReplayedOrder[],
  clock: number,
): readonly OwnOrder[] {
  const trades = recording.tradesOf(symbol)
  return orders.flatMap(({ id, symbol: each, side, price: limit, qty, filledQty, crowdAhead, restedAt }) => {
    if (each !== symbol || limit === undefined) return []
    const [isBuy, price] = [side === 'BUY', units(limit, pricePrecision)]
    const [lots, filled] = [units(qty, qtyPrecision), units(filledQty, qtyPrecision)]
    const begin = crowdAhead === undefined ? undefined : units(crowdAhead, qtyPrecision)
    const isKnown = begin !== undefined && restedAt !== undefined && trades !== undefined
    // A fill means that the queue ahead was empty.
    const now = isKnown ? trades.ahead({ id, isBuy, price, ahead: begin, since: restedAt }, clock) : undefined
    return [{ isBuy, price, open: lots - filled, ahead: filled > 0 ? 0 : now }]
  })
}

function units(text: string, decimals: number): number {
  const parsed = parseUnits(text, decimals)
  return parsed.ok ? parsed.value : Number.NaN
}

/** Recorded levels and own orders of one side, best first. */
function levelsOf(
  recorded: readonly RecordedLevel[] | undefined,
  own: readonly OwnOrder[],
  { isBuy, market: { pricePrecision, qtyPrecision } }: { readonly isBuy: boolean; readonly market: Market },
): readonly ReplayLevel[] {
  const sign = isBuy ? -1 : 1
  const byPrice = (one: number, other: number): number => (one - other) * sign
  const ownPrices = [...new Set(own.map(({ price }) => price))].sort(byPrice).slice(0, LEVELS)
  const prices = [...new Set([...(recorded ?? []).map(({ price }) => price), ...ownPrices])].sort(byPrice)
  const text = (lots: number): string => formatTrimmed(lots, qtyPrecision)
  return prices.map((price) => {
    const here = own.filter((each) => each.price === price)
    const worst = recorded?.at(-1)?.price
    const none = worst === undefined || byPrice(price, worst) > 0 ? undefined : 0
    const shown = recorded?.find((level) => level.price === price)?.qty ?? none
    const known = here.flatMap(({ ahead }) => ahead ?? [])
    // Not more than the recorded book has there.
    const least = Math.min(...known, shown ?? Infinity)
    const open = here.reduce((sum, each) => sum + each.open, 0)
    return {
      price: formatUnits(price, pricePrecision),
      qty: shown === undefined ? undefined : text(shown),
      own: here.length === 0 ? undefined : text(open),
      ahead: known.length === 0 ? undefined : text(least),
    }
  })
}
