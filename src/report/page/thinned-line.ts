/**
 * Min-max decimation of a line: the first, lowest, highest and last point of each stretch.
 *
 * Invariant: the first and last point, and the global minimum and maximum, are preserved; points are never changed.
 */
import type { Line } from './page-data.ts'

const OF_EACH = 4

/**
 * @param most  maximum number of points, 4 or more
 * @returns     the line itself if it has no more
 */
export function thinnedLine({ times, values }: Line, most: number): Line {
  if (times.length <= most) return { times, values }
  const stretches = Math.max(1, Math.floor(most / OF_EACH))
  const chosen = new Set<number>()
  for (let stretch = 0; stretch < stretches; stretch += 1) {
    const from = Math.floor((stretch * times.length) / stretches)
    const to = Math.floor(((stretch + 1) * times.length) / stretches)
    choose(values, from, to, chosen)
  }
  const indices = [...chosen].sort((a, b) => a - b)
  return { times: indices.map((index) => times[index] ?? 0), values: indices.map((index) => values[index] ?? null) }
}

function choose(values: Line['values'], from: number, to: number, chosen: Set<number>): void {
  let [lowest, highest] = [-1, -1]
  for (let index = from; index < to; index += 1) {
    const value = values[index] ?? null
    if (value === null) continue
    if (lowest === -1 || value < (values[lowest] ?? 0)) lowest = index
    if (highest === -1 || value > (values[highest] ?? 0)) highest = index
  }
  for (const index of [from, lowest, highest, to - 1]) if (index >= from && index < to) chosen.add(index)
}
