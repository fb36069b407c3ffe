/**
 * Channels from the rows of a recorded tape to its market, and to those who hear of them.
 */
import type { Tape } from '../../tape/tape.ts'
import { TickRule } from '../../tape/tick-rule.ts'
import { GapDetector } from './gap-detector.ts'

/** Hears of the recorded trades of one market, each before it is played. */
export interface RecordedListener {
  /** @param candleTime  opening time of the candle that it was made of; undefined for one that was recorded as a trade */
  onRecorded(time: number, price: number, qty: number, isBuyerMaker: boolean, candleTime: number | undefined): void
}

/** Hears that something is missing from the tape of a market before the trade that comes next. */
export type GapListener = (symbol: string, time: number) => void

/** Where the rows of a tape go. Tapes of one market share all of it. */
export interface TapeChannel {
  readonly symbol: string
  readonly tickRule: TickRule
  readonly gapDetector: GapDetector
  readonly listener?: RecordedListener | undefined
}

/** A recorded market that is played. */
export interface PlayedTape {
  readonly tape: Tape
  /** Milliseconds without a trade that are no gap. */
  readonly longestSilenceMs: number
  readonly listener?: RecordedListener | undefined
}

/** One channel for each tape; tapes of one market share that of the first of them. */
export function channelsOf(tapes: readonly PlayedTape[]): readonly TapeChannel[] {
  const channels = new Map<string, TapeChannel>()
  return tapes.map(({ tape: { info }, longestSilenceMs, listener }) => {
    const { symbol } = info
    const gapDetector = new GapDetector(longestSilenceMs)
    const channel = channels.get(symbol) ?? { symbol, tickRule: new TickRule(), gapDetector, listener }
    channels.set(symbol, channel)
    return channel
  })
}
