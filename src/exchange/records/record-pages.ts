/**
 * Numeric records in pages, so that long-lived data causes no garbage and is never moved.
 *
 * A record is a number of doubles, any of which may be read as two integers instead. Invariant: double 0 of a record in
 * use is above 0. Copy-on-write: a copy shares its pages with the original, and the first to change a page duplicates
 * it.
 */
import { InvariantError } from '../../domain/errors.ts'
import { NONE } from '../book/order-slots.ts'

const PAGE_BITS = 10
export const PAGE_RECORDS = 1 << PAGE_BITS
const IN_PAGE = PAGE_RECORDS - 1
/** Free list: integer of a free record with the index of the next free one, in double 1. */
const NEXT_FREE = 2

const NOTHING = new Float64Array(0)
const NO_INTEGERS = new Int32Array(0)

export class RecordPages {
  /** Doubles of a record. */
  readonly #width: number
  #doubles: Float64Array<ArrayBuffer>[] = []
  /** The same bytes. */
  #integers: Int32Array<ArrayBuffer>[] = []
  /** Whether a page is shared with a copy; undefined if there is no copy. */
  #isShared: boolean[] | undefined
  /** Records below this one were taken at least once. */
  #used = 0
  #firstFree = NONE

  /** @param width  doubles of a record, 2 or more */
  constructor(width: number) {
    this.#width = width
  }

  /** @returns a record with `id` in double 0 and arbitrary other numbers; its page is already writable */
  take(id: number): number {
    let record = this.#firstFree
    if (record === NONE) {
      if (this.#used === this.#doubles.length << PAGE_BITS) this.#addPage()
      record = this.#used
      this.#used += 1
    } else {
      this.#firstFree = this.integer(record, NEXT_FREE)
    }
    this.setDouble(record, 0, id)
    return record
  }

  release(record: number): void {
    if (!(this.double(record, 0) > 0)) throw new InvariantError(`record ${record} is released twice`)
    this.setDouble(record, 0, 0)
    this.setInteger(record, NEXT_FREE, this.#firstFree)
    this.#firstFree = record
  }

  double(record: number, field: number): number {
    return this.#doubles[record >> PAGE_BITS]?.[(record & IN_PAGE) * this.#width + field] ?? 0
  }

  integer(record: number, field: number): number {
    return this.#integers[record >> PAGE_BITS]?.[(record & IN_PAGE) * 2 * this.#width + field] ?? 0
  }

  /** The doubles of its page, starting at `placeOf`; read them before the next change. */
  doublesOf(record: number): Float64Array {
    return this.#doubles[record >> PAGE_BITS] ?? NOTHING
  }

  /** The same bytes as integers, from twice `placeOf` on. */
  integersOf(record: number): Int32Array {
    return this.#integers[record >> PAGE_BITS] ?? NO_INTEGERS
  }

  /** Start of the record among the doubles of its page. */
  placeOf(record: number): number {
    return (record & IN_PAGE) * this.#width
  }

  setDouble(record: number, field: number, value: number): void {
    if (this.#isShared !== undefined) this.#own(record >> PAGE_BITS)
    const page = this.#doubles[record >> PAGE_BITS]
    if (page !== undefined) page[(record & IN_PAGE) * this.#width + field] = value
  }

  setInteger(record: number, field: number, value: number): void {
    if (this.#isShared !== undefined) this.#own(record >> PAGE_BITS)
    const page = this.#integers[record >> PAGE_BITS]
    if (page !== undefined) page[(record & IN_PAGE) * 2 * this.#width + field] = value
  }

  /** The records as they are now; costs one step a page. */
  copy(): RecordPages {
    const copy = new RecordPages(this.#width)
    copy.#doubles = [...this.#doubles]
    copy.#integers = [...this.#integers]
    copy.#used = this.#used
    copy.#firstFree = this.#firstFree
    this.#isShared = this.#doubles.map(() => true)
    copy.#isShared = [...this.#isShared]
    return copy
  }

  #addPage(): void {
    this.#put(this.#doubles.length, new Float64Array(PAGE_RECORDS * this.#width))
  }

  #own(page: number): void {
    if (this.#isShared?.[page] !== true) return
    this.#isShared[page] = false
    this.#put(page, (this.#doubles[page] ?? NOTHING).slice())
  }

  #put(page: number, doubles: Float64Array<ArrayBuffer>): void {
    this.#doubles[page] = doubles
    this.#integers[page] = new Int32Array(doubles.buffer)
  }
}
