/** A recorded book at one moment as bytes, and back: each side from its best level outward. */
import { invariant } from '../../../domain/errors.ts'
import type { BookState, SideState } from '../../../tape/book/book-state.ts'
import { BlockFault, type ByteReader } from './byte-reader.ts'
import { ByteWriter } from './byte-writer.ts'

export function bookBytes({ isKnown, bids, asks }: BookState): Uint8Array {
  const out = new ByteWriter(8 * (bids.price.length + asks.price.length) + 64)
  out.byte(isKnown ? 1 : 0)
  writeSide(bids, -1, out)
  writeSide(asks, 1, out)
  return out.taken()
}

/** @throws {BlockFault} when the bytes are of none */
export function readBook(source: ByteReader): BookState {
  const isKnown = source.byte()
  if (isKnown > 1) throw new BlockFault(`a flag is ${isKnown}`)
  const bids = readSide(source, -1)
  const asks = readSide(source, 1)
  const [bid, ask] = [bids.price[0], asks.price[0]]
  if (bid !== undefined && ask !== undefined && bid >= ask) throw new BlockFault('its book is crossed')
  return { isKnown: isKnown === 1, bids, asks }
}

/** @param outward  1 for asks, whose prices rise away from the best, -1 for bids */
function writeSide({ price, qty, shownTo }: SideState, outward: 1 | -1, out: ByteWriter): void {
  const { length } = price
  out.wideVarints(Float64Array.of(shownTo, length), 2)
  let before = 0
  const steps = price.map((each, row) => {
    const step = row === 0 ? each : (each - before) * outward - 1
    invariant(step >= 0 && (qty[row] ?? 0) > 0, 'a book has its levels from the best outward')
    before = each
    return step
  })
  out.wideVarints(steps, length)
  out.wideVarints(qty, length)
}

function readSide(source: ByteReader, outward: 1 | -1): SideState {
  const head = new Float64Array(2)
  source.wideVarints(head, 2)
  const [shownTo = 0, length = 0] = head
  // Two bytes of a level at least, so that a damaged length asks for no memory.
  if (2 * length > source.left) throw new BlockFault(`a side of its book has ${length} levels`)
  const price = new Float64Array(length)
  const qty = new Float64Array(length)
  source.wideVarints(price, length)
  source.wideVarints(qty, length)
  for (let row = 1; row < length; row += 1) {
    price[row] = (price[row - 1] ?? 0) + ((price[row] ?? 0) + 1) * outward
  }
  const ends = [price[0] ?? 1, price[length - 1] ?? 1]
  if (ends.some((end) => end < 1 || end > Number.MAX_SAFE_INTEGER)) throw new BlockFault('a price of its book is none')
  if (qty.includes(0)) throw new BlockFault('a level of its book has no lots')
  return { price, qty, shownTo }
}
