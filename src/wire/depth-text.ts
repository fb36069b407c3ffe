/**
 * Writes an order book as JSON byte by byte, without intermediate arrays:
 * `{"bids":[[price,qty]],"asks":[[price,qty]]}`, best first.
 *
 * Invariant: equal to `JSON.stringify` to the byte, prices with the decimals of the market, quantities without trailing
 * zeros.
 */
import type { Depth, DepthLevel } from '../domain/depth.ts'
import type { Market } from '../domain/market.ts'
import { TextWriter } from './text-writer.ts'

/** Upper limit: a price and a quantity of 40 digits each, with punctuation. */
const MAX_BYTES = 128
const USUAL_BYTES = 40

export function depthText({ bids, asks }: Depth, market: Market): Buffer {
  const writer = new TextWriter((bids.length + asks.length) * USUAL_BYTES + MAX_BYTES)
  writer.ascii('{"bids":[')
  writeLevels(writer, bids, market)
  writer.ascii('],"asks":[')
  writeLevels(writer, asks, market)
  writer.ascii(']}')
  return writer.written
}

function writeLevels(
  writer: TextWriter,
  levels: readonly DepthLevel[],
  { pricePrecision, qtyPrecision }: Market,
): void {
  let before = '["'
  for (const { price, qty } of levels) {
    writer.reserve(MAX_BYTES)
    writer.ascii(before)
    writer.units(price, pricePrecision)
    writer.ascii('","')
    writer.trimmed(qty, qtyPrecision)
    writer.ascii('"]')
    before = ',["'
  }
}
