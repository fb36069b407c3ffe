/**
 * CMA-ES search with restarts: each generation adapts its distribution to the steps that improve the score together.
 * After it stagnates it restarts elsewhere with twice the population (IPOP).
 *
 * Invariant: no cell is requested twice; cells evaluated before are reused at no cost.
 * Known limit: the axes must be ordered. Names have no direction.
 *
 * @see Auger and Hansen (2005), A Restart CMA Evolution Strategy With Increasing Population Size
 */
import { invariant } from '../../domain/errors.ts'
import { Evolution, generationOf, type Offspring } from './evolution.ts'
import { type Cell, comparedScores, type Searcher, type SearcherOptions, type SearchTrial } from './searcher.ts'

/** Draws per offspring, for searches in which many cells are excluded. */
const MAX_DRAWS = 20
/** A generation is doubled by each restart up to this. */
const MAX_OFFSPRING = 128
/**
 * Stagnation limit in generations without improvement: a base plus some per axis. With n axes, the margin makes at
 * least one of 2n generations leave the cell of the mean on a given side, so most neighbours have been tried by then.
 */
const PATIENCE = { base: 10, ofAxis: 4 } as const

export class CmaSearch implements Searcher {
  readonly #options: SearcherOptions
  /** Indices of the axes with two steps or more. */
  readonly #moving: readonly number[]
  readonly #scores = new Map<string, number | null>()
  #size: number
  /** Undefined while the next batch is drawn at random to find a starting point. */
  #evolution: Evolution | undefined
  #generation: readonly Offspring[] = []
  #best: number | null = null
  #unimproved = 0

  constructor(options: SearcherOptions) {
    const { axes } = options
    this.#options = options
    this.#moving = axes.flatMap(({ count }, axis) => (count > 1 ? [axis] : []))
    invariant(
      this.#moving.every((axis) => axes[axis]?.isOrdered === true),
      'names have no direction',
    )
    this.#size = generationOf(Math.max(1, this.#moving.length))
  }

  ask(): readonly Cell[] {
    while (this.#evolution !== undefined) {
      const evolution = this.#evolution
      this.#generation = Array.from({ length: this.#size }, () => this.#offspring(evolution))
      const cells = this.#newCells()
      if (cells.length > 0) return cells
      this.#learn(evolution)
    }
    return this.#drawn()
  }

  tell(trials: readonly SearchTrial[]): void {
    for (const { cell, score } of trials) this.#scores.set(String(cell), score)
    if (this.#evolution !== undefined) this.#learn(this.#evolution)
    else this.#begin(trials)
  }

  /** Random batch of one generation's size. */
  #drawn(): readonly Cell[] {
    const batch: Cell[] = []
    while (batch.length < this.#size) {
      const taken = new Set(batch.map(String))
      const cell = this.#options.draw((each) => !taken.has(String(each)) && this.#options.isFree(each))
      if (cell === undefined) break
      batch.push(cell)
    }
    return batch
  }

  #begin(trials: readonly SearchTrial[]): void {
    const [start] = trials.toSorted((a, b) => comparedScores(b.score, a.score))
    // A grid of a single cell offers nothing to learn.
    if (start === undefined || this.#moving.length === 0) return
    const counts = this.#moving.map((axis) => this.#options.axes[axis]?.count ?? 1)
    this.#evolution = new Evolution(
      counts,
      this.#size,
      this.#moving.map((axis) => start.cell[axis] ?? 0),
    )
    this.#best = start.score
    this.#unimproved = 0
  }

  /** Offspring that is allowed or has been evaluated; after the maximum of draws, any offspring. */
  #offspring(evolution: Evolution): Offspring {
    let found = evolution.offspring(this.#options.random)
    for (let draw = 1; draw < MAX_DRAWS && !this.#isWanted(this.#whole(found)); draw += 1) {
      found = evolution.offspring(this.#options.random)
    }
    return found
  }

  #isWanted(cell: Cell): boolean {
    return this.#scores.has(String(cell)) || this.#options.isFree(cell)
  }

  #whole({ cell }: Offspring): Cell {
    const whole = this.#options.axes.map(() => 0)
    for (const [index, axis] of this.#moving.entries()) whole[axis] = cell[index] ?? 0
    return whole
  }

  /** New cells without duplicates, though several offspring may share one. */
  #newCells(): readonly Cell[] {
    const cells = new Map(this.#generation.map((each) => [String(this.#whole(each)), this.#whole(each)]))
    return [...cells].flatMap(([key, cell]) => (!this.#scores.has(key) && this.#options.isFree(cell) ? [cell] : []))
  }

  /** Cells that are not allowed or were not run rank below all others. */
  #scoreOf(each: Offspring): number | null {
    return this.#scores.get(String(this.#whole(each))) ?? null
  }

  #learn(evolution: Evolution): void {
    const ranked = this.#generation
      .map((each) => ({ each, score: this.#scoreOf(each) }))
      .sort((a, b) => comparedScores(b.score, a.score))
    evolution.learn(ranked.map(({ each }) => each))
    const best = ranked[0]?.score ?? null
    this.#unimproved = comparedScores(best, this.#best) > 0 ? 0 : this.#unimproved + 1
    if (this.#unimproved === 0) this.#best = best
    if (this.#unimproved < PATIENCE.base + PATIENCE.ofAxis * this.#moving.length) return
    this.#evolution = undefined
    this.#size = Math.min(MAX_OFFSPRING, 2 * this.#size)
  }
}
