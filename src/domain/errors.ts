/**
 * The kinds of failure that are thrown. A refusal by the exchange is not among them: it is a value.
 */

/**
 * Input that a person can mend: a file, a flag, a field.
 *
 * `where` names the place first: `btc.csv:1402:3`, `--param fast`, or a path in a JSON document.
 */
export class InputError extends Error {
  override readonly name = 'InputError'
  /** The place, with which the message begins. */
  readonly where: string

  /** @param message  what was expected and what was found; a colon stands between the place and it */
  constructor(where: string, message: string, options?: ErrorOptions) {
    super(`${where}: ${message}`, options)
    this.where = where
  }
}

/** The strategy threw: its message, with what it threw as the cause. */
export class StrategyError extends Error {
  override readonly name = 'StrategyError'
  /** When it threw, Unix milliseconds; virtual in a backtest. */
  readonly time: number

  /** @param time  Unix milliseconds */
  constructor(message: string, time: number, options?: ErrorOptions) {
    super(message, options)
    this.time = time
  }
}

/** A bug of ours. Nobody handles it: the process ends with exit code 70. */
export class InvariantError extends Error {
  override readonly name = 'InvariantError'
}

/** Ends the process unless `condition` holds. For our own bugs, never for input. */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new InvariantError(message)
}

/** Closes a switch over a union: a new member that is not handled fails to compile. */
export function assertNever(value: never): never {
  throw new InvariantError(`unexpected value ${JSON.stringify(value)}`)
}
