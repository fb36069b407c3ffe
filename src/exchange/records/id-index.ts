/**
 * Hash table with open addressing from an id, which is double 0 of a record, to the record's index.
 *
 * Consecutive ids are spread far apart, so that runs of old orders never slow down new ones.
 */
import { NONE } from '../book/order-slots.ts'
import type { RecordPages } from './record-pages.ts'

const FIRST_BITS = 6
/** Share of the places that are taken at most: one half. */
const ROOM = 2
/** 2^32 divided by the golden ratio. */
const SPREAD = 0x9e3779b1
const TWO_TO_32 = 2 ** 32

export class IdIndex {
  readonly #records: RecordPages
  #bits = FIRST_BITS
  /** Record + 1 per slot; 0 for an empty slot. */
  #places = new Int32Array(1 << FIRST_BITS)
  #count = 0

  constructor(records: RecordPages) {
    this.#records = records
  }

  /** The record of an id; NONE when there is none. */
  find(id: number): number {
    const mask = this.#places.length - 1
    for (let place = this.#homeOf(id); ; place = (place + 1) & mask) {
      const entry = this.#places[place] ?? 0
      if (entry === 0) return NONE
      if (this.#records.double(entry - 1, 0) === id) return entry - 1
    }
  }

  /** @param id  that is not there */
  add(id: number, record: number): void {
    if ((this.#count + 1) * ROOM > this.#places.length) this.#grow()
    this.#put(id, record + 1)
    this.#count += 1
  }

  /** Call while the record still has its id. @param record  that is there */
  remove(record: number): void {
    const mask = this.#places.length - 1
    let hole = this.#homeOf(this.#records.double(record, 0))
    while (this.#places[hole] !== record + 1) hole = (hole + 1) & mask
    this.#count -= 1
    // Backward-shift deletion: entries after the hole that could be at or before it move up.
    for (let place = (hole + 1) & mask; ; place = (place + 1) & mask) {
      const entry = this.#places[place] ?? 0
      if (entry === 0) break
      const home = this.#homeOf(this.#records.double(entry - 1, 0))
      if (((place - home) & mask) < ((place - hole) & mask)) continue
      this.#places[hole] = entry
      hole = place
    }
    this.#places[hole] = 0
  }

  #put(id: number, entry: number): void {
    const mask = this.#places.length - 1
    let place = this.#homeOf(id)
    while (this.#places[place] !== 0) place = (place + 1) & mask
    this.#places[place] = entry
  }

  #homeOf(id: number): number {
    return Math.imul(id ^ Math.floor(id / TWO_TO_32), SPREAD) >>> (32 - this.#bits)
  }

  #grow(): void {
    const before = this.#places
    this.#bits += 1
    this.#places = new Int32Array(before.length * 2)
    for (const entry of before) {
      if (entry !== 0) this.#put(this.#records.double(entry - 1, 0), entry)
    }
  }
}
