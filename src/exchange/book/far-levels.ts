/**
 * Price levels outside the window of a book's side: keys in sorted chunks, each with its level's index.
 *
 * A full chunk is split, two nearly empty ones are merged. Known limit: adding or removing a chunk moves the chunks
 * after it, so about one level in a hundred costs a move of a list of a hundredth of the levels.
 */
import { invariant } from '../../domain/errors.ts'
import { NONE } from './order-slots.ts'

const CHUNK = 256
/**
 * Two neighbours with no more levels than this together are merged; half a chunk, so that they are not split again
 * soon.
 */
const FEW = CHUNK / 2

interface Chunk {
  /** Worst first. */
  readonly keys: Float64Array
  readonly levels: Int32Array
  count: number
}

export class FarLevels {
  /** Worst first; none is empty. */
  readonly #chunks: Chunk[] = []
  /** The first key of each chunk. */
  readonly #firstKeys: number[] = []
  /** Chunk of the last lookup: the next one is often in the same. */
  #last = 0

  /** The level of a key; NONE when it has none. */
  find(key: number): number {
    const chunk = this.#chunks[this.#chunkOf(key)]
    if (chunk === undefined) return NONE
    const place = placeOf(chunk, key)
    return place < chunk.count && chunk.keys[place] === key ? (chunk.levels[place] ?? NONE) : NONE
  }

  /** The highest key below `key`; -Infinity when there is none. */
  keyBelow(key: number): number {
    const index = this.#chunkOf(key)
    const chunk = this.#chunks[index]
    if (chunk === undefined) return Number.NEGATIVE_INFINITY
    const place = placeOf(chunk, key)
    if (place > 0) return chunk.keys[place - 1] ?? Number.NaN
    const worse = this.#chunks[index - 1]
    return worse?.keys[worse.count - 1] ?? Number.NEGATIVE_INFINITY
  }

  /** Number of levels with a key in [`low`, `high`). */
  countBetween(low: number, high: number): number {
    let count = 0
    const end = this.#chunkOf(high)
    for (let index = this.#chunkOf(low); index <= end; index += 1) {
      const chunk = this.#chunks[index]
      if (chunk !== undefined) count += placeOf(chunk, high) - placeOf(chunk, low)
    }
    return count
  }

  /** @param key  one that has no level */
  insert(key: number, level: number): void {
    let index = this.#chunkOf(key)
    let chunk = this.#chunks[index] ?? this.#open(0)
    let place = placeOf(chunk, key)
    if (chunk.count === CHUNK) {
      if (place < CHUNK) this.#split(index)
      if (place > FEW) {
        // After the last key, insert at the front of the next chunk or into a new one, so that sorted input fills its
        // chunks.
        if (place === CHUNK && !this.#hasRoom(index + 1)) this.#open(index + 1)
        index += 1
        chunk = this.#chunks[index] ?? chunk
        place = place === CHUNK ? 0 : place - FEW
      }
    }
    // Levels that leave a window or come into it are at the ends: they have nothing to shift, and a call would cost
    // more than the rest.
    if (place < chunk.count) {
      chunk.keys.copyWithin(place + 1, place, chunk.count)
      chunk.levels.copyWithin(place + 1, place, chunk.count)
    }
    chunk.keys[place] = key
    chunk.levels[place] = level
    chunk.count += 1
    if (place === 0) this.#firstKeys[index] = key
    this.#last = index
  }

  /** @param key  one that has a level @returns it */
  remove(key: number): number {
    const index = this.#chunkOf(key)
    const chunk = this.#chunks[index]
    const place = chunk === undefined ? 0 : placeOf(chunk, key)
    invariant(chunk?.keys[place] === key && place < chunk.count, 'a level that goes was there')
    const level = chunk.levels[place] ?? NONE
    chunk.count -= 1
    if (place < chunk.count) {
      chunk.keys.copyWithin(place, place + 1, chunk.count + 1)
      chunk.levels.copyWithin(place, place + 1, chunk.count + 1)
    }
    if (place === 0) this.#firstKeys[index] = chunk.keys[0] ?? 0
    if (chunk.count === 0) this.#drop(index)
    else if (chunk.count < FEW) this.#join(index)
    return level
  }

  #hasRoom(index: number): boolean {
    return (this.#chunks[index]?.count ?? CHUNK) < CHUNK
  }

  /** An empty chunk; who opens it puts a key into it. */
  #open(index: number): Chunk {
    const chunk = { keys: new Float64Array(CHUNK), levels: new Int32Array(CHUNK), count: 0 }
    this.#chunks.splice(index, 0, chunk)
    this.#firstKeys.splice(index, 0, 0)
    return chunk
  }

  #drop(index: number): void {
    this.#chunks.splice(index, 1)
    this.#firstKeys.splice(index, 1)
  }

  /** The better half becomes a chunk of its own. */
  #split(index: number): void {
    const chunk = this.#chunks[index]
    if (chunk === undefined) return
    const better = this.#open(index + 1)
    better.keys.set(chunk.keys.subarray(FEW))
    better.levels.set(chunk.levels.subarray(FEW))
    better.count = CHUNK - FEW
    chunk.count = FEW
    this.#firstKeys[index + 1] = better.keys[0] ?? 0
  }

  /** Merges with a neighbour if both are small. */
  #join(index: number): void {
    this.#joinWithBetter(index)
    if (index > 0) this.#joinWithBetter(index - 1)
  }

  #joinWithBetter(index: number): void {
    const [chunk, better] = [this.#chunks[index], this.#chunks[index + 1]]
    if (chunk === undefined || better === undefined || chunk.count + better.count > FEW) return
    chunk.keys.set(better.keys.subarray(0, better.count), chunk.count)
    chunk.levels.set(better.levels.subarray(0, better.count), chunk.count)
    chunk.count += better.count
    this.#drop(index + 1)
  }

  /** The chunk that a key is in, or would be inserted into. */
  #chunkOf(key: number): number {
    const firstKeys = this.#firstKeys
    const last = this.#last
    if (
      (firstKeys[last] ?? Number.POSITIVE_INFINITY) <= key &&
      key < (firstKeys[last + 1] ?? Number.POSITIVE_INFINITY)
    ) {
      return last
    }
    let low = 1
    let high = firstKeys.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((firstKeys[middle] ?? key) <= key) low = middle + 1
      else high = middle
    }
    this.#last = low - 1
    return low - 1
  }
}

/**
 * Index of a key in a chunk, or its insertion point. A callback, as `firstIndex` has, made inserting a fifth slower.
 */
function placeOf({ keys, count }: Chunk, key: number): number {
  if ((keys[count - 1] ?? key) < key) return count
  let low = 0
  let high = count
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((keys[middle] ?? key) < key) low = middle + 1
    else high = middle
  }
  return low
}
