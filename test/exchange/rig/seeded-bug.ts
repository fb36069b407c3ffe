/**
 * Bugs that were written on purpose, each a change of the exchange's own text: anyone who proves the exchange must find
 * every one.
 *
 * To add one, add a row to one of the lists. `find` stands exactly once in `file` of src/exchange; choose a bug that
 * comes to an end.
 */
export interface SeededBug {
  /** What is wrong, as a rule that is broken. */
  readonly name: string
  /** Below src/exchange. */
  readonly file: string
  readonly find: string
  readonly replace: string
  /** True when no short script shows it. */
  readonly needsLongScript?: boolean
}
