/** A liquidity model's guesses at a market's book, learnt from its trades. */
import type { Side } from '../../domain/order.ts'
import type { RecordedColumns, RecordedTrade } from './liquidity-model.ts'

/** Estimates of a market that `TapeLiquidity` uses, besides the last trade. */
export interface MarketEstimates {
  /** Spread between the crowd's bid and ask, at least 1 tick. */
  readonly spread: number
  /** Average trade size in lots, at least 1: the unit of the queue and of the levels of the ladder. */
  readonly averageTrade: number
  /** Former name of `averageTrade`, in lots. */
  readonly clip?: number
  /** Ticks that a sweep moves the price, at least the spread: four levels of the ladder. */
  readonly step: number
  /** Whole ticks that the side touched by the last trade has moved away for takers, at least 0; default: 0. */
  readonly drift?: number | undefined
  /**
   * Impact skew: factor on the distances in the ladder for a taking order of `side` at `time`, in Unix milliseconds,
   * not before the last trade; above 0; default: 1.
   */
  impactSkew?(side: Side, time: number): number
  /** Former name of `impactSkew`; `time` is in Unix milliseconds. */
  skew?(side: Side, time: number): number
  /** Updates the estimates with a recorded trade, after it was traded. */
  learn(trade: RecordedTrade): void

  /** Updates the estimates with many trades; undefined to call `learn` for each. */
  readonly learnAll?: ((trades: RecordedColumns) => void) | undefined
  /** Data is missing from the tape between the last trade and the next one. */
  gap(): void
}

/** `MarketEstimates` with the names from before a rename. */
export type FormerMarketEstimates = Omit<MarketEstimates, 'averageTrade' | 'impactSkew' | 'clip'> & {
  readonly clip: number
}

/** The estimates under their present names. */
export function currentEstimates(estimates: MarketEstimates | FormerMarketEstimates): MarketEstimates {
  if ('averageTrade' in estimates) return estimates
  // Defined in place: private fields are not accessible through a derived object.
  const names = {
    averageTrade: { get: () => estimates.clip },
    impactSkew: { value: estimates.skew?.bind(estimates) },
  }
  return Object.defineProperties(estimates, names) as FormerMarketEstimates & MarketEstimates
}
