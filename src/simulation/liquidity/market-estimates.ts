/**
 * A liquidity model's guesses at a market's book, learnt from its trades.
 */
import type { Side } from '../../domain/order.ts'
import type { RecordedColumns, RecordedTrade } from './liquidity-model.ts'

/** What `TapeLiquidity` knows of its market beside the last trade. */
export interface MarketEstimates {
  /** Ticks between the crowd's bid and ask, at least 1. */
  readonly spread: number
  /** Lots of a print, at least 1: what the queue and the levels of the ladder are measured by. */
  readonly clip: number
  /** Ticks that a sweep goes over, at least the spread: four levels of the ladder. */
  readonly step: number
  /** Whole ticks by which the side that the last trade touched has moved on for takers, at least 0; 0 where it is not there. */
  readonly drift?: number | undefined
  /**
   * What the distances in the ladder are multiplied with for an order of `side` that takes at `time`, Unix milliseconds, not before
   * the last trade; above 0. 1 where it is not there.
   */
  dearness?(side: Side, time: number): number
  /** Learns from a recorded trade, after it was traded. */
  learn(trade: RecordedTrade): void

  /** The same from many trades at once; undefined where `learn` is to be called for each. */
  readonly learnAll?: ((trades: RecordedColumns) => void) | undefined
  /** Something is missing from the tape between the last trade and the next one. */
  gap(): void
}
