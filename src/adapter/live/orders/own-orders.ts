/**
 * Our unfinished orders at the service with their owners, and the fills that belong to them.
 *
 * Fills of orders not yet known to be ours are buffered, because the answer to a creation may arrive after its fills.
 * Invariant: an order ends only after a read of fills that began once its end was known and that contains all fills the
 * answers count. A later fill, possible if every answer was outdated, is still assigned to its order.
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

/** Maximum number of fills whose orders are not ours, or not yet. */
const MAX_UNOWNED = 2_000
/** Maximum number of fills remembered as reported. */
const MAX_RECOGNISED = 5_000
/** Finished orders that still accept late fills. */
const MAX_FINISHED = 1_000

export interface OwnOrder {
  readonly owner: string
  readonly intentId: number
  /** The intent when the order was assigned to it. */
  readonly intent: Intent
  readonly order: TrackedOrder
}

export interface OwnOrdersOptions {
  readonly marketOf: (symbol: string) => Market
  readonly fees: AssumedFees
  /** Exact fee of an order's fills in earlier sessions, as of `AssumedFees.exactFee`; default: 0. */
  readonly exactFeeOf?: ((owner: string, orderId: string) => bigint) | undefined
  /** Last known price of a market. */
  readonly lastPrice: (symbol: string) => Decimal | undefined
  readonly report: (owner: string, updates: readonly AccountUpdate[]) => void
  /** False for an owner without a running session here: its fills are left to its next session. */
  readonly isReporting: (owner: string) => boolean
  /** The intent of an order of ours, finished or not. */
  readonly intentOf: (orderId: string) => Intent | undefined
  /** The service reported the end of an order: it ends after the next read of fills. */
  readonly onEnding: () => void
  /** The order is final. */
  readonly onFinished: (own: OwnOrder) => void
  /** A fill arrived after the end of its order. */
  readonly onLate: (own: OwnOrder) => void
}

export class OwnOrders {
  readonly #options: OwnOrdersOptions
  readonly #ordersById = new Map<string, OwnOrder>()
  readonly #unowned = new Map<string, WireFill>()
  readonly #recognised = new Set<string>()
  readonly #finishedById = new Map<string, OwnOrder>()
  /** Per order, the number of fill reads that had begun when its end was seen. */
  readonly #readsAtEnd = new Map<string, number>()
  #begunReads = 0
  #completedRead = 0

  constructor(options: OwnOrdersOptions) {
    this.#options = options
  }

  /** Open orders, oldest first. */
  get all(): readonly OwnOrder[] {
    return [...this.#ordersById.values()]
  }

  find(orderId: string): OwnOrder | undefined {
    return this.#ordersById.get(orderId)
  }

  /**
   * Restores an order of an earlier session. Fills that are in no file are reported with the next read of fills.
   * @param fills  of the account, read with the order
   */
  recover(intent: Intent, order: WireOrder, fills: readonly WireFill[]): OwnOrder {
    const own = this.#own(intent, finished(order), intent.report)
    this.#ordersById.set(order.id, own)
    // Older versions did not record which fills were reported: assume all up to now.
    const isCounted = intent.report === undefined
    if (isCounted) for (const fill of fills) if (fill.orderId === order.id) own.order.passOver(fill)
    this.#reportEnd(own)
    return own
  }

  /** Assigns an order to an intent, without reporting it yet. */
  track(intent: Intent, order: WireOrder): OwnOrder {
    const fresh: WireOrder = { ...order, status: 'OPEN', filledQty: 0, averagePrice: undefined }
    const own = this.#own(intent, fresh, intent.report ?? NOTHING_REPORTED)
    own.order.see(order)
    this.#ordersById.set(order.id, own)
    return own
  }

  /** Reports an order for the first time, with its known fills. */
  reportFirst(own: OwnOrder): void {
    const { order, owner } = own
    if (this.#options.isReporting(owner)) {
      const waiting = [...this.#unowned.values()].filter(({ orderId }) => orderId === order.id)
      for (const fill of waiting) this.#unowned.delete(keyOf(fill))
      this.#options.report(owner, [...order.reportAccepted(), ...order.reportFills(waiting)])
    }
    this.#reportEnd(own)
  }

  /** Orders of an owner, including finished ones whose reported updates are in its files. */
  ofOwner(owner: string): readonly OwnOrder[] {
    return [...this.all, ...this.#finishedById.values()].filter((own) => own.owner === owner)
  }

  /**
   * Takes an answer with orders, some of which are ours.
   * @param isLater  it was requested when they were ours already
   */
  see(orders: readonly WireOrder[], isLater = false): void {
    for (const order of orders) {
      const own = this.#ordersById.get(order.id)
      if (own === undefined) continue
      own.order.see(order, isLater)
      this.#reportEnd(own)
    }
  }

  /** @returns the number of a read of fills that begins now */
  beginRead(): number {
    this.#begunReads += 1
    return this.#begunReads
  }

  /**
   * Reports new fills.
   * @param fills  newest first, as the service lists them
   * @param read   its number, from before it began
   * @returns      true if one of them was known, so that none is missing between it and the newest
   */
  takeFills(fills: readonly WireFill[], read = this.beginRead()): boolean {
    const fresh = fills.filter((fill) => !this.#recognised.has(keyOf(fill)))
    for (const fill of fresh.toReversed()) this.#takeFill(fill)
    this.#completedRead = Math.max(this.#completedRead, read)
    for (const own of this.all) this.#reportEnd(own)
    return fresh.length < fills.length
  }

  /** True for a fill that was seen before. */
  isKnown(fill: Pick<WireFill, 'id' | 'orderId'>): boolean {
    return this.#recognised.has(keyOf(fill))
  }

  /** True if any fill of the account was ever seen. */
  get hasSeenFills(): boolean {
    return this.#recognised.size > 0
  }

  /** True if an answer counts more than the reported fills. */
  get isMissingFills(): boolean {
    return this.all.some(({ owner, order }) => order.missingQty > 0 && this.#options.isReporting(owner))
  }

  /** True while a market order was ended only by an answer that may be too early. */
  get hasOpenMarket(): boolean {
    return this.all.some(({ order }) => order.isOpenMarket)
  }

  /** True if the end of an order is known and its fills must be read before it is reported. */
  get isEnding(): boolean {
    return this.all.some(({ owner, order }) => order.isSeenFinished && this.#options.isReporting(owner))
  }

  /** Reports one or two inferred fills for all missing ones of each order. */
  reportInferred(time: number): void {
    for (const own of this.all.filter(({ owner }) => this.#options.isReporting(owner))) {
      const updates = own.order.reportInferred(time)
      if (updates.length > 0) this.#options.report(own.owner, updates)
      this.#reportEnd(own)
    }
  }

  /** Operator decision: the order is final. */
  end(orderId: string, time: number): void {
    const own = this.#ordersById.get(orderId)
    if (own === undefined) return
    const isReporting = this.#options.isReporting(own.owner)
    const updates = [...(isReporting ? own.order.reportInferred(time) : []), ...own.order.end()]
    if (isReporting) this.#options.report(own.owner, updates)
    this.#reportEnd(own)
  }

  #own(intent: Intent, order: WireOrder, report: PersistedReport | undefined): OwnOrder {
    const { marketOf, fees, exactFeeOf, lastPrice } = this.#options
    const market = marketOf(order.symbol)
    const count = fees.ofOrder(market, exactFeeOf?.(intent.owner, order.id))
    const parts = { market, tag: intent.tag, fees: count, lastPrice, order }
    return { owner: intent.owner, intentId: intent.id, intent, order: new TrackedOrder(parts, report) }
  }

  #takeFill(fill: WireFill): void {
    this.#recognise(fill)
    const { orderId } = fill
    const own = this.#ordersById.get(orderId)
    if (own !== undefined) {
      if (!this.#options.isReporting(own.owner)) return
      this.#options.report(own.owner, own.order.reportFills([fill]))
      this.#reportEnd(own)
      return
    }
    const finished = this.#finishedById.get(orderId) ?? this.#finishedBefore(orderId)
    if (finished !== undefined) {
      this.#takeLate(finished, fill)
      return
    }
    this.#unowned.set(keyOf(fill), fill)
    dropOldest(this.#unowned, MAX_UNOWNED)
  }

  /** An order that an earlier session finished, or this one long ago. */
  #finishedBefore(orderId: string): OwnOrder | undefined {
    const intent = this.#options.intentOf(orderId)
    if (intent?.isFinished !== true || intent.report === undefined) return undefined
    const own = this.#own(intent, orderOf(intent, orderId), intent.report)
    own.order.takeEnd()
    this.#storeFinished(own)
    return own
  }

  #storeFinished(own: OwnOrder): void {
    this.#finishedById.set(own.order.id, own)
    dropOldest(this.#finishedById, MAX_FINISHED)
  }

  #takeLate(own: OwnOrder, fill: WireFill): void {
    if (!this.#options.isReporting(own.owner)) return
    const updates = own.order.reportLate(fill)
    if (updates.length === 0) return
    this.#options.report(own.owner, updates)
    this.#options.onLate(own)
  }

  #reportEnd(own: OwnOrder): void {
    const { order, owner } = own
    const isReporting = this.#options.isReporting(owner)
    if (isReporting ? !order.isFinished && !this.#mayEnd(order) : !order.isSeenFinished) return
    const updates = isReporting ? order.reportEnd() : []
    if (updates.length > 0) this.#options.report(owner, updates)
    if ((isReporting && !order.isFinished) || !this.#ordersById.has(order.id)) return
    this.#ordersById.delete(order.id)
    this.#readsAtEnd.delete(order.id)
    this.#options.onFinished(own)
    if (isReporting) this.#storeFinished(own)
  }

  /**
   * An end is reported after a read of fills that began once it was known: the answer may be older than the last fill.
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
    dropOldest(this.#recognised, MAX_RECOGNISED)
  }
}

/** A self-trade is two fills with one trade id. */
const keyOf = ({ id, orderId }: Pick<WireFill, 'id' | 'orderId'>): string => `${id} ${orderId}`

/** A finished order, as its intent knows it. */
export const orderOf = (intent: Intent, id: string): WireOrder =>
  asIntended(intent, id, intent.filledQty >= intent.qty ? 'FILLED' : 'CANCELLED')

/** An order that the service does not show, as its intent knows it: it counts as open. */
export const unseen = (intent: Intent, id: string): WireOrder =>
  asIntended(intent, id, intent.filledQty > 0 ? 'PARTIALLY_FILLED' : 'OPEN')

const asIntended = (
  { symbol, side, type, price, qty, filledQty, sentAt }: Intent,
  id: string,
  status: WireOrder['status'],
): WireOrder => ({
  id,
  userId: '',
  symbol,
  side,
  type,
  price,
  qty,
  filledQty,
  status,
  averagePrice: undefined,
  createdAt: sentAt,
})
