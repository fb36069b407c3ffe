/**
 * Tells where something is missing from the recorded trades of one market.
 *
 * A gap is silence since the last believed print, once a silence; a jump of integer ids within one file's own chain; or
 * the first row of a file when every other file of the market that has begun is at its end. Whether the ids of a file
 * step by 1 is judged by its steps so far, more of which must have been of 1 than not, so that nothing of the future
 * decides. Files that alternate are no gap.
 */

/** The ids of one file. */
interface Chain {
  /** NaN when it is no integer: a number in any case, so that no trade makes an object of it. */
  id: number
  unitSteps: number
  jumps: number
}

export class GapDetector {
  readonly #longestSilenceMs: number
  readonly #chains: (Chain | undefined)[] = []
  /** Of the last believed print; Infinity before it, and once its silence was told. */
  #silentSince = Number.POSITIVE_INFINITY
  #lastTime = Number.NaN
  #timeBefore = Number.NaN

  /** @param longestSilenceMs  milliseconds between two trades that are still no gap */
  constructor(longestSilenceMs: number) {
    this.#longestSilenceMs = longestSilenceMs
  }

  /**
   * True when there is a gap between the last trade and this one.
   *
   * @param file           index of the file
   * @param id             as recorded; NaN when it is no integer
   * @param followsOthers  true for a row of a file that begins when every other one of the market that has begun is at
   * its end
   */
  next(file: number, time: number, id: number, followsOthers: boolean): boolean {
    this.#timeBefore = this.#lastTime
    this.#lastTime = time
    const isSilent = time - this.#silentSince > this.#longestSilenceMs
    if (isSilent) this.#silentSince = Number.POSITIVE_INFINITY
    const chain = this.#chains[file]
    if (chain !== undefined) return isJump(chain, id) || isSilent
    const isBoundary = followsOthers && this.#chains.length > 0
    this.#chains[file] = { id, unitSteps: 0, jumps: 0 }
    return isBoundary || isSilent
  }

  /** Time of the row before the last one that was given to `next`; NaN when there is none. */
  get timeBefore(): number {
    return this.#timeBefore
  }

  /** Call for every print that is believed. */
  believed(time: number): void {
    this.#silentSince = time
  }
}

function isJump(chain: Chain, id: number): boolean {
  const before = chain.id
  chain.id = id
  if (Number.isNaN(id) || Number.isNaN(before)) return false
  if (id === before + 1) {
    chain.unitSteps += 1
    return false
  }
  const stepsByOne = chain.unitSteps > chain.jumps
  chain.jumps += 1
  return stepsByOne
}
