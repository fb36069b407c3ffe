/** Notices on the streams that the strategy of a run used, and on those that it did not. */
import { isoTime } from '../../domain/time.ts'
import type { UsedStream } from '../../runtime/session/stream-usage.ts'
import { readableCount } from '../readable.ts'
import type { RunFacts } from './run-facts.ts'

/** Warnings in full sentences. */
export const streamNotices = (facts: RunFacts): readonly string[] => [
  ...pairingNotices(facts.remarks.usage?.streams ?? []),
  ...unusedNotices(facts),
]

/** Full sentences, one for each interval whose streams differ. */
function pairingNotices(streams: readonly UsedStream[]): readonly string[] {
  const byInterval = new Map<string, { readonly symbol: string; readonly values: number }[]>()
  for (const { candles, values } of streams) {
    if (candles === undefined || values === null || values === 0) continue
    const reported = byInterval.get(candles.interval) ?? []
    byInterval.set(candles.interval, [...reported, { symbol: candles.symbol, values }])
  }
  return [...byInterval].flatMap(([interval, reported]) => {
    if (new Set(reported.map(({ values }) => values)).size < 2) return []
    const counts = reported.map(({ symbol, values }) => `${readableCount(values, 'candle')} of ${symbol}`).join(' and ')
    const symbols = reported.map(({ symbol }) => `'${symbol}'`).join(', ')
    return [
      `The strategy received ${counts} (${interval}), so zip() pairs candles of different times; use candles([${symbols}], '${interval}') to align them.`,
    ]
  })
}

/** One for all series that the strategy never asked for, and one for each without a row before the end of the run. */
function unusedNotices({ series = [], remarks: { usage, endedAt } }: RunFacts): readonly string[] {
  const asked = new Set(usage?.streams.map(({ name }) => name))
  const unused = series.filter(({ name }) => usage !== undefined && !asked.has(`series('${name}')`))
  const names = unused.map(({ name }) => `'${name}'`).join(', ')
  return [
    ...(unused.length === 0 ? [] : [`The strategy did not use the series ${names}.`]),
    ...series
      .filter(({ from }) => from >= endedAt)
      .map(({ name, from }) => `The series '${name}' begins at ${isoTime(from)}, after the end of the run.`),
  ]
}
