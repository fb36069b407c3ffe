/**
 * A finished run as one JSON object: the content of `run.json`, and what `--json` prints.
 *
 * Every amount of money is an exact decimal string, every ratio a fraction, every time Unix milliseconds.
 */
import type { Statistics } from '../../analysis/statistics.ts'
import type { AuditJson } from '../../domain/audit.ts'
import type { BalancesJson } from '../../domain/balances.ts'
import type { RefusalCode, Refuser } from '../../domain/refusal.ts'
import type { LiquidityBounds } from '../../runtime/backtest/liquidity-bounds.ts'
import type { FillQualityReport } from '../../runtime/figures/fill-quality.ts'
import type { ImportedFile } from '../../runtime/modules/source-files.ts'
import type { FlatReport } from '../../runtime/session/flatten/flat-report.ts'
import type { StateChange } from '../../runtime/session/risk/session-state.ts'
import type { ShortOrdersReport } from '../../runtime/figures/short-orders.ts'
import type { RunTerms, TermName } from '../../runtime/settings/run-terms.ts'
import type { BookReading, TapeReading } from '../../runtime/settings/tape-reading.ts'
import type { BookTapeInfo } from '../../tape/book-tape.ts'
import type { TapeInfo } from '../../tape/tape.ts'

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue }

export interface StrategyReport {
  readonly name: string
  /**
   * Lower-case hex SHA-256 of its source; of one that imports files or packages, of the list of all of them. Null for one that a program
   * gave.
   */
  readonly sha256: string | null
  /** As the user named it; the strategy's name for one that a program gave. */
  readonly file: string
  /** Absolute; null for one that comes with papertape, or that a program gave. */
  readonly path: string | null
  /** The files that it imports, directly or not, from its own folder. */
  readonly imports: readonly ImportedFile[]
  /** Name and version of the packages that these import. */
  readonly packages: readonly string[]
}

/** A tape, where it was, and how it was read. */
export interface TapeReport extends TapeInfo {
  /** Absolute. */
  readonly path: string
  /** What was said of it beside its file and symbol. */
  readonly reading: Omit<TapeReading, 'symbol'>
}

/** A recorded book, or quotes, where it was, and how it was read. */
export interface BookReport extends BookTapeInfo {
  /** Absolute. */
  readonly path: string
  /** What was said of it beside its file and symbol. */
  readonly reading: Omit<BookReading, 'symbol'>
}

/** The strategy threw, and the run ended before its tape. */
export interface FailureReport {
  readonly message: string
  /** Virtual time, Unix milliseconds. */
  readonly time: number
  /** `file:line:column` in the strategy; null when it is not known. */
  readonly place: string | null
}

/** The settings that were in effect, defaults included. */
export interface RunConfig extends Omit<RunTerms, 'liquidity'> {
  /** Name of the liquidity model, or path of the user's own. */
  readonly liquidity: string
  /** Decimal strings by asset. */
  readonly credit: Readonly<Record<string, string>>
  /** Lower-case hex SHA-256 of the user's own; null for one that comes with papertape. */
  readonly liquiditySha256: string | null
}

/** What a session on a live exchange has beside a simulated one. */
export interface LiveReport {
  /** Base URL of the service, which holds no credentials. */
  readonly url: string
  /** Name of the session among those that share the account, the same after a restart. */
  readonly owner: string
  /** Names this session among all of the account. */
  readonly session: string
  /** Unix milliseconds. */
  readonly startedAt: number
  readonly endedAt: number
  /** Order creations that nobody answered, and what became of these and of those that an earlier session left. */
  readonly unknown: number
  readonly adopted: number
  readonly absent: number
  readonly ambiguous: number
  /** Fills of the time before the session that no earlier session had reported; missing in runs of older versions. */
  readonly recoveredFills?: number
  /** Stretches of which trades are missing, in all markets that were watched. */
  readonly gaps: number
  /** Connections that were lost. */
  readonly lost: number
  /** Orders and cancels that waited at the end, and never left. */
  readonly unsent: number
  /** Ids of the session's orders that were open when it ended. */
  readonly openOrders: readonly string[]
  /** Its order creations of which nobody knew at the end whether they were executed, each in a few words. */
  readonly undecided: readonly string[]
  /** What was sold of its position at the end, and what could not be; only with `--at-exit flatten`. */
  readonly flat?: Pick<FlatReport, 'sold' | 'left'>
  /** Why the account could not be used to the end; null when it could. */
  readonly fault: string | null
}

/** What a session on paper has beside a backtest. */
export interface PaperReport {
  /** Base URL of the service whose trades were played. */
  readonly url: string
  /** Unix milliseconds. */
  readonly startedAt: number
  readonly endedAt: number
}

/** A setting by which the result looks better than by the usual one. */
export interface FlatteringSetting {
  /** Its name in `config`; for a run without fees that of the taker's. */
  readonly setting: TermName
  readonly value: JsonValue
  /** In words, without the name of a flag: `depth 2`. */
  readonly words: string
}

/** The first request that was refused with a code. */
export interface FirstRefusal {
  readonly code: RefusalCode
  /** By which `papertape why` tells of it: `ref:N` of an order, and of a cancel the id of the order that it was for. */
  readonly key: string
  /** In words: `BUY 0.5 BTC_USD at 100.25`. */
  readonly request: string
  /** The exchange, or something before it. */
  readonly by: Refuser
  /** Unix milliseconds at which the strategy was told. */
  readonly time: number
  /** For people. */
  readonly message: string
  /** What to do about it; null where the message says it all. */
  readonly hint: string | null
}

/** A finished run: every amount of money an exact decimal string, every ratio a fraction, every time Unix milliseconds. */
export interface RunReport {
  /** Of papertape. */
  readonly version: string
  /** The strategy, and where it was found. */
  readonly strategy: StrategyReport
  /** Values of its parameters, defaults included. */
  readonly params: Readonly<Record<string, JsonValue>>
  /** The recorded markets, in the order in which they were named. */
  readonly tapes: readonly TapeReport[]
  /** Recorded books and quotes, in the order in which their files were named; only where there are any. */
  readonly books?: readonly BookReport[] | undefined
  /** The settings that were in effect. */
  readonly config: RunConfig
  /** `sha256:` and the lower-case hex SHA-256 of the journal. */
  readonly digest: string
  /** null when the run reached its end. */
  readonly failure: FailureReport | null
  /** Double entry: credited = held + fees, decimal strings by asset. */
  readonly audit: AuditJson
  /** Decimal string in the quote asset: the credits, each at its first recorded price. */
  readonly initialEquity: string
  /** Decimal string in the quote asset: the balances, each at its last recorded price. */
  readonly finalEquity: string
  /** Asset of both. */
  readonly quoteAsset: string
  /** True when a holding could not be priced: equity is then incomplete. */
  readonly partial: boolean
  /** At the end: decimal strings by asset. */
  readonly balances: BalancesJson
  /** Count of orders that the exchange accepted. */
  readonly orders: number
  /** Count of matches of these orders; a self-trade counts for both. */
  readonly fills: number
  /** Count of candles that the strategy watched and that were not over at the end: they were not published. */
  readonly unfinishedCandles: number
  /** Refused orders and cancels, by code. */
  readonly refusals: Readonly<Partial<Record<RefusalCode, number>>>
  /** Of each code the first, in the order in which they came. */
  readonly firstRefusals: readonly FirstRefusal[]
  /** Count of those by the limits of the risk. */
  readonly riskRefusals: number
  /** Count of orders that were open before the session began; they are not among `orders`. */
  readonly recovered: number
  /** Changes of the session's state, oldest first; none for a run that was ACTIVE throughout. */
  readonly states: readonly StateChange[]
  /** By symbol: accepted market orders that found less than they asked for, the rest of which was dropped. */
  readonly partlyFilled: ShortOrdersReport
  /** Return, drawdown, round trips and the like, each a fraction or a count. */
  readonly statistics: Statistics
  /** By symbol: who made the fills, and what came after them. */
  readonly fillQuality: FillQualityReport
  /** Settings in effect by which the result looks better than by the usual ones; none for an honest run. */
  readonly optimistic: readonly FlatteringSetting[]
  /**
   * The same run under the fewest fills, the model, and the most fills: bounds of the fills, not of the equity beside them. By `through`,
   * `tape` and `touch`; where a recorded book is followed, by `book` (those who cancel stand behind us) and `book-prorata` (anywhere in the
   * queue), with `book-power` between them if that is the model. Null when no resting order was filled.
   */
  readonly liquidityBounds: LiquidityBounds | null
  /** Notices for the user, in full sentences: warnings first, the gravest before the others, then notes on how the run was made. */
  readonly notices: readonly string[]
  /** Count of the notices that are warnings. */
  readonly warnings: number
  /** Of a session on a live exchange alone. */
  readonly live?: LiveReport
  /** Of a session on paper alone. */
  readonly paper?: PaperReport
}
