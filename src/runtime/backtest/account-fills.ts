/**
 * The fills of one account among the events of a command, in the order of the matches; in a self-trade the maker's fill
 * comes first.
 */
import type { ExchangeEvent } from '../../domain/exchange-event.ts'
import type { Order } from '../../domain/order.ts'
import type { AccountFill } from '../../domain/trade.ts'

/** Looks up the strategy's tag of an order. */
export interface KnownTags {
  /** @returns undefined for none */
  tagOf(orderId: number): string | undefined
}

/**
 * @param tags  undefined if tags are not needed
 * @param own   accounts whose matches with each other are own ones; default: only `account`
 */
export function accountFills(
  account: string,
  events: readonly ExchangeEvent[],
  tags?: KnownTags,
  own?: ReadonlySet<string>,
): readonly AccountFill[] {
  const fills: AccountFill[] = []
  for (const event of events) {
    if (event.type !== 'traded') continue
    const { trade, maker, taker, makerFee, takerFee } = event
    const isOwnMatch =
      own === undefined ? maker.userId === taker.userId : own.has(maker.userId) && own.has(taker.userId)
    const add = ({ id, userId, side }: Order, isMaker: boolean, fee: bigint): void => {
      if (userId === account) fills.push({ trade, side, isMaker, fee, isOwnMatch, tag: tags?.tagOf(id) })
    }
    add(maker, true, makerFee)
    add(taker, false, takerFee)
  }
  return fills
}
