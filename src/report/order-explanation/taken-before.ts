/**
 * Own takings before an order: by the models that show a ladder they are missing from it, and moved the other side.
 *
 * Known limit: the journal does not hold how much of them had come back, so a taking is told for ten minutes, when a 25th of it is left
 * at most.
 */
import { toDecimal } from '../../domain/decimal.ts'
import type { Side } from '../../domain/order.ts'
import type { JournalLine, LineOf } from '../../runtime/journal/journal-line.ts'

/** Decimal strings: what own orders of each side took of the market in the same market. */
export type TakenBefore = Readonly<Record<Side, string>>

export const NOTHING_TAKEN: TakenBefore = { BUY: '0', SELL: '0' }

type Taken = LineOf<'fill'>['fill']

const LOOK_BACK_MS = 600_000

/**
 * @param lines    of the whole journal
 * @param orderId  of an order that took
 */
export function takenBefore(lines: Iterable<JournalLine>, orderId: string): TakenBefore {
  const taken: Taken[] = []
  // The line of a match with an own order comes before those of its fills.
  const ownTradeIds = new Set<string>()
  for (const line of lines) {
    if (line.type === 'met-own') ownTradeIds.add(line.tradeId)
    if (line.type !== 'fill' || line.fill.isMaker || ownTradeIds.has(line.fill.tradeId)) continue
    if (line.fill.orderId === orderId) return sumsBefore(taken, line.fill)
    taken.push(line.fill)
  }
  return NOTHING_TAKEN
}

function sumsBefore(taken: readonly Taken[], { symbol, createdAt }: Taken): TakenBefore {
  const recent = taken.filter((fill) => fill.symbol === symbol && createdAt - fill.createdAt <= LOOK_BACK_MS)
  const sum = (side: Side): string =>
    recent
      .filter((fill) => fill.side === side)
      .reduce((total, { qty }) => total.plus(qty), toDecimal(0))
      .toFixed()
  return { BUY: sum('BUY'), SELL: sum('SELL') }
}
