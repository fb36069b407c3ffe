/**
 * Search by tree-structured Parzen estimators: the next trial is where good trials are dense and bad ones are not.
 * Pending trials count as bad, so that a batch spreads.
 *
 * @see Bergstra, Bardenet, Bengio and Kégl (2011), Algorithms for Hyper-Parameter Optimization
 */
import { normalQuantile, normalShareBelow } from '../selection/normal.ts'
import {
  type Cell,
  comparedScores,
  type SearchAxis,
  type Searcher,
  type SearcherOptions,
  type SearchTrial,
} from './searcher.ts'

/** Width of a kernel around a single cell, as a share of its axis; Scott's rule narrows it for more cells. */
const WIDTH = 0.2
/** A kernel is never narrower than this share of its axis. */
const MIN_PARTS = 100
/** Weight of the uniform kernel, relative to the first of the others. */
const EVEN_WEIGHT = 1

/**
 * Kernel density estimate over the cells of a grid: one kernel around each evaluated cell, and one nearly uniform
 * kernel.
 *
 * @see Bergstra, Bardenet, Bengio and Kégl (2011), Algorithms for Hyper-Parameter Optimization; Falkner, Klein and
 * Hutter (2018), BOHB, for kernels over all axes at once
 */
class KernelMixture {
  readonly #axes: readonly KernelAxis[]
  readonly #cells: readonly Cell[]
  readonly #weights: readonly number[]

  /**
   * @param cells    centres of the kernels
   * @param weights  of each, above 0
   */
  constructor(axes: readonly SearchAxis[], cells: readonly Cell[], weights: readonly number[]) {
    const total = weights.reduce((sum, weight) => sum + weight, EVEN_WEIGHT)
    const narrowing = Math.max(cells.length, 1) ** (-1 / (axes.length + 4))
    const width = Math.max(WIDTH * narrowing, 1 / Math.min(MIN_PARTS, cells.length + 2))
    this.#cells = cells
    this.#weights = [...weights, EVEN_WEIGHT].map((weight) => weight / total)
    this.#axes = axes.map((axis) =>
      axis.isOrdered ? new OrderedAxis(axis.count, width) : new NamedAxis(axis.count, cells.length + 1),
    )
  }

  sample(random: () => number): Cell {
    let left = random()
    let chosen = 0
    while (chosen < this.#cells.length && left >= (this.#weights[chosen] ?? 0)) {
      left -= this.#weights[chosen] ?? 0
      chosen += 1
    }
    return this.#axes.map((axis, index) => axis.sample(this.#cells[chosen]?.[index], random()))
  }

  /** Probability of a cell, above 0. */
  share(cell: Cell): number {
    let sum = 0
    for (const [kernel, weight] of this.#weights.entries()) {
      const around = this.#cells[kernel]
      let product = weight
      for (const [index, axis] of this.#axes.entries()) product *= axis.share(around?.[index], cell[index] ?? 0)
      sum += product
    }
    return sum
  }
}

/** Kernels of one axis: around a step, or uniform if it is undefined. */
interface KernelAxis {
  share(around: number | undefined, step: number): number
  /** @param chance  in [0, 1) */
  sample(around: number | undefined, chance: number): number
}

/** Normal, cut off at the ends of the axis, and summed over each step. */
class OrderedAxis implements KernelAxis {
  readonly #count: number
  readonly #deviation: number
  /** Untruncated kernel mass by distance in steps; NaN until first computed. */
  readonly #byDistance: Float64Array
  /** Mass of a kernel that remains inside the axis, by its centre step. */
  readonly #left: Float64Array

  constructor(count: number, width: number) {
    this.#count = count
    this.#deviation = width * count
    this.#byDistance = new Float64Array(count).fill(Number.NaN)
    this.#left = new Float64Array(count).fill(Number.NaN)
  }

  share(around: number | undefined, step: number): number {
    if (around === undefined) return this.#evenShare(step)
    const distance = Math.abs(step - around)
    let share = this.#byDistance[distance] ?? 0
    if (Number.isNaN(share)) {
      share = this.#below(0.5 - distance) - this.#below(-0.5 - distance)
      this.#byDistance[distance] = share
    }
    let left = this.#left[around] ?? 0
    if (Number.isNaN(left)) {
      left = this.#below(this.#count - 0.5 - around) - this.#below(-0.5 - around)
      this.#left[around] = left
    }
    return share / left
  }

  #evenShare(step: number): number {
    const below = (place: number): number => normalShareBelow((place - (this.#count - 1) / 2) / this.#count)
    return (below(step + 0.5) - below(step - 0.5)) / (below(this.#count - 0.5) - below(-0.5))
  }

  /** Untruncated kernel mass below this distance from the centre. */
  #below(distance: number): number {
    return normalShareBelow(distance / this.#deviation)
  }

  sample(around: number | undefined, chance: number): number {
    const [middle, deviation] = around === undefined ? [(this.#count - 1) / 2, this.#count] : [around, this.#deviation]
    const low = normalShareBelow((-0.5 - middle) / deviation)
    const high = normalShareBelow((this.#count - 0.5 - middle) / deviation)
    const place = middle + deviation * (normalQuantile(low + chance * (high - low)) ?? 0)
    return Math.min(this.#count - 1, Math.max(0, Math.round(place)))
  }
}

/** Most on the step itself, the rest even. */
class NamedAxis implements KernelAxis {
  readonly #count: number
  readonly #even: number

  constructor(count: number, kernels: number) {
    this.#count = count
    this.#even = 1 / kernels
  }

  share(around: number | undefined, step: number): number {
    if (around === undefined) return 1 / this.#count
    return ((step === around ? 1 : 0) + this.#even) / (1 + this.#count * this.#even)
  }

  sample(around: number | undefined, chance: number): number {
    const own = around === undefined ? 0 : 1 / (1 + this.#count * this.#even)
    if (around !== undefined && chance < own) return around
    return Math.min(this.#count - 1, Math.floor(((chance - own) / (1 - own)) * this.#count))
  }
}

/** Trials by chance before the first that is chosen. */
const STARTUP = 10
const BATCH = 8
/** Share of the trials that are good ones, and how many at most. */
const GOOD = { share: 0.1, most: 25 } as const
const CANDIDATES = 24
/** Maximum of draws when most candidates have been tried or are not allowed. */
const MAX_DRAWS = 240
/** Number of latest trials with full weight; earlier ones weigh less the older they are. */
const WHOLE_WEIGHTS = 25

/** Each in the order of the trials. */
interface Split {
  readonly good: readonly Cell[]
  readonly bad: readonly Cell[]
}

export class TpeSearch implements Searcher {
  readonly #options: SearcherOptions
  readonly #trials: SearchTrial[] = []

  constructor(options: SearcherOptions) {
    this.#options = options
  }

  ask(): readonly Cell[] {
    const batch: Cell[] = []
    const isStarting = this.#trials.length < STARTUP
    const split = this.#split()
    while (batch.length < (isStarting ? STARTUP : BATCH)) {
      const taken = new Set(batch.map(String))
      const isFree = (cell: Cell): boolean => !taken.has(String(cell)) && this.#options.isFree(cell)
      const cell = (isStarting ? undefined : this.#chosen(split, batch, isFree)) ?? this.#options.draw(isFree)
      if (cell === undefined) break
      batch.push(cell)
    }
    return batch
  }

  tell(trials: readonly SearchTrial[]): void {
    this.#trials.push(...trials)
  }

  #chosen({ good, bad }: Split, pending: readonly Cell[], isFree: (cell: Cell) => boolean): Cell | undefined {
    const { axes, random } = this.#options
    const near = new KernelMixture(axes, good, weightsOf(good.length))
    const others = [...bad, ...pending]
    const far = new KernelMixture(axes, others, weightsOf(others.length))
    const seen = new Set<string>()
    let best: { readonly cell: Cell; readonly gain: number } | undefined
    for (let draw = 0; draw < MAX_DRAWS && seen.size < CANDIDATES; draw += 1) {
      const cell = near.sample(random)
      if (seen.has(String(cell)) || !isFree(cell)) continue
      seen.add(String(cell))
      const gain = near.share(cell) / far.share(cell)
      if (best === undefined || gain > best.gain) best = { cell, gain }
    }
    return best?.cell
  }

  #split(): Split {
    const order = Array.from(this.#trials.entries())
    const ranked = order.toSorted(([, a], [, b]) => comparedScores(b.score, a.score))
    const count = Math.min(Math.ceil(GOOD.share * order.length), GOOD.most)
    const members = new Set(ranked.slice(0, count).flatMap(([index, { score }]) => (score === null ? [] : [index])))
    const cellsOf = (isGood: boolean): readonly Cell[] =>
      order.flatMap(([index, { cell }]) => (members.has(index) === isGood ? [cell] : []))
    return { good: cellsOf(true), bad: cellsOf(false) }
  }
}

function weightsOf(count: number): readonly number[] {
  const rising = Math.max(0, count - WHOLE_WEIGHTS)
  return Array.from({ length: count }, (_, index) =>
    index >= rising || rising < 2 ? 1 : 1 / count + (index / (rising - 1)) * (1 - 1 / count),
  )
}
