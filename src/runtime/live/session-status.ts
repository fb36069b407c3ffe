/** Status of one session for display. */
import { formatTrimmed } from '../../domain/fixed-point.ts'
import type { OwnOrder } from '../../strategy/own-order.ts'
import type { LiveSession } from './live-session.ts'
import type { ShownOrder, StrategyStatus } from './live-status.ts'

/** @param runDirectory  of its files */
export function statusOfSession(session: LiveSession, runDirectory: string): StrategyStatus {
  const { owner, quoteAsset, adapter } = session.options
  const { equity } = session.watch.figures.account
  const { state, record, waiting, awaited } = session
  const [now, initial] = [equity.equity(), equity.initialEquity()]
  const why = state === 'ACTIVE' ? '' : (record.states.at(-1)?.why ?? '')
  return {
    owner,
    state,
    why,
    quoteAsset,
    waiting,
    awaited,
    runDirectory,
    equity: equity.isPartial ? undefined : text(now, equity.scale),
    change: equity.isPartial || initial <= 0n ? undefined : Number(now - initial) / Number(initial),
    positions: positionsOf(session),
    openOrders: adapter.openOrders().map(shownOrder),
  }
}

/** Positions from its own fills only, like its equity. */
function positionsOf({ options: { quoteAsset }, watch: { ledger } }: LiveSession): StrategyStatus['positions'] {
  return [...ledger.balances()].flatMap(([asset, { available }]) => {
    if (asset === quoteAsset || available === 0n) return []
    return [{ asset, qty: text(available, ledger.scales.get(asset) ?? 0) }]
  })
}

/** Negative if the session sold assets that reached the account in another way. */
const text = (units: bigint, scale: number): string =>
  units < 0n ? `-${formatTrimmed(-units, scale)}` : formatTrimmed(units, scale)

export const shownOrder = ({ id, symbol, side, type, price, qty, filledQty, tag }: OwnOrder): ShownOrder => ({
  id,
  symbol,
  side,
  type,
  tag,
  price: price?.toFixed(),
  qty: qty.toFixed(),
  filledQty: filledQty.toFixed(),
})
