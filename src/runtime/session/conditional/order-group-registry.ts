/**
 * The groups of a session, and the one place through which their changes go: what has changed is kept before a request
 * leaves.
 *
 * Invariant: a cancel is sent, and a creation leaves, behind a record on disk of the group as it is then.
 */
import type { Decimal } from '../../../domain/decimal.ts'
import { dropOldest } from '../../../domain/drop-oldest.ts'
import type { OwnFill } from '../../../strategy/own-order.ts'
import type { PersistedHoldings } from '../../../store/state/live/persisted-conditional.ts'
import type { OrderListener } from '../followed-orders.ts'
import type { OrderGroup } from './order-group.ts'
import { persistedGroup, type GroupFrame } from './persisted-group.ts'
import { OwnHoldings } from './own-holdings.ts'
import type { Persistable, ConditionalOrderStore } from './conditional-order-store.ts'

/** Ended orders whose late fills are still those of their group. */
const MAX_ENDED = 1_000

/** A group, and how it is kept. */
export interface RegisteredGroup extends Persistable {
  readonly group: OrderGroup
}

export interface OrderGroupRegistryParts {
  readonly book: ConditionalOrderStore
  /** Undefined for a market that is not there. */
  readonly baseAssetOf: (symbol: string) => string | undefined
  /** What the account holds now. */
  readonly heldOf: (asset: string) => Decimal
}

export class OrderGroupRegistry {
  readonly #parts: OrderGroupRegistryParts
  #all: readonly RegisteredGroup[] = []
  readonly #holdings = new Map<string, OwnHoldings>()
  readonly #groupsByOrder = new Map<string, OrderGroup>()
  /** Of orders that have ended: their last fills may come yet. */
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

  /** Nothing is done any more; what is kept stays so. */
  stop(): void {
    this.#isStopped = true
  }

  add(group: OrderGroup, frame: GroupFrame): void {
    const registered: RegisteredGroup = {
      id: frame.id,
      group,
      get kept() {
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

  /** Counts what the account holds when the session begins. */
  start(assets: Iterable<string>, kept: readonly PersistedHoldings[]): void {
    for (const asset of assets) {
      const holdings = this.#holdingsOf(asset)
      const earlier = kept.find((each) => each.asset === asset)
      holdings.start(this.#parts.heldOf(asset), holdings.hasGroups ? earlier : undefined)
    }
  }

  /** Every fill of the session comes here, behind the group that has asked for it. */
  onFill({ orderId, symbol, side, qty }: OwnFill): void {
    const group = this.#groupsByOrder.get(orderId) ?? this.#groupsByEnded.get(orderId)
    if (group?.isBracket === true && !group.isGivenUp) return
    const asset = this.#parts.baseAssetOf(symbol)
    if (asset === undefined) return
    this.keeping(() => {
      this.#holdingsOf(asset).onFill(side, qty)
    })
  }

  /** What a group holds is protected by nothing from now on. */
  release(group: OrderGroup): void {
    const asset = this.#parts.baseAssetOf(group.symbol)
    if (asset !== undefined) this.#holdingsOf(asset).release(group, group.held)
  }

  /**
   * Does something and keeps what that has changed; when it was stopped, a later session does it where there may be
   * one.
   */
  keeping(action: () => void): void {
    if (this.#isStopped && this.#parts.book.isKept) return
    action()
    this.save()
  }

  /** Call before a request leaves. */
  save(): void {
    const { book } = this.#parts
    if (!book.isKept) return
    for (const registered of this.#all) book.change(registered)
    for (const holdings of this.#holdings.values()) {
      if (holdings.hasGroups) book.change(holdings)
      else book.end(holdings)
    }
    book.save()
  }

  /** Whatever a group hears is kept behind it, and what it asks for before that leaves. */
  keptListener(group: OrderGroup, listener: OrderListener): OrderListener {
    const { onAsked, onTaken, onFill, onRefused, onLate, onEnd, isWanted } = listener
    return {
      ...(isWanted !== undefined && { isWanted }),
      onAsked: (reference) => {
        onAsked?.(reference)
        this.save()
      },
      onTaken: (order) => {
        this.noteOrder(order.id, group)
        this.keeping(() => onTaken?.(order))
      },
      onFill: (fill) => {
        this.keeping(() => onFill?.(fill))
      },
      onRefused: (refusal, by) => {
        this.keeping(() => onRefused?.(refusal, by))
      },
      onLate: (order) => {
        this.noteOrder(order.id, group)
        this.keeping(() => onLate?.(order))
      },
      onEnd: (order) => {
        this.#groupsByOrder.delete(order.id)
        this.#groupsByEnded.set(order.id, group)
        dropOldest(this.#groupsByEnded, MAX_ENDED)
        this.keeping(() => onEnd?.(order))
      },
    }
  }

  /** Its fills are those of a group. */
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
