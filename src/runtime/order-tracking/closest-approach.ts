/**
 * The recorded price that came nearest to the orders of one side since each of them began.
 *
 * Orders that began with no recorded price between them share a mark. A mark whose orders a later price came nearer to
 * than any price before is one with the marks behind it. So the last mark alone hears of a price, and a price takes no
 * time for each order.
 */
import type { Side } from '../../domain/order.ts'

/** A moment since which recorded prices are looked at. */
export interface ApproachMark {
  /** Ticks; infinite before the first. Of a mark that is one with another: that of the other. */
  nearest: number
  /** Orders that began at it, and at those that are one with it. */
  orders: number
  /** The mark with which it is one. */
  sameAs: ApproachMark | undefined
}

/** Marks without orders that may be kept whatever the number of orders. */
const MOST_IDLE = 64

export class ClosestApproach {
  /** 1 where a lower price is nearer. */
  readonly #sign: 1 | -1
  /** Oldest first; the price of each came nearer than that of any behind it. */
  #marks: ApproachMark[] = []
  #orders = 0

  /** @param side  of the orders: to one of BUY a lower price comes nearer */
  constructor(side: Side) {
    this.#sign = side === 'BUY' ? 1 : -1
  }

  /**
   * The price behind which a recorded one comes nearer to some order than any before; infinite when every price does.
   */
  get nearest(): number {
    return this.#marks.at(-1)?.nearest ?? this.#none
  }

  /** An order begins. */
  begin(): ApproachMark {
    this.#orders += 1
    let mark = this.#marks.at(-1)
    if (mark?.nearest !== this.#none) {
      if (this.#marks.length > 2 * this.#orders + MOST_IDLE)
        this.#marks = this.#marks.filter(({ orders }) => orders > 0)
      mark = { nearest: this.#none, orders: 0, sameAs: undefined }
      this.#marks.push(mark)
    }
    mark.orders += 1
    return mark
  }

  /** An order that began at a mark ends. @returns the price that came nearest to it; undefined when there was none */
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

/** Shortens the way for the next question. */
function rootOf(mark: ApproachMark): ApproachMark {
  let each = mark
  for (let { sameAs } = each; sameAs !== undefined; { sameAs } = each) {
    if (sameAs.sameAs !== undefined) each.sameAs = sameAs.sameAs
    each = sameAs
  }
  return each
}
