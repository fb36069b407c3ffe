/**
 * Synthetic market: the returns of a recorded one, resampled in circular blocks and compounded to prices.
 *
 * Trends and patterns longer than a block are destroyed; volatility and its clustering remain. Quantities, sides and
 * volumes move with their returns; times do not change.
 *
 * Invariant: prices are whole ticks, at least 1; in a candle low <= open, close <= high.
 * Known limits: the price between rows is a float so that roundings do not accumulate; a price that would leave the
 * grid continues from its end. Markets that are shuffled separately no longer move together.
 *
 * @see Politis and Romano (1992), A circular block-resampling procedure for stationary data; White (2000), A Reality
 * Check for Data Snooping
 */
import { invariant } from '../../domain/errors.ts'
import { CircularBlocks, blockLength } from '../../analysis/returns/circular-blocks.ts'
import { PermutedBlocks } from '../../analysis/returns/permuted-blocks.ts'

/** How rows are shuffled. */
export interface BlockOptions {
  /** Returns per block; default: the cube root of their count, rounded up. */
  readonly blockRows?: number | undefined
  /** Puts each block in another place instead of drawing blocks with replacement; default: false. */
  readonly isPermuted?: boolean | undefined
}

/** A row an entry, oldest first. */
export interface TradeColumns {
  /** Ticks, above 0. */
  readonly price: Float64Array
  /** Lots. */
  readonly qty: Float64Array
  readonly side: Uint8Array
}

export interface CandleColumns {
  /** Ticks, above 0; low <= open, close <= high. */
  readonly open: Float64Array
  readonly high: Float64Array
  readonly low: Float64Array
  readonly close: Float64Array
  /** Lots. */
  readonly volume: Float64Array
}

/**
 * Shuffled trades, as many as recorded; the first is the recorded one.
 *
 * @param random  in [0, 1), seeded
 */
export function shuffledTrades(
  { price, qty, side }: TradeColumns,
  random: () => number,
  blocks: BlockOptions = {},
): TradeColumns {
  const rows = new DrawnRows(price.length, random, blocks)
  const shuffled = { price: price.slice(), qty: qty.slice(), side: side.slice() }
  let path = first(price)
  for (let row = 1; row < price.length; row += 1) {
    const from = rows.at(row)
    path = onGrid((path * at(price, from)) / at(price, from - 1))
    shuffled.price[row] = Math.round(path)
    shuffled.qty[row] = at(qty, from)
    shuffled.side[row] = side[from] ?? 0
  }
  return shuffled
}

/**
 * Shuffled candles, as many as recorded, each with the shape of a recorded one applied to the previous close; the first
 * is the recorded one.
 *
 * @param random  in [0, 1), seeded
 */
export function shuffledCandles(
  candles: CandleColumns,
  random: () => number,
  blocks: BlockOptions = {},
): CandleColumns {
  const { open, high, low, close, volume } = candles
  const rows = new DrawnRows(close.length, random, blocks)
  const shuffled = {
    open: open.slice(),
    high: high.slice(),
    low: low.slice(),
    close: close.slice(),
    volume: volume.slice(),
  }
  let path = first(close)
  for (let row = 1; row < close.length; row += 1) {
    const from = rows.at(row)
    const before = at(close, from - 1)
    // The same monotonic rounding for all four, so low <= open, close <= high is preserved.
    const moved = (prices: Float64Array): number => onGrid((path * at(prices, from)) / before)
    shuffled.open[row] = Math.round(moved(open))
    shuffled.high[row] = Math.round(moved(high))
    shuffled.low[row] = Math.round(moved(low))
    shuffled.close[row] = Math.round(moved(close))
    shuffled.volume[row] = at(volume, from)
    path = moved(close)
  }
  return shuffled
}

/** Source row for each row after the first; it always has a predecessor. */
class DrawnRows {
  readonly #blocks: CircularBlocks | PermutedBlocks

  constructor(rows: number, random: () => number, { blockRows, isPermuted = false }: BlockOptions) {
    const returns = Math.max(0, rows - 1)
    const block = blockRows ?? blockLength(returns)
    this.#blocks = isPermuted ? new PermutedBlocks(returns, block, random) : new CircularBlocks(returns, block, random)
  }

  at(row: number): number {
    return this.#blocks.at(row - 1) + 1
  }
}

const onGrid = (price: number): number => Math.min(Math.max(price, 1), Number.MAX_SAFE_INTEGER)

function at(column: Float64Array, row: number): number {
  const value = column[row]
  invariant(value !== undefined, `row ${row} of ${column.length}`)
  return value
}

const first = (prices: Float64Array): number => prices[0] ?? 1
