/** Reports answers that violate the specification: each skipped row once, and a limited number of lines per minute. */
import type { ExchangeError } from '../../../domain/errors.ts'
import { escapedExcerpt } from '../../../domain/escape-controls.ts'
import { MINUTE_MS } from '../../../domain/time.ts'
import type { LiveTime } from '../live-time.ts'

export interface AnswerReportsOptions {
  readonly time: Pick<LiveTime, 'monotonic'>
  readonly onWarning: (text: string) => void
  /** Whether an order is an open one of this process; default: none is. */
  readonly isOwnOrder?: ((orderId: string) => boolean) | undefined
}

const MAX_ROWS_PER_MINUTE = 5
/** Minimum time between two such lines: answers that do not come from the service usually arrive in bursts. */
const STRANGE_REPEAT_MS = 600_000
/** Maximum number of rows remembered as reported. */
const MAX_REMEMBERED = 1_000

export class AnswerReports {
  readonly #options: AnswerReportsOptions
  readonly #rows = new Set<string>()
  #minuteFrom = Number.NEGATIVE_INFINITY
  #rowsOfMinute = 0
  #nextStrangeAt = Number.NEGATIVE_INFINITY

  constructor(options: AnswerReportsOptions) {
    this.#options = options
  }

  /** @param what  the kind of the row, such as `order` */
  onUnreadableRow(what: string, item: unknown, { message }: ExchangeError): void {
    const fault = message.replace(/^(?:data)?\[\d+\](?:\.|: )/, '')
    const name = nameOf(item)
    const isOwn = what === 'order' && this.#options.isOwnOrder?.(name) === true
    const text = isOwn
      ? `open order ${name} of this session is unreadable in the list of orders (${fault}); it is read by its id instead`
      : `${what} ${name} cannot be read and is left out: ${fault}`
    if (this.#rows.has(text)) return
    if (this.#rows.size < MAX_REMEMBERED) this.#rows.add(text)
    this.#report(text)
  }

  /** Reports an answer that did not come from the service; the request is retried. */
  onStrangeAnswer({ message }: ExchangeError): void {
    const now = this.#options.time.monotonic()
    if (now < this.#nextStrangeAt) return
    this.#nextStrangeAt = now + STRANGE_REPEAT_MS
    this.#options.onWarning(`${message}; retrying`)
  }

  #report(text: string): void {
    const now = this.#options.time.monotonic()
    if (now >= this.#minuteFrom + MINUTE_MS) {
      this.#minuteFrom = now
      this.#rowsOfMinute = 0
    }
    this.#rowsOfMinute += 1
    if (this.#rowsOfMinute <= MAX_ROWS_PER_MINUTE) this.#options.onWarning(text)
    if (this.#rowsOfMinute === MAX_ROWS_PER_MINUTE) {
      this.#options.onWarning('more unreadable rows are not reported for the rest of this minute')
    }
  }
}

function nameOf(item: unknown): string {
  if (typeof item === 'string') return escapedExcerpt(item)
  if (typeof item !== 'object' || item === null) return 'without an id'
  const { id, symbol } = item as Readonly<Record<string, unknown>>
  const name = [id, symbol].find((part) => typeof part === 'string')
  return typeof name === 'string' ? escapedExcerpt(name) : 'without an id'
}
