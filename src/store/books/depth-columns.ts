/**
 * Frames of a book gathered in columns, in units, with the book as it was before the first of them.
 *
 * Invariant: the frames are whole, each side from its best price outward and each price once.
 */
import { RecordedBook } from '../../tape/book/recorded-book.ts'
import type { BookState, SideState } from '../../tape/book/book-state.ts'
import { ASK, BID, FRAME_END, GAP, SNAPSHOT, type DepthBlock, type DepthSide } from '../../tape/depth-block.ts'
import { refineValues } from '../../import/csv/decimal-column.ts'
import { FallColumns, type Fall } from './fall-columns.ts'
import { UnitTable } from './unit-table.ts'

/** The price of a level and what rests there, in units. */
export type Level = readonly [price: number, qty: number]

export interface Frame {
  readonly time: number
  readonly isSnapshot: boolean
  readonly hasGap: boolean
  /** Lots by price. */
  readonly bids: ReadonlyMap<number, number>
  readonly asks: ReadonlyMap<number, number>
  /** Undefined unless the recording is order-level. */
  readonly falls?: readonly Fall[] | undefined
}

/** Row of a frame without levels. */
const NOTHING: Level = [1, 0]

export class DepthColumns {
  readonly #rows = new UnitTable(
    ['time', 'plain'],
    ['flags', 'plain'],
    ['side', 'plain'],
    ['price', 'price'],
    ['qty', 'qty'],
  )
  readonly #falls = new FallColumns()
  readonly #book = new RecordedBook()

  get length(): number {
    return this.#rows.length
  }

  add({ time, isSnapshot, hasGap, bids, asks, falls }: Frame): void {
    const isRow = ([, qty]: Level): boolean => !isSnapshot || qty > 0
    const bidRows = [...bids].filter(isRow).sort((a, b) => b[0] - a[0])
    const askRows = [...asks].filter(isRow).sort((a, b) => a[0] - b[0])
    const begins = (isSnapshot ? SNAPSHOT : 0) + (hasGap ? GAP : 0)
    if (bidRows.length + askRows.length > 0 || begins > 0) this.#falls.add(this.length, falls)
    if (bidRows.length + askRows.length === 0) {
      if (begins > 0) this.#push(time, begins | FRAME_END, BID, NOTHING)
      return
    }
    const last = bidRows.length + askRows.length - 1
    const flagsOf = (at: number): number => (at === 0 ? begins : 0) | (at === last ? FRAME_END : 0)
    for (const [at, row] of bidRows.entries()) this.#push(time, flagsOf(at), BID, row)
    for (const [at, row] of askRows.entries()) this.#push(time, flagsOf(bidRows.length + at), ASK, row)
  }

  /** Rescales the rows to more decimals. */
  refine(priceDecimals: number, qtyDecimals: number): void {
    this.#rows.refine(priceDecimals, qtyDecimals)
    this.#falls.refine(priceDecimals, qtyDecimals)
    if (priceDecimals === 0 && qtyDecimals === 0) return
    const { isKnown, bids, asks } = this.#book.state()
    const refined = (side: SideState): SideState => refinedSide(side, priceDecimals, qtyDecimals)
    this.#book.restore({ isKnown, bids: refined(bids), asks: refined(asks) })
  }

  /** State of the book after all frames added. */
  state(): BookState {
    return this.#book.state()
  }

  /** The frames since the last time, and the book before them. */
  take(): { readonly block: DepthBlock; readonly before: BookState } {
    const before = this.#book.state()
    const rows = this.#rows.take()
    const [flags, side] = [Uint8Array.from(rows.flags), Uint8Array.from(rows.side)]
    const block = { ...rows, flags, side, ...this.#falls.take() }
    this.#book.apply(block)
    return { block, before }
  }

  #push(time: number, flags: number, side: DepthSide, [price, qty]: Level): void {
    this.#rows.push(time, flags, side, price, qty)
  }
}

function refinedSide({ price, qty, shownTo }: SideState, priceDecimals: number, qtyDecimals: number): SideState {
  refineValues(price, price.length, priceDecimals)
  refineValues(qty, qty.length, qtyDecimals)
  const bound = Float64Array.of(shownTo)
  refineValues(bound, 1, priceDecimals)
  return { price, qty, shownTo: bound[0] ?? 0 }
}
