/**
 * The crowd's resting orders in one market, as queue ahead of ours.
 *
 * Invariant: it rests only at prices where an order of ours rests.
 */
import { CROWD } from '../../domain/command.ts'
import { SIDES, type Side } from '../../domain/order.ts'
import type { Exchange } from '../../exchange/exchange.ts'
import type { LadderLevel } from '../liquidity/liquidity-model.ts'

export class CrowdQueue {
  readonly #exchange: Exchange
  readonly #symbol: string
  /** Prices at which the crowd may rest. */
  readonly #prices = { BUY: new Set<number>(), SELL: new Set<number>() }

  constructor(exchange: Exchange, symbol: string) {
    this.#exchange = exchange
    this.#symbol = symbol
  }

  /** Rests, behind what is at `price`, what the crowd lacks there of `wanted` lots. */
  topUp(time: number, side: Side, price: number, wanted: number): void {
    if (wanted === 0) return
    const resting = this.#exchange.restingAt(this.#symbol, side, price)
    const has = resting.reduce((lots, order) => (order.account === CROWD ? lots + order.qty : lots), 0)
    if (has >= wanted) return
    const request = { symbol: this.#symbol, side, type: 'LIMIT', price, qty: wanted - has } as const
    this.#exchange.execute({ type: 'place', time, account: CROWD, request })
    this.#prices[side].add(price)
  }

  /** Takes the crowd away from prices of `side` that are better than `price`. */
  withdrawBetter(time: number, side: Side, price: number): void {
    for (const queued of this.#prices[side]) {
      if (side === 'BUY' ? queued > price : queued < price) this.#withdraw(time, side, queued)
    }
  }

  /** Takes the crowd away where no order of ours is behind it any more. */
  tidy(time: number): void {
    for (const side of SIDES) {
      for (const price of this.#prices[side]) this.#tidyAt(time, side, price)
    }
  }

  /** What the crowd rests on a side, best price first. */
  resting(side: Side): readonly LadderLevel[] {
    const prices = [...this.#prices[side]].sort((a, b) => (side === 'BUY' ? b - a : a - b))
    return prices.map((price) => {
      const orders = this.#exchange.restingAt(this.#symbol, side, price).filter(({ account }) => account === CROWD)
      return { price, qty: orders.reduce((lots, { qty }) => lots + qty, 0) }
    })
  }

  #tidyAt(time: number, side: Side, price: number): void {
    const resting = this.#exchange.restingAt(this.#symbol, side, price)
    const lastOfOurs = resting.findLastIndex((order) => order.account !== CROWD)
    for (const { orderId } of resting.slice(lastOfOurs + 1)) {
      this.#exchange.execute({ type: 'cancel', time, account: CROWD, orderId })
    }
    if (lastOfOurs < 0) this.#prices[side].delete(price)
  }

  #withdraw(time: number, side: Side, price: number): void {
    for (const { account, orderId } of this.#exchange.restingAt(this.#symbol, side, price)) {
      if (account === CROWD) this.#exchange.execute({ type: 'cancel', time, account: CROWD, orderId })
    }
    this.#prices[side].delete(price)
  }
}
