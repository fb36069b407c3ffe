/**
 * Holdings of an account: the last emitted balances plus the fills emitted since.
 *
 * Known limitation: they are the account's, so each of several strategies on one key counts what the others hold, but
 * not what they have ordered.
 */
import { ZERO, type Decimal } from '../../../domain/decimal.ts'
import type { Market } from '../../../domain/market.ts'
import type { OwnBalances, OwnFill } from '../../../strategy/own-order.ts'

export class Holdings {
  readonly #marketOf: (symbol: string) => Market | undefined
  /** The last emitted balances; the adapter's own may be ahead while updates are being emitted. */
  #balances: OwnBalances
  /** Net filled quantity by base asset. */
  readonly #filledSince = new Map<string, Decimal>()

  constructor(balances: OwnBalances, marketOf: (symbol: string) => Market | undefined) {
    this.#balances = balances
    this.#marketOf = marketOf
  }

  /** Units of a base asset, including what open orders reserve. */
  of(asset: string): Decimal {
    const balance = this.#balances.get(asset)
    const reported = balance === undefined ? ZERO : balance.available.plus(balance.locked)
    return reported.plus(this.#filledSince.get(asset) ?? ZERO)
  }

  onFill({ symbol, side, qty }: OwnFill): void {
    const asset = this.#marketOf(symbol)?.baseAsset ?? symbol
    const before = this.#filledSince.get(asset) ?? ZERO
    this.#filledSince.set(asset, side === 'BUY' ? before.plus(qty) : before.minus(qty))
  }

  /** They include every fill emitted before. */
  onBalances(balances: OwnBalances): void {
    this.#balances = balances
    this.#filledSince.clear()
  }
}
