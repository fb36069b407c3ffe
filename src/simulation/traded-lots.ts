/** Lots traded according to the events of a command. */
import { CROWD } from '../domain/command.ts'
import type { ExchangeEvent } from '../domain/exchange-event.ts'
import type { LadderLevel } from './liquidity/liquidity-model.ts'

export const tradedLots = (events: readonly ExchangeEvent[]): number =>
  events.reduce((lots, event) => (event.type === 'traded' ? lots + event.trade.qty : lots), 0)

/** Lots of them with the crowd as maker. */
export const lotsOfCrowd = (events: readonly ExchangeEvent[]): number =>
  tradedLots(events.filter((event) => event.type === 'traded' && event.maker.userId === CROWD))

/** Lots of the crowd by price, in matching order. */
export function takenFromCrowd(events: readonly ExchangeEvent[]): readonly LadderLevel[] {
  const taken: LadderLevel[] = []
  for (const event of events) {
    if (event.type !== 'traded' || event.maker.userId !== CROWD) continue
    const { price, qty } = event.trade
    const last = taken.at(-1)
    if (last?.price === price) taken[taken.length - 1] = { price, qty: last.qty + qty }
    else taken.push({ price, qty })
  }
  return taken
}
