/** Rows that are wrong and are passed over: how many for which reason, and the first of each. */
import { InputError } from '../../domain/errors.ts'

/** Shown of each reason. */
const SHOWN = 5

/** A row that was wrong. */
export interface BadRow {
  /** Physical line on which it begins, from 1. */
  readonly line: number
  readonly text: string
  /** The error that it would have been. */
  readonly message: string
}

export interface BadReason {
  /** Reason without place and value: `expected a price above 0`. */
  readonly reason: string
  readonly count: number
  /** The first five. */
  readonly first: readonly BadRow[]
}

export class BadRows {
  readonly #most: number
  readonly #onRow: (row: BadRow) => void
  readonly #onRestart: () => void
  readonly #reasons = new Map<string, { count: number; readonly first: BadRow[] }>()
  #count = 0

  /**
   * @param most       one more than these ends the reading
   * @param onRow      takes each
   * @param onRestart  the file is read again from its beginning, and all that were taken come again
   */
  constructor(most: number, onRow: (row: BadRow) => void = () => undefined, onRestart: () => void = () => undefined) {
    this.#most = most
    this.#onRow = onRow
    this.#onRestart = onRestart
  }

  /** Forgets all rows, because the file is read again. */
  restart(): void {
    this.#reasons.clear()
    this.#count = 0
    this.#onRestart()
  }

  get count(): number {
    return this.#count
  }

  get reasons(): readonly BadReason[] {
    return [...this.#reasons].map(([reason, { count, first }]) => ({ reason, count, first }))
  }

  /** @throws {InputError} the row's own, when there are too many */
  add(error: InputError, line: number, text: string): void {
    this.#count += 1
    const row = { line, text, message: error.message }
    const reason = reasonOf(error)
    const known = this.#reasons.get(reason) ?? { count: 0, first: [] }
    this.#reasons.set(reason, known)
    known.count += 1
    if (known.first.length < SHOWN) known.first.push(row)
    this.#onRow(row)
    if (this.#count <= this.#most) return
    const rows = this.#most === 1 ? 'row' : 'rows'
    throw new InputError(error.where, `stopped the import: more than ${this.#most} bad ${rows} (${error.message})`, {
      cause: error,
    })
  }
}

/** Message without its place and the value found. */
function reasonOf(error: InputError): string {
  const said = error.message.startsWith(`${error.where}: `)
    ? error.message.slice(error.where.length + 2)
    : error.message
  return said.replace(/,? got .*$/s, '').replace(/; .*$/s, '')
}
