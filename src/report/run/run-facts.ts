/**
 * Facts for a report: those that any session knows of its account, and those of what it ran on, if that was recorded.
 */
import type { Unrepeatable } from '../../runtime/backtest/virtual-globals.ts'
import type { AuditLine } from '../../domain/audit.ts'
import type { Balances } from '../../domain/balances.ts'
import type { LiquidityBounds } from '../../runtime/backtest/liquidity-bounds.ts'
import type { AccountFigures } from '../../runtime/figures/account-figures.ts'
import type { RunRecord } from '../../runtime/figures/run-record.ts'
import type { StrategyUsage } from '../../runtime/session/stream-usage.ts'
import type { PrintCounts } from '../../tape/print-filter.ts'
import type {
  BookReport,
  FailureReport,
  LiveReport,
  PaperReport,
  RunConfig,
  StrategyReport,
  TapeReport,
} from './run-report.ts'

export interface RunFacts {
  /** Of papertape. */
  readonly version: string
  readonly strategy: StrategyReport
  readonly params: Readonly<Record<string, unknown>>
  /** Empty for a session on a market that nobody recorded. */
  readonly tapes: readonly TapeReport[]
  /** Of recorded books and quotes; undefined where there are none. */
  readonly books?: readonly BookReport[] | undefined
  readonly config: RunConfig
  /** Of the journal. */
  readonly digest: string
  readonly failure: FailureReport | null
  readonly account: AccountFacts
  /** A line an asset. */
  readonly audit: readonly AuditLine[]
  readonly bounds: LiquidityBounds | null
  /** Candles that were watched and not over at the end. */
  readonly unfinishedCandles: number
  readonly remarks: RunRemarks
  /** Of a session on a live exchange alone. */
  readonly live?: LiveReport
  /** Of a session on paper alone. */
  readonly paper?: PaperReport
}

export interface AccountFacts {
  /** Asset in which it is valued. */
  readonly quoteAsset: string
  /** Ledger digits by asset. */
  readonly scales: ReadonlyMap<string, number>
  /** At the end. */
  readonly balances: Balances
  readonly figures: AccountFigures
  /** What the strategy was told of its orders, counted. */
  readonly record: Pick<
    RunRecord,
    | 'orders'
    | 'fills'
    | 'refusals'
    | 'firstRefused'
    | 'riskRefusals'
    | 'shortOrders'
    | 'limitOrders'
    | 'recovered'
    | 'states'
  >
}

/** Long waits for an open of a market that was shut. */
export interface LongWaitsOf {
  readonly symbol: string
  readonly count: number
  readonly longestMs: number
}

/** What bears on how far the result can be believed, beside the account. */
export interface RunRemarks {
  /** What whoever reads a result under the liquidity model must know; empty for nothing. */
  readonly caution: string
  /** Markets whose spread is a guess. */
  readonly guessedSpreads: readonly string[]
  /** Orders and cancels that waited for an open for more than two candles, by market. */
  readonly longWaits: readonly LongWaitsOf[]
  /** Markets that were recorded as candles. */
  readonly candleSymbols: readonly string[]
  /** Orders and cancels that were on their way at the end, and when that was, Unix milliseconds. */
  readonly unsent: number
  readonly endedAt: number
  /** What the strategy saw and did; undefined where nobody noted it. */
  readonly sights?: StrategyUsage
  /** Math functions of the strategy whose last digit depends on the engine. */
  readonly inexactMath: readonly string[]
  /** What the strategy or the model used and that may be another the next time. */
  readonly unrepeatable: readonly Unrepeatable[]
  /** The recorded prints of each market, counted, by symbol. */
  readonly prints: Readonly<Record<string, PrintCounts>>
}
