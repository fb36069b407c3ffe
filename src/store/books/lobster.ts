/**
 * LOBSTER: a message file, and next to it a file with the book after each message, with the number of levels bought.
 *
 * Rows of both files correspond. The book comes from the second file, row by row, because no message reports a level
 * that enters the window; times (New York), trades and removals come from the first. A row of the book that its message
 * does not explain is a gap.
 * Known limit: the day is that of the file name; an auction price is emitted as a trade without aggressor.
 */
import { InputError } from '../../domain/errors.ts'
import { SIDE_BUY, SIDE_SELL, SIDE_UNKNOWN } from '../../tape/tape.ts'
import { newYorkAheadMs } from '../../import/formats/new-york.ts'
import type { BookEvent, LevelText, ReportedFall } from './book-event.ts'
import type { BookTally } from './book-tally.ts'
import { cellError, whereOf, type CsvRow } from './csv-book-rows.ts'
import { integerCell } from './csv-columns.ts'
import type { OrderSide } from './order-levels.ts'

/** Columns of a message. */
const [TIME, TYPE, ORDER, SIZE, PRICE, DIRECTION] = [0, 1, 2, 3, 4, 5]
/** Types of messages. */
const [NEW, CANCELLED, DELETED, EXECUTED, HIDDEN, CROSS, HALT] = [1, 2, 3, 4, 5, 6, 7]
/** Columns of a level in the file of the book: an ask and a bid. */
const LEVEL_COLUMNS = 4
const DIGITS = 4
const SECONDS = /^([0-9]{1,5})(?:\.([0-9]+))?$/
const DAY = /_(\d{4}-\d\d-\d\d)_[^/\\]*_message_/

/** True for a file that is named as its messages are. */
export const isLobster = (file: string): boolean => DAY.test(file)

/** Name of the book file of a message file. */
export const lobsterBook = (file: string): string => file.replace(/_message_([^/\\]*)$/, '_orderbook_$1')

type Levels = ReadonlyMap<string, number>

interface Known {
  readonly since: number
  left: number
}

/** A message that does something to an order. */
interface OrderMessage {
  readonly id: string
  readonly side: OrderSide
  readonly price: string
  readonly size: number
}

/**
 * Arrival times and removals of the orders in a LOBSTER recording, from its messages.
 *
 * Orders already resting when a level enters the window have no insertion message: they have been there since then, or
 * longer.
 */
class LobsterOrders {
  readonly #orders = new Map<string, Known>()
  /** Time at which a price entered the window, by price: Unix milliseconds. */
  readonly #inSight = { bids: new Map<string, number>(), asks: new Map<string, number>() }

  /**
   * Updates the visible levels of a side.
   *
   * @param time  Unix milliseconds
   */
  see(side: OrderSide, prices: ReadonlyMap<string, number>, time: number): void {
    const known = this.#inSight[side]
    for (const price of known.keys()) if (!prices.has(price)) known.delete(price)
    for (const price of prices.keys()) if (!known.has(price)) known.set(price, time)
  }

  /** @param time  Unix milliseconds of its frame */
  put({ id, size }: OrderMessage, time: number): void {
    this.#orders.set(id, { since: time, left: size })
  }

  /**
   * Removes a part of an order; call it before the levels after it are updated.
   *
   * @param time  Unix milliseconds of its frame
   * @returns undefined for a price outside the window, where the arrival is unknown
   */
  take({ id, side, price, size }: OrderMessage, isTraded: boolean, time: number): ReportedFall | undefined {
    const known = this.#orders.get(id)
    const since = known?.since ?? this.#inSight[side].get(price)
    if (known !== undefined) {
      known.left -= size
      if (known.left <= 0) this.#orders.delete(id)
    }
    if (since === undefined || size === 0) return undefined
    return { side, price, qty: String(size), since: Math.min(since, time), isTraded, isSeenToCome: known !== undefined }
  }
}

export class Lobster {
  readonly #tally: BookTally
  readonly #midnight: number
  #bids: Levels | undefined
  #asks: Levels | undefined
  #shown = ''
  readonly #orders = new LobsterOrders()
  /** Time of the last frame: times in a tape never go back. */
  #reported = Number.NEGATIVE_INFINITY

  /** @param file  of the messages */
  constructor(file: string, tally: BookTally) {
    this.#tally = tally
    tally.reportsEachChange = true
    const day = DAY.exec(file)?.[1] ?? ''
    const midnight = Date.parse(`${day}T00:00:00Z`)
    if (Number.isNaN(midnight)) throw new InputError(file, `expected a date in the name, got '${day}'`)
    this.#midnight = midnight - newYorkAheadMs(`${day}T12:00:00Z`)
  }

  /** A message, and the book after it. @throws {InputError} naming the line that is wrong */
  *read(message: CsvRow, book: CsvRow): Generator<BookEvent, void, undefined> {
    const where = whereOf(message)
    const time = this.#timeOf(message)
    const type = integerCell(message, TYPE)
    if (type < NEW || type > HALT) throw cellError(message, TYPE, 'a type from 1 to 7')
    if (type === EXECUTED || type === HIDDEN || type === CROSS) {
      const isOfBid = this.#isOfBid(message)
      // The direction is that of the order that rested.
      const side = type === CROSS ? SIDE_UNKNOWN : isOfBid ? SIDE_SELL : SIDE_BUY
      yield {
        kind: 'trades',
        where,
        time,
        price: priceOf(message, PRICE),
        qty: String(integerCell(message, SIZE)),
        side,
      }
    }
    if (type === HALT) this.#tally.count('messages of a halt')
    const bids = levelsOf(book, 2)
    const asks = levelsOf(book, 0)
    const hasGap = type <= EXECUTED && !this.#explains(message, type, bids, asks)
    if (hasGap) this.#tally.gap({ where, time, why: 'the book in the book file does not follow from the message' })
    this.#bids = bids
    this.#asks = asks
    const reported = Math.max(this.#reported, time)
    const falls = this.#fallsOf(message, type, reported)
    this.#orders.see('bids', bids, reported)
    this.#orders.see('asks', asks, reported)
    const shown = JSON.stringify([[...bids], [...asks]])
    if (shown === this.#shown) return
    this.#shown = shown
    this.#reported = reported
    yield { kind: 'depth', where, time, isSnapshot: true, hasGap, bids: texts(bids), asks: texts(asks), falls }
  }

  /** @param time  of the frame */
  #fallsOf(message: CsvRow, type: number, time: number): readonly ReportedFall[] {
    if (type > EXECUTED) return []
    const order: OrderMessage = {
      id: message.cells[ORDER] ?? '',
      side: this.#isOfBid(message) ? 'bids' : 'asks',
      price: priceOf(message, PRICE),
      size: integerCell(message, SIZE),
    }
    if (type === NEW) {
      this.#orders.put(order, time)
      return []
    }
    const fall = this.#orders.take(order, type === EXECUTED, time)
    return fall === undefined ? [] : [fall]
  }

  #timeOf(row: CsvRow): number {
    const [, seconds, fraction = ''] = SECONDS.exec(row.cells[TIME] ?? '') ?? []
    if (seconds === undefined) throw cellError(row, TIME, 'seconds since midnight')
    return this.#midnight + Number(seconds) * 1_000 + Number(fraction.slice(0, 3).padEnd(3, '0'))
  }

  #isOfBid(row: CsvRow): boolean {
    const direction = row.cells[DIRECTION]
    if (direction !== '1' && direction !== '-1') throw cellError(row, DIRECTION, '1 or -1')
    return direction === '1'
  }

  /** True when the level of the message has changed by its size, as far as it is in sight before and after. */
  #explains(message: CsvRow, type: number, bids: Levels, asks: Levels): boolean {
    const isOfBid = this.#isOfBid(message)
    const [before, after] = isOfBid ? [this.#bids, bids] : [this.#asks, asks]
    const price = priceOf(message, PRICE)
    if (before === undefined) return true
    const isInSight = (levels: Levels): boolean => {
      const worst = Number([...levels.keys()].at(-1) ?? Number.NaN)
      return isOfBid ? Number(price) >= worst : Number(price) <= worst
    }
    if (!isInSight(before) || !isInSight(after)) return true
    const size = integerCell(message, SIZE)
    const isLess = type === CANCELLED || type === DELETED || type === EXECUTED
    return (after.get(price) ?? 0) - (before.get(price) ?? 0) === (isLess ? -size : size)
  }
}

const texts = (levels: Levels): readonly LevelText[] =>
  Array.from(levels, ([price, qty]): LevelText => [price, String(qty)])

/** Levels of a side, best first; a level that is not there has no shares. @param first  column of its first price */
function levelsOf(row: CsvRow, first: number): Levels {
  const levels = new Map<string, number>()
  for (let column = first; column < row.cells.length; column += LEVEL_COLUMNS) {
    const qty = integerCell(row, column + 1)
    if (qty > 0) levels.set(priceOf(row, column), qty)
  }
  return levels
}

/** Price from units of 0.0001. */
function priceOf(row: CsvRow, column: number): string {
  const digits = String(integerCell(row, column)).padStart(DIGITS + 1, '0')
  return `${digits.slice(0, -DIGITS)}.${digits.slice(-DIGITS)}`
}
