/** The market data of a live account that is kept as it arrives: that of the markets in use. */
import type { LiveSession } from '../runtime/live/live-session.ts'
import { pastTrade, type ReceivedParts } from '../runtime/recording/received-data.ts'

/** @param sessions  on one account */
export function receivedOf(sessions: readonly LiveSession[]): Pick<ReceivedParts, 'symbols' | 'past'> & {
  readonly feed: ReceivedParts['feed'] | undefined
} {
  const adapter = sessions[0]?.options.adapter
  const named = new Set(sessions.flatMap(({ params }) => Object.values(params).flat()))
  const all = adapter?.markets.map(({ symbol }) => symbol) ?? []
  const used = all.filter((symbol) => named.has(symbol))
  const symbols = used.length > 0 ? used : all
  const past = symbols.flatMap((symbol) => adapter?.past?.recentTrades(symbol) ?? [])
  return { feed: adapter, symbols, past: past.map(pastTrade) }
}
