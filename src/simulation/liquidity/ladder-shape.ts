/**
 * Shape of one side of the crowd's ladder: distance of each level from the best price, and its lots.
 *
 * 400 levels, a quarter step apart times the momentum factor; lots start at a quarter of a trade cluster and grow by
 * 1/64 per level.
 * Invariant: no level is nearer to the best price, or smaller, than the one before.
 */
export const LEVELS = 400

export class LadderShape {
  readonly #clip: number
  readonly #step: number
  readonly #impactSkew: number

  /**
   * @param clip      lots of a trade cluster, above 0
   * @param step      ticks, at least 1
   * @param impactSkew  momentum factor of the distances, above 0
   */
  constructor(clip: number, step: number, impactSkew: number) {
    this.#clip = clip
    this.#step = step
    this.#impactSkew = impactSkew
  }

  /** Ticks from the best price, for a level from 0 on. */
  offset(level: number): number {
    return Math.floor((level * this.#step * this.#impactSkew) / 4)
  }

  /** Lots of a level, at least 1. */
  lots(level: number): number {
    return Math.max(1, Math.floor((this.#clip * (16 + level)) / 64))
  }

  /**
   * Total distance of the first `lots` lots from the best price: the sum of ticks times lots, limited to the levels
   * there are.
   */
  distance(lots: number): number {
    let left = lots
    let distance = 0
    for (let level = 0; level < LEVELS && left > 0; level += 1) {
      const taken = Math.min(left, this.lots(level))
      distance += taken * this.offset(level)
      left -= taken
    }
    return distance
  }

  /** First level with lots left when `missing` of them are gone; the last one when all are. */
  firstLevel(missing: number): number {
    let left = missing
    let level = 0
    for (; level < LEVELS - 1 && left >= this.lots(level); level += 1) left -= this.lots(level)
    return level
  }
}
