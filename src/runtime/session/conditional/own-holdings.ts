/**
 * A session's holdings of one base asset, by protection: brackets, groups without an entry, or none.
 *
 * A sell outside a bracket closes, in this order: unprotected purchases of the session, purchases of brackets (oldest
 * first), initial holdings. A group without an entry protects at most what is left of the first and the last. A bracket
 * that sells first is the mirror image.
 * Invariant: groups shrink by no more than was traded.
 * Known limitation: trades of other clients on the account are seen only at the next start.
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
  /** Initial holdings that were not sold since. */
  #before = ZERO

  constructor(asset: string, groupsOf: GroupsOf) {
    this.id = `holdings ${asset}`
    this.#asset = asset
    this.#groupsOf = groupsOf
  }

  get saved(): PersistedHoldings {
    const { BUY, SELL } = this.#free
    return { kind: 'holdings', id: this.id, asset: this.#asset, bought: BUY.toFixed(), sold: SELL.toFixed() }
  }

  get hasGroups(): boolean {
    return this.#groupsOf().length > 0
  }

  /**
   * Starts from the account's holdings. Protected quantities that the account no longer holds were closed while no
   * process ran.
   * @param saved  of an earlier session whose groups continue
   */
  start(held: Decimal, saved: PersistedHoldings | undefined): void {
    const brackets = this.#brackets('SELL')
    const reserved = sum(brackets, ({ held: all, unreserved }) => all.minus(unreserved))
    const missing = sum(brackets, ({ unreserved }) => unreserved).minus(Decimal.max(held.minus(reserved), ZERO))
    reduceOldest(brackets, missing)
    const unprotected = Decimal.max(held.minus(sum(brackets, (group) => group.held)), ZERO)
    const bought = Decimal.min(toDecimal(saved?.bought ?? 0), unprotected)
    this.#free = { BUY: bought, SELL: toDecimal(saved?.sold ?? 0) }
    this.#before = unprotected.minus(bought)
  }

  /** Takes the fill of an order outside brackets. */
  onFill(side: Side, qty: Decimal): void {
    const { BUY, SELL } = this.#free
    const [same, other] = side === 'BUY' ? [BUY, SELL] : [SELL, BUY]
    const left = Decimal.max(qty.minus(other), ZERO)
    const closed = reduceOldest(this.#brackets(side), left)
    const [freed, closable] = [same.plus(qty).minus(closed), Decimal.max(other.minus(qty), ZERO)]
    this.#free = side === 'BUY' ? { BUY: freed, SELL: closable } : { BUY: closable, SELL: freed }
    if (side === 'BUY') return
    this.#before = Decimal.max(this.#before.minus(left.minus(closed)), ZERO)
    const others = this.#groupsOf().filter(({ isBracket, exitSide }) => !isBracket && exitSide === 'SELL')
    if (others.length === 0) return
    const beyond = sum(others, (group) => group.held)
      .minus(this.#free.BUY)
      .minus(this.#before)
    reduceOldest(others, Decimal.min(beyond, qty.minus(closed)))
  }

  /** A bracket no longer protects a quantity, which is unprotected from now on. */
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

/** @returns the total closed quantity */
function reduceOldest(groups: readonly OrderGroup[], qty: Decimal): Decimal {
  if (groups.length === 0) return ZERO
  let left = Decimal.max(qty, ZERO)
  for (const group of groups) left = left.minus(group.reduce(left))
  return Decimal.max(qty, ZERO).minus(left)
}
