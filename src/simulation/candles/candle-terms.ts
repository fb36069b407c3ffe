/** Order execution terms of a market recorded as candles. */
import type { CandleStrictness } from './candle-reach.ts'

export interface CandleTerms {
  /** Length of a candle. */
  readonly intervalMs: number
  /** True when every candle begins on the grid of its interval, so that longer ones can be aggregated. */
  readonly isAligned: boolean
  /** Candles have no common length: each closes when the next one opens. */
  readonly closesAtNext?: boolean
  /** IANA zone of the tape, whose calendar defines days and longer candles; undefined for UTC. */
  readonly zone?: string | undefined
  /** Ticks between bid and ask; undefined to learn it. */
  readonly spread: number | undefined
  /**
   * Ticks by which a price must be passed to fill an order that rests there. `ideal`: a touch fills it entirely, and an
   * open fills any quantity without a spread.
   */
  readonly fills: CandleStrictness | 'ideal'
}
