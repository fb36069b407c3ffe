/**
 * Falls of single orders gathered in columns, in units, beside the frames that tell it.
 */
import { SEEN_TO_COME, TRADED, type DepthBlock, type DepthSide } from '../../tape/depth-block.ts'
import { UnitColumn } from './unit-column.ts'

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
  readonly #row = new UnitColumn()
  readonly #side = new UnitColumn()
  readonly #price = new UnitColumn()
  readonly #since = new UnitColumn()
  readonly #lots = new UnitColumn()
  readonly #kind = new UnitColumn()
  #tellsOrders = false

  /** @param row  the first of their frame @param falls  undefined where the recording tells no orders */
  add(row: number, falls: readonly Fall[] | undefined): void {
    if (falls === undefined) return
    this.#tellsOrders = true
    for (const { side, price, since, lots, isTraded, isSeenToCome } of falls) {
      this.#row.push(row)
      this.#side.push(side)
      this.#price.push(price)
      this.#since.push(since)
      this.#lots.push(lots)
      this.#kind.push((isTraded ? TRADED : 0) + (isSeenToCome ? SEEN_TO_COME : 0))
    }
  }

  /** Writes what is there with more decimals. */
  refine(priceDecimals: number, qtyDecimals: number): void {
    this.#price.refine(priceDecimals)
    this.#lots.refine(qtyDecimals)
  }

  /** Those since the last time, for the block of their frames. */
  take(): Pick<DepthBlock, 'falls'> {
    if (!this.#tellsOrders) return {}
    const { length } = this.#row
    return {
      falls: {
        length,
        row: this.#row.take(),
        side: Uint8Array.from(this.#side.take()),
        price: this.#price.take(),
        since: this.#since.take(),
        lots: this.#lots.take(),
        kind: Uint8Array.from(this.#kind.take()),
      },
    }
  }
}
