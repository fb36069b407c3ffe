/**
 * Double entry: balances of every account and asset, exact at any size.
 *
 * Invariant: per asset, what was credited is held by the accounts or was taken as a fee; no participant's balance is negative.
 */
import type { AuditLine } from '../domain/audit.ts'
import { invariant } from '../domain/errors.ts'
import type { Account } from './account.ts'

export class Ledger {
  readonly assets: readonly string[]
  readonly #scales: ReadonlyMap<string, number>
  readonly #credited: bigint[]
  readonly #fees: bigint[]

  constructor(scales: ReadonlyMap<string, number>) {
    this.assets = [...scales.keys()]
    this.#scales = scales
    this.#credited = this.assets.map(() => 0n)
    this.#fees = this.assets.map(() => 0n)
  }

  /** Brings money in, or takes it out when `amount` is negative. */
  credit(account: Account, asset: number, amount: bigint): void {
    add(this.#credited, asset, amount)
    this.#change(account, asset, amount)
  }

  /** Sets aside part of what is available, or gives it back when `amount` is negative. The crowd's orders need no cover. */
  reserve(account: Account, asset: number, amount: bigint): void {
    if (account.isCrowd) return
    this.#change(account, asset, -amount)
    add(account.locked, asset, amount)
    invariant(at(account.locked, asset) >= 0n, `${account.id} has less than nothing locked`)
  }

  /** Moves what a trade exchanges, out of what is available. */
  transfer(from: Account, to: Account, asset: number, amount: bigint): void {
    this.#change(from, asset, -amount)
    this.#change(to, asset, amount)
  }

  takeFee(account: Account, asset: number, amount: bigint): void {
    this.#change(account, asset, -amount)
    add(this.#fees, asset, amount)
  }

  audit(accounts: Iterable<Account>): readonly AuditLine[] {
    const held = this.assets.map(() => 0n)
    for (const account of accounts) {
      held.forEach((_, asset) => {
        add(held, asset, at(account.available, asset) + at(account.locked, asset))
      })
    }
    return this.assets.map((asset, index) => ({
      asset,
      scale: this.#scales.get(asset) ?? 0,
      credited: at(this.#credited, index),
      held: at(held, index),
      fees: at(this.#fees, index),
    }))
  }

  #change(account: Account, asset: number, amount: bigint): void {
    add(account.available, asset, amount)
    invariant(account.isCrowd || at(account.available, asset) >= 0n, `${account.id} is overdrawn`)
  }
}

function at(amounts: readonly bigint[], asset: number): bigint {
  const amount = amounts[asset]
  invariant(amount !== undefined, `no asset number ${asset}`)
  return amount
}

function add(amounts: bigint[], asset: number, amount: bigint): void {
  amounts[asset] = at(amounts, asset) + amount
}
