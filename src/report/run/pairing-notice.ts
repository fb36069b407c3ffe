/**
 * Of candles of several markets that a strategy asked for one by one: where one market had fewer, streams that are paired in their order,
 * as `zip` does it, are out of step from there on.
 */
import type { SeenStream } from '../../runtime/session/seen-streams.ts'
import { readableCount } from '../readable.ts'

/** Full sentences, one for each interval whose streams differ. */
export function pairingNotices(streams: readonly SeenStream[]): readonly string[] {
  const byInterval = new Map<string, { readonly symbol: string; readonly values: number }[]>()
  for (const { candles, values } of streams) {
    if (candles === undefined || values === null || values === 0) continue
    const told = byInterval.get(candles.interval) ?? []
    byInterval.set(candles.interval, [...told, { symbol: candles.symbol, values }])
  }
  return [...byInterval].flatMap(([interval, told]) => {
    if (new Set(told.map(({ values }) => values)).size < 2) return []
    const counts = told.map(({ symbol, values }) => `${readableCount(values, 'candle')} of ${symbol}`).join(' and ')
    const symbols = told.map(({ symbol }) => `'${symbol}'`).join(', ')
    return [
      `There were ${counts} in ${interval}, so a zip of their streams pairs what is not of one time: candles([${symbols}], '${interval}') aligns them.`,
    ]
  })
}
