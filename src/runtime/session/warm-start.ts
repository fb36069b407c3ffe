/**
 * The warm-up of a session in real time: whether there is one, and from when on.
 */
import type { ExchangeAdapter } from '../../adapter/exchange-adapter.ts'
import { ALL_CANDLE_INTERVALS } from '../../domain/candle.ts'
import type { Strategy } from '../../strategy/strategy.ts'
import { warmupBegin, warmupNeeds, type WarmupNeed } from '../../strategy/warmup.ts'
import { WarmAdapter, type PastSource } from './warm-adapter.ts'

export interface WarmStart {
  readonly adapter: ExchangeAdapter
  readonly source: PastSource
  readonly strategy: Strategy
  /** That was asked for; null for as much as the strategy says. */
  readonly warmupMs: number | null
  /** Runs something as an event. */
  readonly enter: (action: () => void) => void
  /** For the person who runs the strategy. */
  readonly log: (message: string) => void
}

/** Undefined when neither the user nor the strategy wants one. */
export function warmAdapter({ strategy, warmupMs, ...parts }: WarmStart): WarmAdapter | undefined {
  const needs = warmupNeeds(strategy.warmup)
  if (warmupMs === null && needs.length === 0) return undefined
  const now = parts.adapter.now()
  const from = warmupMs === null ? warmupBegin(needs, now) : now - warmupMs
  const needed = new Set(needs.map(longestPart))
  return new WarmAdapter({ ...parts, from, isNeeded: (lengthMs) => warmupMs !== null || needed.has(lengthMs) })
}

/** Length of the listed candles of which the needed ones are made. */
const longestPart = ({ lengthMs }: WarmupNeed): number =>
  Math.max(...Object.values(ALL_CANDLE_INTERVALS).filter((listed) => lengthMs % listed === 0))
