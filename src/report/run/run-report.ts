/**
 * A finished run as one JSON object: the content of `run.json`, and what `--json` prints.
 *
 * Every amount of money is an exact decimal string, every ratio a fraction, every time Unix milliseconds.
 */
import type { Statistics } from '../../analysis/statistics.ts'
import type { AuditJson } from '../../domain/audit.ts'
import type { BalancesJson } from '../../domain/balances.ts'
import type { RateLimits } from '../../domain/rate-window.ts'
import type { RefusalCode } from '../../domain/refusal.ts'
import type { FillQualityReport } from '../../runtime/figures/fill-quality.ts'
import type { LiquidityBounds } from '../../runtime/backtest/liquidity-bounds.ts'
import type { TapeSource } from '../../store/tape-source.ts'
import type { TapeInfo } from '../../tape/tape.ts'

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue }

export interface StrategyReport {
  readonly name: string
  /** Lower-case hex SHA-256 of its source. */
  readonly sha256: string
  /** As the user named it. */
  readonly file: string
  /** Absolute; null for one that comes with papertape. */
  readonly path: string | null
}

/** A tape, where it was, and how it was read. */
export interface TapeReport extends TapeInfo {
  /** Absolute. */
  readonly path: string
  /** What was said of it beside its file and symbol. */
  readonly reading: Omit<TapeSource, 'file' | 'symbol'>
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
export interface RunConfig {
  /** Decimal strings by asset. */
  readonly credit: Readonly<Record<string, string>>
  /** Decimal strings of basis points. */
  readonly makerFeeBps: string
  readonly takerFeeBps: string
  /** Name of the liquidity model, or path of the user's own. */
  readonly liquidity: string
  /** Lower-case hex SHA-256 of the user's own; null for one that comes with papertape. */
  readonly liquiditySha256: string | null
  readonly queueClips: number
  readonly depthClips: number
  /** Decimal string; null when it is learnt. */
  readonly spread: string | null
  /** null for what suits the tape. */
  readonly staleAfterMs: number | null
  readonly orderLatencyMs: number
  readonly responseLatencyMs: number
  readonly feedLatencyMs: number
  readonly onLimit: 'refuse' | 'wait'
  /** null: none apply. */
  readonly limits: RateLimits | null
  /** Only what was recorded from here, and to here; null: as far as the tapes go. */
  readonly from: number | null
  readonly to: number | null
  readonly seed: number
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
