/**
 * Record of a run: counts the orders, fills and refusals that the strategy received, and passes them on row by row.
 *
 * Only open orders are retained, so that memory does not grow with the length of a run.
 */
import type { RoundTrip } from '../../analysis/round-trip.ts'
import { toDecimal, type Decimal } from '../../domain/decimal.ts'
import { assertNever } from '../../domain/errors.ts'
import { isOpen } from '../../domain/order.ts'
import type { RefusalCode } from '../../domain/refusal.ts'
import type { OwnFill, OwnOrder } from '../../strategy/own-order.ts'
import type { PlotSink } from '../session/plot-commands.ts'
import type { RefusedRequest } from '../session/refused-request.ts'
import type { ReportedEvent } from '../session/session-event.ts'
import type { StateChange } from '../session-state.ts'
import { LimitOrders, type LimitOrderReport } from './limit-orders.ts'
import { ShortOrderCount, type ShortOrdersReport } from './short-orders.ts'

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
