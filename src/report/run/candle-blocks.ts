/**
 * candle-blocks.csv: all candles of a market that has more of them than candles.csv has room for, a block of them in a
 * row.
 *
 * A block is base64 of two doubles, its first open in ticks and its largest volume in lots, and of six columns of
 * integers: time, open from the close before, high from the higher and low from the lower of open and close, close from
 * open, and volume in 127ths of the largest. A chart decodes only the blocks that it shows. Known limit: volumes are
 * for the height of a bar; exact ones are in candles.csv.
 */
import type { Market } from '../../domain/market.ts'
import type { MarketCandles } from '../../runtime/figures/market-candles.ts'
import { ByteReader } from '../../store/tapes/blocks/byte-reader.ts'
import { ByteWriter } from '../../store/tapes/blocks/byte-writer.ts'
import { ColumnCodec } from '../../store/tapes/blocks/column-codec.ts'
import { base64, bytesOf } from '../page/folded-data.ts'
import { csvRow } from './csv-row.ts'

const BLOCK_ROWS = 4_096
const VOLUME_STEPS = 127

export const CANDLE_BLOCKS_HEADER = csvRow([
  'symbol',
  'interval_ms',
  'from_ms',
  'to_ms',
  'candles',
  'price_decimals',
  'qty_decimals',
  'block',
])

/** Candles of one length as columns; prices and volumes in the units of the market, as doubles. */
export interface BlockColumns {
  readonly times: Float64Array
  readonly open: Float64Array
  readonly high: Float64Array
  readonly low: Float64Array
  readonly close: Float64Array
  readonly volume: Float64Array
}

/** Rows of candle-blocks.csv, oldest first. */
export function* candleBlockRows(candles: MarketCandles, market: Market): Generator<string> {
  const codec = new ColumnCodec(BLOCK_ROWS)
  for (const [times, ...values] of candles.blocks(BLOCK_ROWS)) {
    if (times === undefined) continue
    const out = new ByteWriter(times.length * 8)
    const largest = (values[4] ?? times).reduce((most, volume) => Math.max(most, volume), 0)
    out.double(values[0]?.[0] ?? 0)
    out.double(largest)
    for (const column of [times, ...differences(values, largest)]) codec.write(column, times.length, out)
    yield csvRow([
      market.symbol,
      String(candles.intervalMs),
      String(times[0]),
      String(times.at(-1)),
      String(times.length),
      String(market.pricePrecision),
      String(market.qtyPrecision),
      base64(out.taken()),
    ])
  }
}

/** Small integers that are not negative, which the codec has in the fewest bytes. */
function differences(
  [open, high, low, close, volume]: readonly Float64Array[],
  largest: number,
): readonly Float64Array[] {
  const at = (values: Float64Array | undefined, row: number): number => values?.[row] ?? 0
  const column = (value: (row: number) => number): Float64Array => Float64Array.from(open ?? [], (_, row) => value(row))
  return [
    column((row) => unsigned(at(open, row) - at(row === 0 ? open : close, Math.max(0, row - 1)))),
    column((row) => at(high, row) - Math.max(at(open, row), at(close, row))),
    column((row) => Math.min(at(open, row), at(close, row)) - at(low, row)),
    column((row) => unsigned(at(close, row) - at(open, row))),
    column((row) => (largest === 0 ? 0 : Math.round((at(volume, row) / largest) * VOLUME_STEPS))),
  ]
}

/** 0, -1, 1, -2 and so on as 0, 1, 2, 3. */
const unsigned = (value: number): number => (value < 0 ? -2 * value - 1 : 2 * value)
const signed = (value: number): number => (value % 2 === 0 ? value / 2 : -(value + 1) / 2)

/**
 * The candles of a block.
 *
 * @param text  as `candleBlockRows` gave it
 * @throws {Error} when it is none
 */
export function candleBlock(text: string, rows: number, priceDecimals: number, qtyDecimals: number): BlockColumns {
  const source = new ByteReader(bytesOf(text))
  const codec = new ColumnCodec(rows)
  let before = source.double()
  const largest = source.double()
  const [times, open, high, low, close, volume] = Array.from({ length: 6 }, () => {
    const column = new Float64Array(rows)
    codec.read(source, rows, column)
    return column
  }) as [Float64Array, Float64Array, Float64Array, Float64Array, Float64Array, Float64Array]
  const [tick, lot] = [10 ** priceDecimals, 10 ** qtyDecimals]
  for (let row = 0; row < rows; row += 1) {
    const o = before + signed(open[row] ?? 0)
    const c = o + signed(close[row] ?? 0)
    before = c
    high[row] = (Math.max(o, c) + (high[row] ?? 0)) / tick
    low[row] = (Math.min(o, c) - (low[row] ?? 0)) / tick
    open[row] = o / tick
    close[row] = c / tick
    volume[row] = ((volume[row] ?? 0) / VOLUME_STEPS) * (largest / lot)
  }
  return { times, open, high, low, close, volume }
}
