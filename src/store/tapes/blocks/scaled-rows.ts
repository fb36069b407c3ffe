/** Stored rows in finer precisions than they were written in. */
import { powerOfTen } from '../../../domain/fixed-point.ts'
import { isCandleBlock, type RecordedBlock } from '../../../tape/tape.ts'
import type { TapePrecisions } from '../../../tape/tape-precisions.ts'
import type { StoredRows } from './block-codec.ts'
import type { StoredMarket } from './stored-market.ts'

/**
 * Rescales rows in place to more decimals.
 *
 * @param wanted  at least as many digits, in which every value is a safe integer
 */
export function scaledRows({ block, ...of }: StoredRows, wanted: TapePrecisions): RecordedBlock {
  const prices = isCandleBlock(block) ? [block.open, block.high, block.low, block.close] : [block.price]
  const qty = isCandleBlock(block) ? block.volume : block.qty
  for (const price of prices) scaleUnits(price, wanted.pricePrecision - of.pricePrecision)
  scaleUnits(qty, wanted.qtyPrecision - of.qtyPrecision)
  return block
}

/**
 * Units written with more decimals.
 *
 * @param digits  more than before, >= 0, with which every value is a safe integer
 */
export function scaleUnits(values: Float64Array, digits: number): void {
  if (digits === 0) return
  const factor = Number(powerOfTen(digits))
  for (let row = 0; row < values.length; row += 1) values[row] = (values[row] ?? 0) * factor
}

/** The blocks of a market in finer precisions, one after the other. @param indexes  of blocks; without it, of all */
export function* scaledMarket(
  market: StoredMarket,
  { pricePrecision, qtyPrecision }: TapePrecisions,
  indexes: Iterable<number> = market.entries.keys(),
): Generator<StoredRows, void, undefined> {
  const precisions = { pricePrecision, qtyPrecision }
  for (const index of indexes) yield { block: scaledRows(market.read(index), precisions), ...precisions }
}
