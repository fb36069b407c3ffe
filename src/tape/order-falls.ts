/** Falls of single orders of a recorded book, by the rows of their block. */
import { firstIndex } from '../domain/first-index.ts'
import type { OrderFalls } from './depth-block.ts'

/** Empty set for an order-level recording. */
export const NO_FALLS: OrderFalls = {
  length: 0,
  row: new Float64Array(0),
  side: new Uint8Array(0),
  price: new Float64Array(0),
  since: new Float64Array(0),
  lots: new Float64Array(0),
  kind: new Uint8Array(0),
}

/** Index of the first removal at or after a row; the length if there is none. */
export const firstFallFrom = ({ row, length }: OrderFalls, from: number): number =>
  firstIndex(0, length, (index) => (row[index] ?? Infinity) >= from)

/** Removals of the rows from `start` up to `end`, exclusive, relative to a block that begins at `start`. */
export function cutFalls(falls: OrderFalls, start: number, end: number): OrderFalls {
  const [first, last] = [firstFallFrom(falls, start), firstFallFrom(falls, end)]
  return {
    length: last - first,
    row: falls.row.slice(first, last).map((row) => row - start),
    side: falls.side.subarray(first, last),
    price: falls.price.subarray(first, last),
    since: falls.since.subarray(first, last),
    lots: falls.lots.subarray(first, last),
    kind: falls.kind.subarray(first, last),
  }
}
