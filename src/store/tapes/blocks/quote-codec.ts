/**
 * Encodes recorded quotes as bytes, column by column, and decodes them.
 *
 * Invariant: decoding gives the same rows, value by value; an empty side has neither price nor lots.
 */
import { invariant } from '../../../domain/errors.ts'
import type { QuoteBlock } from '../../../tape/quote-block.ts'
import { MAX_BLOCK_ROWS } from '../../../tape/tape.ts'
import type { TapePrecisions } from '../../../tape/tape-precisions.ts'
import { BlockFault } from './byte-reader.ts'
import { ByteWriter } from './byte-writer.ts'
import { ColumnCodec, leastOf } from './column-codec.ts'
import { checkRises, openedBlock, QUOTES, readHead, sealedBlock, writeHead, type EncodedBlock } from './sealed-block.ts'

export interface StoredQuotes extends TapePrecisions {
  readonly block: QuoteBlock
}

export class QuoteCodec {
  readonly #columns = new ColumnCodec(MAX_BLOCK_ROWS)

  /** @param isCompact  a third smaller, and read at half the speed */
  encode({ block, pricePrecision, qtyPrecision }: StoredQuotes, isCompact = false): EncodedBlock {
    const { length, time, bid, bidQty, ask, askQty } = block
    invariant(length >= 1 && length <= MAX_BLOCK_ROWS, 'a block has rows, and not too many')
    const out = new ByteWriter(length * 12 + 64)
    writeHead({ kind: QUOTES, length, pricePrecision, qtyPrecision }, out)
    for (const column of [time, bid, bidQty, ask, askQty]) this.#columns.write(column, length, out)
    return sealedBlock(out.taken(), isCompact)
  }

  /**
   * Rows in columns of their own.
   *
   * @throws {BlockFault} when the checksum is another, or the bytes are not of such a block
   */
  decode(bytes: Uint8Array, checksum: number): StoredQuotes {
    const source = openedBlock(bytes, checksum)
    const { kind, length, pricePrecision, qtyPrecision } = readHead(source, MAX_BLOCK_ROWS)
    if (kind !== QUOTES) throw new BlockFault('it has no quotes')
    const column = (): Float64Array => {
      const values = new Float64Array(length)
      this.#columns.read(source, length, values)
      return values
    }
    const block = { length, time: column(), bid: column(), bidQty: column(), ask: column(), askQty: column() }
    source.end()
    checkRises(block.time, 0)
    checkSide(block.bid, block.bidQty)
    checkSide(block.ask, block.askQty)
    return { block, pricePrecision, qtyPrecision }
  }
}

function checkSide(price: Float64Array, qty: Float64Array): void {
  let isSound = leastOf(price, price.length) >= 0 && leastOf(qty, qty.length) >= 0
  for (let row = 0; row < price.length; row += 1) if ((price[row] === 0) !== (qty[row] === 0)) isSound = false
  if (!isSound) throw new BlockFault('a quote has a price without lots, or lots without a price')
}
