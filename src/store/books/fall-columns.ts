/** Removals of single orders in columns, in units, alongside their frames. */
import { SEEN_TO_COME, TRADED, type DepthBlock, type DepthSide } from '../../tape/depth-block.ts'
import { UnitTable } from './unit-table.ts'

/** Removal of an order, or of a part of it, in units. */
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

  /**
   * @param row    first row of their frame
   * @param falls  undefined unless the recording is order-level
   */
  add(row: number, falls: readonly Fall[] | undefined): void {
    if (falls === undefined) return
    this.#tellsOrders = true
    for (const { side, price, since, lots, isTraded, isSeenToCome } of falls) {
      const kind = (isTraded ? TRADED : 0) + (isSeenToCome ? SEEN_TO_COME : 0)
      this.#rows.push(row, side, price, since, lots, kind)
    }
  }

  /** Rescales the rows to more decimals. */
  refine(priceDecimals: number, qtyDecimals: number): void {
    this.#rows.refine(priceDecimals, qtyDecimals)
  }

  /** Takes the removals since the last call, for the block of their frames. */
  take(): Pick<DepthBlock, 'falls'> {
    if (!this.#tellsOrders) return {}
    const rows = this.#rows.take()
    return { falls: { ...rows, side: Uint8Array.from(rows.side), kind: Uint8Array.from(rows.kind) } }
  }
}
