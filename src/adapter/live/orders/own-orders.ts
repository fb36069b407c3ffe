/**
 * The orders of ours at the service that are not finished, with their owners, and the fills that belong to them.
 *
 * Fills of orders that are not known to be ours yet are kept for a while: the answer to a creation may come behind the fills.
 * Invariant: an order ends only after a read of the fills that began when its end was known, and that shows what the answers count. A fill
 * that comes later still, because every answer was an old one, is its order's all the same.
 */
import type { Decimal } from '../../../domain/decimal.ts'
import type { Market } from '../../../domain/market.ts'
import type { WireOrder } from '../../../wire/wire-order.ts'
import type { WireFill } from '../../../wire/wire-trade.ts'
import type { AccountUpdate } from '../../exchange-adapter.ts'
import type { Intent } from './intent.ts'
import type { AssumedFees } from './order-fees.ts'
import { TrackedOrder } from './tracked-order.ts'

/** Rows of fills whose orders are not ours, or not yet. */
const MOST_UNOWNED = 2_000
/** Fills that are recognised when they are told again. */
const MOST_RECOGNISED = 5_000
/** Finished orders whose late fills are still theirs. */
const MAX_FINISHED = 1_000

export interface OwnOrder {
  readonly owner: string
  readonly intentId: number
  readonly order: TrackedOrder
}

export interface OwnOrdersOptions {
  readonly marketOf: (symbol: string) => Market
  readonly fees: AssumedFees
  /** Of a market, as far as it is known. */
  readonly lastPrice: (symbol: string) => Decimal | undefined
  readonly tell: (owner: string, updates: readonly AccountUpdate[]) => void
  /** The service said that an order is over: it ends after the next read of the fills. */
  readonly onEnding: () => void
  /** Nothing more will come of an order. @returns its intent */
  readonly onFinished: (intentId: number, filledQty: number) => Intent
  /** A fill of an order came after it was finished. @returns its intent */
  readonly onLate: (intent: Intent, filledQty: number) => Intent
}

interface FinishedOrder {
  readonly own: OwnOrder
  intent: Intent
}

export class OwnOrders {
  readonly #options: OwnOrdersOptions
  readonly #ordersById = new Map<string, OwnOrder>()
  readonly #unowned = new Map<string, WireFill>()
  readonly #recognised = new Set<string>()
  readonly #finishedById = new Map<string, FinishedOrder>()
  /** By order: how many reads of the fills had begun when its end was seen. */
  readonly #readsAtEnd = new Map<string, number>()
  #begunReads = 0
  #completedRead = 0

  constructor(options: OwnOrdersOptions) {
    this.#options = options
  }

  /** Open ones, oldest first. */
  get all(): readonly OwnOrder[] {
    return [...this.#ordersById.values()]
  }

  find(orderId: string): OwnOrder | undefined {
    return this.#ordersById.get(orderId)
  }

  /** Takes an order of an earlier session, of which everything up to now was told then, or is told by nobody. */
  recover(intent: Intent, order: WireOrder): OwnOrder {
    const own = this.track(intent, order, true)
    this.#tellEnd(own)
    return own
  }

  /** Takes an order as that of an intent. Nothing is told of it yet. */
  track(intent: Intent, order: WireOrder, isRecovered = false): OwnOrder {
    const { marketOf, fees, lastPrice } = this.#options
    const market = marketOf(order.symbol)
    const parts = { market, tag: intent.tag, fees: fees.ofOrder(market), lastPrice, order }
    const own: OwnOrder = { owner: intent.owner, intentId: intent.id, order: new TrackedOrder(parts, isRecovered) }
    this.#ordersById.set(order.id, own)
    return own
  }

  /** Tells of an order for the first time, with what is known of its fills. */
  tellFirst(own: OwnOrder): void {
    const { order, owner } = own
    const waiting = [...this.#unowned.values()].filter(({ orderId }) => orderId === order.id)
    for (const fill of waiting) this.#unowned.delete(keyOf(fill))
    this.#options.tell(owner, [...order.tellAccepted(), ...order.tellFills(waiting)])
    this.#tellEnd(own)
  }

  /** An answer about orders of which some are ours. */
  see(orders: readonly WireOrder[]): void {
    for (const order of orders) {
      const own = this.#ordersById.get(order.id)
      if (own === undefined) continue
      own.order.see(order)
      this.#tellEnd(own)
    }
  }

  /** @returns the number of a read of the fills that begins now */
  beginRead(): number {
    this.#begunReads += 1
    return this.#begunReads
  }

  /**
   * Tells what is new.
   *
   * @param fills  newest first, as the service tells them
   * @param read   its number, from before it began
   * @returns      true when one of them was known before, so that none is missing between it and the newest
   */
  takeFills(fills: readonly WireFill[], read = this.beginRead()): boolean {
    const fresh = fills.filter((fill) => !this.#recognised.has(keyOf(fill)))
    for (const fill of fresh.toReversed()) this.#takeFill(fill)
    this.#completedRead = Math.max(this.#completedRead, read)
    for (const own of this.all) this.#tellEnd(own)
    return fresh.length < fills.length
  }

  /** Fills of the time before this session: they were told then, or are not ours. */
  ignoreFills(fills: readonly WireFill[]): void {
    // Of an order that this session has found nothing was told yet.
    const others = fills.filter(({ orderId }) => !this.#ordersById.has(orderId))
    for (const fill of others.toReversed()) this.#recognise(fill)
  }

  /** True for a fill that was there before. */
  isKnown(fill: Pick<WireFill, 'id' | 'orderId'>): boolean {
    return this.#recognised.has(keyOf(fill))
  }

  /** True when any fill of the account was ever there. */
  get hasSeenFills(): boolean {
    return this.#recognised.size > 0
  }

  /** True when an answer counts more than the fills that were told. */
  get isMissingFills(): boolean {
    return this.all.some(({ order }) => order.missingQty > 0)
  }

  /** True when the end of an order is known, and its fills have to be read before it is reported. */
  get isEnding(): boolean {
    return this.all.some(({ order }) => order.isSeenFinished)
  }

  /** Tells one fill or two for all that are missing of each order. */
  tellInferred(time: number): void {
    for (const own of this.all) {
      const updates = own.order.tellInferred(time)
      if (updates.length > 0) this.#options.tell(own.owner, updates)
      this.#tellEnd(own)
    }
  }

  /** A person says that nothing more will come of an order. */
  end(orderId: string, time: number): void {
    const own = this.#ordersById.get(orderId)
    if (own === undefined) return
    const updates = [...own.order.tellInferred(time), ...own.order.end()]
    this.#options.tell(own.owner, updates)
    this.#tellEnd(own)
  }

  #takeFill(fill: WireFill): void {
    this.#recognise(fill)
    const own = this.#ordersById.get(fill.orderId)
    const finished = this.#finishedById.get(fill.orderId)
    if (own === undefined && finished !== undefined) {
      this.#takeLate(finished, fill)
      return
    }
    if (own === undefined) {
      this.#unowned.set(keyOf(fill), fill)
      dropOldest(this.#unowned, MOST_UNOWNED)
      return
    }
    this.#options.tell(own.owner, own.order.tellFills([fill]))
    this.#tellEnd(own)
  }

  #takeLate(finished: FinishedOrder, fill: WireFill): void {
    const { own, intent } = finished
    const updates = own.order.tellLate(fill)
    if (updates.length === 0) return
    this.#options.tell(own.owner, updates)
    finished.intent = this.#options.onLate(intent, own.order.filledQty)
  }

  #tellEnd(own: OwnOrder): void {
    const { order, owner, intentId } = own
    if (!order.isFinished && !this.#mayEnd(order)) return
    const updates = order.tellEnd()
    if (updates.length > 0) this.#options.tell(owner, updates)
    if (!order.isFinished || !this.#ordersById.has(order.id)) return
    this.#ordersById.delete(order.id)
    this.#readsAtEnd.delete(order.id)
    this.#finishedById.set(order.id, { own, intent: this.#options.onFinished(intentId, order.filledQty) })
    dropOldest(this.#finishedById, MAX_FINISHED)
  }

  /** An end is reported after a read of the fills that began when it was known: the answer may be older than the last fill. */
  #mayEnd(order: TrackedOrder): boolean {
    if (!order.isSeenFinished) return false
    if (order.isFull) return true
    const before = this.#readsAtEnd.get(order.id)
    if (before !== undefined) return this.#completedRead > before
    this.#readsAtEnd.set(order.id, this.#begunReads)
    this.#options.onEnding()
    return false
  }

  #recognise(fill: WireFill): void {
    this.#recognised.add(keyOf(fill))
    dropOldest(this.#recognised, MOST_RECOGNISED)
  }
}

/** A self-trade is two fills of one id. */
const keyOf = ({ id, orderId }: Pick<WireFill, 'id' | 'orderId'>): string => `${id} ${orderId}`

/** Keeps a map or a set from growing. */
function dropOldest(kept: Map<string, unknown> | Set<string>, most: number): void {
  if (kept.size <= most) return
  const [oldest] = kept.keys()
  if (oldest !== undefined) kept.delete(oldest)
}
