/**
 * Journal of a run: requests of participants and the answers to them, one JSON object per line; its SHA-256 is the
 * digest of the run.
 *
 * Purpose: the record by which a run is verified, compared and explained.
 * Invariant: the same tape, strategy, parameters, seed and version give the same bytes. Therefore it contains neither
 * paths nor wall clock times, and keys have a fixed order.
 * Known limitation: without a sink nothing is formatted or hashed, so there is no digest of such a run.
 * Complexity: linear in the bytes written; they are hashed in batches of 8,192 characters.
 * Source: docs/decisions/002-the-journal-has-no-hashes.md.
 */
import { createHash } from 'node:crypto'

/** A JSON value without floats: quantities are strings. */
export type JournalValue =
  string | number | boolean | null | readonly JournalValue[] | { readonly [key: string]: JournalValue | undefined }

/**
 * One event of a run: `run`, `credit`, `place`, `cancel`, `acknowledged`, `refused`, `unknown`, `adopted`, `absent`,
 * `ambiguous`, `order`, `fill`, `balances`, `taken-over`, `state`, `params`, `strategy-state`, `end`; and of a resting order, for `why`: `rested`,
 * `met`, `met-own`, `left`.
 */
export interface JournalEntry {
  readonly type: string
  readonly [key: string]: JournalValue | undefined
}

/**
 * Lines are hashed in batches, since each call of the hash costs as much as a line. The many pieces of a longer text
 * would be copied by the garbage collector.
 */
const HASH_AT = 8_192

export class Journal {
  readonly #hash = createHash('sha256')
  readonly #sink: ((line: string) => void) | undefined
  readonly #onText: ((text: string) => void) | undefined
  #unhashed = ''
  #lines = 0

  /**
   * Without either listener nothing is written.
   *
   * @param sink    receives each line without its line end, when it is written
   * @param onText  receives the first line alone, then batches of lines, each line with its line feed
   */
  constructor(sink: ((line: string) => void) | undefined, onText?: (text: string) => void) {
    this.#sink = sink
    this.#onText = onText
  }

  /** False if written lines are discarded, so that they need not be formatted. */
  get isOn(): boolean {
    return this.#sink !== undefined || this.#onText !== undefined
  }

  get lines(): number {
    return this.#lines
  }

  /** @param time  Unix milliseconds at which the strategy's side knew it, or at which it happened to a resting order */
  write(time: number, entry: JournalEntry): void {
    if (this.isOn) this.writeFields(time, JSON.stringify(entry).slice(1))
  }

  /**
   * Fast path for frequent lines.
   * @param fields  the JSON of a JournalEntry, without the opening brace
   */
  writeFields(time: number, fields: string): void {
    if (!this.isOn) return
    const line = `{"t":${time},${fields}`
    this.#unhashed += `${line}\n`
    this.#lines += 1
    if (this.#unhashed.length >= HASH_AT || this.#lines === 1) this.#hashLines()
    this.#sink?.(line)
  }

  /** `sha256:` and the lower-case hex hash of all lines so far, each with a line feed. */
  digest(): string {
    this.#hashLines()
    return `sha256:${this.#hash.copy().digest('hex')}`
  }

  #hashLines(): void {
    const text = this.#unhashed
    if (text === '') return
    this.#unhashed = ''
    this.#hash.update(text)
    this.#onText?.(text)
  }
}
