/** The state that the orders of all markets of an exchange share. */
import type { Account } from './accounts/account.ts'
import type { OrderRegistry } from './accounts/order-registry.ts'
import type { TradeRecords } from './accounts/trade-records.ts'
import type { Ledger } from './ledger/ledger.ts'

export interface OrderState {
  readonly ledger: Ledger
  readonly orders: OrderRegistry
  readonly trades: TradeRecords
  /** Accounts by ledger row. */
  readonly accounts: readonly Account[]
}
