/**
 * Record of a run: counts the orders, fills and refusals that the strategy received, and passes them on row by row.
 *
 * Only open orders are retained, so that memory does not grow with the length of a run.
 */
import type { RoundTrip } from '../../analysis/round-trip.ts'
import { type Decimal, decimalOf, toDecimal } from '../../domain/decimal.ts'
import { assertNever } from '../../domain/errors.ts'
import { isOpen } from '../../domain/order.ts'
import type { RefusalCode } from '../../domain/refusal.ts'
import { ExactSum } from '../../exchange/exact-sum.ts'
import { ExactOrder } from '../../strategy/exact-order.ts'
import type { OwnFill, OwnOrder } from '../../strategy/own-order.ts'
import type { StateChange } from '../session-state.ts'
import type { PlotSink } from '../session/plot-commands.ts'
import type { RefusedRequest } from '../session/refused-request.ts'
import type { ParamsChange, ReportedEvent } from '../session/session-event.ts'
import { ShortOrderCount, type ShortOrdersReport } from './short-orders.ts'

/** Quantities of one market: in lots if the orders are, otherwise as decimals. */
interface Quantities {
  readonly baseAsset: string
  readonly qtyPrecision: number
  readonly lotsOrdered: ExactSum
  readonly lotsFilled: ExactSum
  ordered: Decimal
  filled: Decimal
}

interface LimitOrderReport {
  /** Null if none has ended, or if those that have are of several base assets. */
  readonly fillRatio: number | null
  /** Null if none was filled. */
  readonly meanTimeToFirstFillMs: number | null
}

/**
 * A fold over orders in their final state, and over first fills.
 *
 * Invariant: quantities are exact.
 */
class LimitOrders {
  readonly #quantitiesBySymbol = new Map<string, Quantities>()
  readonly #waitedMs = new ExactSum()
  #filled = 0

  /** Call once for each order that ended; market orders are ignored. */
  end(order: OwnOrder): void {
    if (order.type !== 'LIMIT') return
    const quantities = this.#quantitiesOf(order)
    if (order instanceof ExactOrder) {
      quantities.lotsOrdered.add(order.exact.qty)
      quantities.lotsFilled.add(order.exact.filledQty)
    } else {
      quantities.ordered = quantities.ordered.plus(order.qty)
      quantities.filled = quantities.filled.plus(order.filledQty)
    }
  }

  /** Call at the first fill of an order; market orders are ignored. @param time  Unix milliseconds */
  firstFill({ type, createdAt }: Pick<OwnOrder, 'type' | 'createdAt'>, time: number): void {
    if (type !== 'LIMIT') return
    this.#waitedMs.add(Math.max(0, time - createdAt))
    this.#filled += 1
  }

  report(): LimitOrderReport {
    return {
      fillRatio: this.#fillRatio(),
      meanTimeToFirstFillMs: this.#filled === 0 ? null : Number(this.#waitedMs.value) / this.#filled,
    }
  }

  #fillRatio(): number | null {
    const all = [...this.#quantitiesBySymbol.values()]
    if (new Set(all.map(({ baseAsset }) => baseAsset)).size !== 1) return null
    const total = (of: (quantities: Quantities) => Decimal): Decimal =>
      all.reduce((sum, quantities) => sum.plus(of(quantities)), toDecimal(0))
    const ordered = total((each) => each.ordered.plus(decimalOf(each.lotsOrdered.value, each.qtyPrecision)))
    const filled = total((each) => each.filled.plus(decimalOf(each.lotsFilled.value, each.qtyPrecision)))
    return ordered.isZero() ? null : filled.div(ordered).toNumber()
  }

  #quantitiesOf(order: OwnOrder): Quantities {
    const known = this.#quantitiesBySymbol.get(order.symbol)
    if (known !== undefined) return known
    const [baseAsset = order.symbol] = order.symbol.split('_')
    const made: Quantities = {
      baseAsset,
      qtyPrecision: order instanceof ExactOrder ? order.market.qtyPrecision : 0,
      lotsOrdered: new ExactSum(),
      lotsFilled: new ExactSum(),
      ordered: toDecimal(0),
      filled: toDecimal(0),
    }
    this.#quantitiesBySymbol.set(order.symbol, made)
    return made
  }
}

/**
 * Receives the rows of a run: an order once, in its final state, and again if a fill came after its end; a fill or
 * refused request immediately.
 */
export interface RunSink extends PlotSink {
  /** @param fee  over all its fills, in the quote asset */
  onOrder(order: OwnOrder, fee: Decimal): void
  onFill(fill: OwnFill): void
  /** A completed round trip, at the time of its end. */
  onTrip?(trip: RoundTrip): void
  onRefused?(refused: RefusedRequest): void
}

interface OpenOrder {
  readonly order: OwnOrder
  readonly fee: Decimal
  /** True after its first fill. */
  readonly isFilled: boolean
  /** True if it was open before the session began. */
  readonly isTakenOver: boolean
}

const NO_FEE = toDecimal(0)
const NEW = { fee: NO_FEE, isFilled: false, isTakenOver: false } as const

export class RunRecord {
  readonly #sink: RunSink
  readonly #openById = new Map<string, OpenOrder>()
  #orders = 0
  #fills = 0
  readonly #refusals = new Map<RefusalCode, number>()
  readonly #firstRefused = new Map<RefusalCode, RefusedRequest>()
  #riskRefusals = 0
  #recovered = 0
  readonly #states: StateChange[] = []
  readonly #paramChanges: ParamsChange[] = []
  readonly #short = new ShortOrderCount()
  readonly #limit = new LimitOrders()

  constructor(sink: RunSink) {
    this.#sink = sink
  }

  get orders(): number {
    return this.#orders
  }

  get fills(): number {
    return this.#fills
  }

  get refusals(): ReadonlyMap<RefusalCode, number> {
    return this.#refusals
  }

  /** The first of each code, in order of arrival. */
  get firstRefused(): readonly RefusedRequest[] {
    return [...this.#firstRefused.values()]
  }

  /** Number of refusals by risk limits among them. */
  get riskRefusals(): number {
    return this.#riskRefusals
  }

  /** Orders that were open before the session began; not included in `orders`. */
  get recovered(): number {
    return this.#recovered
  }

  /** Changes of the session's state, oldest first. */
  get states(): readonly StateChange[] {
    return this.#states
  }

  /** Changes of the parameters by an operator, oldest first. */
  get paramChanges(): readonly ParamsChange[] {
    return this.#paramChanges
  }

  /** Market orders that were only partly filled. */
  get shortOrders(): ShortOrdersReport {
    return this.#short.report()
  }

  /** Fill ratio and time to fill of the session's own limit orders. */
  get limitOrders(): LimitOrderReport {
    return this.#limit.report()
  }

  readonly process = (event: ReportedEvent): void => {
    switch (event.type) {
      case 'order':
        // The row of a corrected order was already passed on: an updated one follows.
        if (event.correctedFee === undefined) this.#onOrder(event.order)
        else this.#sink.onOrder(event.order, event.correctedFee)
        break
      case 'fill':
        this.#onFill(event.fill)
        break
      case 'refusal':
        this.#onRefusal(event.refused)
        break
      case 'taken-over':
        this.#onTakenOver(event.order)
        break
      case 'state':
        this.#states.push(event.change)
        break
      case 'params':
        this.#paramChanges.push(event.change)
        break
      default:
        assertNever(event)
    }
  }

  #onTakenOver(order: OwnOrder): void {
    this.#recovered += 1
    this.#openById.set(order.id, { order, fee: NO_FEE, isFilled: true, isTakenOver: true })
  }

  #onOrder(order: OwnOrder): void {
    const known = this.#openById.get(order.id)
    if (known === undefined) this.#orders += 1
    const { fee, isFilled, isTakenOver } = known ?? NEW
    if (isOpen(order.status)) this.#openById.set(order.id, { order, fee, isFilled, isTakenOver })
    else {
      this.#openById.delete(order.id)
      this.#short.add(order)
      if (!isTakenOver) this.#limit.end(order)
      this.#sink.onOrder(order, fee)
    }
  }

  #onFill(fill: OwnFill): void {
    this.#fills += 1
    const open = this.#openById.get(fill.orderId)
    if (open !== undefined) this.#noteFill(open, fill)
    this.#sink.onFill(fill)
  }

  #noteFill(open: OpenOrder, fill: OwnFill): void {
    if (!open.isFilled) this.#limit.firstFill(open.order, fill.createdAt)
    if (open.isFilled && fill.fee.isZero()) return
    this.#openById.set(fill.orderId, { ...open, fee: open.fee.plus(fill.fee), isFilled: true })
  }

  #onRefusal(refused: RefusedRequest): void {
    const { code } = refused.refusal
    if (refused.by === 'risk') this.#riskRefusals += 1
    this.#refusals.set(code, (this.#refusals.get(code) ?? 0) + 1)
    if (!this.#firstRefused.has(code)) this.#firstRefused.set(code, refused)
    this.#sink.onRefused?.(refused)
  }

  /** Passes on the orders that are still open, oldest first. */
  finish(): void {
    for (const { order, fee } of this.#openById.values()) this.#sink.onOrder(order, fee)
    this.#openById.clear()
  }
}
