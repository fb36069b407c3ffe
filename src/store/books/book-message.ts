/**
 * Groups rows of single levels and order removals into frames: all consecutive rows of one message.
 *
 * Invariant: the first frame is a snapshot; rows before it are left out and counted.
 */
import { InputError } from '../../domain/errors.ts'
import type { BookEvent, LevelText, ReportedFall } from './book-event.ts'
import type { BookTally } from './book-tally.ts'

interface MessageRow {
  readonly where: string
  /** Equal in all rows of a message. */
  readonly message: string
  /** Unix milliseconds. */
  readonly time: number
  readonly isSnapshot: boolean
  readonly side: 'bid' | 'ask'
}

export interface LevelRow extends MessageRow {
  readonly level: LevelText
}

export interface FallRow extends MessageRow {
  readonly fall: ReportedFall
}

interface Open {
  readonly first: MessageRow
  time: number
  readonly bids: LevelText[]
  readonly asks: LevelText[]
  readonly falls: ReportedFall[]
}

export class BookMessage {
  readonly #tally: BookTally
  #open: Open | undefined
  #hasBegun = false
  readonly #reportsOrders: boolean

  /** @param reportsOrders  default: false */
  constructor(tally: BookTally, reportsOrders = false) {
    this.#tally = tally
    this.#reportsOrders = reportsOrders
  }

  *add(row: LevelRow | FallRow): Generator<BookEvent, void, undefined> {
    const { message, isSnapshot } = row
    if (this.#open?.first.message !== message || this.#open.first.isSnapshot !== isSnapshot) yield* this.end()
    if (isSnapshot) this.#hasBegun = true
    if (!this.#hasBegun) {
      this.#tally.count('rows before the first snapshot')
      return
    }
    this.#open ??= { first: row, time: row.time, bids: [], asks: [], falls: [] }
    const { bids, asks, falls } = this.#open
    // The time of a message is that of its newest row.
    this.#open.time = Math.max(this.#open.time, row.time)
    if ('fall' in row) falls.push(row.fall)
    else if (row.side === 'bid') bids.push(row.level)
    else asks.push(row.level)
  }

  /** The frame of the rows since the last. */
  *end(): Generator<BookEvent, void, undefined> {
    const open = this.#open
    this.#open = undefined
    if (open === undefined) return
    const { first, time, bids, asks } = open
    if (bids.length + asks.length === 0)
      throw new InputError(first.where, 'expected the level of what went of an order, at the same time')
    const falls = this.#reportsOrders ? open.falls : undefined
    yield { kind: 'depth', where: first.where, time, isSnapshot: first.isSnapshot, hasGap: false, bids, asks, falls }
  }
}
