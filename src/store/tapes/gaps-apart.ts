/** Normalizes the marked gaps of one tape, given in any order. */
import type { MarkedGap } from '../../tape/gap-marks.ts'

/**
 * Sorts gaps and removes overlaps: the later of two begins where the earlier ends. Gaps with the same end are merged.
 * Normalized gaps do not change.
 */
export function gapsApart(gaps: readonly MarkedGap[]): MarkedGap[] {
  const all: MarkedGap[] = []
  for (const gap of gaps.toSorted((a, b) => a.to - b.to || a.from - b.from)) {
    const last = all.at(-1)
    if (last?.to === gap.to) all[all.length - 1] = { ...last, why: joined(last.why, gap.why) }
    else all.push({ ...gap, from: Math.max(gap.from, last?.to ?? gap.from) })
  }
  return all
}

const joined = (one: string, other: string): string => (one.includes(other) ? one : `${one}; ${other}`)
