/**
 * Balances kept from the events alone, each move checked when it is made: nothing of a participant's is ever negative,
 * not even inside a walk over the book.
 */
import { CROWD } from '../../../src/domain/command.ts'
import { Difference } from './difference.ts'

export interface ShadowBalance {
  available: bigint
  locked: bigint
}

export class ShadowLedger {
  readonly #assets: readonly string[]
  readonly #balancesByAccount = new Map<string, Map<string, ShadowBalance>>()
  readonly credited: Map<string, bigint>
  readonly fees: Map<string, bigint>
  /** Reported of every move of what is available that no credit made. */
  onMove: ((before: bigint, after: bigint) => void) | undefined

  constructor(assets: readonly string[]) {
    this.#assets = assets
    this.credited = new Map(assets.map((asset) => [asset, 0n]))
    this.fees = new Map(assets.map((asset) => [asset, 0n]))
  }

  /** Every asset of the account, in their order. */
  balancesOf(account: string): ReadonlyMap<string, ShadowBalance> {
    let balances = this.#balancesByAccount.get(account)
    if (balances === undefined) {
      balances = new Map(this.#assets.map((asset) => [asset, { available: 0n, locked: 0n }]))
      this.#balancesByAccount.set(account, balances)
    }
    return balances
  }

  credit(account: string, asset: string, amount: bigint): void {
    const balance = this.#balance(account, asset)
    balance.available += amount
    this.credited.set(asset, (this.credited.get(asset) ?? 0n) + amount)
    checkNotNegative(account, asset, balance)
  }

  /** Adds to what is available and to what is locked. */
  move(account: string, asset: string, available: bigint, locked: bigint): void {
    const balance = this.#balance(account, asset)
    const before = balance.available
    balance.available += available
    balance.locked += locked
    this.onMove?.(before, balance.available)
    checkNotNegative(account, asset, balance)
  }

  takeFee(asset: string, fee: bigint): void {
    this.fees.set(asset, (this.fees.get(asset) ?? 0n) + fee)
  }

  /** Available and locked of all accounts. */
  held(asset: string): bigint {
    let held = 0n
    for (const balances of this.#balancesByAccount.values()) {
      const { available = 0n, locked = 0n } = balances.get(asset) ?? {}
      held += available + locked
    }
    return held
  }

  #balance(account: string, asset: string): ShadowBalance {
    const balance = this.balancesOf(account).get(asset)
    if (balance === undefined) throw new Difference(`${asset} is no asset of the markets`)
    return balance
  }
}

function checkNotNegative(account: string, asset: string, { available, locked }: ShadowBalance): void {
  if (account === CROWD || (available >= 0n && locked >= 0n)) return
  throw new Difference(`${account} has less than no ${asset}: ${available} available, ${locked} locked`)
}
