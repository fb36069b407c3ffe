/**
 * The window of `papertape paper`: how a session on paper stands, in the words of one that is live.
 */
import type { LiveStatus } from '../../runtime/live/live-status.ts'
import { version } from '../../runtime/version.ts'
import type { PaperStatus } from '../../run/paper.ts'
import { SessionWindow } from '../../server/window/session-window.ts'

/** A session on paper heeds no operator: Ctrl-C ends it, and nothing of it is money. */
export const paperWindow = (port: number): SessionWindow =>
  new SessionWindow({ port, kind: 'paper', version: version() })

interface PaperPlace {
  readonly owner: string
  readonly url: string
  readonly startedAt: number
  /** Of the first status; decimal string. */
  readonly firstEquity: string
  readonly runDirectory: string
}

export function asLiveStatus(
  status: PaperStatus,
  { owner, url, startedAt, firstEquity, runDirectory }: PaperPlace,
  events: LiveStatus['events'],
): LiveStatus {
  const { time, connection, state, why, dataAt, equity, quoteAsset, positions, orders, waiting, awaited } = status
  const first = Number(firstEquity)
  return {
    time,
    startedAt,
    baseUrl: url,
    connection,
    dataAt,
    budget: undefined,
    stream: connection === 'connected' ? 'open' : 'lost',
    strategies: [
      {
        owner,
        state,
        why,
        quoteAsset,
        equity,
        positions,
        openOrders: orders,
        waiting,
        awaited,
        runDirectory,
        change: first > 0 ? Number(equity) / first - 1 : undefined,
      },
    ],
    undecided: [],
    halts: [],
    warnings: [],
    events,
  }
}
