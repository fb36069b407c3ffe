/** Setup of an account, known before anything happens in every session: a backtest, paper or live. */
import type { Balances } from '../../domain/balances.ts'
import type { Market } from '../../domain/market.ts'

export interface AccountSetup {
  readonly markets: readonly Market[]
  /** Ledger digits by asset, for every asset of the markets. */
  readonly scales: ReadonlyMap<string, number>
  /** Initial balances. */
  readonly balances: Balances
  /** Asset in which the account is valued. */
  readonly quoteAsset: string
  /** Start of the session, Unix milliseconds. */
  readonly from: number
  /** End of the session; undefined while it is not known. */
  readonly to: number | undefined
  /** Milliseconds between two samples of the returns; default: a day. */
  readonly statsPeriodMs?: number
  /** Interval in milliseconds of the markets that were recorded as candles, by symbol. */
  readonly candleMs?: ReadonlyMap<string, number>
  /** False if the markets are not drawn, so that no candles are collected; default: true. */
  readonly isDrawn?: boolean
}
