/**
 * Falls of single orders gathered in columns, in units, beside the frames that tell it.
 */
import { SEEN_TO_COME, TRADED, type DepthBlock, type DepthSide } from '../../tape/depth-block.ts'
import { UnitTable } from './unit-table.ts'

/** What went of one order, in units. */
export interface Fall {
  readonly side: DepthSide
  readonly price: number
  readonly lots: number
  readonly since: number
  readonly isTraded: boolean
  readonly isSeenToCome: boolean
}

export class FallColumns {
  readonly #rows = new UnitTable(
    ['row', 'plain'],
    ['side', 'plain'],
    ['price', 'price'],
    ['since', 'plain'],
    ['lots', 'qty'],
    ['kind', 'plain'],
  )
  #tellsOrders = false

  /** @param row  the first of their frame @param falls  undefined where the recording tells no orders */
  add(row: number, falls: readonly Fall[] | undefined): void {
    if (falls === undefined) return
    this.#tellsOrders = true
    for (const { side, price, since, lots, isTraded, isSeenToCome } of falls) {
      const kind = (isTraded ? TRADED : 0) + (isSeenToCome ? SEEN_TO_COME : 0)
      this.#rows.push(row, side, price, since, lots, kind)
    }
  }

  /** Writes what is there with more decimals. */
  refine(priceDecimals: number, qtyDecimals: number): void {
    this.#rows.refine(priceDecimals, qtyDecimals)
  }

  /** Those since the last time, for the block of their frames. */
  take(): Pick<DepthBlock, 'falls'> {
    if (!this.#tellsOrders) return {}
    const rows = this.#rows.take()
    return { falls: { ...rows, side: Uint8Array.from(rows.side), kind: Uint8Array.from(rows.kind) } }
  }
}
