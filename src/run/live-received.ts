/** The market data of a live account that is kept as it arrives: that of the markets in use. */
import type { RecordingRequest, TradingAccount } from '../runtime/live/trading-account.ts'
import type { Recordings } from '../runtime/recording/recordings.ts'
import type { LiveSession } from '../runtime/live/live-session.ts'
import { pastTrade, type ReceivedParts } from '../runtime/recording/received-data.ts'

/** @param sessions  on one account */
export function receivedOf(
  sessions: readonly LiveSession[],
  series: ReceivedParts['series'],
): Pick<ReceivedParts, 'symbols' | 'past' | 'series'> & {
  readonly feed: ReceivedParts['feed'] | undefined
} {
  const adapter = sessions[0]?.options.adapter
  const all = adapter?.markets.map(({ symbol }) => symbol) ?? []
  // A strategy whose parameters name no market may use any.
  const used = new Set(
    sessions.flatMap(({ params }) => {
      const values = new Set(Object.values(params).flat())
      const named = all.filter((symbol) => values.has(symbol))
      return named.length > 0 ? named : all
    }),
  )
  const symbols = all.filter((symbol) => used.has(symbol))
  const past = symbols.flatMap((symbol) => adapter?.past?.recentTrades(symbol) ?? [])
  return { feed: adapter, symbols, past: past.map(pastTrade), series }
}

/** Recordings of the markets that the parameters name; of every market if they name none. */
export const recordingsOf = (
  account: TradingAccount,
  { path, symbols, onFailure }: Omit<RecordingRequest, 'path'> & { readonly path: string | undefined },
): Recordings | undefined =>
  path === undefined
    ? undefined
    : account.recordings?.({
        path,
        symbols: symbols.length > 0 ? symbols : account.markets.map(({ symbol }) => symbol),
        onFailure,
      })
