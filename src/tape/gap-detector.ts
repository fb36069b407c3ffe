/**
 * Detects gaps in the recorded trades of one market.
 *
 * A gap is:
 * - silence since the last accepted print, reported once per silence;
 * - a jump of integer ids within one file's own chain;
 * - the first row of a file when every other file of the market that has begun is at its end.
 * The ids of a file are taken to step by 1 once most steps so far were 1, so that nothing of the future decides. Files
 * that alternate are no gap.
 */

/** The ids of one file. */
interface Chain {
  /** NaN if it is no integer: always a number, to avoid an allocation per trade. */
  id: number
  unitSteps: number
  jumps: number
}

export class GapDetector {
  readonly #longestSilenceMs: number
  readonly #chains: (Chain | undefined)[] = []
  /** Time of the last accepted print; Infinity before it, and once its silence was reported. */
  #silentSince = Number.POSITIVE_INFINITY
  #lastTime = Number.NaN
  #timeBefore = Number.NaN

  /** @param longestSilenceMs  milliseconds between two trades that are still no gap */
  constructor(longestSilenceMs: number) {
    this.#longestSilenceMs = longestSilenceMs
  }

  /**
   * True if there is a gap between the last trade and this one.
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

  /** Time of the row before the last one passed to `next`; NaN if there is none. */
  get timeBefore(): number {
    return this.#timeBefore
  }

  /** Call for every accepted print. */
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
