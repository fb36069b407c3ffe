/** The kinds of failure that are thrown. A refusal by the exchange is not among them: it is a value. */
import {
  OPTION_WORDS,
  partOf,
  plainPart,
  Wording,
  type PlainPart,
  type SettingName,
  type SettingWords,
} from './setting-name.ts'

/** Place of invalid input: a file with line and column, a path in a JSON document, or a setting. */
export type Place = string | SettingName

export interface InputErrorOptions extends ErrorOptions {
  /** Remedy, appended to the message; omitted if a reader has no such setting. */
  readonly hint?: Wording
  /** Appended after message and hint, such as the offending line. */
  readonly tail?: string | undefined
}

/** An `InputError` as plain data, for another thread. */
export interface PlainInputError {
  readonly place: PlainPart
  readonly said: readonly PlainPart[]
  readonly hint: readonly PlainPart[] | undefined
  readonly tail: string
}

/**
 * Invalid input: a file, a setting or a field. The message starts with the place, then says what was expected and
 * found.
 */
export class InputError extends Error {
  override readonly name = 'InputError'
  /** Place of the fault: `btc.csv:1402:3`, `params.fast`, or a path in a JSON document. */
  readonly where: string
  readonly #place: Place
  readonly #said: string | Wording
  readonly #hint: Wording | undefined
  readonly #tail: string

  /**
   * @param place    file with line and column, path in a JSON document, or a setting
   * @param message  what was expected and found; a colon separates it from the place
   */
  constructor(place: Place, message: string | Wording, options: InputErrorOptions = {}) {
    const { hint, tail = '' } = options
    super(`${inputErrorText(place, message, hint, OPTION_WORDS)}${tail}`, options)
    this.where = placeText(place, OPTION_WORDS)
    this.#place = place
    this.#said = message
    this.#hint = hint
    this.#tail = tail
  }

  /** The message in the words of its reader, such as flags on a command line. */
  messageFor(words: SettingWords): string {
    return `${inputErrorText(this.#place, this.#said, this.#hint, words)}${this.#tail}`
  }

  /**
   * The same error with other setting names.
   *
   * @param rename  undefined for a setting that does not exist: a hint that names it is left out
   */
  renamed(rename: (name: SettingName) => SettingName | undefined): InputError {
    const place = typeof this.#place === 'string' ? this.#place : (rename(this.#place) ?? this.#place)
    const said = typeof this.#said === 'string' ? this.#said : (this.#said.renamed(rename) ?? this.#said)
    const hint = this.#hint?.renamed(rename)
    return new InputError(place, said, { cause: this, tail: this.#tail, ...(hint !== undefined && { hint }) })
  }

  /** The same error with text appended. */
  followedBy(tail: string): InputError {
    const hint = this.#hint
    return new InputError(this.#place, this.#said, { cause: this, tail, ...(hint !== undefined && { hint }) })
  }

  /** The error as plain data, to send to another thread. */
  plain(): PlainInputError {
    const said = typeof this.#said === 'string' ? [this.#said] : this.#said.plain()
    return { place: plainPart(this.#place), said, hint: this.#hint?.plain(), tail: this.#tail }
  }

  /** Recreates an error from the result of `plain`. */
  static ofPlain({ place, said, hint, tail }: PlainInputError): InputError {
    const wording = hint === undefined ? {} : { hint: new Wording(hint.map(partOf)) }
    return new InputError(partOf(place), new Wording(said.map(partOf)), { ...wording, tail })
  }

  /** The same error with another name of the file. */
  atFile(file: string, name: string): InputError {
    const renamed = <T extends Place | Wording>(text: T): T | string =>
      typeof text === 'string' ? text.replaceAll(file, name) : text
    const hint = this.#hint
    return new InputError(renamed(this.#place), renamed(this.#said), {
      cause: this,
      tail: renamed(this.#tail),
      ...(hint !== undefined && { hint }),
    })
  }
}

/** Failure to write the files of a run, for example because the disk is full; not a fault of the running strategy. */
export class DiskError extends InputError {}

const inputErrorText = (place: Place, said: string | Wording, hint: Wording | undefined, words: SettingWords): string =>
  `${placeText(place, words)}: ${saidText(said, words)}${hint?.messageFor(words) ?? ''}`

const placeText = (place: Place, words: SettingWords): string =>
  typeof place === 'string' ? place : (words(place) ?? place.path)

const saidText = (said: string | Wording, words: SettingWords): string =>
  typeof said === 'string' ? said : (said.messageFor(words) ?? said.messageFor(OPTION_WORDS) ?? '')

/**
 * Something that no strategy may do, by the kind of fault as which `papertape check` reports it. Thrown into the
 * strategy's code.
 */
export class MisuseError extends Error {
  readonly misuse: 'clock' | 'endless-orders' | 'endless-loop'

  constructor(misuse: MisuseError['misuse'], message: string) {
    super(message)
    this.misuse = misuse
  }
}

/** The strategy threw: its message, with the thrown value as the cause. */
export class StrategyError extends Error {
  override readonly name = 'StrategyError'
  /** Time of the error, Unix milliseconds; virtual in a backtest. */
  readonly time: number

  /** @param time  Unix milliseconds */
  constructor(message: string, time: number, options?: ErrorOptions) {
    super(message, options)
    this.time = time
  }
}

/** A read that an exchange did not answer as it should, after every retry that is allowed. */
export class ExchangeError extends Error {
  override readonly name = 'ExchangeError'
  /**
   * The specification's code; `NO_ANSWER` for a network's fault, `SCHEMA_FAULT` for an answer that is not of its
   * form.
   */
  readonly code: string
  /** Request id returned by the exchange; undefined when it did not answer. */
  readonly requestId: string | undefined
  /** Whether the same read may succeed later. */
  readonly isRetryable: boolean

  /** @param code  of the specification, `NO_ANSWER` or `SCHEMA_FAULT` */
  constructor(
    code: string,
    message: string,
    {
      requestId,
      isRetryable = false,
      ...options
    }: ErrorOptions & { readonly requestId?: string | undefined; readonly isRetryable?: boolean } = {},
  ) {
    super(message, options)
    this.code = code
    this.requestId = requestId
    this.isRetryable = isRetryable
  }
}

/** The caller aborted. */
export class AbortError extends Error {
  override readonly name = 'AbortError'
  /** Same code as Node's own AbortError. */
  readonly code = 'ABORT_ERR'

  /** @param reason  of the signal; the cause of the error */
  constructor(reason: unknown) {
    super('aborted by its signal', { cause: reason })
  }
}

/** @throws {AbortError} when the signal says so, its reason as the cause */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw new AbortError(signal.reason)
}

/** A bug in papertape. The process ends with exit code 70. */
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
