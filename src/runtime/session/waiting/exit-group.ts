/**
 * Orders that belong together: an entry, orders that rest, and orders that wait for a price, of one market.
 *
 * `open` is what may still be closed: what was filled of the entry, or what was ordered where there is none, less what was filled of the
 * ways out. Invariant: a way out orders no more than is open, and only when the ways out that rest, which have it reserved, are over.
 *
 * Inside of a recorded candle all of that is done there and then, the worse first: a stop before a target, and before a stop what of the
 * entry was filled on the way to it.
 */
import type { MarketReach, ReachStage } from '../../../adapter/market-reach.ts'
import type { OrderFate } from '../../../adapter/live/orders/order-fate.ts'
import { Decimal, toDecimal } from '../../../domain/decimal.ts'
import type { Refusal, RefusalCode } from '../../../domain/refusal.ts'
import type { PlaceIntent } from '../../../strategy/place-intent.ts'
import type { OwnWaitingOrder } from '../../../strategy/waiting-intent.ts'
import type { OrderListener } from '../followed-orders.ts'
import { GroupOrder } from './group-order.ts'
import { GroupOrders } from './group-orders.ts'
import type { ExitPlan, GroupParts, GroupState, WaitEnd } from './group-parts.ts'
import { reachOf } from './price-reach.ts'
import { firstTouched, follow } from './reached-orders.ts'
import { TargetAim } from './target-aim.ts'
import { firedOrder, type WaitingOrder } from './waiting-order.ts'

/** What could not be had now, and may be at the next price. */
const RETRIED: readonly RefusalCode[] = ['RATE_LIMITED', 'NO_LIQUIDITY']
const ZERO = toDecimal(0)

export class ExitGroup {
  readonly id: string
  readonly symbol: string
  readonly #parts: GroupParts
  readonly #plan: ExitPlan | undefined
  #waiting: readonly WaitingOrder[] = []
  readonly #orders: GroupOrders
  #open: Decimal
  readonly #aim: TargetAim
  /** Triggered, while orders are cancelled that stand in its way. */
  #pending: WaitingOrder | undefined
  #isStopMade = false
  /** Began to wait behind a fill in the body of a candle that is not over: the rest of that body counts. */
  #fresh: WaitingOrder | undefined
  /** Of an order of an earlier session nobody knows yet what became of it. */
  #isUnsettled = false
  /** A stop was triggered: there are no targets any more. */
  #isStopped = false
  /** What is left of its orders is cancelled. */
  #isOver = false

  /**
   * @param open  what may be closed from the start, in the base asset
   * @param plan  of a group with an entry
   */
  constructor(id: string, symbol: string, parts: GroupParts, open: Decimal = ZERO, plan?: ExitPlan) {
    this.id = id
    this.symbol = symbol
    this.#parts = parts
    this.#orders = new GroupOrders(parts, () => this.#pending?.id ?? id)
    this.#open = open
    this.#plan = plan
    this.#aim = new TargetAim({
      ...parts,
      // A stop that began in the body of a candle comes before a target.
      mayPlace: () => !this.#isOver && this.#fresh === undefined,
      place: this.#placeTarget,
    })
  }

  get views(): readonly OwnWaitingOrder[] {
    return this.#waiting.map((waiting) => waiting.view(this.id, this.#qtyOf(waiting)))
  }

  get state(): GroupState {
    return {
      ...{ waiting: this.#waiting, orders: this.#orders.all, open: this.#open, unarmed: this.#aim.unarmed },
      ...{ pending: this.#pending, isStopMade: this.#isStopMade, isStopped: this.#isStopped, isOver: this.#isOver },
    }
  }

  /** True while it has to hear of prices: for what waits or may wait again, and for cancels and targets that are asked for again. */
  get needsPrices(): boolean {
    if (this.#waiting.length > 0 || this.#isUnsettled || this.#aim.isRefused) return true
    return this.#orders.all.some(({ isUnwanted, fired }) => isUnwanted || fired !== undefined)
  }

  has(id: string): boolean {
    return !this.#isOver && (id === this.id || this.#waiting.some((waiting) => waiting.id === id))
  }

  /** Goes on where an earlier session was killed: what became of its orders since counts first. */
  resume(state: GroupState): void {
    this.#waiting = state.waiting
    this.#orders.resume(state.orders)
    this.#open = state.open
    this.#aim.resume(state.unarmed)
    this.#pending = state.pending
    this.#isStopMade = state.isStopMade
    this.#isStopped = state.isStopped
    this.#isOver = state.isOver
    this.#resumeOrders()
    this.#aim.aimWhenBalanced()
    this.#settle()
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

  /** The market came to a price, or to all of a candle. */
  onReach(reach: MarketReach): void {
    const { stage } = reach
    if (this.#isUnsettled) this.#resumeOrders()
    if (stage === undefined || stage === 'open') this.#orders.cancelAgain()
    if (this.#isOver) return
    const first = firstTouched(this.#waiting, reach, this.#fresh)
    if (first !== undefined) this.#trigger(first, reach)
    else if (stage === 'ended' && this.#pending?.isStop === true) this.#fireInside(this.#pending, stage)
    if (stage !== 'body' && follow(this.#waiting, reach, this.#fresh)) this.#parts.onChange()
    if (stage === undefined || stage === 'open') this.#aim.onPrice()
    if (this.#fresh === undefined) return
    this.#fresh = undefined
    this.#aim.aim()
  }

  /** Orders that were to come to an open are there. */
  arm(): void {
    for (const waiting of this.#waiting) waiting.isArmed = true
  }

  /** Ends one of its waiting orders, or all of it. @param id  of either */
  cancel(id: string, why: 'cancelled' | 'expired', cancelsOrders: boolean): void {
    if (this.#isOver) return
    if (id !== this.id) {
      const waiting = this.#waiting.find((each) => each.id === id)
      if (waiting !== undefined) this.#drop(waiting, why)
      this.#settle()
      return
    }
    this.#dropAll(why)
    this.#pending = undefined
    this.#isOver = true
    this.#orders.giveUp(cancelsOrders)
    this.#parts.onChange()
    this.#settle()
  }

  cancelOrders(): void {
    this.#orders.giveUp(true)
  }

  /** What is left of the entry is given up; the ways out of what was filled stay. */
  expireEntry(): void {
    for (const order of this.#orders.all) if (order.role === 'entry') this.#orders.cancel(order)
  }

  #trigger(waiting: WaitingOrder, reach: MarketReach): void {
    const { stage, last } = reach
    if (this.#pending?.isStop === true) return
    if (!waiting.isDue) this.#parts.onTriggered(waiting, waiting.touchedBy(reach) ?? last)
    this.#pending = waiting
    this.#isStopped ||= waiting.isStop
    // Inside of a candle nobody knows what would have become of a limit order.
    if (stage === 'open' || (stage !== undefined && waiting.terms.limit === undefined)) {
      this.#fireInside(waiting, stage)
      return
    }
    for (const order of this.#orders.inTheWayOf(waiting)) this.#orders.cancel(order)
    this.#settle()
  }

  /** There and then, if all that stands in its way can be ended there and then. */
  #fireInside(waiting: WaitingOrder, stage: ReachStage): void {
    if (!this.#orders.endInside(waiting, stage)) return
    this.#pending = undefined
    this.#fire(waiting, waiting.price)
  }

  /** Goes on where nothing stands in the way any more. */
  #settle(): void {
    if (this.#isOver) {
      if (this.#orders.areNone) this.#parts.onOver()
      return
    }
    const pending = this.#pending
    if (pending !== undefined) {
      if (this.#orders.inTheWayOf(pending).length > 0) return
      this.#pending = undefined
      this.#fire(pending)
      return
    }
    if (!this.#orders.areNone || this.#aim.unarmed.gt(0) || (this.#waiting.length > 0 && this.#open.gt(0))) return
    this.#dropAll('excluded')
    this.#isOver = true
    this.#parts.onOver()
  }

  /** @param inside  where it was triggered inside of a recorded candle */
  #fire(waiting: WaitingOrder, inside?: Decimal): void {
    const qty = this.#qtyOf(waiting)
    const isMarket = waiting.terms.limit === undefined
    if (isMarket) for (const other of this.#waiting) if (other !== waiting) this.#drop(other, 'excluded')
    if (qty.isZero() || !isMarket) this.#drop(waiting, 'done')
    else this.#remove(waiting)
    if (qty.isZero()) this.#settle()
    else this.#place('exit', waiting.id, firedOrder(waiting.terms, qty), isMarket ? waiting : undefined, inside)
  }

  /** @param fired  the waiting order that became it, if it may ask again */
  #place(role: GroupOrder['role'], by: string, intent: PlaceIntent, fired?: WaitingOrder, inside?: Decimal): void {
    const order = new GroupOrder(role, by, intent, fired)
    this.#orders.add(order)
    this.#parts.onChange()
    this.#parts.place(by, intent, this.#listenerOf(order), inside)
  }

  #listenerOf(order: GroupOrder): OrderListener {
    return {
      onAsked: (reference) => {
        order.reference = reference
        order.link = this.#parts.linkOf(reference)
        this.#parts.onChange()
      },
      onTaken: ({ id }) => {
        order.id = id
        if (order.isUnwanted) this.#orders.cancel(order)
        this.#parts.onChange()
      },
      onFill: ({ qty, price }) => {
        order.filled = order.filled.plus(qty)
        this.#onFill(order.role, qty, price)
      },
      onRefused: (refusal) => {
        this.#onRefused(order, refusal)
      },
      onEnd: () => {
        this.#onEnd(order)
      },
      isWanted: () => !order.isUnwanted,
    }
  }

  #onRefused(order: GroupOrder, refusal: Refusal | undefined): void {
    this.#orders.delete(order)
    this.#parts.onChange()
    const isLater = refusal !== undefined && RETRIED.includes(refusal.code)
    if (order.fired !== undefined) this.#onFiredEnd(order.fired, refusal === undefined || isLater)
    // One without an answer may come yet, and would sell beside another: it is not asked for again.
    else if (isLater && this.#isMissed(order)) this.#aim.addRefused(toDecimal(order.intent.qty).minus(order.filled))
    this.#settle()
  }

  /** True for a target, which a bracket has beside its stop, unless that has made it needless or somebody gave it up. */
  #isMissed({ role, isUnwanted }: GroupOrder): boolean {
    return role === 'exit' && this.#plan !== undefined && !isUnwanted && !this.#isOver && !this.#isStopped
  }

  #onEnd(order: GroupOrder): void {
    this.#orders.delete(order)
    if (order.fired !== undefined) this.#onFiredEnd(order.fired, true)
    this.#parts.onChange()
    this.#settle()
  }

  /** Counts what became of orders of an earlier session; one that a person has to decide is looked for again later. */
  #resumeOrders(): void {
    this.#isUnsettled = false
    const unsent: GroupOrder[] = []
    for (const order of this.#orders.all.filter(({ isFollowed }) => !isFollowed)) {
      const fate = order.link === undefined ? ({ type: 'unsent' } as const) : this.#parts.fateOf(order.link)
      if (fate.type === 'unknown') this.#isUnsettled = true
      else if (fate.type === 'unsent') unsent.push(order)
      else if (fate.type === 'absent') this.#onRefused(order, undefined)
      else this.#found(order, fate)
    }
    // Behind the fills of the others, which say how much is left to ask for.
    for (const order of unsent) this.#askAgain(order)
  }

  #found(order: GroupOrder, { type, orderId, filled }: Extract<OrderFate, { readonly filled: Decimal }>): void {
    order.id = orderId
    order.isFollowed = true
    if (type === 'open') this.#parts.follow(orderId, this.#listenerOf(order))
    const missed = filled.minus(order.filled)
    order.filled = filled
    this.#parts.onChange()
    if (missed.gt(0)) this.#onFill(order.role, missed)
    if (type === 'over') this.#onEnd(order)
    else if (order.isUnwanted) this.#orders.cancel(order)
  }

  /** It never left. What would open a position is given up: it was asked for in another market. */
  #askAgain(order: GroupOrder): void {
    this.#orders.delete(order)
    this.#parts.onChange()
    const { role, by, intent, fired, isUnwanted } = order
    const qty = Decimal.min(intent.qty, Decimal.max(this.#open, ZERO))
    if (fired !== undefined) this.#onFiredEnd(fired, true)
    else if (role === 'exit' && !isUnwanted && !this.#isOver && qty.gt(0)) this.#place(role, by, { ...intent, qty })
    this.#settle()
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

  /** @param price  undefined when it is not known any more */
  #onFill(role: GroupOrder['role'], qty: Decimal, price?: Decimal): void {
    if (role === 'exit') {
      this.#open = this.#open.minus(qty)
      this.#parts.onChange()
      return
    }
    this.#open = this.#open.plus(qty)
    this.#aim.add(qty)
    if (!this.#isOver) this.#protect(price)
    this.#aim.aimWhenBalanced()
  }

  /** @param price  at which the entry was filled */
  #protect(price: Decimal | undefined): void {
    if (this.#plan?.stop === undefined || this.#isStopMade) return
    this.#isStopMade = true
    const waiting = this.#plan.stop()
    this.wait(waiting)
    this.#plan.onWait(waiting)
    const { insides } = this.#parts
    if (insides === undefined || price === undefined) return
    // The rest of the recorded candle counts, and where it stood at the fill is where it opened, or the limit.
    const stood = insides.open ?? price
    if (insides.open === undefined) this.#fresh = waiting
    if (!waiting.beginAt(reachOf(stood))) return
    this.#parts.onTriggered(waiting, stood)
    this.#isStopped = true
  }

  /** A stop that was triggered meanwhile closes all. */
  readonly #placeTarget = (qty: Decimal): void => {
    const target = this.#plan?.target
    if (target !== undefined && !this.#isStopped) this.#place('exit', this.id, target(qty))
    this.#settle()
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
