/** Warm-up of a session in real time: whether there is one, and how far it reaches back. */
import type { ExchangeAdapter } from '../../adapter/exchange-adapter.ts'
import { ALL_CANDLE_INTERVALS } from '../../domain/candle.ts'
import type { Strategy } from '../../strategy/strategy.ts'
import { warmupBegin, warmupNeeds, type WarmupNeed } from '../../strategy/warmup.ts'
import { WarmAdapter, type PastSource } from './warm-adapter.ts'

export interface WarmStart {
  readonly adapter: ExchangeAdapter
  readonly source: PastSource
  readonly strategy: Strategy
  /** Requested duration; null for what the strategy declares. */
  readonly warmupMs: number | null
  /** Runs an action as an event. */
  readonly enter: (action: () => void) => void
  /** Logs to the operator. */
  readonly log: (message: string) => void
}

/** Undefined if neither the user nor the strategy wants one. */
export function warmAdapter({ strategy, warmupMs, ...parts }: WarmStart): WarmAdapter | undefined {
  const needs = warmupNeeds(strategy.warmup)
  if (warmupMs === null && needs.length === 0) return undefined
  const now = parts.adapter.now()
  const from = warmupMs === null ? warmupBegin(needs, now) : now - warmupMs
  const needed = new Set(needs.map(longestPart))
  return new WarmAdapter({ ...parts, from, isNeeded: (lengthMs) => warmupMs !== null || needed.has(lengthMs) })
}

/** Length of the listed candles from which the needed ones are aggregated. */
const longestPart = ({ lengthMs }: WarmupNeed): number =>
  Math.max(...Object.values(ALL_CANDLE_INTERVALS).filter((listed) => lengthMs % listed === 0))
