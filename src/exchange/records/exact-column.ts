/**
 * Exact amount per record of a table: 0 until set, and without memory where all are 0.
 *
 * A cell is a double while that is exact; a larger amount is a bigint in a map, and its cell NaN. Copies share pages as
 * in `RecordPages` (copy-on-write).
 */
import { PAGE_RECORDS } from './record-pages.ts'

const IN_PAGE = PAGE_RECORDS - 1

export class ExactColumn {
  #pages: (Float64Array | undefined)[] = []
  /** Whether a page is shared with a copy; undefined if there is no copy. */
  #isShared: boolean[] | undefined
  #largeByRecord = new Map<number, bigint>()

  get(record: number): bigint {
    const cell = this.#cell(record)
    if (cell === 0) return 0n
    return Number.isNaN(cell) ? (this.#largeByRecord.get(record) ?? 0n) : BigInt(cell)
  }

  set(record: number, amount: bigint): void {
    const small = Number(amount)
    if (Number.isSafeInteger(small)) {
      this.#setSmall(record, small)
      return
    }
    this.#largeByRecord.set(record, amount)
    this.#write(record, Number.NaN)
  }

  clear(record: number): void {
    this.#setSmall(record, 0)
  }

  /** Adds the product of two safe integers. */
  addProduct(record: number, left: number, right: number): void {
    const sum = this.#cell(record) + left * right
    if (Number.isSafeInteger(sum)) this.#setSmall(record, sum)
    else this.set(record, this.get(record) + BigInt(left) * BigInt(right))
  }

  /** The amounts as they are now. */
  copy(): ExactColumn {
    const copy = new ExactColumn()
    copy.#pages = [...this.#pages]
    copy.#largeByRecord = new Map(this.#largeByRecord)
    this.#isShared = this.#pages.map(() => true)
    copy.#isShared = [...this.#isShared]
    return copy
  }

  #cell(record: number): number {
    return this.#pages[Math.floor(record / PAGE_RECORDS)]?.[record & IN_PAGE] ?? 0
  }

  #setSmall(record: number, amount: number): void {
    const before = this.#cell(record)
    if (before === amount) return
    if (Number.isNaN(before)) this.#largeByRecord.delete(record)
    this.#write(record, amount)
  }

  #write(record: number, cell: number): void {
    const number = Math.floor(record / PAGE_RECORDS)
    let page = this.#pages[number]
    if (page === undefined) {
      while (this.#pages.length < number) this.#pages.push(undefined)
      page = this.#pages[number] = new Float64Array(PAGE_RECORDS)
    } else if (this.#isShared?.[number] === true) {
      page = this.#pages[number] = page.slice()
    }
    if (this.#isShared !== undefined) this.#isShared[number] = false
    page[record & IN_PAGE] = cell
  }
}
