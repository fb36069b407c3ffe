/**
 * The recorded price that came closest to each order of one side since it was placed.
 *
 * Purpose: reports how close the market came to an unfilled order.
 * Complexity: orders placed with no recorded price between them share a mark. When a new price beats a mark's record,
 * the mark is merged with all newer marks (union-find), so only the last mark handles a price, and a price costs no
 * time per order.
 * @see https://en.wikipedia.org/wiki/Disjoint-set_data_structure
 */
import type { Side } from '../../domain/order.ts'

/** A moment since which recorded prices are tracked. */
export interface ApproachMark {
  /** Ticks; infinite before the first. If it was merged, the root's value counts. */
  nearest: number
  /** Orders placed at it, and at the marks merged with it. */
  orders: number
  /** Parent in the union-find forest; undefined for a root. */
  sameAs: ApproachMark | undefined
}

/** Maximum number of marks without orders, independent of the number of orders. */
const MAX_IDLE = 64

export class ClosestApproach {
  /** 1 if a lower price is closer, otherwise -1. */
  readonly #sign: 1 | -1
  /** Root marks, oldest first; the record of each is closer than those of all after it. */
  #marks: ApproachMark[] = []
  #orders = 0

  /** @param side  of the orders: a lower price is closer to a BUY order */
  constructor(side: Side) {
    this.#sign = side === 'BUY' ? 1 : -1
  }

  /** The price beyond which a recorded one is a new record for some order; infinite if every price is. */
  get nearest(): number {
    return this.#marks.at(-1)?.nearest ?? this.#none
  }

  /** An order is placed. */
  begin(): ApproachMark {
    this.#orders += 1
    let mark = this.#marks.at(-1)
    if (mark?.nearest !== this.#none) {
      if (this.#marks.length > 2 * this.#orders + MAX_IDLE) this.#marks = this.#marks.filter(({ orders }) => orders > 0)
      mark = { nearest: this.#none, orders: 0, sameAs: undefined }
      this.#marks.push(mark)
    }
    mark.orders += 1
    return mark
  }

  /** An order placed at a mark ends. @returns the closest price; undefined if there was none */
  end(mark: ApproachMark): number | undefined {
    const root = rootOf(mark)
    root.orders -= 1
    this.#orders -= 1
    const { nearest } = root
    if (this.#orders === 0) this.#marks = []
    return Number.isFinite(nearest) ? nearest : undefined
  }

  see(price: number): void {
    const marks = this.#marks
    const last = marks.at(-1)
    if (last === undefined || !this.#isNearer(price, last.nearest)) return
    last.nearest = price
    for (
      let before = marks.at(-2);
      before !== undefined && !this.#isNearer(before.nearest, price);
      before = marks.at(-2)
    ) {
      join(before, marks.pop())
      before.nearest = price
    }
  }

  get #none(): number {
    return this.#sign * Infinity
  }

  #isNearer(price: number, than: number): boolean {
    return price * this.#sign < than * this.#sign
  }
}

function join(mark: ApproachMark, later: ApproachMark | undefined): void {
  if (later === undefined) return
  mark.orders += later.orders
  later.sameAs = mark
}

/** Finds the root, with path compression. */
function rootOf(mark: ApproachMark): ApproachMark {
  let each = mark
  for (let { sameAs } = each; sameAs !== undefined; { sameAs } = each) {
    if (sameAs.sameAs !== undefined) each.sameAs = sameAs.sameAs
    each = sameAs
  }
  return each
}
