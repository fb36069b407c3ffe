/**
 * Double-entry ledger: balances of every account and asset, exact at any size.
 *
 * Purpose: an account is a row, an asset an index; a balance is an available and a locked amount.
 * Invariants: per asset, credits equal the accounts' balances plus fees. No participant's balance is negative. Only the
 * crowd, row 0, may owe; its orders lock nothing.
 * Known limitation: assets are fixed when it is made, and an account's row is never freed.
 * Complexity: constant per transfer; amounts below 2^104 allocate nothing. An audit reads every balance.
 * Source: docs/specification/trading-service.md, balances; docs/decisions/008-matching-in-flat-arrays.md.
 */
import type { AuditLine } from '../../domain/audit.ts'
import { InvariantError } from '../../domain/errors.ts'
import type { LedgerSnapshot } from '../snapshot/exchange-snapshot.ts'
import { Amount } from './amount.ts'
import { AmountCells } from './amount-cells.ts'

/** The crowd's row. */
export const CROWD_ROW = 0
/** Row that is always zero: represents an account before its first credit. */
export const EMPTY_ROW = 1

const FIRST_ROWS = 16

export class Ledger {
  readonly assets: readonly string[]
  readonly #scales: ReadonlyMap<string, number>
  /** Cells of one account and asset are adjacent: available, then locked. */
  readonly #cells: AmountCells
  #rows = 2
  #capacity = FIRST_ROWS
  readonly #credited: bigint[]
  readonly #fees: bigint[]

  constructor(scales: ReadonlyMap<string, number>) {
    this.assets = [...scales.keys()]
    this.#scales = scales
    this.#cells = new AmountCells(this.#capacity * this.#rowLength)
    this.#credited = this.assets.map(() => 0n)
    this.#fees = this.assets.map(() => 0n)
  }

  /** @returns its row */
  openAccount(): number {
    if (this.#rows === this.#capacity) {
      this.#capacity *= 2
      this.#cells.grow(this.#capacity * this.#rowLength)
    }
    this.#rows += 1
    return this.#rows - 1
  }

  available(row: number, asset: number): bigint {
    return this.#cells.value(this.#available(row, asset))
  }

  /** Upper bound of the available amount, as a double. */
  mostAvailable(row: number, asset: number): number {
    return this.#cells.atMost(this.#available(row, asset))
  }

  locked(row: number, asset: number): bigint {
    return this.#cells.value(this.#locked(row, asset))
  }

  /** True when the account can spend `amount`; the crowd always can. */
  covers(row: number, asset: number, amount: Amount): boolean {
    return row === CROWD_ROW || this.#cells.covers(this.#available(row, asset), amount)
  }

  /** Brings money in, or takes it out when `amount` is negative. */
  credit(row: number, asset: number, amount: Amount): void {
    this.#credited[asset] = (this.#credited[asset] ?? 0n) + amount.value
    if (!this.#cells.add(this.#available(row, asset), amount)) this.#checkDebt(row)
  }

  /** Locks a part of the available amount. */
  lock(row: number, asset: number, amount: Amount): void {
    if (row === CROWD_ROW) return
    if (!this.#cells.subtract(this.#available(row, asset), amount)) this.#checkDebt(row)
    this.#cells.add(this.#locked(row, asset), amount)
  }

  /** Unlocks an amount. */
  unlock(row: number, asset: number, amount: Amount): void {
    if (row === CROWD_ROW) return
    if (!this.#cells.subtract(this.#locked(row, asset), amount)) this.#checkDebt(row)
    this.#cells.add(this.#available(row, asset), amount)
  }

  /** Transfers an amount of a trade out of the available balance. */
  pay(from: number, to: number, asset: number, amount: Amount): void {
    if (!this.#cells.subtract(this.#available(from, asset), amount)) this.#checkDebt(from)
    this.#cells.add(this.#available(to, asset), amount)
  }

  /** Transfers an amount of a trade out of the locked balance. */
  payLocked(from: number, to: number, asset: number, amount: Amount): void {
    if (from === CROWD_ROW) this.#cells.subtract(this.#available(from, asset), amount)
    else if (!this.#cells.subtract(this.#locked(from, asset), amount)) this.#checkDebt(from)
    this.#cells.add(this.#available(to, asset), amount)
  }

  takeFee(row: number, asset: number, amount: Amount): void {
    if (!this.#cells.subtract(this.#available(row, asset), amount)) this.#checkDebt(row)
    this.#fees[asset] = (this.#fees[asset] ?? 0n) + amount.value
  }

  /** Everything that was credited and charged; the balances are read account by account. */
  snapshot(): LedgerSnapshot {
    return { credited: this.#credited.map(String), fees: this.#fees.map(String) }
  }

  /** Restores a new ledger, except locked amounts. */
  restore({ credited, fees }: LedgerSnapshot): void {
    for (let asset = 0; asset < this.assets.length; asset += 1) {
      this.#credited[asset] = BigInt(credited[asset] ?? 0)
      this.#fees[asset] = BigInt(fees[asset] ?? 0)
    }
  }

  /** Sets the balances of an account that has none. */
  restoreBalance(row: number, asset: number, available: bigint, locked: bigint): void {
    const amount = new Amount()
    this.#cells.add(this.#available(row, asset), amount.set(available))
    this.#cells.add(this.#locked(row, asset), amount.set(locked))
  }

  /** Excludes what the locked amounts should be, which only the orders know. */
  audit(): readonly AuditLine[] {
    return this.assets.map((asset, index) => {
      let held = 0n
      for (let row = 0; row < this.#rows; row += 1) held += this.available(row, index) + this.locked(row, index)
      const credited = this.#credited[index] ?? 0n
      return { asset, scale: this.#scales.get(asset) ?? 0, credited, held, fees: this.#fees[index] ?? 0n }
    })
  }

  #checkDebt(row: number): void {
    if (row !== CROWD_ROW) throw new InvariantError(`account ${row} owes`)
  }

  get #rowLength(): number {
    return 2 * this.assets.length
  }

  #available(row: number, asset: number): number {
    return 2 * (row * this.assets.length + asset)
  }

  #locked(row: number, asset: number): number {
    return 2 * (row * this.assets.length + asset) + 1
  }
}
