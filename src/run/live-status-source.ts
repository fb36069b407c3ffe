/**
 * The part of a status that an opened account supplies: connection, rate budget, and orders with an unknown outcome.
 */
import type { OpenedAccount } from '../adapter/live/open-live-account.ts'
import type { LiveTime } from '../adapter/live/live-time.ts'
import { formatUnits } from '../domain/fixed-point.ts'
import type { LiveStatus, UndecidedIntent } from '../runtime/live/live-status.ts'
import type { LiveStatusSource } from '../runtime/live/status-watch.ts'
import { version } from '../runtime/version.ts'
import { saveStatus } from '../store/state/live/persisted-facts.ts'

const UNDECIDED = ['UNKNOWN', 'AMBIGUOUS', 'QUARANTINED'] as const

export const liveStatusSource = (
  opened: OpenedAccount,
  time: LiveTime,
  warnings: () => readonly string[],
): LiveStatusSource => ({
  read: () => {
    const health = opened.feed.health()
    const { lastMessageAgeMs, connectedSince, bySymbol } = health
    const isPolling = bySymbol.size > 0 && [...bySymbol.values()].every(({ source }) => source === 'polled')
    return {
      connection: health.state,
      stream: isPolling ? 'polling' : connectedSince === undefined ? 'lost' : 'open',
      dataAt: lastMessageAgeMs === undefined ? undefined : Math.round(time.now() - lastMessageAgeMs),
      budget: opened.budget(),
      undecided: undecidedOf(opened.account),
      warnings: warnings(),
    }
  },
  keep: (status: LiveStatus) => {
    // The state would keep a field without a value as null, which no reader of a status expects.
    const plain: unknown = JSON.parse(JSON.stringify(status))
    saveStatus(opened.state, { version: version(), pid: process.pid, time: status.time, status: plain })
  },
})

function undecidedOf({ manager, markets }: OpenedAccount['account']): readonly UndecidedIntent[] {
  const intents = UNDECIDED.flatMap((state) => [...manager.intents.inState(state)])
  return intents
    .filter(({ isFinished }) => !isFinished)
    .flatMap(({ id, owner, state, symbol, side, price, qty }) => {
      const market = markets.find((each) => each.symbol === symbol)
      if (market === undefined) return []
      const { pricePrecision, qtyPrecision } = market
      const atPrice = price === undefined ? undefined : formatUnits(price, pricePrecision)
      return [{ id, owner, state, symbol, side, price: atPrice, qty: formatUnits(qty, qtyPrecision) }]
    })
}
