/**
 * Rows of single levels gathered into frames: all that follow each other and are of one message.
 *
 * Invariant: the first frame is a snapshot; what comes before it is left out and counted.
 */
import type { BookEvent, LevelText } from './book-event.ts'
import type { BookTally } from './book-tally.ts'

export interface LevelRow {
  readonly where: string
  /** Equal in all rows of a message. */
  readonly message: string
  /** Unix milliseconds. */
  readonly time: number
  readonly isSnapshot: boolean
  readonly side: 'bid' | 'ask'
  readonly level: LevelText
}

interface Open {
  readonly first: LevelRow
  time: number
  readonly bids: LevelText[]
  readonly asks: LevelText[]
}

export class BookMessage {
  readonly #tally: BookTally
  #open: Open | undefined
  #hasBegun = false

  constructor(tally: BookTally) {
    this.#tally = tally
  }

  *add(row: LevelRow): Generator<BookEvent, void, undefined> {
    const { message, isSnapshot } = row
    if (this.#open?.first.message !== message || this.#open.first.isSnapshot !== isSnapshot) yield* this.end()
    if (isSnapshot) this.#hasBegun = true
    if (!this.#hasBegun) {
      this.#tally.count('rows before the first snapshot')
      return
    }
    this.#open ??= { first: row, time: row.time, bids: [], asks: [] }
    const { bids, asks } = this.#open
    // Of the rows of one message the newest says when it was whole.
    this.#open.time = Math.max(this.#open.time, row.time)
    if (row.side === 'bid') bids.push(row.level)
    else asks.push(row.level)
  }

  /** The frame of the rows since the last. */
  *end(): Generator<BookEvent, void, undefined> {
    const open = this.#open
    this.#open = undefined
    if (open === undefined) return
    const { first, time, bids, asks } = open
    yield { kind: 'depth', where: first.where, time, isSnapshot: first.isSnapshot, hasGap: false, bids, asks }
  }
}
