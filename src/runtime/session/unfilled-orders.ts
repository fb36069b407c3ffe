/**
 * Orders of a session that could still be filled, and the quantities that they would buy and sell: waiting, in flight,
 * unknown and open ones.
 *
 * Invariant: a quantity is counted from before its order is sent until its fill is emitted, or it can no longer be
 * filled. An order with an unknown outcome counts in full; a cancel with an unknown outcome leaves its order as it was.
 */
import type { AccountUpdate, RequestOutcome, Reconciliation } from '../../adapter/exchange-adapter.ts'
import { decimalOf, toDecimal, type Decimal } from '../../domain/decimal.ts'
import type { Market } from '../../domain/market.ts'
import { isOpen, type OrderRequest, type Side } from '../../domain/order.ts'
import type { OwnFill, OwnOrder } from '../../strategy/own-order.ts'
import { filledLotsOf, lotsOf } from './lots-of.ts'

interface Unfilled {
  readonly symbol: string
  readonly side: Side
  /** Maximum total filled lots: the ordered quantity, or the filled quantity of a finished order. */
  most: number
  /** Lots of emitted fills. */
  reported: number
}

/** Remaining lots of all orders in a market, maintained as sums so that a burst of orders costs linear time. */
type Left = Record<Side, bigint>

export class UnfilledOrders {
  readonly #marketsBySymbol: ReadonlyMap<string, Market>
  readonly #byReference = new Map<number, Unfilled>()
  readonly #byOrder = new Map<string, Unfilled>()
  readonly #leftBySymbol: ReadonlyMap<string, Left>

  constructor(markets: readonly Market[]) {
    this.#marketsBySymbol = new Map(markets.map((market) => [market.symbol, market]))
    this.#leftBySymbol = new Map(markets.map(({ symbol }) => [symbol, { BUY: 0n, SELL: 0n }]))
  }

  /** Lots of a market. */
  lots(side: Side, symbol: string): bigint {
    return this.#leftBySymbol.get(symbol)?.[side] ?? 0n
  }

  /** Units of a base asset, over all its markets. */
  qty(side: Side, baseAsset: string): Decimal {
    let sum = toDecimal(0)
    for (const [symbol, left] of this.#leftBySymbol) {
      const market = this.#marketsBySymbol.get(symbol)
      if (left[side] > 0n && market?.baseAsset === baseAsset) sum = sum.plus(decimalOf(left[side], market.qtyPrecision))
    }
    return sum
  }

  /** Counts an order that may be sent now. */
  add(reference: number, { symbol, side, qty }: OrderRequest): void {
    this.#byReference.set(reference, this.#counted({ symbol, side, most: qty, reported: 0 }))
  }

  /** Removes an order that was refused or is assumed absent; a no-op for one that is not counted. */
  drop(reference: number): void {
    const unfilled = this.#byReference.get(reference)
    if (unfilled === undefined) return
    this.#byReference.delete(reference)
    this.#change(unfilled, 0, 0)
  }

  /** Takes an order from before the session: the balances include its fills. */
  takeOver(order: OwnOrder): void {
    const lots = this.#lotsOf(order)
    this.#byOrder.set(order.id, this.#counted({ ...order, most: lots.ordered, reported: lots.filled }))
  }

  onOutcome(reference: number, outcome: RequestOutcome, isPlacement: boolean): void {
    if (outcome.type === 'refused' || outcome.type === 'withdrawn') this.drop(reference)
    if (outcome.type !== 'acknowledged') return
    if (isPlacement) this.#found(reference, outcome.order)
    else this.#onOrder(outcome.order)
  }

  onUpdate(update: AccountUpdate): void {
    if (update.type === 'order') this.#onOrder(update.order)
    else if (update.type === 'fill') this.#onFill(update.fill)
    else if (update.type === 'settled') this.#onSettled(update.reference, update.settlement)
  }

  /** The order exists; its fills follow. */
  #found(reference: number, order: OwnOrder): void {
    const most = this.#lotsOf(order).ordered
    const unfilled = this.#byReference.get(reference) ?? this.#counted({ ...order, most, reported: 0 })
    this.#byReference.delete(reference)
    this.#byOrder.set(order.id, unfilled)
    this.#onOrder(order)
  }

  #onOrder(order: OwnOrder): void {
    const unfilled = this.#byOrder.get(order.id)
    if (unfilled === undefined) return
    const { ordered, filled } = this.#lotsOf(order)
    this.#change(unfilled, isOpen(order.status) ? ordered : filled, unfilled.reported)
    this.#forgetIfOver(order.id, unfilled)
  }

  #onFill(fill: OwnFill): void {
    const unfilled = this.#byOrder.get(fill.orderId)
    if (unfilled === undefined) return
    this.#change(unfilled, unfilled.most, unfilled.reported + lotsOf(fill, this.#marketsBySymbol.get(fill.symbol)))
    this.#forgetIfOver(fill.orderId, unfilled)
  }

  /** An ambiguous order counts as open: it may be any of the existing ones. */
  #onSettled(reference: number, settlement: Reconciliation): void {
    if (settlement.type === 'absent') this.drop(reference)
    if (settlement.type === 'adopted') this.#found(reference, settlement.order)
  }

  #forgetIfOver(orderId: string, unfilled: Unfilled): void {
    if (leftOf(unfilled) === 0) this.#byOrder.delete(orderId)
  }

  #counted({ symbol, side, most, reported }: Unfilled): Unfilled {
    const unfilled = { symbol, side, most: 0, reported: 0 }
    this.#change(unfilled, most, reported)
    return unfilled
  }

  #change(unfilled: Unfilled, most: number, reported: number): void {
    const before = leftOf(unfilled)
    unfilled.most = most
    unfilled.reported = reported
    const left = this.#leftBySymbol.get(unfilled.symbol)
    if (left !== undefined) left[unfilled.side] += BigInt(leftOf(unfilled) - before)
  }

  #lotsOf(order: OwnOrder): { readonly ordered: number; readonly filled: number } {
    const market = this.#marketsBySymbol.get(order.symbol)
    return { ordered: lotsOf(order, market), filled: filledLotsOf(order, market) }
  }
}

/** Never negative: fills beyond the ordered quantity would hide another order. */
const leftOf = ({ most, reported }: Unfilled): number => (reported >= most ? 0 : most - reported)
