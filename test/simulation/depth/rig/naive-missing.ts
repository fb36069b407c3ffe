/**
 * What we took of one side of a recorded book, by price: it comes back as much as the book is told to grow there, a smaller book caps it, a
 * level that goes clears it. A price out of sight says nothing.
 */
interface Missing {
  lots: number
  /** Lots that were told there last. */
  told: number
}

export class NaiveMissing {
  readonly #byPrice = new Map<number, Missing>()

  at(price: number): number {
    return this.#byPrice.get(price)?.lots ?? 0
  }

  add(price: number, lots: number, told: number): void {
    this.#byPrice.set(price, { lots: this.at(price) + lots, told })
  }

  /** Before the book changes. */
  remember(toldAt: (price: number) => number, isInSight: (price: number) => boolean): void {
    for (const [price, missing] of this.#byPrice) if (isInSight(price)) missing.told = toldAt(price)
  }

  /** Once it has changed. @returns true when something came back */
  settle(toldAt: (price: number) => number, isInSight: (price: number) => boolean): boolean {
    let isBack = false
    for (const [price, missing] of this.#byPrice) {
      if (!isInSight(price)) continue
      const grown = Math.max(0, toldAt(price) - missing.told)
      isBack ||= grown > 0
      missing.lots -= grown
    }
    this.cap(toldAt, isInSight)
    return isBack
  }

  /** No more is missing than is there. */
  cap(toldAt: (price: number) => number, isInSight: (price: number) => boolean): void {
    for (const [price, missing] of this.#byPrice) {
      if (isInSight(price)) missing.lots = Math.min(missing.lots, toldAt(price))
      if (missing.lots <= 0) this.#byPrice.delete(price)
    }
  }
}
