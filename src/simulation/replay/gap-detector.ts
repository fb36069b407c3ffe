/**
 * Tells where something is missing from the recorded trades of one market.
 *
 * A gap is a jump of integer ids on a tape whose ids step by 1, the boundary of two files, or silence. Whether ids step by 1 is
 * judged by the steps so far, more of which must have been of 1 than not, so that nothing of the future decides.
 */
export class GapDetector {
  readonly #longestSilenceMs: number
  /** -1 before the first trade. */
  #tape = -1
  #time = 0
  /** NaN when it is no integer: a number in any case, so that no trade makes an object of it. */
  #id = Number.NaN
  #unitSteps = 0
  #jumps = 0

  /** @param longestSilenceMs  milliseconds between two trades that are still no gap */
  constructor(longestSilenceMs: number) {
    this.#longestSilenceMs = longestSilenceMs
  }

  /**
   * True when there is a gap between the last trade and this one.
   *
   * @param tape  index of the tape
   * @param id    as recorded; NaN when it is no integer
   */
  next(tape: number, time: number, id: number): boolean {
    const isFirst = this.#tape < 0
    const isOther = !isFirst && tape !== this.#tape
    const isSilent = !isFirst && time - this.#time > this.#longestSilenceMs
    const isJump = !isFirst && !isOther && this.#isJump(id)
    this.#tape = tape
    this.#time = time
    this.#id = id
    return isOther || isSilent || isJump
  }

  #isJump(id: number): boolean {
    if (Number.isNaN(id) || Number.isNaN(this.#id)) return false
    if (id === this.#id + 1) {
      this.#unitSteps += 1
      return false
    }
    const stepsByOne = this.#unitSteps > this.#jumps
    this.#jumps += 1
    return stepsByOne
  }
}
