/**
 * The cells of a heat map: points by their values of two parameters, and one number for each cell over all others.
 */
import type { SweepPageData, SweptFigure, SweptParam } from '../../src/report/page/sweep/sweep-page-data.ts'

/** Values of the points in a cell. */
export type Aggregate = 'best' | 'median' | 'worst'

export interface HeatCell {
  /** Null where no point has one. */
  readonly value: number | null
  /** Points of the cell that have a value, the best first. */
  readonly points: readonly number[]
  /** Points of the cell, those without a value as well. */
  readonly count: number
}

/** Cells by row, then column: steps of the parameters. */
export type HeatCells = readonly (readonly HeatCell[])[]

export interface HeatAxes {
  readonly x: number
  /** Undefined for a single row. */
  readonly y: number | undefined
}

/**
 * Steps of one axis; values that are next to each other share a step where there are more of them than can be
 * distinguished.
 */
export interface HeatSteps {
  readonly count: number
  /** Step of the value with an index. */
  readonly stepOf: (index: number) => number
  /** Indices of the first value and of the last. */
  readonly rangeOf: (step: number) => { readonly low: number; readonly high: number }
  readonly textOf: (step: number) => string
}

const MAX_STEPS = 120

export function heatSteps({ values }: Pick<SweptParam, 'values'>): HeatSteps {
  const size = Math.max(1, Math.ceil(values.length / MAX_STEPS))
  const rangeOf = (step: number): { low: number; high: number } => {
    return { low: step * size, high: Math.min(values.length, (step + 1) * size) - 1 }
  }
  return {
    count: Math.ceil(values.length / size),
    stepOf: (index) => Math.floor(index / size),
    rangeOf,
    textOf: (step) => {
      const { low, high } = rangeOf(step)
      return low >= high ? (values[low] ?? '') : `${values[low] ?? ''} to ${values[high] ?? ''}`
    },
  }
}

export function heatCells(
  { params }: Pick<SweepPageData, 'params'>,
  { x, y }: HeatAxes,
  figure: Pick<SweptFigure, 'column' | 'better'>,
  aggregate: Aggregate,
  selected: readonly number[],
): HeatCells {
  const across = params[x]
  const down = y === undefined ? undefined : params[y]
  const [columnSteps, rowSteps] = [across, down].map((param) => (param === undefined ? undefined : heatSteps(param)))
  const rows = Array.from({ length: rowSteps?.count ?? 1 }, () =>
    Array.from({ length: columnSteps?.count ?? 0 }, (): number[] => []),
  )
  for (const point of selected) {
    const row = rowSteps?.stepOf(down?.column[point] ?? 0) ?? 0
    rows[row]?.[columnSteps?.stepOf(across?.column[point] ?? 0) ?? 0]?.push(point)
  }
  return rows.map((row) => row.map((points) => cellOf(points, figure, aggregate)))
}

function cellOf(
  inside: readonly number[],
  { column, better }: Pick<SweptFigure, 'column' | 'better'>,
  aggregate: Aggregate,
): HeatCell {
  const valueOf = (point: number): number => column[point] ?? 0
  const points = inside
    .filter((point) => (column[point] ?? null) !== null)
    .sort((a, b) => (better === 'higher' ? valueOf(b) - valueOf(a) : valueOf(a) - valueOf(b)) || a - b)
  return {
    value: points.length === 0 ? null : aggregateOf(points.map(valueOf), aggregate),
    points,
    count: inside.length,
  }
}

/** @param values  the best first, at least one */
function aggregateOf(values: readonly number[], aggregate: Aggregate): number {
  if (aggregate !== 'median') return values.at(aggregate === 'best' ? 0 : -1) ?? 0
  const middle = values.length / 2
  if (!Number.isInteger(middle)) return values[Math.floor(middle)] ?? 0
  return ((values[middle - 1] ?? 0) + (values[middle] ?? 0)) / 2
}
