/**
 * A finished run as one JSON object: the content of `run.json`, and what `--json` prints.
 *
 * Every amount of money is an exact decimal string, every ratio a fraction, every time Unix milliseconds.
 */
import type { PlaceIntent } from '../../strategy/place-intent.ts'
import type { Statistics } from '../../analysis/statistics.ts'
import type { AuditJson } from '../../domain/audit.ts'
import type { BalancesJson } from '../../domain/balances.ts'
import type { MarketFees } from '../../domain/market.ts'
import type { RefusalCode, Refuser } from '../../domain/refusal.ts'
import type { LiquidityBounds } from '../../runtime/backtest/liquidity-bounds.ts'
import type { FillQualityReport } from '../../runtime/figures/fill-quality.ts'
import type { ImportedFile } from '../../runtime/modules/source-files.ts'
import type { FlatReport } from '../../runtime/session/flatten/flat-report.ts'
import type { ParamsChange } from '../../runtime/session/session-event.ts'
import type { StateChange } from '../../runtime/session-state.ts'
import type { ShortOrdersReport } from '../../runtime/figures/short-orders.ts'
import type { RebalanceTerms } from '../../runtime/settings/rebalance-terms.ts'
import type { RunTerms, TermName } from '../../runtime/settings/run-terms.ts'
import type { BookReading, TapeReading } from '../../runtime/settings/tape-reading.ts'
import type { NullTestReport } from '../../sweep/null-test.ts'
import type { RobustnessReport } from '../../sweep/robustness.ts'
import type { SeriesReport } from '../../tape/series-info.ts'
import type { BookTapeInfo } from '../../tape/book-tape.ts'
import type { TapeInfo } from '../../tape/tape.ts'
import type { RiskTerms, SetRiskTerms } from '../../runtime/settings/risk-limits.ts'

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue }

/** The strategy of a run. */
export interface StrategyReport {
  readonly name: string
  /**
   * Lower-case hex SHA-256 of its source. If it imports files or packages, of the list of all of them. Null if a
   * program passed it as a value.
   */
  readonly sha256: string | null
  /** File or name as the user passed it; the name of the strategy if a program passed it as a value. */
  readonly file: string
  /** Absolute path; null for a ready strategy, or if a program passed it as a value. */
  readonly path: string | null
  /** Files of its folder that it imports, directly or not. */
  readonly imports: readonly ImportedFile[]
  /** Name and version of the packages that these files import. */
  readonly packages: readonly string[]
}

/** A tape of a run. */
export interface TapeReport extends TapeInfo {
  /** Absolute path. */
  readonly path: string
  /** Options that said how to read it. */
  readonly reading: Omit<TapeReading, 'symbol'>
}

/** A recorded order book, or recorded quotes, of a run. */
export interface BookReport extends BookTapeInfo {
  /** Absolute path. */
  readonly path: string
  /** Options that said how to read it. */
  readonly reading: Omit<BookReading, 'symbol'>
}

/** The strategy threw, and the run ended before its tape. */
export interface FailureReport {
  readonly message: string
  /** Virtual Unix milliseconds. */
  readonly time: number
  /** `file:line:column` in the strategy; null if unknown. */
  readonly place: string | null
}

/** The settings of a run, defaults included. */
export interface RunConfig extends Omit<RunTerms, 'liquidity'> {
  /** Name of the liquidity model, or path of a file with one. */
  readonly liquidity: string
  /** Starting balances, decimal strings by asset. */
  readonly credit: Readonly<Record<string, string>>
  /** Lower-case hex SHA-256 of that file; null for a model of papertape. */
  readonly liquiditySha256: string | null
  /** Only for several strategies on one wallet: the risk limits of all together that are on, if any is. */
  readonly walletRisk?: SetRiskTerms
  /** Only for several strategies on one wallet: when and how capital moves between them, if it does. */
  readonly rebalance?: RebalanceTerms
}

/** The part of a report that only a live session has. */
export interface LiveReport {
  /** Base URL of the service, without credentials. */
  readonly url: string
  /** Name of the session among those that share the account; the same after a restart. */
  readonly owner: string
  /** Identifies this session among all of the account. */
  readonly session: string
  /** Start, Unix milliseconds. */
  readonly startedAt: number
  readonly endedAt: number
  /**
   * Count of orders without an answer. The three below count their outcomes, and those of orders that an earlier
   * session left.
   */
  readonly unknown: number
  readonly adopted: number
  readonly absent: number
  readonly ambiguous: number
  /** Count of fills from before the session that no earlier session reported; absent in runs of older versions. */
  readonly recoveredFills?: number
  /** Count of gaps in the trades of all markets in use. */
  readonly gaps: number
  /** Count of lost connections. */
  readonly lost: number
  /** Count of orders and cancels that were still waiting at the end, and were not sent. */
  readonly unsent: number
  /** Ids of the session's orders that were open at its end. */
  readonly openOrders: readonly string[]
  /** Orders with an unknown outcome at the end, each in a few words. */
  readonly undecided: readonly string[]
  /** Sold quantity of the position at the end, and the rest that could not be sold; only with `--at-exit flatten`. */
  readonly flat?: Pick<FlatReport, 'sold' | 'left'>
  /** Why the account could no longer be used; null if it could. */
  readonly fault: string | null
}

/** The part of a report that only a paper session has. */
export interface PaperReport {
  /** Base URL of the service. */
  readonly url: string
  /** Start, Unix milliseconds. */
  readonly startedAt: number
  readonly endedAt: number
  /** The sessions that it continued; absent for the first of a state, and without one. */
  readonly continued?: ContinuedPaper
}

/** Earlier paper sessions of a strategy. */
export interface ContinuedPaper {
  /** Start of the first one, Unix milliseconds. */
  readonly startedAt: number
  /** Number of them. */
  readonly sessions: number
  /** Equity at the start of the first one, a decimal string in the quote asset. */
  readonly initialEquity: string
  /** Net capital that came from other strategies over all sessions; a decimal string, undefined without a transfer. */
  readonly transferred?: string | undefined
}

/** Capital that came from other strategies of the wallet, and went to them. */
export interface TransfersReport {
  /** Count of transfers of either direction. */
  readonly count: number
  /** Sums, decimal strings in the quote asset. */
  readonly in: string
  readonly out: string
}

/** A strategy of a portfolio, in short; its own `run.json` has the rest. */
export interface PortfolioPart {
  /** Name in the portfolio, and of its directory. */
  readonly name: string
  readonly strategy: StrategyReport
  readonly params: Readonly<Record<string, JsonValue>>
  /** Its capital: decimal strings by asset. */
  readonly credit: Readonly<Record<string, string>>
  /** `sha256:` and the lower-case hex SHA-256 of its journal. */
  readonly digest: string
  /** Why it stopped before the others; null if it did not. */
  readonly failure: FailureReport | null
  /** Absent if no capital moved. It is no part of the profit. */
  readonly transfers?: TransfersReport
  /** Decimal strings in the quote asset. The profits, and that of the reserve, add up to the profit of the wallet. */
  readonly initialEquity: string
  readonly finalEquity: string
  readonly profit: string
  /** Profit divided by the initial equity of the wallet; null if that is 0. */
  readonly contribution: number | null
  /**
   * Change of its equity during the deepest fall of the wallet between two samples of `equity.csv`, divided by the
   * equity of the wallet before it; null if the wallet never fell.
   */
  readonly drawdownContribution: number | null
  /** Statistics of its own equity, as in its `run.json`. */
  readonly return: Statistics['return']
  readonly maxDrawdown: Statistics['maxDrawdown']
  readonly sharpe: Statistics['sharpe']
  readonly orders: number
  readonly fills: number
  readonly balances: BalancesJson
  /** Correlation of its returns per period with those of each other strategy, by name; null if it is not defined. */
  readonly correlations: Readonly<Record<string, number | null>>
}

/** A setting that makes the result look better than the default one would. */
export interface FlatteringSetting {
  /** Name in `config`; for a run without fees, that of the taker fee. */
  readonly setting: TermName
  readonly value: JsonValue
  /** Short text, such as `book depth x2`. */
  readonly words: string
}

/** The first request that was refused with a code. */
export interface FirstRefusal {
  readonly code: RefusalCode
  /** Key for `papertape why`: `ref:N` for an order; for a cancel, the id of its order. */
  readonly key: string
  /** The request in words, such as `BUY 0.5 BTC_USD at 100.25`. */
  readonly request: string
  /** Stage that refused it: the exchange, or one before it. */
  readonly by: Refuser
  /** Unix milliseconds at which the strategy received the refusal. */
  readonly time: number
  /** The refusal in words. */
  readonly message: string
  /** Advice on how to avoid it; null if the message says enough. */
  readonly hint: string | null
}

/** A moment from which a run differs from another one, and how. */
export interface ForkReport {
  /** Digest of the run that it continues. */
  readonly of: string
  /** The moment, in Unix milliseconds. */
  readonly at: number
  /** Parameters from then on, all of them; absent if neither they nor the strategy changed. */
  readonly params?: Readonly<Record<string, unknown>> | undefined
  /** Strategy from then on; absent if it did not change. */
  readonly strategy?: StrategyReport | undefined
  /** True if the strategy of then began at that moment; absent if it had received everything before. */
  readonly isRestarted?: true | undefined
  /** True if the strategy of then placed no order, had wanted some before, and that of the run placed some. */
  readonly isSilent?: true | undefined
  /** Id of the order that the exchange refused, and number of its request; absent if there is none. */
  readonly without?: { readonly orderId: string; readonly ref: number } | undefined
  /** Order that was added; absent if there is none. */
  readonly added?: PlaceIntent | undefined
  /** Order latency from then on, in milliseconds; absent if it did not change. */
  readonly orderLatencyMs?: number | undefined
  /** Response latency from then on, in milliseconds; absent if it did not change. */
  readonly responseLatencyMs?: number | undefined
  /** Fees, liquidity model and limits from then on, as in `config`; absent if none was given. */
  readonly terms?: ForkTerms | undefined
}

/** Terms that a fork can change; an absent one stays. */
export type ForkTerms = {
  readonly [Name in keyof MarketFees | keyof RiskTerms | 'liquidity' | 'liquiditySha256']?: RunConfig[Name] | undefined
}

/**
 * A finished run: every amount of money an exact decimal string, every ratio a fraction, every time Unix
 * milliseconds.
 */
export interface RunReport {
  /** Version of papertape. */
  readonly version: string
  /** The strategy and its files. */
  readonly strategy: StrategyReport
  /** Set for a fork: the run that it continues, and what differs; absent for any other run. */
  readonly fork?: ForkReport | undefined
  /** Set for the twin of a session: the digest of that session; absent for any other run. */
  readonly twin?: { readonly of: string } | undefined
  /** Parameters of the strategy, defaults included. */
  readonly params: Readonly<Record<string, JsonValue>>
  /** Tapes, in the order in which they were passed. */
  readonly tapes: readonly TapeReport[]
  /** Recorded order books and quotes, in the order in which they were passed; absent if there are none. */
  readonly books?: readonly BookReport[] | undefined
  /** The strategy's own data, in the order in which it was passed; absent if there is none. */
  readonly series?: readonly SeriesReport[] | undefined
  /** Settings of the run. */
  readonly config: RunConfig
  /** `sha256:` and the lower-case hex SHA-256 of the journal. */
  readonly digest: string
  /** The error of the strategy; null if the run reached its end. */
  readonly failure: FailureReport | null
  /** Double entry: credited = held + fees, decimal strings by asset. */
  readonly audit: AuditJson
  /** Equity at the start, a decimal string in the quote asset: the credits at their first recorded prices. */
  readonly initialEquity: string
  /** Equity at the end, a decimal string in the quote asset: the balances at their last recorded prices. */
  readonly finalEquity: string
  /** Asset in which equity is valued. */
  readonly quoteAsset: string
  /** True if a holding could not be priced, so equity is incomplete. */
  readonly partial: boolean
  /** Balances at the end, decimal strings by asset. */
  readonly balances: BalancesJson
  /** Count of accepted orders. */
  readonly orders: number
  /** Count of fills; a self-trade counts for both orders. */
  readonly fills: number
  /** Count of candles that were still open at the end, and were not emitted. */
  readonly unfinishedCandles: number
  /** Refused orders and cancels, by code. */
  readonly refusals: Readonly<Partial<Record<RefusalCode, number>>>
  /** First refusal of each code, in the order in which they happened. */
  readonly firstRefusals: readonly FirstRefusal[]
  /** Count of orders that risk limits refused. */
  readonly riskRefusals: number
  /** Count of orders that were open before the session started; they are not counted in `orders`. */
  readonly recovered: number
  /** Changes of the state of the session, oldest first; empty if it was always ACTIVE. */
  readonly states: readonly StateChange[]
  /** Changes of `params` by an operator, oldest first; absent if there was none. */
  readonly paramChanges?: readonly ParamsChange[]
  /** Market orders that were only partly filled for lack of volume, by symbol. */
  readonly partlyFilled: ShortOrdersReport
  /** Return, drawdown, round trips and so on, as defined in docs/statistics.md. */
  readonly statistics: Statistics
  /** Maker and taker fills and their markouts, by symbol. */
  readonly fillQuality: FillQualityReport
  /** Settings that make the result look better than the default ones would. */
  readonly optimistic: readonly FlatteringSetting[]
  /**
   * Results under the fill models with the fewest and the most fills, and under the model of the run. They bound the
   * fills, not the equity. The models are `through`, `tape` and `touch`; with a recorded book `book` and
   * `book-prorata`, and `book-power` between them if the run used it. Null if no resting order filled.
   */
  readonly liquidityBounds: LiquidityBounds | null
  /** Warnings, the most serious first, then notes: full sentences. */
  readonly notices: readonly string[]
  /** Count of warnings among the notices. */
  readonly warnings: number
  /** Results on shuffled tapes; absent if not requested. */
  readonly nullTest?: NullTestReport
  /** Results in worlds that differ in one setting; absent if not requested. */
  readonly robustness?: RobustnessReport
  /** Only for a live session. */
  readonly live?: LiveReport
  /** Only for a paper session. */
  readonly paper?: PaperReport
  /** Only for several strategies on one wallet: each of them, in the order of the settings. */
  readonly strategies?: readonly PortfolioPart[]
  /** Only for several strategies on one wallet: balances that none of them has. */
  readonly reserve?: BalancesJson
  /** Only for a strategy among others on one wallet, if capital moved. */
  readonly transfers?: TransfersReport
  /** Only for a strategy among others on one wallet: its name there. */
  readonly partOf?: string
}
