/**
 * Holdings of an account: the balances that were told last, and the fills that were told since.
 *
 * Known limit: they are the account's, so of several strategies on one key each counts what the others hold, and not
 * what they have ordered.
 */
import { ZERO, type Decimal } from '../../../domain/decimal.ts'
import type { Market } from '../../../domain/market.ts'
import type { OwnBalances, OwnFill } from '../../../strategy/own-order.ts'

export class Holdings {
  readonly #marketOf: (symbol: string) => Market | undefined
  /** As they were told, which is not what an adapter knows in the middle of telling. */
  #balances: OwnBalances
  /** By base asset. */
  readonly #filledSince = new Map<string, Decimal>()

  constructor(balances: OwnBalances, marketOf: (symbol: string) => Market | undefined) {
    this.#balances = balances
    this.#marketOf = marketOf
  }

  /** In units of a base asset, what open orders reserve of it included. */
  of(asset: string): Decimal {
    const balance = this.#balances.get(asset)
    const told = balance === undefined ? ZERO : balance.available.plus(balance.locked)
    return told.plus(this.#filledSince.get(asset) ?? ZERO)
  }

  onFill({ symbol, side, qty }: OwnFill): void {
    const asset = this.#marketOf(symbol)?.baseAsset ?? symbol
    const before = this.#filledSince.get(asset) ?? ZERO
    this.#filledSince.set(asset, side === 'BUY' ? before.plus(qty) : before.minus(qty))
  }

  /** They hold every fill that was told before. */
  onBalances(balances: OwnBalances): void {
    this.#balances = balances
    this.#filledSince.clear()
  }
}
