/**
 * The cells of a heat map: points by their values of two parameters, and one number for each cell over all others.
 */
import type { SweepPageData, SweptFigure } from '../../src/report/page/sweep/sweep-page-data.ts'

/** Of the points in a cell. */
export type Aggregate = 'best' | 'median' | 'worst'

export interface HeatCell {
  /** Null where no point has one. */
  readonly value: number | null
  /** Points of the cell that have a value, the best first. */
  readonly points: readonly number[]
  /** Points of the cell, those without a value as well. */
  readonly count: number
}

/** By row, then column: indices of the values of the parameters. */
export type HeatCells = readonly (readonly HeatCell[])[]

export interface HeatAxes {
  readonly x: number
  /** Undefined for a single row. */
  readonly y: number | undefined
}

export function heatCells(
  { params }: Pick<SweepPageData, 'params'>,
  { x, y }: HeatAxes,
  figure: Pick<SweptFigure, 'column' | 'better'>,
  aggregate: Aggregate,
  kept: readonly number[],
): HeatCells {
  const across = params[x]
  const down = y === undefined ? undefined : params[y]
  const rows = Array.from({ length: down?.values.length ?? 1 }, () =>
    Array.from({ length: across?.values.length ?? 0 }, (): number[] => []),
  )
  for (const point of kept) rows[down?.column[point] ?? 0]?.[across?.column[point] ?? 0]?.push(point)
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
