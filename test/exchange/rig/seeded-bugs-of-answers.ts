/**
 * Bugs of what is let in, of what is told, and of snapshots.
 */
import type { SeededBug } from './seeded-bug.ts'

export const BUGS_OF_ANSWERS: readonly SeededBug[] = [
  {
    name: 'a self-trade is looked for only at the best price',
    file: 'matching-core.ts',
    find: 'if (slots.account(maker) === account) return maker',
    replace: 'return slots.account(maker) === account ? maker : NONE',
  },
  {
    name: 'self-trade is checked before the balance',
    file: 'matching-core.ts',
    find: "    if (!isCovered) return 'INSUFFICIENT_BALANCE'\n",
    replace:
      "    if (!isCovered) return config.selfTrade === 'reject' && this.ownMaker(account, side, limit, qty) !== NONE ? 'ORDER_REJECTED' : 'INSUFFICIENT_BALANCE'\n",
  },
  {
    name: 'a refused order takes an id',
    file: 'matching-exchange.ts',
    find: 'if (reason !== undefined) return refused(reason)\n',
    replace: 'if (reason !== undefined && this.#state.orderIds.next() > 0) return refused(reason)\n',
  },
  {
    name: 'an account cancels the orders of another',
    file: 'matching-exchange.ts',
    find: 'const order = orders.working(orderId)\n',
    replace: 'const order = orders.working(orderId) ?? this.#state.orders.of(CROWD).working(orderId)\n',
  },
  {
    name: "a price improvement is told at the taker's limit",
    file: 'market-orders.ts',
    find: '    taker.fill(price, qty, takerFee)\n',
    replace: "    taker.fill(taker.request.type === 'LIMIT' ? taker.request.price : price, qty, takerFee)\n",
  },
  {
    name: 'the rows of a self-trade stand in the order of maker and taker',
    file: 'market-orders.ts',
    find: '  if (trade.isBuyerMaker) {\n    tellTaker()',
    replace: '  if (!trade.isBuyerMaker) {\n    tellTaker()',
  },
  {
    name: 'a finished order more than the limit is kept',
    file: 'accounts/account-orders.ts',
    find: 'if (this.#finishedById.size <= this.#finishedLimit) return',
    replace: 'if (this.#finishedById.size <= this.#finishedLimit + 1) return',
  },
  {
    name: 'a credit before the first price never joins the baseline',
    file: 'accounts/valuation.ts',
    find: '      account.baseline += this.#value(asset, amount) ?? 0n\n',
    replace: '',
  },
  {
    name: 'a trade of exactly a day ago is still in the ticker',
    file: 'statistics/trade-window.ts',
    find: 'while (row < to && (times[row] ?? 0) <= time) row += 1',
    replace: 'while (row < to && (times[row] ?? 0) < time) row += 1',
  },
  {
    name: 'a sum that went beyond 2^52 counts twice when it is added to another',
    file: 'exact-sum.ts',
    find: '      this.#carry(BigInt(this.#small))\n      this.#small = 0\n',
    replace: '      this.#carry(BigInt(this.#small))\n',
  },
  {
    name: 'a snapshot forgets the finished orders',
    file: 'snapshot/take-snapshot.ts',
    find: 'LaterList.of(orders.of(account.id).finished(), orderSnapshot)',
    replace: 'LaterList.of(orders.of(account.id).finished().slice(1), orderSnapshot)',
  },
  {
    name: 'restored orders are listed in the order of the book',
    file: 'snapshot/restore-exchange.ts',
    find: 'return resting.sort((left, right) => left.id - right.id)',
    replace: 'return resting',
  },
  {
    name: 'a restored order has paid no part of a fee unit',
    file: 'market-orders.ts',
    find: 'new OrderFee(exactFee, fee)',
    replace: 'new OrderFee(fee * 100_000_000n, fee)',
  },
  {
    name: 'a restored order that was filled in part is open',
    file: 'accounts/working-order.ts',
    find: '    order.status = snapshot.status\n',
    replace: '',
  },
  {
    name: 'a restored account has lost its credits without a price',
    file: 'accounts/account.ts',
    find: '    for (const [asset, amount] of unpriced) this.unpriced.set(asset, BigInt(amount))\n',
    replace: '',
  },
  {
    name: 'a restored exchange gives its last trade id again',
    file: 'snapshot/restore-exchange.ts',
    find: '  state.tradeIds.last = snapshot.lastTradeId\n',
    replace: '  state.tradeIds.last = Math.max(0, snapshot.lastTradeId - 1)\n',
  },
]
