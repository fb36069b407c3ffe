/**
 * Quantities of one base asset that a session holds, by what protects them: brackets, groups without an entry, or
 * nothing.
 *
 * A sell that is not a bracket's own closes, in this order: what the session bought without a bracket, what brackets
 * bought (the oldest first), and what was held when the session began. A group without an entry protects no more than
 * what is left of the first and the last. A bracket that sells first is the mirror of one that buys. Invariant: groups
 * shrink by no more than what was traded. Known limit: what other clients trade on the account is seen at the next
 * start alone.
 */
import { ZERO, Decimal, toDecimal } from '../../../domain/decimal.ts'
import { opposite, type Side } from '../../../domain/order.ts'
import type { PersistedHoldings } from '../../../store/state/live/persisted-conditional.ts'
import type { OrderGroup } from './order-group.ts'
import type { Persistable } from './conditional-order-store.ts'

/** Groups of the asset, oldest first. */
export type GroupsOf = () => readonly OrderGroup[]

export class OwnHoldings implements Persistable {
  readonly id: string
  readonly #asset: string
  readonly #groupsOf: GroupsOf
  /** Traded without a bracket and not closed since, by side. */
  #free: Readonly<Record<Side, Decimal>> = { BUY: ZERO, SELL: ZERO }
  /** Held when the session began, and not sold since. */
  #before = ZERO

  constructor(asset: string, groupsOf: GroupsOf) {
    this.id = `holdings ${asset}`
    this.#asset = asset
    this.#groupsOf = groupsOf
  }

  get kept(): PersistedHoldings {
    const { BUY, SELL } = this.#free
    return { kind: 'holdings', id: this.id, asset: this.#asset, bought: BUY.toFixed(), sold: SELL.toFixed() }
  }

  get hasGroups(): boolean {
    return this.#groupsOf().length > 0
  }

  /**
   * Begins with what the account holds. What brackets protect and the account does not hold any more was closed while
   * no process ran.
   *
   * @param kept  of an earlier session whose groups go on
   */
  start(held: Decimal, kept: PersistedHoldings | undefined): void {
    const brackets = this.#brackets('SELL')
    const reserved = sum(brackets, ({ held: all, unreserved }) => all.minus(unreserved))
    const missing = sum(brackets, ({ unreserved }) => unreserved).minus(Decimal.max(held.minus(reserved), ZERO))
    reduceOldest(brackets, missing)
    const unprotected = Decimal.max(held.minus(sum(brackets, (group) => group.held)), ZERO)
    const bought = Decimal.min(toDecimal(kept?.bought ?? 0), unprotected)
    this.#free = { BUY: bought, SELL: toDecimal(kept?.sold ?? 0) }
    this.#before = unprotected.minus(bought)
  }

  /** A fill of an order that no bracket has asked for. */
  onFill(side: Side, qty: Decimal): void {
    const closes = opposite(side)
    const left = Decimal.max(qty.minus(this.#free[closes]), ZERO)
    const closed = reduceOldest(this.#brackets(side), left)
    this.#free = {
      ...this.#free,
      [closes]: Decimal.max(this.#free[closes].minus(qty), ZERO),
      [side]: this.#free[side].plus(qty).minus(closed),
    }
    if (side === 'BUY') return
    this.#before = Decimal.max(this.#before.minus(left.minus(closed)), ZERO)
    const others = this.#groupsOf().filter(({ isBracket, exitSide }) => !isBracket && exitSide === 'SELL')
    const beyond = sum(others, (group) => group.held)
      .minus(this.#free.BUY)
      .minus(this.#before)
    reduceOldest(others, Decimal.min(beyond, qty.minus(closed)))
  }

  /** A bracket protects no more what it has bought or sold: nothing does. */
  release({ isBracket, exitSide }: OrderGroup, qty: Decimal): void {
    if (!isBracket) return
    const side = opposite(exitSide)
    this.#free = { ...this.#free, [side]: this.#free[side].plus(qty) }
  }

  #brackets(exitSide: Side): readonly OrderGroup[] {
    return this.#groupsOf().filter((group) => group.isBracket && group.exitSide === exitSide)
  }
}

const sum = (groups: readonly OrderGroup[], of: (group: OrderGroup) => Decimal): Decimal =>
  groups.reduce((all, group) => all.plus(of(group)), ZERO)

/** @returns what was closed of them together */
function reduceOldest(groups: readonly OrderGroup[], qty: Decimal): Decimal {
  let left = Decimal.max(qty, ZERO)
  for (const group of groups) left = left.minus(group.reduce(left))
  return Decimal.max(qty, ZERO).minus(left)
}
