/**
 * Lots that the events of a command tell of as traded.
 */
import { CROWD } from '../domain/command.ts'
import type { ExchangeEvent } from '../domain/exchange-event.ts'

export const tradedLots = (events: readonly ExchangeEvent[]): number =>
  events.reduce((lots, event) => (event.type === 'traded' ? lots + event.trade.qty : lots), 0)

/** Those of them that the crowd gave as maker. */
export const lotsOfCrowd = (events: readonly ExchangeEvent[]): number =>
  tradedLots(events.filter((event) => event.type === 'traded' && event.maker.userId === CROWD))
