/**
 * An agent's account in one market: its balances, its position, and the orders that it may send.
 *
 * It is updated from exchange events, so it stays right after trades that others caused. A refused order is counted,
 * and otherwise ignored.
 */
import { assertNever } from '../../domain/errors.ts'
import type { ExchangeEvent } from '../../domain/exchange-event.ts'
import type { Order, OrderRequest, Side } from '../../domain/order.ts'
import type { SimulatedMarkets } from '../simulated-markets.ts'
import type { AgentSnapshot, RestingOrder } from './agent-snapshot.ts'

/** Agents send no market order if the spread exceeds both this fraction of the price and this number of ticks. */
const WIDEST_SPREAD = 0.001
const WIDEST_SPREAD_TICKS = 2

export class AgentAccount {
  readonly account: string
  readonly symbol: string
  readonly #market: SimulatedMarkets
  readonly #restingById = new Map<number, RestingOrder>()
  #position = 0
  #refusals = 0
  #isAway = false
  #onFill: (() => void) | undefined

  constructor(market: SimulatedMarkets, symbol: string, account: string) {
    this.#market = market
    this.symbol = symbol
    this.account = account
  }

  /** Lots bought less lots sold. */
  get position(): number {
    return this.#position
  }

  get refusals(): number {
    return this.#refusals
  }

  /** Own orders in the book, oldest first. */
  restingOrders(): readonly RestingOrder[] {
    return [...this.#restingById.values()]
  }

  /** Best price of a side of the book, in ticks; undefined when it is empty. */
  bestPrice(side: Side): number | undefined {
    return this.#market.exchange.bestPrice(this.symbol, side)
  }

  /**
   * Price between the best bid and the best ask, in ticks or half ones; undefined when a side of the book is empty or
   * they are far apart.
   */
  middle(): number | undefined {
    const bid = this.bestPrice('BUY')
    const ask = this.bestPrice('SELL')
    if (bid === undefined || ask === undefined || ask - bid > Math.max(bid * WIDEST_SPREAD, WIDEST_SPREAD_TICKS))
      return undefined
    return (bid + ask) / 2
  }

  /** @param listener  must not send orders from within: it is called while the exchange answers */
  onFill(listener: () => void): void {
    this.#onFill = listener
  }

  /**
   * Sends a market order, unless the book is too thin for one.
   *
   * @param qty  lots, more than 0
   */
  market(side: Side, qty: number): void {
    if (this.middle() !== undefined) this.#place({ symbol: this.symbol, side, type: 'MARKET', qty })
  }

  /** @param price  ticks, more than 0 */
  limit(side: Side, price: number, qty: number): void {
    this.#place({ symbol: this.symbol, side, type: 'LIMIT', price, qty })
  }

  cancel(orderId: number): void {
    this.#market.execute({ type: 'cancel', time: this.#market.queue.now(), account: this.account, orderId })
  }

  cancelAll(): void {
    for (const { id } of this.restingOrders()) this.cancel(id)
  }

  /** Cancels all orders, and sends none until it comes back. */
  withdraw(): void {
    this.#isAway = true
    this.cancelAll()
  }

  /** Sends orders again. */
  comeBack(): void {
    this.#isAway = false
  }

  save(): Pick<AgentSnapshot, 'position' | 'resting' | 'refusals' | 'isAway'> {
    const resting = this.restingOrders()
    return { position: this.#position, resting, refusals: this.#refusals, isAway: this.#isAway }
  }

  restore({ position, resting, refusals, isAway }: ReturnType<AgentAccount['save']>): void {
    this.#isAway = isAway
    this.#position = position
    this.#refusals = refusals
    for (const order of resting) this.#restingById.set(order.id, order)
  }

  /** Takes note of an event that concerns this account. */
  hear(event: ExchangeEvent): void {
    switch (event.type) {
      case 'order-accepted':
        this.#follow(event.order)
        return
      case 'traded':
        for (const order of [event.maker, event.taker]) {
          if (order.userId === this.account) this.#fill(order, event.trade.qty)
        }
        return
      case 'order-cancelled':
        this.#restingById.delete(event.order.id)
        return
      case 'order-refused':
      case 'cancel-refused':
      case 'credit-refused':
        this.#refusals += 1
        return
      case 'credited':
      case 'order-reduced':
        return
      default:
        return assertNever(event)
    }
  }

  #place(request: OrderRequest): void {
    if (this.#isAway) return
    this.#market.execute({ type: 'place', time: this.#market.queue.now(), account: this.account, request })
  }

  #fill(order: Order, qty: number): void {
    this.#position += order.side === 'BUY' ? qty : -qty
    this.#follow(order)
    this.#onFill?.()
  }

  #follow({ id, side, price, qty, filledQty }: Order): void {
    if (price === undefined || filledQty === qty) this.#restingById.delete(id)
    else this.#restingById.set(id, { id, side, price, remaining: qty - filledQty })
  }
}
