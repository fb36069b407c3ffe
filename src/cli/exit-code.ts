/**
 * How a command ends, for scripts that call it.
 */
export const EXIT = {
  done: 0,
  /** The strategy failed, or a check did not hold. */
  failed: 1,
  /** What the user gave has to be mended. */
  input: 2,
  /** A bug of ours. */
  invariant: 70,
} as const
