/**
 * All that the naive exchange remembers of its accounts: lists that only grow, and sums in bigints.
 */
import type { Fill } from '../../src/domain/trade.ts'
import type { ExchangeConfig } from '../../src/exchange/exchange.ts'
import { naiveMarket } from './naive-market.ts'
import type { NaiveMarket, NaiveOrder } from './naive-market.ts'
import { CROWD, digitsByAsset, lastOf } from './naive-numbers.ts'

export interface NaiveCredit {
  readonly asset: string
  /** Ledger units; negative for a debit. */
  readonly amount: bigint
  readonly time: number
  /** How many prices the market that values the asset had had. */
  readonly pricesBefore: number
}

export interface NaiveAccount {
  /** Available and locked, by asset. */
  readonly holdings: Map<string, bigint>
  /** By id, oldest first. */
  readonly open: Map<number, NaiveOrder>
  /** In the order in which they were filled or cancelled. */
  readonly finished: NaiveOrder[]
  /** Oldest first; of a self-trade the sell order's first. */
  readonly fills: Fill[]
  readonly credits: NaiveCredit[]
}

export interface NaiveState {
  readonly config: ExchangeConfig
  readonly digits: ReadonlyMap<string, number>
  readonly markets: readonly NaiveMarket[]
  readonly accounts: Map<string, NaiveAccount>
  readonly credited: Map<string, bigint>
  readonly fees: Map<string, bigint>
}

export function naiveState(config: ExchangeConfig): NaiveState {
  const digits = digitsByAsset(config.markets)
  const markets = config.markets.map((market) => naiveMarket(market, digits))
  return { config, digits, markets, accounts: new Map(), credited: new Map(), fees: new Map() }
}

export function accountOf(state: NaiveState, id: string): NaiveAccount {
  const known = state.accounts.get(id)
  if (known !== undefined) return known
  const account = { holdings: new Map(), open: new Map(), finished: [], fills: [], credits: [] }
  state.accounts.set(id, account)
  return account
}

/** The finished orders of an account that are kept. */
export const storedOrders = (state: NaiveState, id: string): readonly NaiveOrder[] =>
  lastOf(accountOf(state, id).finished, id === CROWD ? 0 : state.config.history.orders)
