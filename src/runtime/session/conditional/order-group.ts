/**
 * Bracket and OCO state machine: an entry, resting orders and conditional orders of one market.
 *
 * `open` is the quantity that may still be closed: the filled entry (or the ordered quantity, if there is no entry),
 * minus fills of exits, minus what was closed in another way.
 * Invariant: an exit orders no more than is open, and only once the resting exits, which have it reserved, are over.
 * Within a recorded candle everything is executed immediately, worst outcome first: a stop before a target, and before
 * a stop the part of the entry that is filled on the way to it.
 */
import type { PriceRange, BarPhase } from '../../../adapter/intrabar-execution.ts'
import { Decimal, ZERO } from '../../../domain/decimal.ts'
import type { Side } from '../../../domain/order.ts'
import type { Refusal, Refuser } from '../../../domain/refusal.ts'
import type { PlaceIntent } from '../../../strategy/place-intent.ts'
import type { OwnWaitingOrder } from '../../../strategy/waiting-intent.ts'
import type { OrderFollower } from '../followed-orders.ts'
import { EarlierOrders } from './earlier-orders.ts'
import { GroupOrder } from './group-order.ts'
import { GroupOrders } from './group-orders.ts'
import { followerOf, type GroupOrderEvent } from './group-order-events.ts'
import type { ExitPlan, GroupParts, GroupState } from './group-parts.ts'
import { GroupConditionals } from './group-conditionals.ts'
import { priceRangeOf } from './price-range.ts'
import { RetryPause, retryOf } from './refused-exit.ts'
import { TargetPlacement } from './target-placement.ts'
import { firedOrder, type ConditionalOrder } from './conditional-order.ts'

export class OrderGroup {
  readonly id: string
  readonly symbol: string
  /** Side of its exits. */
  readonly exitSide: Side
  readonly #parts: GroupParts
  readonly #plan: ExitPlan | undefined
  readonly waits: GroupConditionals
  readonly orders: GroupOrders
  readonly #earlier: EarlierOrders
  readonly #pause: RetryPause
  #open: Decimal
  readonly #target: TargetPlacement
  /** Triggered conditional order that waits for cancels of orders in its way. */
  #pending: ConditionalOrder | undefined
  #isStopMade = false
  /** A stop was triggered: there are no more targets. */
  #isStopped = false
  /** True once the group has ended: its remaining orders are cancelled. */
  #isOver = false
  /** The strategy or its expiry has ended it: its holdings are unprotected. */
  isGivenUp = false
  #isResuming = false

  /**
   * @param open  quantity that may be closed from the start, in the base asset
   * @param plan  of a group with an entry
   */
  constructor(
    { id, symbol, exitSide }: Pick<OrderGroup, 'id' | 'symbol' | 'exitSide'>,
    parts: GroupParts,
    open: Decimal = ZERO,
    plan?: ExitPlan,
  ) {
    this.id = id
    this.symbol = symbol
    this.exitSide = exitSide
    this.#parts = parts
    this.#open = open
    this.#plan = plan
    this.waits = new GroupConditionals(parts.onWaitEnd)
    this.#pause = new RetryPause({ after: parts.after, onOver: this.#onPauseOver })
    this.orders = new GroupOrders({
      ...parts,
      by: () => this.#pending?.id ?? id,
      onCancelLost: this.#pause.begin,
    })
    this.#target = new TargetPlacement({
      ...parts,
      unoffered: () => (this.#hasTarget ? this.held.minus(this.orders.exiting) : ZERO),
      // A stop armed inside the current bar goes before a target.
      mayPlace: () => this.waits.armedInsideCandle === undefined && !this.#pause.isOn && !this.#isResuming,
      place: (qty) => {
        if (plan?.target !== undefined) this.#place('exit', id, plan.target(qty))
      },
    })
    const { fateOf, follow } = parts
    const followerOf = this.#followerOf
    this.#earlier = new EarlierOrders({ fateOf, follow, orders: this.orders, process: this.#process, followerOf })
  }

  /** Applies an event of one of its orders. */
  readonly #process = (order: GroupOrder, event: GroupOrderEvent): void => {
    const { type } = event
    if (type === 'accepted') this.#pause.reset()
    else if (type === 'filled') this.#onFill(order, event.qty, event.price)
    else if (type === 'refused') this.#onRefused(order, event.refusal, event.by)
    else if (type === 'appeared') this.#onLate(order)
    else if (type === 'ended') this.#onEnd(order)
    else this.#askAgain(order)
  }

  get views(): readonly OwnWaitingOrder[] {
    return this.waits.all.map((waiting) => waiting.view(this.id, this.#qtyOf(waiting)))
  }

  get state(): GroupState {
    return {
      ...{ waiting: this.waits.all, orders: this.orders.all, absent: this.orders.absent },
      open: this.#open,
      unarmed: this.#target.unarmed,
      ...{ pending: this.#pending, isStopMade: this.#isStopMade, isStopped: this.#isStopped, isOver: this.#isOver },
    }
  }

  /** Quantity that it may still close, in the base asset; 0 once it has ended. */
  get held(): Decimal {
    return this.#isOver ? ZERO : Decimal.max(this.#open, ZERO)
  }

  /** The part of it that no order of the group has reserved at the exchange. */
  get unreserved(): Decimal {
    return Decimal.max(this.held.minus(this.orders.exiting), ZERO)
  }

  /** True for a bracket, which protects what its entry bought. */
  get isBracket(): boolean {
    return this.#plan !== undefined
  }

  /** True while it needs prices: for active or retried conditional orders, cancels and targets. */
  get needsPrices(): boolean {
    if (!this.waits.areNone || this.#earlier.areUnsettled || this.#target.isRefused) return true
    return this.orders.all.some(({ isUnwanted, fired }) => isUnwanted || fired !== undefined)
  }

  has(id: string): boolean {
    return !this.#isOver && (id === this.id || this.waits.find(id) !== undefined)
  }

  /** Restores the state of an earlier session; later fates of its orders are applied first. `goOn` follows. */
  resume(state: GroupState): void {
    this.waits.resume(state.waiting)
    this.orders.resume(state.orders, state.absent)
    this.#open = state.open
    this.#pending = state.pending
    this.#isStopMade = state.isStopMade
    this.#isStopped = state.isStopped
    this.#isOver = state.isOver
    this.#target.resume(state.unarmed)
    this.#isResuming = true
    this.#earlier.look()
  }

  /** Acts on the restored state. */
  goOn(): void {
    this.#isResuming = false
    this.#target.placeWhenBalanced()
    this.#settle()
  }

  ask(role: GroupOrder['role'], intent: PlaceIntent): void {
    this.#place(role, this.id, intent)
  }

  /** The market has reached a price, or covered a candle's range. */
  onReach(reach: PriceRange): void {
    const { stage } = reach
    if (this.#earlier.areUnsettled) this.#earlier.look()
    if (stage === undefined || stage === 'open') this.orders.cancelAgain()
    if (this.#isOver) return
    const first = this.waits.firstTouched(reach, this.#pause.isOn)
    if (first !== undefined) this.#trigger(first, reach)
    else if (stage === 'ended' && this.#pending?.isStop === true) this.#fireInside(this.#pending, stage)
    if (stage !== 'body') this.waits.follow(reach)
    if (stage === undefined || stage === 'open') this.#target.onPrice()
    if (this.waits.armedInsideCandle === undefined) return
    this.waits.armedInsideCandle = undefined
    this.#target.place()
  }

  /** Ends one of its conditional orders, or all of it. @param id  of either */
  cancel(id: string, why: 'cancelled' | 'expired', cancelsOrders: boolean): void {
    if (this.#isOver) return
    if (id !== this.id) {
      const waiting = this.waits.find(id)
      if (waiting !== undefined) this.waits.drop(waiting, why)
      if (this.#pending === waiting) this.#pending = undefined
      this.#settle()
      return
    }
    this.waits.dropAll(why)
    this.#pending = undefined
    this.#isOver = true
    this.isGivenUp = true
    this.orders.giveUp(cancelsOrders)
    this.#settle()
  }

  /**
   * Takes a quantity that was closed in another way. @returns the part that belonged to the group, in the base asset
   */
  reduce(qty: Decimal): Decimal {
    const closed = Decimal.min(qty, this.held)
    if (closed.isZero()) return closed
    this.#open = this.#open.minus(closed)
    this.orders.trimTo(this.held)
    this.#target.limit()
    if (this.held.isZero() && !this.orders.isEntering) {
      this.#pending = undefined
      this.waits.dropAll('closed')
    }
    this.#settle()
    return closed
  }

  #trigger(waiting: ConditionalOrder, reach: PriceRange): void {
    const { stage, last } = reach
    if (this.#pending?.isStop === true) return
    if (!waiting.isDue) this.#parts.onTriggered(waiting, waiting.touchedBy(reach) ?? last)
    this.#pending = waiting
    this.#isStopped ||= waiting.isStop
    // The fill of a limit order inside a candle is unknowable.
    if (stage === 'open' || (stage !== undefined && waiting.terms.limit === undefined)) {
      this.#fireInside(waiting, stage)
      return
    }
    for (const order of this.orders.inTheWayOf(waiting)) this.orders.cancel(order)
    this.#settle()
  }

  /** Executes immediately, if everything in its way can be ended immediately. */
  #fireInside(waiting: ConditionalOrder, stage: BarPhase): void {
    if (!this.orders.endInside(waiting, stage)) return
    this.#pending = undefined
    this.#fire(waiting, waiting.price)
  }

  /** Continues once nothing is in the way any more. */
  #settle(): void {
    if (this.#isResuming) return
    if (this.#isOver) {
      if (this.orders.areNone) this.#parts.onOver()
      return
    }
    const pending = this.#pending
    if (pending !== undefined) {
      if (this.orders.inTheWayOf(pending).length > 0) return
      this.#pending = undefined
      this.#fire(pending)
      return
    }
    if (!this.orders.areNone || this.#target.unarmed.gt(0) || (!this.waits.areNone && this.#open.gt(0))) return
    this.waits.dropAll('excluded')
    this.#isOver = true
    this.#parts.onOver()
  }

  /** @param inside  trigger price inside a recorded candle */
  #fire(waiting: ConditionalOrder, inside?: Decimal): void {
    const qty = this.#qtyOf(waiting)
    const isMarket = waiting.terms.limit === undefined
    if (isMarket) this.waits.dropAll('excluded', waiting)
    if (qty.isZero() || !isMarket) this.waits.drop(waiting, 'done')
    else this.waits.remove(waiting)
    if (qty.isZero()) this.#settle()
    else this.#place('exit', waiting.id, firedOrder(waiting.terms, qty), isMarket ? waiting : undefined, inside)
  }

  /** @param fired  the conditional order that placed it, if it may be triggered again */
  #place(role: GroupOrder['role'], by: string, intent: PlaceIntent, fired?: ConditionalOrder, inside?: Decimal): void {
    const order = new GroupOrder(role, by, intent, fired)
    this.orders.add(order)
    this.#parts.place(by, intent, this.#followerOf(order), { inside, isExit: role === 'exit' })
  }

  readonly #followerOf = (order: GroupOrder): OrderFollower =>
    followerOf(order, this.orders, this.#process, this.#parts.linkOf)

  /** @param refusal  undefined for an order assumed absent, which may still appear */
  #onRefused(order: GroupOrder, refusal: Refusal | undefined, by: Refuser | undefined): void {
    const retry = refusal === undefined ? 'price' : retryOf(refusal, by)
    const { fired } = order
    if (refusal === undefined && order.role === 'exit') this.orders.assumeAbsent(order)
    else this.orders.delete(order)
    if (retry === 'pause') this.#pause.begin()
    if (fired !== undefined) this.#onFiredEnd(fired, retry !== 'never')
    else if (order.role === 'exit' && this.#hasTarget) this.#target.onRefused(order, retry)
    this.#settle()
  }

  /** An order assumed absent has appeared: its excess over the holdings is cancelled. */
  #onLate(order: GroupOrder): void {
    if (this.#isOver || this.#isStopped) this.orders.cancel(order)
    else this.orders.trimTo(this.held)
    this.#settle()
  }

  #onEnd(order: GroupOrder): void {
    this.orders.delete(order)
    if (order.fired !== undefined) this.#onFiredEnd(order.fired, true)
    else if (this.#hasTarget && order.role === 'exit') this.#target.onEnd(order)
    else if (order.isTrimmed) this.#askForRest(order)
    this.#settle()
  }

  /** Orders the rest after a resting exit offered more than is held. */
  #askForRest(order: GroupOrder): void {
    const qty = Decimal.min(order.left, this.unreserved)
    const isStill = !this.#isOver && this.#pending === undefined && !this.#isStopped
    if (isStill && qty.gt(0)) this.#place('exit', order.by, { ...order.intent, qty })
  }

  /** It was never sent. An entry is dropped, because it was meant for a market of an earlier time. */
  #askAgain(order: GroupOrder): void {
    this.orders.delete(order)
    const { role, by, intent, fired, isUnwanted } = order
    const qty = Decimal.min(order.left, this.held)
    if (fired !== undefined) this.#onFiredEnd(fired, true)
    else if (this.#hasTarget) this.#target.askAtNextPrice()
    else if (role === 'exit' && !isUnwanted && qty.gt(0)) this.#place(role, by, { ...intent, qty })
    this.#settle()
  }

  /** A stop that was not completely filled orders the rest at the next price. */
  #onFiredEnd(fired: ConditionalOrder, isRetried: boolean): void {
    if (this.#isOver || !isRetried || this.#qtyOf(fired).isZero()) {
      this.#parts.onWaitEnd(fired.id, isRetried ? 'done' : 'refused')
      return
    }
    fired.isDue = true
    this.waits.add(fired)
  }

  /** Retries locally refused requests. */
  readonly #onPauseOver = (): void => {
    this.orders.cancelAgain()
    this.#target.placeWhenBalanced()
    if (this.waits.all.some(({ isDue }) => isDue)) this.#parts.showPrice()
  }

  /** @param price  undefined if it is no longer known */
  #onFill(order: GroupOrder, qty: Decimal, price: Decimal | undefined): void {
    if (order.role === 'exit') {
      this.#open = this.#open.minus(qty)
      if (!this.orders.all.includes(order)) this.orders.trimTo(this.held)
      return
    }
    this.#open = this.#open.plus(qty)
    if (!this.#isOver) this.#protect(price)
    this.#target.placeWhenBalanced()
  }

  /** @param price  fill price of the entry */
  #protect(price: Decimal | undefined): void {
    if (this.#plan?.stop === undefined || this.#isStopMade) return
    this.#isStopMade = true
    const waiting = this.#plan.stop()
    this.waits.add(waiting)
    this.#plan.onWait(waiting)
    const { insides } = this.#parts
    if (insides === undefined || price === undefined) return
    // The rest of the candle counts; at the fill the market was at the candle's open, or else at the limit.
    const stood = insides.open ?? price
    if (insides.open === undefined) this.waits.armedInsideCandle = waiting
    if (!waiting.beginAt(priceRangeOf(stood))) return
    this.#parts.onTriggered(waiting, stood)
    this.#isStopped = true
    // After everything that the open fills.
    if (insides.open !== undefined) this.#parts.after(0, this.#parts.showPrice)
  }

  /** False after a stop was triggered, because it closes everything. */
  get #hasTarget(): boolean {
    return this.#plan?.target !== undefined && !this.#isStopped && !this.#isOver
  }

  #qtyOf({ terms: { qty } }: ConditionalOrder): Decimal {
    return qty === undefined ? this.held : Decimal.min(qty, this.held)
  }
}
