import { describe, expect, it } from 'vitest'
import { NONE } from '../../../src/exchange/book/order-slots.ts'
import { ExactColumn } from '../../../src/exchange/records/exact-column.ts'
import { IdIndex } from '../../../src/exchange/records/id-index.ts'
import { NumberRing } from '../../../src/exchange/records/number-ring.ts'
import { RecordPages } from '../../../src/exchange/records/record-pages.ts'
import { Chance } from '../rig/chance.ts'

const WIDTH = 3
/** Integer 2 of a record, which lies in its double 1, is the link of free ones. */
const OWN_INTEGER = 5

interface Row {
  double: number
  integer: number
  amount: bigint
}

/** A table of all three, and the same as plain objects. */
class Twins {
  readonly pages: RecordPages
  readonly amounts: ExactColumn
  readonly rows: Map<number, Row>
  constructor(pages = new RecordPages(WIDTH), amounts = new ExactColumn(), rows = new Map<number, Row>()) {
    this.pages = pages
    this.amounts = amounts
    this.rows = rows
  }

  copy(): Twins {
    const rows = new Map(Array.from(this.rows, ([record, row]) => [record, { ...row }]))
    return new Twins(this.pages.copy(), this.amounts.copy(), rows)
  }

  check(): void {
    for (const [record, row] of this.rows) {
      expect({
        double: this.pages.double(record, 0),
        integer: this.pages.integer(record, OWN_INTEGER),
        amount: this.amounts.get(record),
      }).toEqual(row)
    }
  }
}

const AMOUNTS = [0n, 1n, -1n, 2n ** 52n, 2n ** 53n - 1n, 2n ** 53n, 2n ** 53n + 1n, -(2n ** 60n), 2n ** 104n + 3n]
const FACTORS = [0, 1, 3, 2 ** 26, 2 ** 27 - 1, 2 ** 53 - 1]

describe('records, their amounts and their ids', () => {
  it('are as plain objects would be, and so is each copy, whichever of the two changes', () => {
    const chance = new Chance(7)
    const reached = { taken: 0, reused: 0, released: 0, copied: 0, large: 0, beyondPage: 0 }
    const pick = <T>(from: readonly T[]): T => from[chance.below(from.length)] as T
    let current = new Twins()
    const copies: Twins[] = []
    let nextId = 1
    for (let step = 0; step < 15_000; step += 1) {
      const { pages, amounts, rows } = current
      const draw = chance.below(100)
      const known = [...rows.keys()].at(-1 - chance.below(Math.min(rows.size, 50) || 1))
      if (draw < 50 || known === undefined) {
        const record = pages.take(nextId)
        expect(rows.has(record), `record ${record} is given twice`).toBe(false)
        reached.taken += 1
        if (record < reached.taken - 1) reached.reused += 1
        if (record > 1_024) reached.beyondPage += 1
        pages.setInteger(record, OWN_INTEGER, -nextId)
        rows.set(record, { double: nextId, integer: -nextId, amount: 0n })
        nextId += 1
      } else if (draw < 65) {
        amounts.clear(known)
        pages.release(known)
        rows.delete(known)
        reached.released += 1
      } else if (draw < 98) {
        const row = rows.get(known)
        if (row === undefined) continue
        const [left, right, amount] = [pick(FACTORS), pick(FACTORS), pick(AMOUNTS)]
        if (draw < 80) {
          amounts.addProduct(known, left, right)
          row.amount += BigInt(left) * BigInt(right)
        } else {
          amounts.set(known, amount)
          row.amount = amount
        }
        if (row.amount > 2n ** 53n) reached.large += 1
        expect(amounts.get(known)).toBe(row.amount)
      } else if (copies.length < 40) {
        const copy = current.copy()
        // Either goes on; the other one is to stay as it is.
        copies.push(draw === 98 ? copy : current)
        if (draw !== 98) current = copy
        reached.copied += 1
      }
    }
    for (const each of [current, ...copies]) each.check()
    expect(Object.entries(reached).filter(([, count]) => count < 20)).toEqual([])
  })

  it('find each id that is there and no other, as they come and go', () => {
    const chance = new Chance(3)
    const pages = new RecordPages(2)
    const index = new IdIndex(pages)
    const recordById = new Map<number, number>()
    let last = 0
    for (let step = 0; step < 25_000; step += 1) {
      if (recordById.size === 0 || chance.below(100) < (step % 10_000 < 5_000 ? 60 : 40)) {
        // Now in a row, now with gaps, and beyond what 32 bits distinguish.
        last += chance.below(10) === 0 ? 1 + chance.below(4) * 2 ** 32 : 1
        const record = pages.take(last)
        index.add(last, record)
        recordById.set(last, record)
      } else {
        const id = [...recordById.keys()][chance.below(Math.min(recordById.size, 30))] ?? 0
        const record = recordById.get(id) ?? NONE
        expect(index.find(id)).toBe(record)
        index.remove(record)
        pages.release(record)
        recordById.delete(id)
        expect(index.find(id)).toBe(NONE)
      }
    }
    expect(recordById.size).toBeGreaterThan(100)
    for (const [id, record] of recordById) expect(index.find(id)).toBe(record)
    for (let id = 1; id < 20_000; id += 1) if (!recordById.has(id)) expect(index.find(id)).toBe(NONE)
  })

  it('take no more room however many come, as long as few are there at once', () => {
    const pages = new RecordPages(2)
    const index = new IdIndex(pages)
    const before = process.memoryUsage().arrayBuffers
    for (let id = 1; id <= 500_000; id += 1) {
      const record = pages.take(id)
      index.add(id, record)
      index.remove(record)
      pages.release(record)
    }
    // A table of half a million would be 4 MB.
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(1e6)
  })

  it('are not given back twice', () => {
    const pages = new RecordPages(2)
    const record = pages.take(1)
    pages.release(record)
    expect(() => pages.release(record)).toThrow('is released twice')
  })
})

describe('a ring of numbers', () => {
  it.each([0, 1, 2, 5, 64, Number.POSITIVE_INFINITY])('keeps the newest %d, and says which one it forgets', (limit) => {
    const ring = new NumberRing(limit)
    const naive: number[] = []
    for (let number = 0; number < 200; number += 1) {
      naive.push(number)
      const forgotten = naive.length > limit ? naive.shift() : NONE
      expect(ring.push(number)).toBe(forgotten)
      expect([...ring.values()]).toEqual(naive)
      expect(ring.length).toBe(naive.length)
      expect(Array.from(naive, (_, index) => ring.at(index))).toEqual(naive)
    }
  })
})
