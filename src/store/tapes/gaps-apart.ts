/**
 * Marked gaps of one tape that were told in any order, as a tape has them.
 */
import type { MarkedGap } from '../../tape/gap-marks.ts'

/**
 * In the order of time, none before the end of another: where two overlap, the later begins where the earlier ends.
 * Those that end in one moment are one. What is so already comes back as it is.
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
