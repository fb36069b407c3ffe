/**
 * Adaptive search among the combinations of a sweep: earlier outcomes determine which points run next.
 *
 * Invariant: the same values, condition, seed and outcomes give the same points in the same order, and more trials the
 * same first ones.
 */
import { CmaSearch } from './search/cma-search.ts'
import type { Cell, Searcher, SearcherOptions, SearchAxis } from './search/searcher.ts'
import { TpeSearch } from './search/tpe-search.ts'
import { seededRandom } from '../runtime/strategies/seeded-random.ts'
import type { Params } from './grid.ts'
import type { Objective } from './objective.ts'
import type { PointOutcome } from './point-outcome.ts'

/** Search algorithms by name. */
export const SEARCH_NAMES = ['tpe', 'cma'] as const

/** The time of a search by tpe itself grows with the square of the trials. */
export const MAX_TRIALS = 10_000

export type SearchName = (typeof SEARCH_NAMES)[number]

export interface PointSearch {
  readonly name: SearchName
  /** Maximum number of points. */
  readonly trials: number
  /** Values by parameter, in the given order. */
  readonly params: ReadonlyMap<string, readonly string[]>
  /** False for an excluded combination; default: none is excluded. */
  readonly isWanted?: ((params: Params) => boolean) | undefined
  /** A 32-bit integer. */
  readonly seed: number
  readonly objective: Objective
}

const SEARCHERS: Readonly<Record<SearchName, (options: SearcherOptions) => Searcher>> = {
  tpe: (options) => new TpeSearch(options),
  cma: (options) => new CmaSearch(options),
}

/** Random draws for a point, before combinations are enumerated. */
const MAX_DRAWS = 1_000
/** Maximum number of enumerated combinations. */
const MAX_LOOKED_AT = 1_000_000

/** Parameters that a search cannot use: several texts, for an algorithm that needs numbers. */
export const unsearchable = ({ name, params }: Pick<PointSearch, 'name' | 'params'>): readonly string[] =>
  name === 'tpe'
    ? []
    : [...params].flatMap(([param, values]) => (values.length > 1 && !values.every(isNumber) ? [param] : []))

/**
 * Yields points to run, receives their outcomes in the same order, and returns all of them in the order of the trials.
 */
export function* searchedPoints(
  search: PointSearch,
): Generator<readonly Params[], readonly PointOutcome[], readonly PointOutcome[]> {
  const { trials, params, objective } = search
  const grid = new SearchGrid(search)
  const searcher = SEARCHERS[search.name]({
    axes: axesOf(params),
    random: seededRandom(search.seed),
    isFree: (cell) => grid.isFree(cell),
    draw: (isFree) => grid.draw(isFree),
  })
  const outcomes: PointOutcome[] = []
  while (outcomes.length < trials) {
    const cells = searcher.ask().slice(0, trials - outcomes.length)
    if (cells.length === 0) break
    for (const cell of cells) grid.take(cell)
    const found = yield cells.map((cell) => grid.paramsOf(cell))
    outcomes.push(...found)
    searcher.tell(
      cells.map((cell, index) => {
        const outcome = found[index]
        return { cell, score: outcome === undefined ? null : objective.score(outcome), isNew: true }
      }),
    )
  }
  return outcomes
}

/** False if the condition excludes every combination, or all that are enumerated. */
export const hasPoint = (search: Omit<PointSearch, 'objective'>): boolean => {
  const grid = new SearchGrid(search)
  return grid.draw((cell) => grid.isFree(cell)) !== undefined
}

const axesOf = (params: PointSearch['params']): readonly SearchAxis[] =>
  [...params.values()].map((values) => ({ count: values.length, isOrdered: values.every(isNumber) }))

const isNumber = (text: string): boolean => text.trim() !== '' && Number.isFinite(Number(text))

/** The combinations, and which of them were taken. */
class SearchGrid {
  readonly #names: readonly string[]
  /** Numbers ascending, in whatever order they were given. */
  readonly #values: readonly (readonly string[])[]
  readonly #isWanted: (params: Params) => boolean
  readonly #random: () => number
  readonly #taken = new Set<string>()

  constructor({ params, isWanted = (): boolean => true, seed }: Omit<PointSearch, 'objective'>) {
    this.#names = [...params.keys()]
    this.#values = [...params.values()].map((values) =>
      values.every(isNumber) ? values.toSorted((a, b) => Number(a) - Number(b)) : values,
    )
    this.#isWanted = isWanted
    // Separate from the searcher's random numbers, so that neither affects the other.
    this.#random = seededRandom(~seed)
  }

  paramsOf(cell: Cell): Params {
    return Object.fromEntries(this.#names.map((name, axis) => [name, this.#values[axis]?.[cell[axis] ?? 0] ?? '']))
  }

  isFree(cell: Cell): boolean {
    return !this.#taken.has(String(cell)) && this.#isWanted(this.paramsOf(cell))
  }

  take(cell: Cell): void {
    this.#taken.add(String(cell))
  }

  draw(isFree: (cell: Cell) => boolean): Cell | undefined {
    for (let draw = 0; draw < MAX_DRAWS; draw += 1) {
      const cell = this.#values.map(({ length }) => Math.floor(this.#random() * length))
      if (isFree(cell)) return cell
    }
    return this.#next(isFree)
  }

  /** The first free combination, starting from a random one. */
  #next(isFree: (cell: Cell) => boolean): Cell | undefined {
    const size = this.#values.reduce((all, { length }) => all * length, 1)
    const start = Math.floor(this.#random() * size)
    for (let step = 0; step < Math.min(size, MAX_LOOKED_AT); step += 1) {
      const cell = this.#cellAt((start + step) % size)
      if (isFree(cell)) return cell
    }
    return undefined
  }

  #cellAt(index: number): Cell {
    let rest = index
    return this.#values.map(({ length }) => {
      const step = rest % length
      rest = Math.floor(rest / length)
      return step
    })
  }
}
