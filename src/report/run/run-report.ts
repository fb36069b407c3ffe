/**
 * A finished run as one JSON object: the content of `run.json`, and what `--json` prints.
 *
 * Every amount of money is an exact decimal string, every ratio a fraction, every time Unix milliseconds.
 */
import type { Statistics } from '../../analysis/statistics.ts'
import type { AuditJson } from '../../domain/audit.ts'
import type { BalancesJson } from '../../domain/balances.ts'
import type { RefusalCode } from '../../domain/refusal.ts'
import type { FillQualityReport } from '../../runtime/figures/fill-quality.ts'
import type { RunTerms } from '../../runtime/settings/run-terms.ts'
import type { TapeReading } from '../../runtime/settings/tape-reading.ts'
import type { TapeInfo } from '../../tape/tape.ts'

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue }

/** Final equity under the lower bound, the model, and the upper bound, decimal strings; null where the strategy failed. */
export type LiquidityBounds = Readonly<Record<'through' | 'tape' | 'touch', string | null>>

export interface StrategyReport {
  readonly name: string
  /** Lower-case hex SHA-256 of its source; null for one that a program gave. */
  readonly sha256: string | null
  /** As the user named it; the strategy's name for one that a program gave. */
  readonly file: string
  /** Absolute; null for one that comes with papertape, or that a program gave. */
  readonly path: string | null
}

/** A tape, where it was, and how it was read. */
export interface TapeReport extends TapeInfo {
  /** Absolute. */
  readonly path: string
  /** What was said of it beside its file and symbol. */
  readonly reading: Omit<TapeReading, 'symbol'>
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
export interface RunConfig extends RunTerms {
  /** Decimal strings by asset. */
  readonly credit: Readonly<Record<string, string>>
  /** Lower-case hex SHA-256 of the user's own; null for one that comes with papertape. */
  readonly liquiditySha256: string | null
}

export interface RunReport {
  /** Of papertape. */
  readonly version: string
  readonly strategy: StrategyReport
  readonly params: Readonly<Record<string, JsonValue>>
  readonly tapes: readonly TapeReport[]
  readonly config: RunConfig
  /** `sha256:` and the lower-case hex SHA-256 of the journal. */
  readonly digest: string
  /** null when the run reached its end. */
  readonly failure: FailureReport | null
  readonly audit: AuditJson
  readonly initialEquity: string
  readonly finalEquity: string
  /** Asset of both. */
  readonly quoteAsset: string
  /** True when a holding could not be priced: equity is then incomplete. */
  readonly partial: boolean
  readonly balances: BalancesJson
  /** Orders that the exchange accepted. */
  readonly orders: number
  /** Matches of these orders; a self-trade counts for both. */
  readonly fills: number
  /** Refused orders and cancels, by code. */
  readonly refusals: Readonly<Partial<Record<RefusalCode, number>>>
  readonly statistics: Statistics
  readonly fillQuality: FillQualityReport
  /** Final equity under the lower bound, the model, and the upper bound; null when no resting order was filled. */
  readonly liquidityBounds: LiquidityBounds | null
  /** Notices for the user, in full sentences, the most important first. */
  readonly notices: readonly string[]
}
