/**
 * Converts exchange events to the updates of one account, and adds the tags of its orders, which an exchange does not
 * know.
 *
 * Invariant: balances come last, after everything that changed them.
 */
import type { Balances } from '../../domain/balances.ts'
import { decimalOf } from '../../domain/decimal.ts'
import { invariant } from '../../domain/errors.ts'
import type { ExchangeEvent } from '../../domain/exchange-event.ts'
import type { MarketConfig } from '../../domain/market.ts'
import { isOpen, type Order } from '../../domain/order.ts'
import type { Fill } from '../../domain/trade.ts'
import type { Exchange } from '../../exchange/exchange.ts'
import { ExactBalance } from '../../strategy/exact-balance.ts'
import { ExactFill } from '../../strategy/exact-fill.ts'
import { ExactOrder } from '../../strategy/exact-order.ts'
import type { OwnBalance, OwnBalances, OwnOrder } from '../../strategy/own-order.ts'
import type { AccountUpdate } from '../exchange-adapter.ts'

/**
 * The exchange's exact balances, in the form of the account's owner.
 * @param scales  ledger digits by asset
 */
export function ownBalancesOf(balances: Balances, scales: ReadonlyMap<string, number>): OwnBalances {
  const own = new Map<string, OwnBalance>()
  for (const [asset, balance] of balances) own.set(asset, new ExactBalance(balance, scales.get(asset) ?? 0))
  return own
}

export class AccountUpdates {
  readonly #exchange: Exchange
  readonly #account: string
  readonly #configsBySymbol: ReadonlyMap<string, MarketConfig>
  /** Tags of open orders. */
  readonly #tagsByOrder: Map<number, string>
  /** Tags of orders that the current events ended. */
  readonly #endedTags = new Map<number, string>()
  /** Tag of the order that is being created. */
  #tag: string | undefined

  /** @param tags  of open orders that it did not create */
  constructor(exchange: Exchange, account: string, tags: ReadonlyMap<number, string> = new Map()) {
    this.#tagsByOrder = new Map(tags)
    this.#exchange = exchange
    this.#account = account
    this.#configsBySymbol = new Map(exchange.markets.map((market) => [market.symbol, market]))
  }

  /** Open orders, oldest first. */
  openOrders(): readonly OwnOrder[] {
    return this.#exchange
      .openOrders(this.#account)
      .toReversed()
      .map((order) => this.orderWith(this.#tagsByOrder.get(order.id), order))
  }

  /** Executes a creation whose order gets the tag. */
  tagging<T>(tag: string | undefined, execute: () => T): T {
    this.#tag = tag
    try {
      return execute()
    } finally {
      this.#tag = undefined
    }
  }

  /** Undefined for a finished order. */
  tagOf(orderId: number): string | undefined {
    return this.#tagsByOrder.get(orderId)
  }

  /** The tag of an order during the current events, which may have ended it. */
  tagNow(orderId: number): string | undefined {
    return this.#tagsByOrder.get(orderId) ?? this.#endedTags.get(orderId)
  }

  of(events: readonly ExchangeEvent[]): readonly AccountUpdate[] {
    if (this.#endedTags.size > 0) this.#endedTags.clear()
    const updates: AccountUpdate[] = []
    for (const event of events) this.#addTo(updates, event)
    if (updates.length > 0) updates.push(this.ofBalances())
    return updates
  }

  /** Updates for a transfer that was executed. @param amount  ledger units */
  ofTransfer(asset: string, amount: bigint): readonly AccountUpdate[] {
    const scale = this.#exchange.scales.get(asset) ?? 0
    const transfer: AccountUpdate = { type: 'transfer', asset, amount: decimalOf(amount, scale) }
    return [transfer, this.ofBalances()]
  }

  ofBalances(): AccountUpdate {
    return { type: 'balances', balances: this.balances() }
  }

  orderWith(tag: string | undefined, order: Order): OwnOrder {
    return new ExactOrder(order, this.#config(order.symbol), tag)
  }

  balances(): OwnBalances {
    return ownBalancesOf(this.#exchange.balances(this.#account), this.#exchange.scales)
  }

  #addTo(updates: AccountUpdate[], event: ExchangeEvent): void {
    switch (event.type) {
      case 'order-accepted':
        if (event.order.userId === this.#account) updates.push(this.#accepted(event.order))
        break
      case 'order-cancelled':
      case 'order-reduced':
        if (event.order.userId === this.#account) updates.push(this.#orderUpdate(event.order))
        break
      case 'traded': {
        const { trade, maker, taker, makerFee, takerFee } = event
        const add = (order: Order, isMaker: boolean, fee: bigint): void => {
          if (order.userId !== this.#account) return
          const fill = this.#fillUpdate({ trade, side: order.side, orderId: order.id, isMaker, fee }, order)
          updates.push(fill, this.#orderUpdate(order))
        }
        add(maker, true, makerFee)
        add(taker, false, takerFee)
        break
      }
      case 'credited':
      case 'credit-refused':
      case 'order-refused':
      case 'cancel-refused':
        break
    }
  }

  #accepted(order: Order): AccountUpdate {
    if (this.#tag !== undefined) this.#tagsByOrder.set(order.id, this.#tag)
    return this.#orderUpdate(order)
  }

  #fillUpdate(fill: Fill, order: Order): AccountUpdate {
    const market = this.#config(order.symbol)
    const quoteScale = this.#exchange.scales.get(market.quoteAsset) ?? 0
    return { type: 'fill', fill: new ExactFill(fill, market, quoteScale, this.#tagsByOrder.get(order.id)) }
  }

  #orderUpdate(order: Order): AccountUpdate {
    const tag = this.#tagsByOrder.get(order.id)
    if (tag !== undefined && !isOpen(order.status)) {
      this.#tagsByOrder.delete(order.id)
      this.#endedTags.set(order.id, tag)
    }
    return { type: 'order', order: this.orderWith(tag, order) }
  }

  #config(symbol: string): MarketConfig {
    const config = this.#configsBySymbol.get(symbol)
    invariant(config !== undefined, `no market '${symbol}'`)
    return config
  }
}

/** The state of an account as its client knows it. */
export class KnownAccount {
  #balances: OwnBalances
  readonly #openOrders = new Map<string, OwnOrder>()

  constructor(account: Pick<AccountUpdates, 'balances' | 'openOrders'>) {
    this.#balances = account.balances()
    for (const order of account.openOrders()) this.#openOrders.set(order.id, order)
  }

  get balances(): OwnBalances {
    return this.#balances
  }

  /** Newest first. */
  get openOrders(): readonly OwnOrder[] {
    return [...this.#openOrders.values()].reverse()
  }

  isOpen(orderId: string): boolean {
    return this.#openOrders.has(orderId)
  }

  onUpdate(update: AccountUpdate): void {
    if (update.type === 'balances') this.#balances = update.balances
    if (update.type !== 'order') return
    const { order } = update
    if (isOpen(order.status)) this.#openOrders.set(order.id, order)
    else this.#openOrders.delete(order.id)
  }
}
