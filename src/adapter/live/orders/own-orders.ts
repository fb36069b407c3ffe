/**
 * The orders of ours at the service that are not finished, with their owners, and the fills that belong to them.
 *
 * Fills of orders that are not known to be ours yet are kept for a while: the answer to a creation may come behind the
 * fills. Invariant: an order ends only after a read of the fills that began when its end was known, and that shows what
 * the answers count. A fill that comes later still, because every answer was an old one, is its order's all the same.
 */
import type { Decimal } from '../../../domain/decimal.ts'
import { dropOldest } from '../../../domain/drop-oldest.ts'
import type { Market } from '../../../domain/market.ts'
import { NOTHING_REPORTED, type PersistedReport } from '../../../store/state/live/persisted-intent.ts'
import type { WireOrder } from '../../../wire/wire-order.ts'
import type { WireFill } from '../../../wire/wire-trade.ts'
import type { AccountUpdate } from '../../exchange-adapter.ts'
import type { Intent } from './intent.ts'
import type { AssumedFees } from './order-fees.ts'
import { finished, TrackedOrder } from './tracked-order.ts'

/** Rows of fills whose orders are not ours, or not yet. */
const MOST_UNOWNED = 2_000
/** Fills that are recognised when they are told again. */
const MOST_RECOGNISED = 5_000
/** Finished orders whose late fills are still theirs. */
const MAX_FINISHED = 1_000

export interface OwnOrder {
  readonly owner: string
  readonly intentId: number
  /** As it was when the order became its. */
  readonly intent: Intent
  readonly order: TrackedOrder
}

export interface OwnOrdersOptions {
  readonly marketOf: (symbol: string) => Market
  readonly fees: AssumedFees
  /** Of a market, as far as it is known. */
  readonly lastPrice: (symbol: string) => Decimal | undefined
  readonly tell: (owner: string, updates: readonly AccountUpdate[]) => void
  /** False for an owner that has no session here, or none any more: its fills are left to its next session. */
  readonly isReporting: (owner: string) => boolean
  /** That of an order of ours, also of one that is finished. */
  readonly intentOf: (orderId: string) => Intent | undefined
  /** The service said that an order is over: it ends after the next read of the fills. */
  readonly onEnding: () => void
  /** Nothing more will come of an order. */
  readonly onFinished: (own: OwnOrder) => void
  /** A fill of an order came after it was finished. */
  readonly onLate: (own: OwnOrder) => void
}

export class OwnOrders {
  readonly #options: OwnOrdersOptions
  readonly #ordersById = new Map<string, OwnOrder>()
  readonly #unowned = new Map<string, WireFill>()
  readonly #recognised = new Set<string>()
  readonly #finishedById = new Map<string, OwnOrder>()
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

  /**
   * Takes an order of an earlier session. What is in no file yet is reported with the fills that are read next.
   *
   * @param fills  of the account, as they were read with it
   */
  recover(intent: Intent, order: WireOrder, fills: readonly WireFill[]): OwnOrder {
    const own = this.#own(intent, finished(order), intent.report)
    this.#ordersById.set(order.id, own)
    // Nothing says which fills a version before this one has reported: all up to now.
    const isCounted = intent.report === undefined
    if (isCounted) for (const fill of fills) if (fill.orderId === order.id) own.order.passOver(fill)
    this.#tellEnd(own)
    return own
  }

  /** Takes an order as that of an intent. Nothing is told of it yet. */
  track(intent: Intent, order: WireOrder): OwnOrder {
    const fresh: WireOrder = { ...order, status: 'OPEN', filledQty: 0, averagePrice: undefined }
    const own = this.#own(intent, fresh, intent.report ?? NOTHING_REPORTED)
    own.order.see(order)
    this.#ordersById.set(order.id, own)
    return own
  }

  /** Tells of an order for the first time, with what is known of its fills. */
  tellFirst(own: OwnOrder): void {
    const { order, owner } = own
    if (this.#options.isReporting(owner)) {
      const waiting = [...this.#unowned.values()].filter(({ orderId }) => orderId === order.id)
      for (const fill of waiting) this.#unowned.delete(keyOf(fill))
      this.#options.tell(owner, [...order.tellAccepted(), ...order.tellFills(waiting)])
    }
    this.#tellEnd(own)
  }

  /** Orders of an owner, with those that are finished: whatever was reported of them is in its files. */
  ofOwner(owner: string): readonly OwnOrder[] {
    return [...this.all, ...this.#finishedById.values()].filter((own) => own.owner === owner)
  }

  /**
   * An answer about orders of which some are ours.
   *
   * @param isLater  it was asked for when they were ours already
   */
  see(orders: readonly WireOrder[], isLater = false): void {
    for (const order of orders) {
      const own = this.#ordersById.get(order.id)
      if (own === undefined) continue
      own.order.see(order, isLater)
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
    return this.all.some(({ owner, order }) => order.missingQty > 0 && this.#options.isReporting(owner))
  }

  /** True while a market order has no end but an answer that may be too early. */
  get hasOpenMarket(): boolean {
    return this.all.some(({ order }) => order.isOpenMarket)
  }

  /** True when the end of an order is known, and its fills have to be read before it is reported. */
  get isEnding(): boolean {
    return this.all.some(({ owner, order }) => order.isSeenFinished && this.#options.isReporting(owner))
  }

  /** Tells one fill or two for all that are missing of each order. */
  tellInferred(time: number): void {
    for (const own of this.all.filter(({ owner }) => this.#options.isReporting(owner))) {
      const updates = own.order.tellInferred(time)
      if (updates.length > 0) this.#options.tell(own.owner, updates)
      this.#tellEnd(own)
    }
  }

  /** A person says that nothing more will come of an order. */
  end(orderId: string, time: number): void {
    const own = this.#ordersById.get(orderId)
    if (own === undefined) return
    const isReporting = this.#options.isReporting(own.owner)
    const updates = [...(isReporting ? own.order.tellInferred(time) : []), ...own.order.end()]
    if (isReporting) this.#options.tell(own.owner, updates)
    this.#tellEnd(own)
  }

  #own(intent: Intent, order: WireOrder, report: PersistedReport | undefined): OwnOrder {
    const { marketOf, fees, lastPrice } = this.#options
    const market = marketOf(order.symbol)
    const parts = { market, tag: intent.tag, fees: fees.ofOrder(market), lastPrice, order }
    return { owner: intent.owner, intentId: intent.id, intent, order: new TrackedOrder(parts, report) }
  }

  #takeFill(fill: WireFill): void {
    this.#recognise(fill)
    const { orderId } = fill
    const own = this.#ordersById.get(orderId)
    if (own !== undefined) {
      if (!this.#options.isReporting(own.owner)) return
      this.#options.tell(own.owner, own.order.tellFills([fill]))
      this.#tellEnd(own)
      return
    }
    const finished = this.#finishedById.get(orderId) ?? this.#finishedBefore(orderId)
    if (finished !== undefined) {
      this.#takeLate(finished, fill)
      return
    }
    this.#unowned.set(keyOf(fill), fill)
    dropOldest(this.#unowned, MOST_UNOWNED)
  }

  /** An order that an earlier session finished, or this one long ago. */
  #finishedBefore(orderId: string): OwnOrder | undefined {
    const intent = this.#options.intentOf(orderId)
    if (intent?.isFinished !== true || intent.report === undefined) return undefined
    const own = this.#own(intent, orderOf(intent, orderId), intent.report)
    own.order.takeEnd()
    this.#keepFinished(own)
    return own
  }

  #keepFinished(own: OwnOrder): void {
    this.#finishedById.set(own.order.id, own)
    dropOldest(this.#finishedById, MAX_FINISHED)
  }

  #takeLate(own: OwnOrder, fill: WireFill): void {
    if (!this.#options.isReporting(own.owner)) return
    const updates = own.order.tellLate(fill)
    if (updates.length === 0) return
    this.#options.tell(own.owner, updates)
    this.#options.onLate(own)
  }

  #tellEnd(own: OwnOrder): void {
    const { order, owner } = own
    const isReporting = this.#options.isReporting(owner)
    if (isReporting ? !order.isFinished && !this.#mayEnd(order) : !order.isSeenFinished) return
    const updates = isReporting ? order.tellEnd() : []
    if (updates.length > 0) this.#options.tell(owner, updates)
    if ((isReporting && !order.isFinished) || !this.#ordersById.has(order.id)) return
    this.#ordersById.delete(order.id)
    this.#readsAtEnd.delete(order.id)
    this.#options.onFinished(own)
    if (isReporting) this.#keepFinished(own)
  }

  /**
   * An end is reported after a read of the fills that began when it was known: the answer may be older than the last
   * fill.
   */
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

/** An order as its intent knows it, which is over. */
export const orderOf = ({ symbol, side, type, price, qty, filledQty, sentAt }: Intent, id: string): WireOrder => ({
  id,
  userId: '',
  symbol,
  side,
  type,
  price,
  qty,
  filledQty,
  status: filledQty >= qty ? 'FILLED' : 'CANCELLED',
  averagePrice: undefined,
  createdAt: sentAt,
})

/** An order of which the service shows nothing, as its intent knows it: it counts as open. */
export const unseen = ({ symbol, side, type, price, qty, filledQty, sentAt }: Intent, id: string): WireOrder => ({
  id,
  userId: '',
  symbol,
  side,
  type,
  price,
  qty,
  filledQty,
  status: filledQty > 0 ? 'PARTIALLY_FILLED' : 'OPEN',
  averagePrice: undefined,
  createdAt: sentAt,
})
