/**
 * Stored rows of a recorded book or of quotes: an index of separately readable blocks, and the facts derived from it.
 */
import { InputError, invariant } from '../../../domain/errors.ts'
import type { BookState, SideState } from '../../../tape/book/book-state.ts'
import type { BookReach, BookTapeInfo } from '../../../tape/book-tape.ts'
import type { DepthBlock } from '../../../tape/depth-block.ts'
import type { QuoteBlock } from '../../../tape/quote-block.ts'
import type { TapePrecisions } from '../../../tape/tape-precisions.ts'
import type { BookEntry, BookHead } from './book-entry.ts'
import { BlockFault } from './byte-reader.ts'
import { DepthCodec } from './depth-codec.ts'
import { QuoteCodec } from './quote-codec.ts'
import { scaleUnits } from './scaled-rows.ts'

export interface StoredBook {
  readonly head: BookHead
  /** Oldest first. */
  readonly entries: readonly BookEntry[]
  /**
   * Encoded bytes of the block with that index.
   *
   * @throws {InputError} when they no longer exist
   */
  bytes(index: number): Uint8Array
}

/** Book shared with other readers. */
export interface SharedBook extends StoredBook {
  /** Lower-case hex SHA-256 that identifies all of its blocks. */
  readonly sha256: string
}

/** Facts of a recording derived from its index. */
export type BookFacts = Omit<BookTapeInfo, 'symbol' | 'file' | 'sha256' | 'notices' | 'warnings'>

/** @param entries  at least one */
export function bookFacts(kind: BookTapeInfo['kind'], entries: readonly BookEntry[]): BookFacts {
  const sum = (of: (entry: BookEntry) => number): number => entries.reduce((total, entry) => total + of(entry), 0)
  const most = (of: (entry: BookEntry) => number): number => entries.reduce((all, entry) => Math.max(all, of(entry)), 0)
  const pricePrecision = most((entry) => entry.pricePrecision)
  const qtyPrecision = most((entry) => entry.qtyPrecision)
  return {
    kind,
    reach: reachOf(kind, sum((entry) => entry.snapshots) === sum((entry) => entry.frames)),
    levels: most((entry) => entry.levels),
    reportsOrders: kind === 'depth' && entries.every(({ orders }) => orders === true),
    gapCount: sum((entry) => entry.gaps),
    rows: sum((entry) => entry.rows),
    from: entries[0]?.first ?? 0,
    to: entries.at(-1)?.last ?? 0,
    pricePrecision,
    qtyPrecision,
    rowsAtPricePrecision: sum((entry) => (entry.pricePrecision === pricePrecision ? entry.finestPrices : 0)),
    rowsAtQtyPrecision: sum((entry) => (entry.qtyPrecision === qtyPrecision ? entry.finestQuantities : 0)),
  }
}

function reachOf(kind: BookTapeInfo['kind'], isAllSnapshots: boolean): BookReach {
  if (kind === 'quotes') return 'quotes'
  return isAllSnapshots ? 'snapshots' : 'changes'
}

/** Values in units; undefined if a block has none. */
type Column = Float64Array | undefined

/**
 * Reads the blocks of a book, in precisions that may be finer than those in which they were written. The caller owns
 * the returned blocks.
 */
export class BookBlocks {
  readonly #book: StoredBook
  readonly #file: string
  readonly #wanted: TapePrecisions
  readonly #depth = new DepthCodec()
  readonly #quotes = new QuoteCodec()

  /**
   * @param file    for errors
   * @param wanted  at least as many digits as any block has, with which every value is a safe integer
   */
  constructor(book: StoredBook, file: string, wanted: TapePrecisions) {
    this.#book = book
    this.#file = file
    this.#wanted = wanted
  }

  /** @throws {InputError} naming the block, when it is damaged */
  depth(index: number): DepthBlock {
    const { block, ...of } = this.#checked(index, (bytes, checksum) => this.#depth.decode(bytes, checksum))
    const { price, qty, falls } = block
    this.#scale([price, falls?.price], [qty, falls?.lots], of)
    return block
  }

  /** The book before the first row of a block. @throws {InputError} naming the block, when it is damaged */
  before(index: number): BookState {
    const entry = this.#entry(index)
    const { isKnown, bids, asks } = this.#sound(index, () =>
      this.#depth.decodeBefore(this.#book.bytes(index), entry.checksum),
    )
    return { isKnown, bids: this.#side(bids, entry), asks: this.#side(asks, entry) }
  }

  /** @throws {InputError} naming the block, when it is damaged */
  quotes(index: number): QuoteBlock {
    const { block, ...of } = this.#checked(index, (bytes, checksum) => this.#quotes.decode(bytes, checksum))
    this.#scale([block.bid, block.ask], [block.bidQty, block.askQty], of)
    return block
  }

  #side({ price, qty, shownTo }: SideState, of: TapePrecisions): SideState {
    const bound = Float64Array.of(shownTo)
    this.#scale([price, bound], [qty], of)
    return { price, qty, shownTo: bound[0] ?? 0 }
  }

  #scale(prices: readonly Column[], quantities: readonly Column[], of: TapePrecisions): void {
    const [priceDigits, qtyDigits] = [
      this.#wanted.pricePrecision - of.pricePrecision,
      this.#wanted.qtyPrecision - of.qtyPrecision,
    ]
    for (const price of prices) if (price !== undefined) scaleUnits(price, priceDigits)
    for (const qty of quantities) if (qty !== undefined) scaleUnits(qty, qtyDigits)
  }

  #checked<Rows extends TapePrecisions & { readonly block: { readonly length: number; readonly time: Float64Array } }>(
    index: number,
    decode: (bytes: Uint8Array, checksum: number) => Rows,
  ): Rows {
    const entry = this.#entry(index)
    return this.#sound(index, () => {
      const rows = decode(this.#book.bytes(index), entry.checksum)
      const { length, time } = rows.block
      const isSpan = length === entry.rows && time[0] === entry.first && time[length - 1] === entry.last
      if (!isSpan || rows.pricePrecision !== entry.pricePrecision || rows.qtyPrecision !== entry.qtyPrecision) {
        throw new BlockFault('it is not the block in the index')
      }
      return rows
    })
  }

  #sound<Value>(index: number, decode: () => Value): Value {
    try {
      return decode()
    } catch (error) {
      if (!(error instanceof BlockFault)) throw error
      const place = `${this.#file}: block ${index + 1} of ${this.#book.entries.length}`
      throw new InputError(place, `is damaged: ${error.message}`, { cause: error })
    }
  }

  #entry(index: number): BookEntry {
    const entry = this.#book.entries[index]
    invariant(entry !== undefined, 'a block of the index')
    return entry
  }
}
