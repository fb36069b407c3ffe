/**
 * An order of ours at a service: the state that its owner was notified of, and the state in the service's answers.
 *
 * An answer says how much is filled; only fills give the prices. Each fill is reported once, followed by the order
 * state that includes it; the final state follows when all fills are reported.
 * Invariant: the reported filled quantity equals the sum of the reported fills.
 */
import { type Decimal, decimalOf, toDecimal } from '../../../domain/decimal.ts'
import { divideHalfEven } from '../../../domain/fixed-point.ts'
import type { Market } from '../../../domain/market.ts'
import { averagePrice, isOpen, type OrderStatus } from '../../../domain/order.ts'
import type { PersistedReport } from '../../../store/state/live/persisted-intent.ts'
import type { OwnFill, OwnOrder } from '../../../strategy/own-order.ts'
import type { WireOrder } from '../../../wire/wire-order.ts'
import type { WireFill } from '../../../wire/wire-trade.ts'
import type { AccountUpdate } from '../../exchange-adapter.ts'
import type { FeeCount } from './order-fees.ts'

/** Ticks and lots of one fill. */
interface InferredPart {
  readonly price: number
  readonly qty: number
}

/**
 * Fills that the service no longer lists, inferred from the filled quantity and its cost.
 *
 * Invariant: their quantity and cost equal those of the missing fills, to the lot and the tick.
 *
 * @param qty       lots, above 0
 * @param notional  ticks x lots, at least one tick a lot
 * @returns         a part at the tick below the mean, and one for the remainder at the tick above it
 */
export function inferredParts(qty: number, notional: bigint): readonly InferredPart[] {
  const lots = BigInt(qty)
  const price = Number(notional / lots)
  const above = Number(notional % lots)
  const below = { price, qty: qty - above }
  return above === 0 ? [below] : [below, { price: price + 1, qty: above }]
}

/** Prefix of an inferred fill's trade id. */
export const INFERRED_PREFIX = 'inferred-'
const NO_FEE = toDecimal(0)

type OrderUpdate = Extract<AccountUpdate, { type: 'order' }>

export interface TrackedOrderParts {
  readonly market: Market
  readonly tag: string | undefined
  readonly fees: FeeCount
  /** Last known price of the market. */
  readonly lastPrice: (symbol: string) => Decimal | undefined
  /** The order in the service's first answer. */
  readonly order: WireOrder
}

export class TrackedOrder {
  readonly id: string
  readonly #parts: TrackedOrderParts
  /** The latest answer. */
  #seen: WireOrder
  #reported: WireOrder
  readonly #tradeIds = new Set<string>()
  /** Lots and ticks x lots of the reported fills. */
  #filledQty = 0
  #notional = 0n
  /** False if the cost of an earlier session's fills is unknown: their limit price is assumed. */
  #isNotionalReported = true
  /** Lots reported as inferred fills, whose trades may still arrive. */
  #inferredQty = 0
  /** Fees of the fills that this session reported, in the quote asset. */
  #fees = NO_FEE

  /** @param report  executions that earlier sessions reported; undefined if everything up to now counts as reported */
  constructor(parts: TrackedOrderParts, report: PersistedReport | undefined) {
    this.id = parts.order.id
    this.#parts = parts
    this.#seen = parts.order
    this.#reported = this.#seen
    if (report === undefined) {
      const { filledQty, averagePrice: average, price = 0 } = this.#seen
      this.#filledQty = filledQty
      this.#isNotionalReported = average !== undefined || filledQty === 0
      this.#notional =
        average === undefined ? BigInt(price) * BigInt(filledQty) : notionalOf(filledQty, average, parts.market)
    } else this.#goOn(report)
  }

  #goOn({ qty, notional, inferredQty, tradeIds }: PersistedReport): void {
    for (const id of tradeIds) this.#tradeIds.add(id)
    this.#inferredQty = inferredQty
    this.#count(qty, BigInt(notional))
    const status = qty === 0 ? 'OPEN' : this.isFull ? 'FILLED' : 'PARTIALLY_FILLED'
    const average = qty === 0 ? undefined : averagePrice(this.#notional, qty, this.#parts.market.pricePrecision)
    this.#reported = { ...this.#seen, status, filledQty: qty, averagePrice: average }
  }

  /** Executions that sessions have reported so far. */
  get report(): PersistedReport {
    const [qty, notional, inferredQty] = [this.#filledQty, String(this.#notional), this.#inferredQty]
    return { qty, notional, inferredQty, tradeIds: [...this.#tradeIds] }
  }

  get symbol(): string {
    return this.#seen.symbol
  }

  /** The last reported state. */
  get reported(): OwnOrder {
    return ownOrderOf(this.#reported, this.#parts)
  }

  /** The state of the service's last answer. */
  get seen(): OwnOrder {
    return ownOrderOf(this.#seen, this.#parts)
  }

  /** True if its end was reported. */
  get isFinished(): boolean {
    return !isOpen(this.#reported.status)
  }

  /** True if the service reported its end. */
  get isSeenFinished(): boolean {
    return !isOpen(this.#seen.status)
  }

  /** True for a market order that no answer has ended yet: it is read again. */
  get isOpenMarket(): boolean {
    return this.#seen.type === 'MARKET' && !this.isSeenFinished
  }

  /** Lots filled according to the service or the fills. */
  get seenFilledQty(): number {
    return this.#seen.filledQty
  }

  get filledQty(): number {
    return this.#filledQty
  }

  /** Lots that an answer counts and no reported fill covers. */
  get missingQty(): number {
    return Math.max(0, this.#seen.filledQty - this.#filledQty)
  }

  /** Lots for which the service locks an amount, or whose fills were not reported yet. */
  get lockedQty(): number {
    return this.isSeenFinished ? this.missingQty : Math.max(0, this.#seen.qty - this.#filledQty)
  }

  /** True if it is completely filled and every fill was reported: no answer can add anything. */
  get isFull(): boolean {
    return this.#filledQty >= this.#seen.qty
  }

  /**
   * Takes an answer of the service. An end is final and a filled quantity never decreases, in whichever order answers
   * arrive.
   * @param isLater  it was requested after an answer had already shown the order
   */
  see(order: WireOrder, isLater = false): void {
    // A market order whose remainder does not change is over: the answer to its creation may be older than its fills.
    const next = isLater && order.filledQty === this.#seen.filledQty ? finished(order) : order
    const isOver = !isOpen(next.status)
    if (this.isSeenFinished && !isOver) return
    if (next.filledQty >= this.#seen.filledQty) this.#seen = next
    else if (isOver) this.#seen = { ...this.#seen, status: next.status }
  }

  /** Takes a fill that an earlier session reported, or that counts as reported. */
  passOver({ id }: WireFill): void {
    this.#tradeIds.add(id)
  }

  /** Takes its end as reported: later fills are late. */
  takeEnd(): void {
    this.#reported = { ...this.#reported, status: this.isFull ? 'FILLED' : this.#seen.status }
  }

  /** @param fills  of this order, oldest first; known ones are skipped */
  reportFills(fills: readonly WireFill[]): readonly AccountUpdate[] {
    return fills.flatMap((fill) => this.#reportFill(fill))
  }

  /**
   * One or two inferred fills for those that the service no longer lists; none while no price of the market is known.
   */
  reportInferred(time: number): readonly AccountUpdate[] {
    const missing = this.missingQty
    const notional = missing === 0 ? undefined : this.#missingNotional(missing)
    if (notional === undefined) return []
    this.#inferredQty += missing
    return inferredParts(missing, notional).flatMap((part) => this.#reportPart(part, time))
  }

  /** The final state of an order, once every fill was reported. */
  reportEnd(): readonly AccountUpdate[] {
    if (this.isFinished || !this.isSeenFinished || this.missingQty > 0) return []
    return [this.#reportState(this.isFull ? 'FILLED' : this.#seen.status)]
  }

  /** A fill after the reported end, and the end again with the quantity that includes it. */
  reportLate(fill: WireFill): readonly AccountUpdate[] {
    const { status } = this.#reported
    const updates = this.#reportFill(fill)
    if (updates.length === 0) return []
    const order = this.#reportState(this.isFull ? 'FILLED' : status)
    return [...updates.filter(({ type }) => type === 'fill'), { ...order, correctedFee: this.#fees }]
  }

  /** Ends the order regardless of the service's answers. */
  end(): readonly AccountUpdate[] {
    if (this.isFinished) return []
    this.#seen = { ...this.#seen, status: 'CANCELLED' }
    return this.reportEnd()
  }

  /** The first reported state, before its fills. */
  reportAccepted(): readonly AccountUpdate[] {
    return [{ type: 'order', order: this.reported }]
  }

  #reportFill(fill: WireFill): readonly AccountUpdate[] {
    if (this.#tradeIds.has(fill.id)) return []
    this.#tradeIds.add(fill.id)
    if (this.#inferredQty > 0) {
      // Already part of an inferred fill: reporting it would count it twice.
      this.#inferredQty = Math.max(0, this.#inferredQty - fill.qty)
      return []
    }
    const { market, tag, fees } = this.#parts
    this.#count(fill.qty, BigInt(fill.price) * BigInt(fill.qty))
    const fee = fees.charge(fill.price, fill.qty, fill.isMaker)
    this.#fees = this.#fees.plus(fee)
    const own: OwnFill = {
      tradeId: fill.id,
      orderId: fill.orderId,
      tag,
      symbol: fill.symbol,
      side: fill.side,
      price: decimalOf(fill.price, market.pricePrecision),
      qty: decimalOf(fill.qty, market.qtyPrecision),
      fee,
      isMaker: fill.isMaker,
      createdAt: fill.createdAt,
    }
    return [{ type: 'fill', fill: own }, this.#reportState(this.#stateOfFills())]
  }

  #reportPart({ price, qty }: InferredPart, time: number): readonly AccountUpdate[] {
    const { market, tag, fees } = this.#parts
    const { id, symbol, side, type } = this.#seen
    const isMaker = type === 'LIMIT'
    this.#count(qty, BigInt(price) * BigInt(qty))
    const fee = fees.charge(price, qty, isMaker)
    this.#fees = this.#fees.plus(fee)
    const tradeId = `${INFERRED_PREFIX}${id}-${this.#filledQty}`
    this.#tradeIds.add(tradeId)
    const fill: OwnFill = {
      tradeId,
      orderId: id,
      tag,
      symbol,
      side,
      isMaker,
      createdAt: time,
      price: decimalOf(price, market.pricePrecision),
      qty: decimalOf(qty, market.qtyPrecision),
      fee,
      isInferred: true,
    }
    return [{ type: 'fill', fill }, this.#reportState(this.#stateOfFills())]
  }

  /**
   * Ticks x lots of the missing fills, so that the average price is right. If the average is missing or impossible, the
   * most likely price is used.
   */
  #missingNotional(missing: number): bigint | undefined {
    const { averagePrice: average, filledQty } = this.#seen
    const { market } = this.#parts
    if (average !== undefined) {
      const notional = this.#isNotionalReported
        ? notionalOf(filledQty, average, market) - this.#notional
        : notionalOf(missing, average, market)
      if (isPossible(notional, missing) && this.#isWithinLimit(notional, missing)) return notional
    }
    const price = this.#likelyPrice()
    return price === undefined ? undefined : price * BigInt(missing)
  }

  /** False for a mean worse than the limit: it was reported with too few digits. */
  #isWithinLimit(notional: bigint, qty: number): boolean {
    const { side, price } = this.#seen
    if (price === undefined) return true
    const atLimit = BigInt(price) * BigInt(qty)
    return side === 'BUY' ? notional <= atLimit : notional >= atLimit
  }

  /** Ticks: the limit, which bounds the price; for a market order the mean of its reported fills, or the last price. */
  #likelyPrice(): bigint | undefined {
    const { symbol, price } = this.#seen
    const { market, lastPrice } = this.#parts
    if (price !== undefined) return BigInt(price)
    if (this.#filledQty > 0) return divideHalfEven(this.#notional, BigInt(this.#filledQty))
    const last = lastPrice(symbol)
    return last === undefined ? undefined : notionalOf(1, last.toFixed(), market)
  }

  #count(qty: number, notional: bigint): void {
    this.#filledQty += qty
    this.#notional += notional
    if (this.#filledQty > this.#seen.filledQty) this.#seen = { ...this.#seen, filledQty: this.#filledQty }
  }

  #stateOfFills(): OrderStatus {
    return this.#filledQty >= this.#seen.qty ? 'FILLED' : 'PARTIALLY_FILLED'
  }

  #reportState(status: OrderStatus): OrderUpdate {
    const { pricePrecision } = this.#parts.market
    const average = this.#filledQty === 0 ? undefined : averagePrice(this.#notional, this.#filledQty, pricePrecision)
    this.#reported = { ...this.#seen, status, filledQty: this.#filledQty, averagePrice: average }
    if (!isOpen(status)) this.#seen = { ...this.#seen, status }
    return { type: 'order', order: this.reported }
  }
}

/** Decision 8: a market order is finished, whatever its status says. */
export function finished(order: WireOrder): WireOrder {
  if (order.type === 'LIMIT' || !isOpen(order.status)) return order
  return { ...order, status: order.filledQty >= order.qty ? 'FILLED' : 'CANCELLED' }
}

/** Ticks x lots, rounded: an average is reported with 8 digits more than a price has, and may be rounded there. */
function notionalOf(qty: number, price: string, { pricePrecision }: Market): bigint {
  const ticks = toDecimal(price).times(`1e${pricePrecision}`)
  return BigInt(ticks.times(qty).toFixed(0))
}

/** True for a possible cost: at least one tick per lot, and no price beyond the maximum of an order. */
const isPossible = (notional: bigint, qty: number): boolean =>
  notional >= BigInt(qty) && notional < BigInt(qty) * BigInt(Number.MAX_SAFE_INTEGER)

function ownOrderOf(order: WireOrder, { market, tag }: TrackedOrderParts): OwnOrder {
  const { id, symbol, side, type, status, createdAt, averagePrice: average } = order
  return {
    id,
    tag,
    symbol,
    side,
    type,
    status,
    ...(order.price !== undefined && { price: decimalOf(order.price, market.pricePrecision) }),
    qty: decimalOf(order.qty, market.qtyPrecision),
    filledQty: decimalOf(order.filledQty, market.qtyPrecision),
    ...(average !== undefined && { averagePrice: toDecimal(average) }),
    createdAt,
  }
}
