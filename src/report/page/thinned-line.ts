/**
 * Min-max decimation of a line: the first, lowest, highest and last point of each stretch.
 *
 * Invariant: the first and last point, and the global minimum and maximum, are preserved; points are never changed.
 */
import type { Line } from './page-data.ts'

const OF_EACH = 4

interface Point {
  readonly index: number
  readonly time: number
  readonly value: number | null
}

/** Thins a line whose points come one by one. */
export class LineThinner {
  readonly #count: number
  /** Undefined to keep all points. */
  readonly #stretches: number | undefined
  readonly #times: number[] = []
  readonly #values: (number | null)[] = []
  #index = 0
  #stretch = 0
  #end = 0
  #first: Point | undefined
  #lowest: Point | undefined
  #highest: Point | undefined

  /**
   * @param count  points that will come
   * @param most   maximum number of points to keep, 4 or more
   */
  constructor(count: number, most: number) {
    this.#count = count
    this.#stretches = count <= most ? undefined : Math.max(1, Math.floor(most / OF_EACH))
  }

  /** The points kept. */
  get line(): Line {
    return { times: this.#times, values: this.#values }
  }

  add(time: number, value: number | null): void {
    if (this.#stretches === undefined) {
      this.#times.push(time)
      this.#values.push(value)
      return
    }
    const index = this.#index
    if (index === this.#end) this.#begin(this.#stretches, { index, time, value })
    if (value !== null) {
      if (this.#lowest === undefined || value < (this.#lowest.value ?? 0)) this.#lowest = { index, time, value }
      if (this.#highest === undefined || value > (this.#highest.value ?? 0)) this.#highest = { index, time, value }
    }
    this.#index += 1
    if (this.#index === this.#end) this.#keep({ index, time, value })
  }

  #begin(stretches: number, first: Point): void {
    this.#stretch += 1
    this.#end = Math.floor((this.#stretch * this.#count) / stretches)
    this.#first = first
    this.#lowest = undefined
    this.#highest = undefined
  }

  #keep(last: Point): void {
    const points = [this.#first, this.#lowest, this.#highest, last].filter((point) => point !== undefined)
    let before = -1
    for (const { index, time, value } of points.sort((a, b) => a.index - b.index)) {
      if (index === before) continue
      this.#times.push(time)
      this.#values.push(value)
      before = index
    }
  }
}

/**
 * @param most  maximum number of points, 4 or more
 * @returns     the line itself if it has no more
 */
export function thinnedLine({ times, values }: Line, most: number): Line {
  if (times.length <= most) return { times, values }
  const thinner = new LineThinner(times.length, most)
  times.forEach((time, index) => thinner.add(time, values[index] ?? null))
  return thinner.line
}
