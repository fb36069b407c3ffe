/**
 * What the strategy was told of its account, counted, and handed on row by row.
 *
 * Only orders that are live are held, so that memory does not grow with the length of a run.
 */
import { toDecimal, type Decimal } from '../../domain/decimal.ts'
import { isLive } from '../../domain/order.ts'
import type { RefusalCode } from '../../domain/refusal.ts'
import type { OwnFill, OwnOrder } from '../../strategy/own-order.ts'
import type { SessionObserver } from '../session/session.ts'

/** Where the rows of a run go: an order once, in its last state; a fill as it comes. */
export interface RunSink {
  /** @param fee  over all its fills, in the quote asset */
  onOrder(order: OwnOrder, fee: Decimal): void
  onFill(fill: OwnFill): void
}

interface LiveOrder {
  readonly order: OwnOrder
  readonly fee: Decimal
}

const NO_FEE = toDecimal(0)

export class RunRecord implements SessionObserver {
  readonly #sink: RunSink
  readonly #liveById = new Map<string, LiveOrder>()
  #orders = 0
  #fills = 0
  readonly #refusals = new Map<RefusalCode, number>()

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

  onOrder(order: OwnOrder): void {
    const known = this.#liveById.get(order.id)
    if (known === undefined) this.#orders += 1
    const fee = known?.fee ?? NO_FEE
    if (isLive(order.status)) this.#liveById.set(order.id, { order, fee })
    else {
      this.#liveById.delete(order.id)
      this.#sink.onOrder(order, fee)
    }
  }

  onFill(fill: OwnFill): void {
    this.#fills += 1
    const live = this.#liveById.get(fill.orderId)
    if (live !== undefined) this.#liveById.set(fill.orderId, { ...live, fee: live.fee.plus(fill.fee) })
    this.#sink.onFill(fill)
  }

  onRefusal(code: RefusalCode): void {
    this.#refusals.set(code, (this.#refusals.get(code) ?? 0) + 1)
  }

  /** Hands on the orders that are still live, oldest first. */
  finish(): void {
    for (const { order, fee } of this.#liveById.values()) this.#sink.onOrder(order, fee)
    this.#liveById.clear()
  }
}
