/**
 * Bugs of offers that are made to orders.
 */
import type { SeededBug } from './seeded-bug.ts'

export const BUGS_OF_OFFERS: readonly SeededBug[] = [
  {
    name: 'an offer goes before what rests at its price',
    file: 'market-orders.ts',
    find: '      this.#core.match(account, side, price, records.remaining(order))\n',
    replace: '',
  },
  {
    name: 'an order takes what is offered beyond its limit',
    file: 'market-orders.ts',
    find: '      if (price * sign > limit * sign) return\n',
    replace: '',
  },
  {
    name: 'offers are met in the order in which they were made',
    file: 'matching-exchange.ts',
    find: 'return bestFirst(side, offered).map(',
    replace: 'return offered.map(',
  },
  {
    name: 'an offer gives all of it to everybody',
    file: 'market-orders.ts',
    find: 'Math.min(records.remaining(order), records.remaining(offer))',
    replace: 'records.remaining(order)',
  },
  {
    name: 'a market order that has offers alone finds no liquidity',
    file: 'admission.ts',
    find: ' && offers.length === 0) return',
    replace: ') return',
  },
  {
    name: 'a market order need not cover what it takes from offers',
    file: 'admission.ts',
    find: "this.#walk('BUY', NO_LIMIT.BUY, qty, offers)",
    replace: "this.#walk('BUY', NO_LIMIT.BUY, qty, [])",
  },
  {
    name: 'offers do not keep an order from meeting its own',
    file: 'admission.ts',
    find: '    if (offers.length > 0) {\n',
    replace: '    if (offers.length < 0) {\n',
  },
  {
    name: 'the fee of each offer is rounded by itself',
    file: 'matching-core.ts',
    find: 'this.#takersFee.charge(cost, takerRate)\n    const [buyer',
    replace: 'new OrderFee().charge(cost, takerRate)\n    const [buyer',
  },
  {
    name: 'the crowd pays a fee when it takes from an offer',
    file: 'matching-core.ts',
    find: 'this.takerFee = account === CROWD_ROW ? 0n : this.#takersFee.charge(cost, takerRate)\n    const [buyer',
    replace: 'this.takerFee = this.#takersFee.charge(cost, takerRate)\n    const [buyer',
  },
  {
    name: 'an order that is refused uses up the ids of its offers',
    file: 'matching-exchange.ts',
    find: '    if (reason !== undefined) return orderRefused(command, reason)\n    const account =',
    replace:
      '    if (reason !== undefined) {\n      this.#offered(market, request.side, offers, time)\n      return orderRefused(command, reason)\n    }\n    const account =',
  },
  {
    name: 'an offer is an open order of the crowd',
    file: 'market-orders.ts',
    find: 'return this.#records.take(id, CROWD_ROW, this.#market, request, time)',
    replace: 'return this.#shared.orders.enter(id, CROWD_ROW, this.#market, request, time)',
  },
]
