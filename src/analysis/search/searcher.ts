/**
 * A search of the best cell of a grid, by batches: it asks for trials, and is told what came of them.
 */

/** One step an axis, from 0. */
export type Cell = readonly number[]

/** An axis of the grid. */
export interface SearchAxis {
  /** Count of its steps, at least 1. */
  readonly count: number
  /** False where its steps are names that have no order. */
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

/** Invariant: the same axes, numbers of chance and scores give the same cells. */
export interface Searcher {
  /** The next batch, whose length rests on nothing but what was told; none where nothing is left. */
  ask(): readonly Cell[]
  /** @param trials  of the batch, in its order; those that were not wanted have no score */
  tell(trials: readonly SearchTrial[]): void
}

export interface SearcherOptions {
  /** At least one with two steps or more. */
  readonly axes: readonly SearchAxis[]
  /** In [0, 1). */
  readonly random: () => number
  /** True for a cell that may be tried, and was not yet. */
  readonly isFree: (cell: Cell) => boolean
  /** A free cell by chance; undefined where none was found. */
  readonly draw: (isFree: (cell: Cell) => boolean) => Cell | undefined
}
