/** Everything that an exchange knows, in one place. */
import { CROWD } from '../domain/command.ts'
import { invariant, InvariantError } from '../domain/errors.ts'
import { ledgerScales, type MarketConfig } from '../domain/market.ts'
import { Account } from './accounts/account.ts'
import { OrderRecords } from './accounts/order-records.ts'
import { OrderRegistry } from './accounts/order-registry.ts'
import { TradeRecords } from './accounts/trade-records.ts'
import { Valuation } from './accounts/valuation.ts'
import type { ExchangeConfig } from './exchange.ts'
import { IdSequence } from './id-sequence.ts'
import { CROWD_ROW, EMPTY_ROW, Ledger } from './ledger/ledger.ts'
import { MarketState, type SharedState } from './market-state.ts'

export class ExchangeState implements SharedState {
  readonly config: ExchangeConfig
  /** Ledger digits by asset. */
  readonly scales: ReadonlyMap<string, number>
  readonly marketsBySymbol: ReadonlyMap<string, MarketState>
  readonly #markets: readonly MarketState[]
  /** Accounts in the order in which they were opened. */
  readonly accountsById = new Map<string, Account>()
  /** Accounts by ledger row; the rows of the crowd and of the empty account exist before they are opened. */
  readonly accounts: Account[]
  /** Account ids by ledger row. */
  readonly #names: string[] = []
  readonly ledger: Ledger
  readonly orders: OrderRegistry
  readonly trades: TradeRecords
  readonly valuation: Valuation
  readonly orderIds = new IdSequence()
  readonly tradeIds = new IdSequence()
  /** Time of the last command. */
  time = 0

  constructor(config: ExchangeConfig) {
    const { quoteAsset, history } = config
    // Copied, because the caller may change the config later.
    const markets = config.markets.map((market) => ({ ...market }))
    this.config = { markets, quoteAsset, history: { ...history } }
    this.scales = ledgerScales(markets)
    this.ledger = new Ledger(this.scales)
    const symbols = markets.map(({ symbol }) => symbol)
    this.accounts = []
    this.orders = new OrderRegistry(new OrderRecords(this.#names, symbols), this.accounts)
    this.trades = new TradeRecords(this.#names, symbols)
    this.#addAccount(CROWD, CROWD_ROW)
    this.#addAccount('', EMPTY_ROW)
    const states = markets.map((market, number) => new MarketState(market, number, this.scales, history, this))
    this.#markets = states
    this.marketsBySymbol = new Map(states.map((state) => [state.config.symbol, state]))
    this.valuation = new Valuation(quoteAsset, this.scales, states, this.ledger)
  }

  get markets(): readonly MarketConfig[] {
    return this.config.markets
  }

  /**
   * Sets the time of the next command.
   *
   * @throws {InvariantError} when it went back
   */
  advance(time: number): void {
    if (!Number.isSafeInteger(time) || time < this.time) {
      throw new InvariantError(`time went back from ${this.time} to ${time}`)
    }
    this.time = time
  }

  onFirstTrade(market: MarketState): void {
    this.valuation.firstTrade(market, this.accountsById.values())
  }

  market(symbol: string): MarketState {
    const market = this.marketsBySymbol.get(symbol)
    // Not by invariant(): it would write its message for every trade.
    if (market === undefined) throw new InvariantError(`no market '${symbol}'`)
    return market
  }

  /** @param number  its place among the markets */
  marketOf(number: number): MarketState {
    const market = this.#markets[number]
    if (market === undefined) throw new InvariantError(`no market number ${number}`)
    return market
  }

  /** The account's row in the ledger; the empty one before it is opened. */
  row(account: string): number {
    return this.accountsById.get(account)?.row ?? (account === CROWD ? CROWD_ROW : EMPTY_ROW)
  }

  /** The account, or an empty one if it is not open yet. */
  account(id: string): Account {
    return this.accountsById.get(id) ?? new Account(id, EMPTY_ROW, this.config.history, this.orders.records)
  }

  /** Opens the account if it is new. Call only after the command was admitted: a rejected one must leave no account. */
  open(id: string): Account {
    const known = this.accountsById.get(id)
    if (known !== undefined) return known
    const account =
      (id === CROWD ? this.accounts[CROWD_ROW] : undefined) ?? this.#addAccount(id, this.ledger.openAccount())
    this.accountsById.set(id, account)
    return account
  }

  #addAccount(id: string, row: number): Account {
    invariant(row === this.accounts.length, 'each row of the ledger has its account')
    const account = new Account(id, row, this.config.history, this.orders.records)
    this.accounts.push(account)
    this.#names.push(id)
    return account
  }
}
