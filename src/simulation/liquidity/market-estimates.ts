/**
 * A liquidity model's guesses at a market's book, learnt from its trades.
 */
import type { RecordedColumns, RecordedTrade } from './liquidity-model.ts'

/** What `TapeLiquidity` knows of its market beside the last trade. */
export interface MarketEstimates {
  /** Ticks between the crowd's bid and ask, at least 1. */
  readonly spread: number
  /** Lots at a level of the book, at least 1. */
  readonly clip: number
  /** Ticks between two levels of the book, at least the spread. */
  readonly step: number
  /** Learns from a recorded trade, after it was traded. */
  learn(trade: RecordedTrade): void

  /** The same from many trades at once; undefined where `learn` is to be called for each. */
  readonly learnAll?: ((trades: RecordedColumns) => void) | undefined
  /** Something is missing from the tape between the last trade and the next one. */
  gap(): void
  /** Lots of a recorded trade that our orders may have of it. */
  share(trade: RecordedTrade): number
}
