/**
 * Rows of depth.csv: the recorded book near the market at evenly spaced moments, in steps of price as fine as
 * MAX_ROWS allows.
 *
 * Invariant: a row is the exact sum of the recorded levels of its side from its price up to the next step.
 */
import { formatUnits } from '../../domain/fixed-point.ts'
import type { Market } from '../../domain/market.ts'
import type { DepthSample, SampledSide } from '../../runtime/figures/depth-samples.ts'
import { csvRow } from './csv-row.ts'

/** Rows of a market: about 200 KB of its page. */
const MAX_ROWS = 30_000
/** Prices that a chart may show beyond those of the best levels, as a share of their range, and at least in ticks. */
const [BEYOND, MIN_BEYOND] = [0.6, 20]

/** A moment without levels, such as in a gap, is one row without side, price and quantity. */
export const DEPTH_HEADER = csvRow(['symbol', 'time_ms', 'price_step', 'side', 'price', 'qty'])

type Cell = readonly [time: number, side: 'bid' | 'ask' | '', price: number, lots: bigint]

/** Oldest first; of each moment bids and then asks, the best first. */
export function depthRows(samples: readonly DepthSample[], market: Market): readonly string[] {
  const { symbol, pricePrecision, qtyPrecision } = market
  const range = rangeOf(samples)
  for (let digit = 0; ; digit += 1) {
    const step = ([1, 2, 5][digit % 3] ?? 1) * 10 ** Math.floor(digit / 3)
    const cells = samples.flatMap((sample) => cellsOf(sample, range, step))
    if (cells.length > Math.max(MAX_ROWS, 2 * samples.length)) continue
    const text = formatUnits(step, pricePrecision)
    return cells.map(([time, side, price, lots]) => {
      const level = side === '' ? ['', ''] : [formatUnits(price, pricePrecision), formatUnits(lots, qtyPrecision)]
      return csvRow([symbol, String(time), text, side, ...level])
    })
  }
}

/** Ticks around the best levels of all samples. */
function rangeOf(samples: readonly DepthSample[]): readonly [low: number, high: number] {
  const best = samples.flatMap(({ bids, asks }) => [bids.price[0] ?? [], asks.price[0] ?? []].flat())
  const low = best.reduce((least, price) => Math.min(least, price), Infinity)
  const high = best.reduce((most, price) => Math.max(most, price), 0)
  const beyond = Math.max(MIN_BEYOND, Math.ceil((high - low) * BEYOND))
  return [low - beyond, high + beyond]
}

function cellsOf({ time, bids, asks }: DepthSample, range: readonly [number, number], step: number): readonly Cell[] {
  const cells = [...sideCells(time, 'bid', bids, range, step), ...sideCells(time, 'ask', asks, range, step)]
  return cells.length === 0 ? [[time, '', 0, 0n]] : cells
}

function sideCells(
  time: number,
  side: 'bid' | 'ask',
  { price, qty }: SampledSide,
  [low, high]: readonly [number, number],
  step: number,
): readonly Cell[] {
  const lotsByPrice = new Map<number, bigint>()
  price.forEach((ticks, index) => {
    if (ticks < low || ticks > high) return
    const from = Math.floor(ticks / step) * step
    lotsByPrice.set(from, (lotsByPrice.get(from) ?? 0n) + BigInt(qty[index] ?? 0))
  })
  return Array.from(lotsByPrice, ([from, lots]) => [time, side, from, lots])
}
