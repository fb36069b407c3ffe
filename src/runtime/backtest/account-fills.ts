/**
 * The fills of one account among the events of a command, in the order of the matches; of a trade with itself the maker's is first.
 */
import type { ExchangeEvent } from '../../domain/exchange-event.ts'
import type { Order } from '../../domain/order.ts'
import type { Fill } from '../../domain/trade.ts'

export function accountFills(account: string, events: readonly ExchangeEvent[]): readonly Fill[] {
  const fills: Fill[] = []
  for (const event of events) {
    if (event.type !== 'traded') continue
    const { trade, maker, taker, makerFee, takerFee } = event
    const add = ({ userId, side, id }: Order, isMaker: boolean, fee: bigint): void => {
      if (userId === account) fills.push({ trade, side, orderId: id, isMaker, fee })
    }
    add(maker, true, makerFee)
    add(taker, false, takerFee)
  }
  return fills
}
