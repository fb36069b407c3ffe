/** Batch search for the best cell of a grid: it asks for trials and receives their scores. */

/** Cell of the grid: a step index per axis, from 0. */
export type Cell = readonly number[]

/** An axis of the grid. */
export interface SearchAxis {
  /** Count of its steps, at least 1. */
  readonly count: number
  /** False if its steps are names without an order. */
  readonly isOrdered: boolean
}

/** A cell that was tried. */
export interface SearchTrial {
  readonly cell: Cell
  /** Higher is better; null for one without, which counts as worse than every other. */
  readonly score: number | null
  /** False for one whose score was known before. */
  readonly isNew: boolean
}

/** Invariant: the same axes, random numbers and scores give the same cells. */
export interface Searcher {
  /** Next batch; its length depends only on the scores received so far. Empty when no cell is left. */
  ask(): readonly Cell[]
  /** @param trials  of the batch, in its order; those that were not allowed have no score */
  tell(trials: readonly SearchTrial[]): void
}

export interface SearcherOptions {
  /** At least one axis with two steps or more. */
  readonly axes: readonly SearchAxis[]
  /** Random generator in [0, 1). */
  readonly random: () => number
  /** True for a cell that may be tried, and was not yet. */
  readonly isFree: (cell: Cell) => boolean
  /** Draws a random free cell; undefined if none was found. */
  readonly draw: (isFree: (cell: Cell) => boolean) => Cell | undefined
}

/** Comparator, below 0 if the first is worse. Equal infinities are equal. */
export function comparedScores(a: number | null, b: number | null): number {
  const [first, second] = [a ?? -Infinity, b ?? -Infinity]
  if (first === second) return 0
  return first < second ? -1 : 1
}
