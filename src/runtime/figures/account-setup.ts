/**
 * Setup of an account, known to any session before anything happens: a backtest, a session on paper, a live one.
 */
import type { Balances } from '../../domain/balances.ts'
import type { Market } from '../../domain/market.ts'

export interface AccountSetup {
  readonly markets: readonly Market[]
  /** Ledger digits by asset; every asset of the markets. */
  readonly scales: ReadonlyMap<string, number>
  /** At the beginning. */
  readonly balances: Balances
  /** Asset in which the account is valued. */
  readonly quoteAsset: string
  /** Unix milliseconds of the session. */
  readonly from: number
  /** Undefined when it is not known yet. */
  readonly to: number | undefined
  /** Milliseconds between two samples of the returns; default: a day. */
  readonly statsPeriodMs?: number
  /** Interval in milliseconds of the markets that were recorded as candles, by symbol. */
  readonly candleMs?: ReadonlyMap<string, number>
  /** False where nobody draws the markets: then there are no candles to do it by; default: true. */
  readonly isDrawn?: boolean
}
