/**
 * A backtest as a user describes it, with every default filled in. Plain values: it goes into `run.json` and comes back from it.
 */
import type { RateLimits } from '../../domain/rate-window.ts'
import type { TapeSource } from '../../store/tape-source.ts'
import type { OnLimit } from '../session/request-queue.ts'

export interface BacktestSettings {
  /** Name of a ready strategy, or path of a file. */
  readonly strategy: string
  /** As text, from the command line; these win over the values below. */
  readonly paramTexts: Readonly<Record<string, string>>
  readonly params: Readonly<Record<string, unknown>>
  readonly tapes: readonly TapeSource[]
  /** Decimal strings by asset; empty for 10 000 of the first tape's quote asset. */
  readonly credit: Readonly<Record<string, string>>
  /** Decimal strings of basis points. */
  readonly makerFeeBps: string
  readonly takerFeeBps: string
  /** Name of a model, or path of a file. */
  readonly liquidity: string
  /** Clips ahead of an order that joins a price, and at a level of the ladder; 0 or more. */
  readonly queueClips: number
  readonly depthClips: number
  /** The crowd's spread as a decimal string; null to learn it. */
  readonly spread: string | null
  /** Milliseconds after which a quote shows no ladder; null for 10 minutes, or two candles. */
  readonly staleAfterMs: number | null
  readonly orderLatencyMs: number
  readonly responseLatencyMs: number
  readonly feedLatencyMs: number
  readonly onLimit: OnLimit
  /** null for none. */
  readonly limits: RateLimits | null
  /** Unix milliseconds: only what was recorded from here on, and before there; null for as far as the tapes go. */
  readonly from: number | null
  readonly to: number | null
  /** A 32-bit integer. */
  readonly seed: number
}

export const DEFAULT_CREDIT = '10000'
