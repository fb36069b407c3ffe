/**
 * Bugs of orders that take from offers.
 */
import type { SeededBug } from './seeded-bug.ts'

export const BUGS_OF_TAKES: readonly SeededBug[] = [
  {
    name: 'an order that takes from an offer has paid no part of a fee unit',
    file: 'matching-core.ts',
    find: '    const fee = this.feeOf(slot)\n    this.cancel(slot, side)\n',
    replace: '    const fee = new OrderFee()\n    this.cancel(slot, side)\n',
  },
  {
    name: 'what is left of an offer stays in the book',
    file: 'market-orders.ts',
    find: '    for (const offer of offers) if (isOpen(offer.status)) this.cancel(offer, time)\n',
    replace: '',
  },
  {
    name: 'an offer of which nobody took stays in the book',
    file: 'market-orders.ts',
    find: 'if (isOpen(offer.status)) this.cancel(offer, time)',
    replace: "if (offer.status === 'PARTIALLY_FILLED') this.cancel(offer, time)",
  },
  {
    name: 'an order that takes enters with all that it was placed for',
    file: 'market-orders.ts',
    find: 'limitOf(request), remaining, fee)\n    this.#taker',
    replace: 'limitOf(request), request.qty, fee)\n    this.#taker',
  },
  {
    name: 'orders take last come, first served',
    file: 'market-orders.ts',
    find: 'for (const { order, fee } of lifted) this.#enter',
    replace: 'for (const { order, fee } of lifted.toReversed()) this.#enter',
  },
  {
    name: 'a trade with an offer is dated back to when its taker was placed',
    file: 'market-orders.ts',
    find: 'tradeOf(this.#recorder.nextTradeId(), this.#time, ',
    replace: 'tradeOf(this.#recorder.nextTradeId(), taker.createdAt, ',
  },
  {
    name: 'the last of those who take goes without',
    file: 'matching-exchange.ts',
    find: 'const takers = orderIds.map(',
    replace: 'const takers = orderIds.slice(0, Math.max(1, orderIds.length - 1)).map(',
  },
]
