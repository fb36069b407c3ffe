/**
 * Corrects trade times so that they fit the order in which a service lists its trades.
 *
 * The order is trusted and the times are not: a time ahead of the clock, or far from its neighbours' times, is replaced
 * by that of the trade before it, or by the present for the newest ones. One wrong time neither stops what follows it
 * nor hides what precedes it.
 */
import type { WireTrade } from '../../../wire/wire-trade.ts'
import { MAX_AHEAD_MS, type ExchangeClock } from './exchange-clock.ts'

/**
 * Returns the same trades in the same order, with corrected times.
 * @param newestFirst  as a read shows them
 * @param knownTime    time with which a trade was already reported; undefined for a new one
 */
export function withSoundTimes(
  newestFirst: readonly WireTrade[],
  clock: Pick<ExchangeClock, 'now' | 'isAhead'>,
  knownTime: (id: string) => number | undefined,
): readonly WireTrade[] {
  const rows = newestFirst.toReversed()
  const times = rows.map(({ id, createdAt }) => {
    const time = knownTime(id) ?? createdAt
    return clock.isAhead(time) ? undefined : time
  })
  if (!isDisordered(times) && rows.every(({ createdAt }, index) => createdAt === times[index])) return newestFirst
  const ordered = longestOrdered(times)
  const lastOrdered = ordered.at(-1) ?? -1
  let before = times[ordered[0] ?? -1] ?? clock.now()
  const inOrder = new Set(ordered)
  return rows
    .map((trade, index) => {
      const time = times[index]
      if (inOrder.has(index)) before = time ?? before
      else if (index > lastOrdered) before = Math.max(before, time === undefined ? clock.now() : before)
      const isNear = time !== undefined && Math.abs(time - before) <= MAX_AHEAD_MS
      const createdAt = isNear ? time : before
      return createdAt === trade.createdAt ? trade : { ...trade, createdAt }
    })
    .reverse()
}

/** Whether a time is missing, or far before an earlier one. */
function isDisordered(times: readonly (number | undefined)[]): boolean {
  let latest = Number.NEGATIVE_INFINITY
  for (const time of times) {
    if (time === undefined || time < latest - MAX_AHEAD_MS) return true
    latest = Math.max(latest, time)
  }
  return false
}

/** Indices of a longest non-decreasing subsequence (patience sorting); missing times are skipped. */
function longestOrdered(times: readonly (number | undefined)[]): readonly number[] {
  /** Index that ends such a subsequence with the earliest time, per length. */
  const ends: number[] = []
  const previous = new Map<number, number | undefined>()
  for (const [index, time] of times.entries()) {
    if (time === undefined) continue
    let length = ends.length
    while (length > 0 && (times[ends[length - 1] ?? 0] ?? 0) > time) length -= 1
    previous.set(index, ends[length - 1])
    ends[length] = index
  }
  const indices: number[] = []
  for (let index = ends.at(-1); index !== undefined; index = previous.get(index)) indices.push(index)
  return indices.reverse()
}
