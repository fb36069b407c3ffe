/**
 * Everything that an exchange knows, in one place.
 */
import { CROWD } from '../domain/command.ts'
import { InvariantError } from '../domain/errors.ts'
import { ledgerScales, type MarketConfig } from '../domain/market.ts'
import { Account } from './accounts/account.ts'
import type { ExchangeConfig } from './exchange.ts'
import { IdSequence } from './id-sequence.ts'
import { CROWD_ROW, EMPTY_ROW, Ledger } from './ledger/ledger.ts'
import { MarketState } from './market-state.ts'
import { OrderRegistry } from './accounts/order-registry.ts'
import { Valuation } from './accounts/valuation.ts'

export class ExchangeState {
  readonly config: ExchangeConfig
  /** Ledger digits by asset. */
  readonly scales: ReadonlyMap<string, number>
  readonly marketsBySymbol: ReadonlyMap<string, MarketState>
  /** In the order in which they were opened. */
  readonly accountsById = new Map<string, Account>()
  readonly ledger: Ledger
  readonly orders: OrderRegistry
  readonly valuation: Valuation
  readonly orderIds = new IdSequence()
  readonly tradeIds = new IdSequence()
  /** Of the last command. */
  time = 0

  constructor(config: ExchangeConfig) {
    const { quoteAsset, history } = config
    // Whoever made it may change it later.
    const markets = config.markets.map((market) => ({ ...market }))
    this.config = { markets, quoteAsset, history: { ...history } }
    this.scales = ledgerScales(markets)
    this.ledger = new Ledger(this.scales)
    this.orders = new OrderRegistry(history.orders)
    const { scales, ledger, orders, orderIds, tradeIds } = this
    const onFirstTrade = (market: MarketState): void => {
      this.valuation.firstTrade(market, this.accountsById.values())
    }
    const shared = { ledger, orders, orderIds, tradeIds, onFirstTrade }
    const states = markets.map((market) => new MarketState(market, scales, history, shared))
    this.marketsBySymbol = new Map(states.map((state) => [state.config.symbol, state]))
    this.valuation = new Valuation(quoteAsset, scales, states, ledger)
  }

  get markets(): readonly MarketConfig[] {
    return this.config.markets
  }

  market(symbol: string): MarketState {
    const market = this.marketsBySymbol.get(symbol)
    // Not by invariant(): it would write its message for every trade.
    if (market === undefined) throw new InvariantError(`no market '${symbol}'`)
    return market
  }

  /** The account's row in the ledger; the empty one before it is opened. */
  row(account: string): number {
    return this.accountsById.get(account)?.row ?? (account === CROWD ? CROWD_ROW : EMPTY_ROW)
  }

  /** The account as it is, or as it would be before it is opened. */
  account(id: string): Account {
    return this.accountsById.get(id) ?? new Account(id, EMPTY_ROW, this.config.history)
  }

  /** The account, opened if need be. Not before a command is let in: a refused one leaves nothing behind. */
  open(id: string): Account {
    const known = this.accountsById.get(id)
    if (known !== undefined) return known
    const account = new Account(id, id === CROWD ? CROWD_ROW : this.ledger.openAccount(), this.config.history)
    this.accountsById.set(id, account)
    return account
  }
}
