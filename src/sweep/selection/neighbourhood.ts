/**
 * Neighbourhood of the best grid point: a plateau if its neighbours are about as good, a needle (probably luck) if not.
 */
import { ascending, quantile } from '../../analysis/returns/float-sums.ts'

/** Thresholds of the drop: a plateau up to the first, a needle from the second on. */
const [PLATEAU, NEEDLE] = [0.25, 0.75]
const MIN_NEIGHBOURS = 2

export interface GridPoint {
  /** Step on each axis, from 0. */
  readonly place: readonly number[]
  /** Null for a point that has none: it threw, or the figure is undefined. */
  readonly value: number | null
}

export interface Neighbourhood {
  /** Indices of the points that are one step away on one ordered axis and share all other steps. */
  readonly neighbours: readonly number[]
  /** Median of the neighbours that have a value; null for none. */
  readonly median: number | null
  /**
   * (best - median of the neighbours) / (best - median of all points): the share of its lead that the best loses one
   * step away. 0 for none, 1 for all of it, above 1 if its neighbours are below the median of all points; null for
   * fewer than two neighbours with a value, or a best without a lead.
   */
  readonly drop: number | null
  /** `plateau` for a drop of up to a quarter, `needle` from three quarters on, `slope` between; null without a drop. */
  readonly shape: 'plateau' | 'slope' | 'needle' | null
  /** Axes with more than one step on which the best is at an end: better points may be outside the range. */
  readonly edges: readonly number[]
}

/**
 * @param points     of a grid, or of a part of it
 * @param isOrdered  per axis; an axis of names has no steps, so its points have no neighbours
 * @param best       index of a point with a value
 */
export function neighbourhood(
  points: readonly GridPoint[],
  isOrdered: readonly boolean[],
  best: number,
): Neighbourhood {
  const chosen = points[best]
  const place = chosen?.place ?? []
  const neighbours = points.flatMap((point, index) => (isNeighbour(point.place, place, isOrdered) ? [index] : []))
  const around = median(neighbours.map((index) => points[index]?.value ?? null))
  const middle = median(points.map(({ value }) => value))
  const valued = neighbours.filter((index) => points[index]?.value !== null).length
  const value = chosen?.value ?? null
  const isKnown = value !== null && around !== null && middle !== null && value !== middle
  const drop = isKnown && valued >= MIN_NEIGHBOURS ? (value - around) / (value - middle) : null
  return {
    neighbours,
    median: around,
    drop,
    shape: drop === null ? null : shapeOf(drop),
    edges: edgesOf(points, place, isOrdered),
  }
}

function isNeighbour(place: readonly number[], other: readonly number[], isOrdered: readonly boolean[]): boolean {
  let steps = 0
  for (const [axis, step] of place.entries()) {
    const distance = Math.abs(step - (other[axis] ?? step))
    if (distance > 0 && isOrdered[axis] !== true) return false
    steps += distance
  }
  return steps === 1
}

const shapeOf = (drop: number): 'plateau' | 'slope' | 'needle' =>
  drop <= PLATEAU ? 'plateau' : drop >= NEEDLE ? 'needle' : 'slope'

function edgesOf(
  points: readonly GridPoint[],
  place: readonly number[],
  isOrdered: readonly boolean[],
): readonly number[] {
  return place.flatMap((step, axis) => {
    if (isOrdered[axis] !== true) return []
    let [low, high] = [step, step]
    for (const point of points) {
      low = Math.min(low, point.place[axis] ?? step)
      high = Math.max(high, point.place[axis] ?? step)
    }
    return low < high && (step === low || step === high) ? [axis] : []
  })
}

function median(values: readonly (number | null)[]): number | null {
  const known = ascending(values.filter((value) => value !== null))
  return known.length === 0 ? null : quantile(known, 0.5)
}
