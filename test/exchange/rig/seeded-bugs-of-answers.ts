/**
 * Bugs of what is let in, of what is reported, and of snapshots.
 */
import type { SeededBug } from './seeded-bug.ts'

export const BUGS_OF_ANSWERS: readonly SeededBug[] = [
  {
    name: 'a self-trade is looked for only at the best price',
    file: 'admission.ts',
    find: 'if (slots.account(maker) === account) return maker',
    replace: 'return slots.account(maker) === account ? maker : NONE',
  },
  {
    name: 'self-trade is checked before the balance',
    file: 'admission.ts',
    find: "    if (!isCovered) return 'INSUFFICIENT_BALANCE'\n",
    replace:
      "    if (!isCovered) return config.selfTrade === 'reject' && this.ownMaker(account, side, limit, qty) !== NONE ? 'ORDER_REJECTED' : 'INSUFFICIENT_BALANCE'\n",
  },
  {
    name: 'a refused order takes an id',
    file: 'matching-exchange.ts',
    find: 'if (reason !== undefined) return orderRefused(',
    replace: 'if (reason !== undefined && this.#state.orderIds.next() > 0) return orderRefused(',
  },
  {
    name: 'an account cancels the orders of another',
    file: 'matching-exchange.ts',
    find: 'const order = orders.find(this.#state.row(account), orderId)\n    if (order !== NONE && ',
    replace:
      'const order = Math.max(orders.find(this.#state.row(account), orderId), orders.find(0, orderId))\n    if (order !== NONE && ',
  },
  {
    name: "a price improvement is reported at the taker's limit",
    file: 'market-orders.ts',
    find: '    records.fill(taker, price, qty, takerFee)\n',
    replace: '    records.fill(taker, records.price(taker) || price, qty, takerFee)\n',
  },
  {
    name: 'the rows of a self-trade stand in the order of maker and taker',
    file: 'trade-histories.ts',
    find: "if (sellersFills !== undefined) trades.addFill(sellersFills, record, 'SELL')\n    if (buyersFills !== undefined) trades.addFill(buyersFills, record, 'BUY')\n",
    replace:
      "if (isBuyerMaker && sellersFills !== undefined) trades.addFill(sellersFills, record, 'SELL')\n    if (buyersFills !== undefined) trades.addFill(buyersFills, record, 'BUY')\n    if (!isBuyerMaker && sellersFills !== undefined) trades.addFill(sellersFills, record, 'SELL')\n",
  },
  {
    name: 'a finished order more than the limit is kept',
    file: 'records/number-ring.ts',
    find: 'if (this.#length === this.limit) {',
    replace: 'if (this.#length === this.limit + 1) {',
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
    file: 'take-snapshot.ts',
    find: 'LaterList.ofRecords(account.orders.finished(), ',
    replace: 'LaterList.ofRecords(account.orders.finished().slice(1), ',
  },
  {
    name: 'restored orders are listed in the order of the book',
    file: 'restore-exchange.ts',
    find: '.sort((left, right) => records.id(left) - records.id(right))',
    replace: '',
  },
  {
    name: 'a restored order has paid no part of a fee unit',
    file: 'market-orders.ts',
    find: 'new OrderFee(BigInt(snapshot.exactFee), fee)',
    replace: 'new OrderFee(fee * 100_000_000n, fee)',
  },
  {
    name: 'a restored order that was filled in part is open',
    file: 'accounts/order-records.ts',
    find: 'this.#setAmounts(record, STATUSES.indexOf(status) as StatusNumber)',
    replace:
      'this.#setAmounts(record, Math.max(STATUSES.indexOf(status) - (status === STATUSES[1] ? 1 : 0), 0) as StatusNumber)',
  },
  {
    name: 'a restored account has lost its credits without a price',
    file: 'accounts/account.ts',
    find: '    for (const [asset, amount] of unpriced) this.unpriced.set(asset, BigInt(amount))\n',
    replace: '',
  },
  {
    name: 'a restored exchange gives its last trade id again',
    file: 'restore-exchange.ts',
    find: '  state.tradeIds.last = snapshot.lastTradeId\n',
    replace: '  state.tradeIds.last = Math.max(0, snapshot.lastTradeId - 1)\n',
  },
]
