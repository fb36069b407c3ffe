/**
 * Lazy list of a snapshot, whose items are serialized in parts on demand, so that a whole history can be fixed at one
 * moment and written over many.
 *
 * Invariant: its source data does not change any more.
 */
export class LaterList<T> {
  readonly length: number
  readonly #write: (from: number, to: number) => readonly T[]

  private constructor(length: number, write: (from: number, to: number) => readonly T[]) {
    this.length = length
    this.#write = write
  }

  /** @param items  a private list of immutable items */
  static of<Item, T>(items: readonly Item[], write: (item: Item) => T): LaterList<T> {
    return new LaterList(items.length, (from, to) => items.slice(from, to).map(write))
  }

  static ofNumbers(numbers: Float64Array): LaterList<number> {
    return new LaterList(numbers.length, (from, to) => Array.from(numbers.subarray(from, to)))
  }

  /** @param records  a private list of the indexes of immutable records */
  static ofRecords<T>(records: Int32Array, write: (record: number) => T): LaterList<T> {
    return new LaterList(records.length, (from, to) => Array.from(records.subarray(from, to), write))
  }

  /** Items from `from` to below `to`, or to the end. */
  part(from: number, to: number): readonly T[] {
    return this.#write(from, Math.min(to, this.length))
  }
}

/** A snapshot with lists that are written later. */
export type Cut<T> = T extends readonly (infer Item)[]
  ? readonly Cut<Item>[] | LaterList<Item>
  : T extends object
    ? { readonly [Key in keyof T]: Cut<T[Key]> }
    : T

/** The snapshot that a cut is one of, with all that is in it. */
export const wholeOf = <T>(cut: Cut<T>): T => whole(cut) as T

function whole(value: unknown): unknown {
  if (value instanceof LaterList) return value.part(0, value.length)
  if (Array.isArray(value)) return value.map(whole)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, whole(each)]))
}
