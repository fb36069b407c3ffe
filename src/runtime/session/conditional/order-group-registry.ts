/**
 * The groups of a session. All their changes go through it, so that they are saved before a request is sent.
 *
 * Invariant: a cancel or creation is sent only after the group's current state was written to disk.
 */
import type { Decimal } from '../../../domain/decimal.ts'
import { dropOldest } from '../../../domain/drop-oldest.ts'
import type { OwnFill } from '../../../strategy/own-order.ts'
import type { PersistedHoldings } from '../../../store/state/live/persisted-conditional.ts'
import type { OrderFollower } from '../followed-orders.ts'
import type { OrderGroup } from './order-group.ts'
import { persistedGroup, type GroupFrame } from './persisted-group.ts'
import { OwnHoldings } from './own-holdings.ts'
import type { Persistable, ConditionalOrderStore } from './conditional-order-store.ts'

/** Ended orders that still accept late fills for their group. */
const MAX_ENDED = 1_000

/** A group with its persisted form. */
export interface RegisteredGroup extends Persistable {
  readonly group: OrderGroup
}

export interface OrderGroupRegistryParts {
  readonly book: ConditionalOrderStore
  /** Undefined for an unknown market. */
  readonly baseAssetOf: (symbol: string) => string | undefined
  /** Current holdings of the account. */
  readonly heldOf: (asset: string) => Decimal
}

export class OrderGroupRegistry {
  readonly #parts: OrderGroupRegistryParts
  #all: readonly RegisteredGroup[] = []
  readonly #holdings = new Map<string, OwnHoldings>()
  readonly #groupsByOrder = new Map<string, OrderGroup>()
  /** Groups of ended orders, whose last fills may still arrive. */
  readonly #groupsByEnded = new Map<string, OrderGroup>()
  #isStopped = false

  constructor(parts: OrderGroupRegistryParts) {
    this.#parts = parts
  }

  /** Oldest first. */
  get groups(): readonly OrderGroup[] {
    return this.#all.map(({ group }) => group)
  }

  get isStopped(): boolean {
    return this.#isStopped
  }

  /** Stops all activity; persisted groups stay. */
  stop(): void {
    this.#isStopped = true
  }

  add(group: OrderGroup, frame: GroupFrame): void {
    const registered: RegisteredGroup = {
      id: frame.id,
      group,
      get saved() {
        return persistedGroup(frame, group.state)
      },
    }
    this.#all = [...this.#all, registered]
  }

  end(group: OrderGroup): void {
    const over = this.#all.filter((each) => each.group === group)
    this.#all = this.#all.filter((each) => each.group !== group)
    for (const registered of over) this.#parts.book.end(registered)
  }

  clear(): void {
    this.#all = []
  }

  /** Takes the holdings of the account when the session begins. */
  start(assets: Iterable<string>, saved: readonly PersistedHoldings[]): void {
    for (const asset of assets) {
      const holdings = this.#holdingsOf(asset)
      const earlier = saved.find((each) => each.asset === asset)
      holdings.start(this.#parts.heldOf(asset), holdings.hasGroups ? earlier : undefined)
    }
  }

  /** Takes every fill of the session, after the group that requested it. */
  onFill({ orderId, symbol, side, qty }: OwnFill): void {
    const group = this.#groupsByOrder.get(orderId) ?? this.#groupsByEnded.get(orderId)
    if (group?.isBracket === true && !group.isGivenUp) return
    const asset = this.#parts.baseAssetOf(symbol)
    if (asset === undefined) return
    this.saving(() => {
      this.#holdingsOf(asset).onFill(side, qty)
    })
  }

  /** From now on the group's holdings are unprotected. */
  release(group: OrderGroup): void {
    const asset = this.#parts.baseAssetOf(group.symbol)
    if (asset !== undefined) this.#holdingsOf(asset).release(group, group.held)
  }

  /** Runs `action` and saves its changes; after a stop it does nothing if a later session may do it. */
  saving(action: () => void): void {
    if (this.#isStopped && this.#parts.book.isPersisted) return
    action()
    this.save()
  }

  /** Call before a request is sent. */
  save(): void {
    const { book } = this.#parts
    if (!book.isPersisted) return
    for (const registered of this.#all) book.change(registered)
    for (const holdings of this.#holdings.values()) {
      if (holdings.hasGroups) book.change(holdings)
      else book.end(holdings)
    }
    book.save()
  }

  /** Saves after every event of the group, and before every request of it is sent. */
  savingFollower(group: OrderGroup, follower: OrderFollower): OrderFollower {
    return {
      ...follower,
      process: (event) => {
        if (event.type === 'requested') {
          follower.process(event)
          this.save()
          return
        }
        if (event.type === 'accepted' || event.type === 'appeared') this.noteOrder(event.order.id, group)
        if (event.type === 'ended') this.#endOrder(event.order.id, group)
        this.saving(() => {
          follower.process(event)
        })
      },
    }
  }

  #endOrder(orderId: string, group: OrderGroup): void {
    this.#groupsByOrder.delete(orderId)
    this.#groupsByEnded.set(orderId, group)
    dropOldest(this.#groupsByEnded, MAX_ENDED)
  }

  /** Assigns the order's fills to the group. */
  noteOrder(orderId: string, group: OrderGroup): void {
    this.#groupsByOrder.set(orderId, group)
  }

  #holdingsOf(asset: string): OwnHoldings {
    const known = this.#holdings.get(asset)
    if (known !== undefined) return known
    const made = new OwnHoldings(asset, () =>
      this.groups.filter(({ symbol }) => this.#parts.baseAssetOf(symbol) === asset),
    )
    this.#holdings.set(asset, made)
    return made
  }
}
