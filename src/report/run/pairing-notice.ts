/**
 * Warns when separate candle streams of several markets have different lengths: operators that pair by position, such as `zip`, get out
 * of step.
 */
import type { UsedStream } from '../../runtime/session/stream-usage.ts'
import { readableCount } from '../readable.ts'

/** Full sentences, one for each interval whose streams differ. */
export function pairingNotices(streams: readonly UsedStream[]): readonly string[] {
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
      `The strategy received ${counts} (${interval}), so zip() pairs candles of different times; use candles([${symbols}], '${interval}') to align them.`,
    ]
  })
}
