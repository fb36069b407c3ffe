/**
 * An order of ours at a service: what was told of it to its owner, and what the answers of the service say beyond that.
 *
 * An answer says how much is filled; only the fills say at which prices. Each fill is told once, followed by the state that counts it,
 * and the last state when the fills have caught up with it.
 * Invariant: the quantity of all fills that were told is the filled quantity that was told.
 */
import { decimalOf, toDecimal } from '../../../domain/decimal.ts'
import { averagePrice, isOpen, type OrderStatus } from '../../../domain/order.ts'
import type { Market } from '../../../domain/market.ts'
import type { OwnFill, OwnOrder } from '../../../strategy/own-order.ts'
import type { WireOrder } from '../../../wire/wire-order.ts'
import type { WireFill } from '../../../wire/wire-trade.ts'
import type { AccountUpdate } from '../../exchange-adapter.ts'
import type { FeeCount } from './order-fees.ts'

export interface TrackedOrderParts {
  readonly market: Market
  readonly tag: string | undefined
  readonly fees: FeeCount
  /** As the service answered. */
  readonly order: WireOrder
}

export class TrackedOrder {
  readonly id: string
  readonly #parts: TrackedOrderParts
  /** The latest answer. */
  #seen: WireOrder
  #told: WireOrder
  readonly #tradeIds = new Set<string>()
  /** Lots and ticks x lots of the fills that were told. */
  #filledQty = 0
  #notional = 0n
  /** Lots that were told without the trades that they are, which may come yet. */
  #inferredQty = 0

  /** @param isRecovered  from an earlier session: its fills up to now were told then */
  constructor(parts: TrackedOrderParts, isRecovered: boolean) {
    this.id = parts.order.id
    this.#parts = parts
    this.#seen = finished(parts.order)
    if (isRecovered) {
      this.#told = this.#seen
      this.#filledQty = this.#seen.filledQty
      this.#notional = notionalOf(this.#seen, parts.market)
    } else this.#told = { ...parts.order, status: 'OPEN', filledQty: 0, averagePrice: undefined }
  }

  get symbol(): string {
    return this.#seen.symbol
  }

  /** As it was told last. */
  get told(): OwnOrder {
    return ownOrderOf(this.#told, this.#parts)
  }

  /** As the service answered last. */
  get seen(): OwnOrder {
    return ownOrderOf(this.#seen, this.#parts)
  }

  /** True when nothing more will be told of it. */
  get isFinished(): boolean {
    return !isOpen(this.#told.status)
  }

  /** True when the service has said that nothing more can happen to it. */
  get isSeenFinished(): boolean {
    return !isOpen(this.#seen.status)
  }

  get filledQty(): number {
    return this.#filledQty
  }

  /** Lots of which an answer tells and no fill was told. */
  get missingQty(): number {
    return Math.max(0, this.#seen.filledQty - this.#filledQty)
  }

  /** An answer of the service; one that is older than what is known changes nothing. */
  see(order: WireOrder): void {
    const isOlder = order.filledQty < this.#seen.filledQty || (this.isSeenFinished && isOpen(finished(order).status))
    if (!isOlder) this.#seen = finished(order)
  }

  /** True for a fill that was told already, or that is part of what was inferred. */
  knows({ id }: WireFill): boolean {
    return this.#tradeIds.has(id)
  }

  /** @param fills  of this order, oldest first; those that are known are passed over */
  tellFills(fills: readonly WireFill[]): readonly AccountUpdate[] {
    return fills.flatMap((fill) => this.#tellFill(fill))
  }

  /** One fill in the place of those that the service no longer tells, at the price that makes the average right. */
  tellInferred(time: number): readonly AccountUpdate[] {
    const missing = this.missingQty
    if (missing === 0) return []
    const { market, tag } = this.#parts
    const { id, symbol, side, type } = this.#seen
    const total = notionalOf(this.#seen, market)
    const notional = total > this.#notional ? total - this.#notional : 0n
    this.#inferredQty += missing
    this.#count(missing, notional)
    const fill: OwnFill = {
      tradeId: `inferred-${id}-${this.#filledQty}`,
      ...{ orderId: id, tag, symbol, side, isMaker: type === 'LIMIT', createdAt: time },
      price: toDecimal(averagePrice(notional, missing, market.pricePrecision)),
      qty: decimalOf(missing, market.qtyPrecision),
      fee: this.#parts.fees.charge(Number(notional / BigInt(missing)), missing, type === 'LIMIT'),
      isInferred: true,
    }
    return [{ type: 'fill', fill }, this.#tellState(this.#stateOfFills())]
  }

  /** The last state of an order, when every fill was told. */
  tellEnd(): readonly AccountUpdate[] {
    if (this.isFinished || !this.isSeenFinished || this.missingQty > 0) return []
    return [this.#tellState(this.#seen.status)]
  }

  /** Nothing more can happen to it, whatever the service says. */
  end(): readonly AccountUpdate[] {
    if (this.isFinished) return []
    this.#seen = { ...this.#seen, status: 'CANCELLED' }
    return this.tellEnd()
  }

  /** As it is told first, before its fills. */
  tellAccepted(): readonly AccountUpdate[] {
    return [{ type: 'order', order: this.told }]
  }

  #tellFill(fill: WireFill): readonly AccountUpdate[] {
    if (this.#tradeIds.has(fill.id)) return []
    this.#tradeIds.add(fill.id)
    if (this.#inferredQty > 0) {
      // It is in a sum that was told: to tell it too would count it twice.
      this.#inferredQty = Math.max(0, this.#inferredQty - fill.qty)
      return []
    }
    const { market, tag, fees } = this.#parts
    this.#count(fill.qty, BigInt(fill.price) * BigInt(fill.qty))
    const own: OwnFill = {
      ...{ tradeId: fill.id, orderId: fill.orderId, tag, symbol: fill.symbol, side: fill.side },
      price: decimalOf(fill.price, market.pricePrecision),
      qty: decimalOf(fill.qty, market.qtyPrecision),
      fee: fees.charge(fill.price, fill.qty, fill.isMaker),
      ...{ isMaker: fill.isMaker, createdAt: fill.createdAt },
    }
    return [{ type: 'fill', fill: own }, this.#tellState(this.#stateOfFills())]
  }

  #count(qty: number, notional: bigint): void {
    this.#filledQty += qty
    this.#notional += notional
    if (this.#filledQty > this.#seen.filledQty) this.#seen = { ...this.#seen, filledQty: this.#filledQty }
  }

  #stateOfFills(): OrderStatus {
    return this.#filledQty >= this.#seen.qty ? 'FILLED' : 'PARTIALLY_FILLED'
  }

  #tellState(status: OrderStatus): AccountUpdate {
    const { pricePrecision } = this.#parts.market
    const average = this.#filledQty === 0 ? undefined : averagePrice(this.#notional, this.#filledQty, pricePrecision)
    this.#told = { ...this.#seen, status, filledQty: this.#filledQty, averagePrice: average }
    if (!isOpen(status)) this.#seen = { ...this.#seen, status }
    return { type: 'order', order: this.told }
  }
}

/** Decision 8: a market order is finished, whatever its status says. */
function finished(order: WireOrder): WireOrder {
  if (order.type === 'LIMIT' || !isOpen(order.status)) return order
  return { ...order, status: order.filledQty >= order.qty ? 'FILLED' : 'CANCELLED' }
}

/** Ticks x lots, to the nearest: an average is told with 8 digits more than a price has. */
function notionalOf({ filledQty, averagePrice: average = '0' }: WireOrder, { pricePrecision }: Market): bigint {
  const ticks = toDecimal(average).times(`1e${pricePrecision}`)
  return BigInt(ticks.times(filledQty).toFixed(0))
}

function ownOrderOf(order: WireOrder, { market, tag }: TrackedOrderParts): OwnOrder {
  const { id, symbol, side, type, status, createdAt, averagePrice: average } = order
  return {
    ...{ id, tag, symbol, side, type, status },
    ...(order.price !== undefined && { price: decimalOf(order.price, market.pricePrecision) }),
    qty: decimalOf(order.qty, market.qtyPrecision),
    filledQty: decimalOf(order.filledQty, market.qtyPrecision),
    ...(average !== undefined && { averagePrice: toDecimal(average) }),
    createdAt,
  }
}
