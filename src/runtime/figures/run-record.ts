/**
 * Record of a run: the orders, fills and refusals that the strategy was told of, counted, and handed on row by row.
 *
 * Only orders that are open are held, so that memory does not grow with the length of a run.
 */
import type { RoundTrip } from '../../analysis/round-trip.ts'
import { toDecimal, type Decimal } from '../../domain/decimal.ts'
import { isOpen } from '../../domain/order.ts'
import type { RefusalCode } from '../../domain/refusal.ts'
import type { OwnFill, OwnOrder } from '../../strategy/own-order.ts'
import type { SessionListener } from '../session/account-events.ts'
import type { PlotSink } from '../session/plot-commands.ts'
import type { RefusedRequest } from '../session/refused-request.ts'
import type { StateChange } from '../session/risk/session-state.ts'
import { LimitOrders, type LimitOrderReport } from './limit-orders.ts'
import { ShortOrderCount, type ShortOrdersReport } from './short-orders.ts'

/**
 * Sink for the rows of a run: an order once, in its last state, and again when a fill came after its end; a fill and a
 * refused request as they come.
 */
export interface RunSink extends PlotSink {
  /** @param fee  over all its fills, in the quote asset */
  onOrder(order: OwnOrder, fee: Decimal): void
  onFill(fill: OwnFill): void
  /** A round trip that ended, at the moment at which it did. */
  onTrip?(trip: RoundTrip): void
  onRefused?(refused: RefusedRequest): void
}

interface OpenOrder {
  readonly order: OwnOrder
  readonly fee: Decimal
  /** False until its first fill was told. */
  readonly isFilled: boolean
  /** It was open before the session began. */
  readonly isTakenOver: boolean
}

const NO_FEE = toDecimal(0)
const NEW = { fee: NO_FEE, isFilled: false, isTakenOver: false } as const

export class RunRecord implements SessionListener {
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

  /** The first of each code, in the order in which they came. */
  get firstRefused(): readonly RefusedRequest[] {
    return [...this.#firstRefused.values()]
  }

  /** Of them, those by the limits of the risk. */
  get riskRefusals(): number {
    return this.#riskRefusals
  }

  /** Orders that were open before the session began; they are not among `orders`. */
  get recovered(): number {
    return this.#recovered
  }

  /** Changes of the session's state, oldest first. */
  get states(): readonly StateChange[] {
    return this.#states
  }

  /** Market orders that found less than they asked for. */
  get shortOrders(): ShortOrdersReport {
    return this.#short.report()
  }

  /** Limit orders of the session's own, how much of them was filled and how soon. */
  get limitOrders(): LimitOrderReport {
    return this.#limit.report()
  }

  onTakenOver(order: OwnOrder): void {
    this.#recovered += 1
    this.#openById.set(order.id, { order, fee: NO_FEE, isFilled: true, isTakenOver: true })
  }

  onState(change: StateChange): void {
    this.#states.push(change)
  }

  onOrder(order: OwnOrder): void {
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

  /** Its row is there already: another one follows, with what came after it. */
  onCorrected(order: OwnOrder, fee: Decimal): void {
    this.#sink.onOrder(order, fee)
  }

  onFill(fill: OwnFill): void {
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

  onRefusal(refused: RefusedRequest): void {
    const { code } = refused.refusal
    if (refused.by === 'risk') this.#riskRefusals += 1
    this.#refusals.set(code, (this.#refusals.get(code) ?? 0) + 1)
    if (!this.#firstRefused.has(code)) this.#firstRefused.set(code, refused)
    this.#sink.onRefused?.(refused)
  }

  /** Hands on the orders that are still open, oldest first. */
  finish(): void {
    for (const { order, fee } of this.#openById.values()) this.#sink.onOrder(order, fee)
    this.#openById.clear()
  }
}
