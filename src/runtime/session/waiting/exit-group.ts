/**
 * Orders that belong together: an entry, orders that rest, and orders that wait for a price, of one market.
 *
 * `open` is what may still be closed: what was filled of the entry, or what was ordered where there is none, less what was filled of the
 * ways out. Invariant: a way out orders no more than is open, and only when the ways out that rest, which have it reserved, are over.
 */
import type { RequestOutcome } from '../../../adapter/exchange-adapter.ts'
import { Decimal, toDecimal } from '../../../domain/decimal.ts'
import type { RefusalCode } from '../../../domain/refusal.ts'
import type { PlaceIntent } from '../../../strategy/place-intent.ts'
import type { OwnWaitingOrder } from '../../../strategy/waiting-intent.ts'
import type { WAIT_ENDS } from '../../journal/journal-line.ts'
import type { OrderListener } from '../followed-orders.ts'
import { GroupOrder } from './group-order.ts'
import type { WaitingOrder } from './waiting-order.ts'

/** Why a waiting order waits no more. */
export type WaitEnd = (typeof WAIT_ENDS)[number]

export interface GroupParts {
  readonly place: (by: string, intent: PlaceIntent, listener: OrderListener) => void
  readonly cancel: (by: string, orderId: string, reply: (outcome: RequestOutcome) => void) => void
  readonly onTriggered: (waiting: WaitingOrder, price: Decimal) => void
  readonly onWaitEnd: (id: string, why: WaitEnd) => void
  /** Something of it is another than it was. */
  readonly onChange: () => void
  /** Nothing of it is left. */
  readonly onOver: () => void
  /** Calls when the balances count the fills that were told. */
  readonly whenBalanced: (action: () => void) => void
}

/** What is placed and waits for each part of the entry that was filled. */
export interface ExitPlan {
  /** Undefined for none. */
  readonly stop: (() => WaitingOrder) | undefined
  readonly target: ((qty: Decimal) => PlaceIntent) | undefined
  /** The stop begins to wait. */
  readonly onWait: (waiting: WaitingOrder) => void
}

/** What could not be had now, and may be at the next price. */
const RETRIED: readonly RefusalCode[] = ['RATE_LIMITED', 'NO_LIQUIDITY']
const ZERO = toDecimal(0)

export class ExitGroup {
  readonly id: string
  readonly symbol: string
  readonly #parts: GroupParts
  readonly #plan: ExitPlan | undefined
  #waiting: readonly WaitingOrder[] = []
  readonly #orders = new Set<GroupOrder>()
  #open: Decimal
  /** Filled of the entry, without its ways out yet. */
  #unarmed = ZERO
  /** Triggered, while orders are cancelled that stand in its way. */
  #pending: WaitingOrder | undefined
  #isStopMade = false
  /** A stop was triggered: there are no targets any more. */
  #isStopped = false
  #isOver = false

  /**
   * @param open  what may be closed from the start, in the base asset
   * @param plan  of a group with an entry
   */
  constructor(id: string, symbol: string, parts: GroupParts, open: Decimal = ZERO, plan?: ExitPlan) {
    this.id = id
    this.symbol = symbol
    this.#parts = parts
    this.#open = open
    this.#plan = plan
  }

  get views(): readonly OwnWaitingOrder[] {
    return this.#waiting.map((waiting) => waiting.view(this.id, this.#qtyOf(waiting)))
  }

  get hasWaiting(): boolean {
    return this.#waiting.length > 0
  }

  has(id: string): boolean {
    return id === this.id || this.#waiting.some((waiting) => waiting.id === id)
  }

  /** Lets an order wait. */
  wait(waiting: WaitingOrder): void {
    this.#waiting = [...this.#waiting, waiting]
    this.#parts.onChange()
  }

  enter(intent: PlaceIntent): void {
    this.#place('entry', this.id, intent)
  }

  rest(intent: PlaceIntent): void {
    this.#place('exit', this.id, intent)
  }

  /** The market is at a price. */
  onPrice(price: Decimal): void {
    if (this.#isOver) return
    this.#askCancelsAgain()
    const touched = this.#waiting.filter((waiting) => waiting.isDue || waiting.isTouched(price))
    // Of those that one price triggers, the worse counts.
    const first = touched.find(({ isStop }) => isStop) ?? touched[0]
    if (first !== undefined) this.#trigger(first, price)
    let isMoved = false
    for (const waiting of this.#waiting) isMoved = waiting.follow(price) || isMoved
    if (isMoved) this.#parts.onChange()
  }

  /** Ends one of its waiting orders, or all of it. @param id  of either */
  cancel(id: string, why: 'cancelled' | 'expired', cancelsOrders: boolean): void {
    if (id !== this.id) {
      const waiting = this.#waiting.find((each) => each.id === id)
      if (waiting !== undefined) this.#drop(waiting, why)
      this.#settle()
      return
    }
    this.#dropAll(why)
    this.#pending = undefined
    this.#isOver = true
    if (cancelsOrders) for (const order of this.#orders) this.#askCancel(order)
    for (const order of this.#orders) order.isUnwanted = true
    this.#parts.onOver()
  }

  /** What is left of the entry is given up; the ways out of what was filled stay. */
  expireEntry(): void {
    for (const order of this.#orders) if (order.role === 'entry') this.#askCancel(order)
  }

  #trigger(waiting: WaitingOrder, price: Decimal): void {
    if (this.#pending?.isStop === true) return
    if (!waiting.isDue) this.#parts.onTriggered(waiting, price)
    this.#pending = waiting
    this.#isStopped ||= waiting.isStop
    for (const order of this.#orders) if (order.role === 'exit' || waiting.isStop) this.#askCancel(order)
    this.#settle()
  }

  /** Goes on where nothing stands in the way any more. */
  #settle(): void {
    if (this.#isOver) return
    const pending = this.#pending
    const isBlocked = [...this.#orders].some(({ role }) => role === 'exit' || pending?.isStop === true)
    if (pending !== undefined) {
      if (isBlocked) return
      this.#pending = undefined
      this.#fire(pending)
      return
    }
    if (this.#orders.size > 0 || this.#unarmed.gt(0) || (this.#waiting.length > 0 && this.#open.gt(0))) return
    this.#dropAll('excluded')
    this.#isOver = true
    this.#parts.onOver()
  }

  #fire(waiting: WaitingOrder): void {
    const { symbol, side, limit, tag } = waiting.terms
    const qty = this.#qtyOf(waiting)
    const tagged = tag === undefined ? {} : { tag }
    const isMarket = limit === undefined
    if (isMarket) for (const other of this.#waiting) if (other !== waiting) this.#drop(other, 'excluded')
    if (qty.isZero() || !isMarket) this.#drop(waiting, 'done')
    else this.#remove(waiting)
    if (qty.isZero()) {
      this.#settle()
      return
    }
    const intent: PlaceIntent = isMarket
      ? { type: 'market', symbol, side, qty, ...tagged }
      : { type: 'limit', symbol, side, price: limit, qty, ...tagged }
    this.#place('exit', waiting.id, intent, isMarket ? waiting : undefined)
  }

  /** @param fired  the waiting order that became it, if it may ask again */
  #place(role: GroupOrder['role'], by: string, intent: PlaceIntent, fired?: WaitingOrder): void {
    const order = new GroupOrder(role, by)
    this.#orders.add(order)
    this.#parts.onChange()
    this.#parts.place(by, intent, {
      onTaken: ({ id }) => {
        order.id = id
        if (order.isUnwanted) this.#askCancel(order)
        this.#parts.onChange()
      },
      onFill: ({ qty }) => {
        this.#onFill(role, qty)
      },
      onRefused: (refusal) => {
        this.#orders.delete(order)
        if (fired !== undefined) this.#onFiredEnd(fired, refusal === undefined || RETRIED.includes(refusal.code))
        this.#settle()
      },
      onEnd: () => {
        this.#orders.delete(order)
        if (fired !== undefined) this.#onFiredEnd(fired, true)
        this.#parts.onChange()
        this.#settle()
      },
    })
  }

  /** A stop that did not find all that it asked for asks again, at the next price. */
  #onFiredEnd(fired: WaitingOrder, isRetried: boolean): void {
    if (this.#isOver || !isRetried || this.#qtyOf(fired).isZero()) {
      this.#parts.onWaitEnd(fired.id, isRetried ? 'done' : 'refused')
      return
    }
    fired.isDue = true
    this.wait(fired)
  }

  #onFill(role: GroupOrder['role'], qty: Decimal): void {
    if (role === 'exit') {
      this.#open = this.#open.minus(qty)
      this.#parts.onChange()
      return
    }
    this.#open = this.#open.plus(qty)
    this.#unarmed = this.#unarmed.plus(qty)
    this.#parts.onChange()
    if (!this.#isOver) this.#protect()
    // What was filled together has one target.
    this.#parts.whenBalanced(() => {
      this.#aim()
    })
  }

  #protect(): void {
    if (this.#plan?.stop === undefined || this.#isStopMade) return
    this.#isStopMade = true
    const waiting = this.#plan.stop()
    this.wait(waiting)
    this.#plan.onWait(waiting)
  }

  #aim(): void {
    const qty = this.#unarmed
    if (qty.isZero() || this.#isOver) return
    this.#unarmed = ZERO
    const target = this.#plan?.target
    // A stop that was triggered meanwhile closes all.
    if (target !== undefined && !this.#isStopped) this.#place('exit', this.id, target(qty))
    this.#settle()
  }

  #askCancel(order: GroupOrder): void {
    const { id } = order
    order.isUnwanted = true
    if (id === undefined || order.isCancelAsked) return
    order.isCancelAsked = true
    this.#parts.cancel(this.#pending?.id ?? this.id, id, (outcome) => {
      // Refused for a limit of requests, or nobody knows: it is asked again at the next price.
      if (outcome.type !== 'acknowledged') order.isCancelAsked = false
    })
  }

  #askCancelsAgain(): void {
    for (const order of this.#orders) if (order.isUnwanted) this.#askCancel(order)
  }

  #drop(waiting: WaitingOrder, why: WaitEnd): void {
    this.#remove(waiting)
    this.#parts.onWaitEnd(waiting.id, why)
  }

  #remove(waiting: WaitingOrder): void {
    this.#waiting = this.#waiting.filter((other) => other !== waiting)
    if (this.#pending === waiting) this.#pending = undefined
    this.#parts.onChange()
  }

  #dropAll(why: WaitEnd): void {
    for (const waiting of this.#waiting) this.#drop(waiting, why)
  }

  #qtyOf({ terms: { qty } }: WaitingOrder): Decimal {
    const open = Decimal.max(this.#open, ZERO)
    return qty === undefined ? open : Decimal.min(qty, open)
  }
}
