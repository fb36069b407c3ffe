/**
 * What we had of one side of a recorded book, by price. What we took comes back as much as the book is asked to grow
 * there; what filled orders of ours that rest does not, for each lot fills us once. A smaller book caps it, a level
 * that goes clears it, a price out of sight says nothing.
 */
interface Missing {
  taken: number
  met: number
  /** Lots that were reported there last. */
  reported: number
}

export class NaiveMissing {
  readonly #byPrice = new Map<number, Missing>()

  at(price: number): number {
    const { taken, met } = this.#byPrice.get(price) ?? { taken: 0, met: 0 }
    return taken + met
  }

  add(kind: 'taken' | 'met', price: number, lots: number, reported: number): void {
    const { taken, met } = this.#byPrice.get(price) ?? { taken: 0, met: 0 }
    this.#byPrice.set(
      price,
      kind === 'taken' ? { taken: taken + lots, met, reported } : { taken, met: met + lots, reported },
    )
  }

  /** Once the book has changed. @returns true when something came back */
  settle(reportedAt: (price: number) => number, isInSight: (price: number) => boolean): boolean {
    let isBack = false
    for (const [price, missing] of this.#byPrice) {
      if (!isInSight(price)) continue
      const grown = Math.max(0, reportedAt(price) - missing.reported)
      isBack ||= grown > 0
      missing.taken = Math.max(0, missing.taken - grown)
    }
    this.cap(reportedAt, isInSight)
    return isBack
  }

  /** No more is missing than is there. */
  cap(reportedAt: (price: number) => number, isInSight: (price: number) => boolean): void {
    for (const [price, missing] of this.#byPrice) {
      if (!isInSight(price)) continue
      missing.reported = reportedAt(price)
      missing.met = Math.min(missing.met, reportedAt(price))
      missing.taken = Math.min(missing.taken, reportedAt(price) - missing.met)
      if (missing.taken + missing.met === 0) this.#byPrice.delete(price)
    }
  }
}
