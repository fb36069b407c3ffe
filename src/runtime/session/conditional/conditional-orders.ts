/**
 * Conditional orders of a session, in groups: accepted, listed, triggered by prices, and ended by time or by the
 * strategy.
 *
 * Invariant: the journal has every event before the strategy receives it.
 */
import type { ExchangeAdapter } from '../../../adapter/exchange-adapter.ts'
import type { IntrabarExecution } from '../../../adapter/intrabar-execution.ts'
import { toDecimal, type Decimal } from '../../../domain/decimal.ts'
import type { Refusal } from '../../../domain/refusal.ts'
import type { PlaceIntent } from '../../../strategy/place-intent.ts'
import type { BracketIntent, OcoIntent, OwnWaitingOrder, WaitingIntent } from '../../../strategy/waiting-intent.ts'
import type { FreshBalances } from '../fresh-balances.ts'
import { OrderGroup } from './order-group.ts'
import type { ExitPlan, GroupParts, GroupState, TakenUpOrder, WaitEnd } from './group-parts.ts'
import { readBracket, readGroup, type BracketTerms, type GroupTerms } from './group-terms.ts'
import type { PersistedGroup, PersistedHoldings } from '../../../store/state/live/persisted-conditional.ts'
import { opposite, type Side } from '../../../domain/order.ts'
import type { OwnFill } from '../../../strategy/own-order.ts'
import { exitSideOf, readPersisted, type GroupFrame } from './persisted-group.ts'
import { PriceFeeds } from './price-feeds.ts'
import { priceRangeOf } from './price-range.ts'
import type { ConditionalOrderStore } from './conditional-order-store.ts'
import { OrderGroupRegistry } from './order-group-registry.ts'
import type { ConditionalTerms } from '../../conditional-order-terms.ts'
import { ConditionalOrder } from './conditional-order.ts'
import type { MarketOf } from './conditional-terms.ts'

/** Intents from which the session places orders later. */
export type LaterIntent = WaitingIntent | OcoIntent | BracketIntent

export interface ConditionalOrdersParts extends Pick<
  GroupParts,
  'place' | 'cancel' | 'cancelInside' | 'withdraw' | 'follow'
> {
  readonly adapter: Pick<ExchangeAdapter, 'after' | 'balances' | 'insides' | 'lastPrice' | 'markets' | 'now' | 'prices'>
  readonly balances: FreshBalances
  readonly journal: {
    waits(id: string, group: string, terms: ConditionalTerms, saved?: { readonly at: Decimal | undefined }): void
    takenUp(id: string, symbol: string, open: Decimal, orders: readonly TakenUpOrder[]): void
    triggered(id: string, price: Decimal): void
    waitOver(id: string, why: WaitEnd): void
  }
  readonly book: ConditionalOrderStore
  /** An order that could not be valid in its market. @param intent  that order */
  readonly refuse: (intent: PlaceIntent, refusal: Refusal) => void
}

export class ConditionalOrders {
  readonly #parts: ConditionalOrdersParts
  readonly #marketOf: MarketOf
  readonly #feeds: PriceFeeds
  readonly #groups: OrderGroupRegistry
  #lastId = 0

  constructor(parts: ConditionalOrdersParts) {
    this.#parts = parts
    this.#marketOf = (symbol) => parts.adapter.markets.find((market) => market.symbol === symbol)
    this.#groups = new OrderGroupRegistry({
      book: parts.book,
      baseAssetOf: (symbol) => this.#marketOf(symbol)?.baseAsset,
      heldOf: (asset) => {
        const balance = parts.adapter.balances().get(asset)
        const market = parts.adapter.markets.find(({ baseAsset }) => baseAsset === asset)
        if (balance === undefined || market === undefined) return toDecimal(0)
        // Less than a lot cannot be traded.
        return market.floorQty(balance.available.plus(balance.locked))
      },
    })
    this.#feeds = new PriceFeeds(parts.adapter, (symbol, reach) => {
      this.#groups.saving(() => {
        for (const group of this.#groups.groups) if (group.symbol === symbol) group.onReach(reach)
      })
    })
  }

  /** Oldest first. */
  list(symbol?: string): readonly OwnWaitingOrder[] {
    return this.#groups.groups.flatMap((group) => (symbol === undefined || group.symbol === symbol ? group.views : []))
  }

  has(id: string): boolean {
    return this.#groups.groups.some((group) => group.has(id))
  }

  /** @throws {Error} for a group without orders, and for an invalid time */
  take(intent: LaterIntent): void {
    const terms = intent.type === 'bracket' ? readBracket(intent, this.#marketOf) : readGroup(intent, this.#marketOf)
    if ('refusal' in terms) this.#parts.refuse(terms.order, terms.refusal)
    else
      this.#groups.saving(() => {
        if ('entry' in terms) this.#enter(terms)
        else this.#wait(terms)
      })
  }

  /** Takes every fill of the session, after the followers of its order. */
  onFill(fill: OwnFill): void {
    this.#groups.onFill(fill)
  }

  /** Cancels one conditional order, or a whole group. @param id  of either; must exist */
  cancel(id: string): void {
    this.#groups.saving(() => {
      for (const group of this.#groups.groups) if (group.has(id)) this.#end(group, id, 'cancelled', true)
      this.#listen()
    })
  }

  /**
   * Cancels those of one market, or all. Their orders at the exchange are cancelled by the caller's cancel of all
   * orders.
   */
  cancelAll(symbol?: string): void {
    this.#groups.saving(() => {
      for (const group of this.#groups.groups) {
        if (symbol === undefined || group.symbol === symbol) this.#end(group, group.id, 'cancelled', false)
      }
      this.#listen()
    })
  }

  /** Stops all triggers; persisted orders stay. */
  stop(): void {
    this.#groups.stop()
    this.#feeds.watch(new Set())
  }

  /** Ends the conditional orders that are left when it was stopped. @returns their ids */
  giveUp(): readonly string[] {
    const ids = this.list().map(({ id }) => id)
    for (const id of ids) this.#parts.journal.waitOver(id, 'ended')
    this.#groups.clear()
    return ids
  }

  /**
   * Continues groups of an earlier session; call first.
   * @throws {InputError} for a group that its market would no longer accept
   */
  resume(saved: readonly PersistedGroup[], holdings: readonly PersistedHoldings[]): void {
    const read = saved.map((each) => readPersisted(each, this.#marketOf))
    const ids = read.flatMap(({ frame, state }) => [
      frame.id,
      ...state.waiting.map(({ id }) => id),
      ...state.orders.map(({ by }) => by),
    ])
    this.#lastId = Math.max(this.#lastId, ...ids.map((id) => Number(id.slice(1))))
    const { adapter } = this.#parts
    this.#groups.saving(() => {
      const groups = read.map(({ frame, state }) => [this.#resume(frame, state), frame] as const)
      this.#groups.start(new Set(adapter.markets.map(({ baseAsset }) => baseAsset)), holdings)
      for (const [group, frame] of groups) this.#goOn(group, frame)
      this.#listen()
    })
  }

  #resume(frame: GroupFrame, state: GroupState): OrderGroup {
    const { journal } = this.#parts
    const { id, symbol } = frame
    const group = this.#begin(frame, exitSideOf(frame, state), state.open)
    journal.takenUp(id, symbol, state.open, state.orders)
    for (const waiting of state.waiting) journal.waits(waiting.id, id, waiting.terms, { at: waiting.price })
    group.resume(state)
    return group
  }

  /** Expired orders end before any price can trigger them. */
  #goOn(group: OrderGroup, frame: GroupFrame): void {
    const { id, expires, entryExpires } = frame
    group.goOn()
    this.#limitTime(group, frame)
    const now = this.#parts.adapter.now()
    if (entryExpires !== undefined && entryExpires <= now) group.orders.expireEntry()
    if (expires !== undefined && expires <= now) this.#giveUp(group, id, 'expired', true)
    this.#show(group)
  }

  #enter({ entry, entryExpires, stop, target }: BracketTerms): void {
    const frame = {
      ...{ id: this.#nextId(), symbol: entry.symbol, exits: { stop, target } },
      ...{ expires: undefined, entryExpires },
    }
    const group = this.#begin(frame, opposite(entry.side), toDecimal(0))
    group.ask('entry', entry)
    this.#limitTime(group, frame)
  }

  #wait({ symbol, side, waiting, resting, open, expires }: GroupTerms): void {
    const id = this.#nextId()
    const frame = { id, symbol, exits: undefined, expires, entryExpires: undefined }
    const group = this.#begin(frame, side, open)
    const isAlone = waiting.length + resting.length === 1
    const all = waiting.map((terms) => new ConditionalOrder(isAlone ? id : this.#nextId(), terms))
    const insides = this.#insidesOf(group)
    for (const order of all) order.isArmed = insides === undefined
    // Registered before resting orders are placed, so that those are saved together with their stop.
    for (const order of all) group.waits.add(order)
    if (insides !== undefined) {
      this.#onWait(group, all)
      // Queued before resting orders arrive at the same open.
      this.#armLater(group, insides)
    }
    for (const order of resting) group.ask('exit', order)
    if (insides === undefined) this.#onWait(group, all)
    this.#limitTime(group, frame)
  }

  /** Arms them at the next open, at which every other order of recorded candles arrives. */
  #armLater(group: OrderGroup, insides: IntrabarExecution): void {
    insides.onArrival(() => {
      this.#groups.saving(() => {
        if (this.#groups.isStopped || !this.#groups.groups.includes(group)) return
        const { open } = insides
        group.waits.arm()
        if (open === undefined) this.#show(group)
        else group.onReach({ ...priceRangeOf(open), stage: 'open' })
      })
    }, false)
  }

  /** Ends it; in a market of recorded candles together with the cancels sent now, so that earlier triggers count. */
  #end(group: OrderGroup, id: string, why: 'cancelled' | 'expired', cancelsOrders: boolean): void {
    const insides = this.#insidesOf(group)
    if (insides === undefined) {
      this.#giveUp(group, id, why, cancelsOrders)
      return
    }
    if (cancelsOrders && id === group.id) group.orders.giveUp(true)
    insides.onArrival(() => {
      this.#groups.saving(() => {
        this.#giveUp(group, id, why, false)
        this.#listen()
      })
    }, true)
  }

  #giveUp(group: OrderGroup, id: string, why: 'cancelled' | 'expired', cancelsOrders: boolean): void {
    if (id === group.id) this.#groups.release(group)
    group.cancel(id, why, cancelsOrders)
  }

  #limitTime(group: OrderGroup, { expires, entryExpires }: GroupFrame): void {
    if (entryExpires !== undefined)
      this.#at(entryExpires, () => {
        group.orders.expireEntry()
      })
    if (expires !== undefined)
      this.#at(expires, () => {
        this.#end(group, group.id, 'expired', true)
      })
  }

  /** @param open  quantity that may be closed from the start, in the base asset */
  #begin(frame: GroupFrame, exitSide: Side, open: Decimal): OrderGroup {
    const { id, symbol, exits } = frame
    const plan: ExitPlan | undefined = exits === undefined ? undefined : this.#planOf(exits, () => group)
    const parts = this.#partsOf(symbol, () => group)
    const group: OrderGroup = new OrderGroup({ id, symbol, exitSide }, parts, open, plan)
    this.#groups.add(group, frame)
    return group
  }

  #planOf({ stop, target }: Pick<BracketTerms, 'stop' | 'target'>, groupOf: () => OrderGroup): ExitPlan {
    return {
      stop: stop === undefined ? undefined : () => new ConditionalOrder(this.#nextId(), stop),
      target,
      onWait: (waiting) => {
        this.#onWait(groupOf(), [waiting])
      },
    }
  }

  #partsOf(symbol: string, groupOf: () => OrderGroup): GroupParts {
    const { adapter, place, cancel, cancelInside, withdraw, journal, balances, book, follow } = this.#parts
    return {
      place: (by, intent, follower, origin) => {
        place(by, intent, this.#groups.savingFollower(groupOf(), follower), origin)
      },
      cancel: (by, orderId, reply) => {
        this.#groups.save()
        cancel(by, orderId, reply)
      },
      ...{ cancelInside, withdraw, insides: adapter.insides?.(symbol), onPricesNeeded: this.#listen },
      showPrice: () => {
        this.#show(groupOf())
      },
      after: (delayMs, action) => {
        adapter.after(delayMs, () => {
          this.#groups.saving(action)
        })
      },
      onTriggered: (waiting, price) => {
        journal.triggered(waiting.id, price)
      },
      onWaitEnd: (ended, why) => {
        journal.waitOver(ended, why)
      },
      onOver: () => {
        this.#groups.end(groupOf())
        this.#listen()
      },
      whenBalanced: (action) => {
        balances.when(() => {
          this.#groups.saving(action)
        })
      },
      linkOf: (reference) => book.link(reference),
      follow: (orderId, follower) => {
        this.#groups.noteOrder(orderId, groupOf())
        follow(orderId, this.#groups.savingFollower(groupOf(), follower))
      },
      fateOf: (link) => book.fateOf(link),
    }
  }

  /** Conditional orders become active: those whose price is already reached act immediately. */
  #onWait(group: OrderGroup, waiting: readonly ConditionalOrder[]): void {
    for (const { id, terms } of waiting) this.#parts.journal.waits(id, group.id, terms)
    this.#listen()
    if (this.#insidesOf(group) === undefined) this.#show(group)
  }

  /** Intrabar execution of a market recorded as candles; undefined for other markets. */
  #insidesOf({ symbol }: OrderGroup): IntrabarExecution | undefined {
    return this.#parts.adapter.insides?.(symbol)
  }

  #show(group: OrderGroup): void {
    const insides = this.#insidesOf(group)
    const open = insides?.open
    if (open !== undefined) {
      insides?.actAtOpen(() => {
        group.onReach({ ...priceRangeOf(open), stage: 'open' })
      })
      return
    }
    const price = this.#parts.adapter.lastPrice(group.symbol)
    if (price !== undefined) group.onReach(priceRangeOf(price))
  }

  readonly #listen = (): void => {
    if (this.#groups.isStopped) return
    this.#feeds.watch(new Set(this.#groups.groups.filter(({ needsPrices }) => needsPrices).map(({ symbol }) => symbol)))
  }

  /** Fires at most once for a group that is over, when nothing is left to end. */
  #at(time: number, action: () => void): void {
    const { adapter } = this.#parts
    adapter.after(Math.max(0, time - adapter.now()), () => {
      this.#groups.saving(action)
      this.#listen()
    })
  }

  #nextId(): string {
    this.#lastId += 1
    return `w${this.#lastId}`
  }
}
