/**
 * Bugs of orders that rest and take from offers.
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
    name: 'an order that takes enters with all that it was placed for',
    file: 'market-orders.ts',
    find: 'this.#core.match(account, side, limit, records.remaining(order))',
    replace: 'this.#core.match(account, side, limit, records.view(order).qty)',
  },
  {
    name: 'orders take last come, first served',
    file: 'market-orders.ts',
    find: 'for (const order of takers) this.#enter(',
    replace: 'for (const order of takers.toReversed()) this.#enter(',
  },
  {
    name: 'what orders take enters the statistics whatever the mark',
    file: 'market-orders.ts',
    find: '    const events: ExchangeEvent[] = []\n    this.#trades.begin(time, matches)\n',
    replace: '    const events: ExchangeEvent[] = []\n    this.#trades.begin(time, undefined)\n',
  },
  {
    name: 'a trade with an offer is dated back to when its taker was placed',
    file: 'trade-histories.ts',
    find: 'createdAt: this.#time,',
    replace: 'createdAt: records.view(taker).createdAt,',
  },
  {
    name: 'the last of those who take goes without',
    file: 'matching-exchange.ts',
    find: 'const takers = orderIds.map(',
    replace: 'const takers = orderIds.slice(0, Math.max(1, orderIds.length - 1)).map(',
  },
]
