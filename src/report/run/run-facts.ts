/** Input of a report: facts that any session has about its account, and facts about its recordings. */
import type { SeriesReport } from '../../tape/series-info.ts'
import type { Unrepeatable } from '../../runtime/sandbox/virtual-globals.ts'
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
  /** Version of papertape. */
  readonly version: string
  readonly strategy: StrategyReport
  readonly params: Readonly<Record<string, unknown>>
  /** Empty for a session on an unrecorded market. */
  readonly tapes: readonly TapeReport[]
  /** Recorded books and quotes; undefined if there are none. */
  readonly books?: readonly BookReport[] | undefined
  /** The strategy's own data; undefined if there is none. */
  readonly series?: readonly SeriesReport[] | undefined
  readonly config: RunConfig
  /** Digest of the journal. */
  readonly digest: string
  readonly failure: FailureReport | null
  readonly account: AccountFacts
  /** One line per asset. */
  readonly audit: readonly AuditLine[]
  readonly bounds: LiquidityBounds | null
  /** Subscribed candles that were still open at the end. */
  readonly unfinishedCandles: number
  readonly remarks: RunRemarks
  /** Only for live sessions. */
  readonly live?: LiveReport
  /** Only for paper sessions. */
  readonly paper?: PaperReport
}

export interface AccountFacts {
  /** Asset in which equity is measured. */
  readonly quoteAsset: string
  /** Decimals of the ledger by asset. */
  readonly scales: ReadonlyMap<string, number>
  /** Final balances. */
  readonly balances: Balances
  readonly figures: AccountFigures
  /** Totals of the order reports that the strategy received. */
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
    | 'paramChanges'
  >
}

/** Long waits for the next open of a closed market. */
export interface LongWaitsOf {
  readonly symbol: string
  readonly count: number
  readonly longestMs: number
}

/** Facts beyond the account that affect how reliable the result is. */
export interface RunRemarks {
  /** Caution that the liquidity model requires; empty for none. */
  readonly caution: string
  /** Markets whose spread is assumed. */
  readonly guessedSpreads: readonly string[]
  /** Orders and cancels that waited more than two candles for an open, by market. */
  readonly longWaits: readonly LongWaitsOf[]
  /** Markets recorded as candles. */
  readonly candleSymbols: readonly string[]
  /** Orders and cancels in transit at the end, and the time of the end in Unix milliseconds. */
  readonly unsent: number
  readonly endedAt: number
  /** Usage of streams and intents by the strategy; undefined if not recorded. */
  readonly usage?: StrategyUsage
  /** Math functions used by the strategy whose last digit depends on the JavaScript engine. */
  readonly inexactMath: readonly string[]
  /** Sources of non-determinism that the strategy or the model used. */
  readonly unrepeatable: readonly Unrepeatable[]
  /** Print counts by symbol. */
  readonly prints: Readonly<Record<string, PrintCounts>>
}
