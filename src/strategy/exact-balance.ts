/**
 * Balance of the account in ledger units: decimals are created lazily, JSON is written without them.
 *
 * Its values are getters: read them, spreading the object loses them.
 */
import type { Balance } from '../domain/balances.ts'
import { decimalOf, type Decimal } from '../domain/decimal.ts'
import { formatTrimmed } from '../domain/fixed-point.ts'
import type { OwnBalance } from './own-order.ts'

export class ExactBalance implements OwnBalance {
  readonly #balance: Balance
  readonly #scale: number
  #available: Decimal | undefined
  #locked: Decimal | undefined

  /** @param scale  ledger digits of the asset */
  constructor(balance: Balance, scale: number) {
    this.#balance = balance
    this.#scale = scale
  }

  get available(): Decimal {
    return (this.#available ??= decimalOf(this.#balance.available, this.#scale))
  }

  get locked(): Decimal {
    return (this.#locked ??= decimalOf(this.#balance.locked, this.#scale))
  }

  /** True for one of the same asset that is as much. */
  equals(other: ExactBalance): boolean {
    const [one, two] = [this.#balance, other.#balance]
    return one.available === two.available && one.locked === two.locked
  }

  /** JSON as in the journal: amounts as strings. */
  get json(): string {
    const { available, locked } = this.#balance
    return `{"available":"${formatTrimmed(available, this.#scale)}","locked":"${formatTrimmed(locked, this.#scale)}"}`
  }

  toJSON(): unknown {
    return JSON.parse(this.json)
  }
}
