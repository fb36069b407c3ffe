/**
 * A recorded market with its book and the orders of two strategies in it, and what comes of them: what scenarios and
 * properties play.
 *
 * Prices are in ticks and quantities in lots. An order is named by its account and a number: `A1` is the first of
 * account A.
 */
import type { Side } from '../../../../src/domain/order.ts'
import type { MadeFrame, MadeQuote } from '../../../tape/rig/depth-of.ts'

export interface TradeStep {
  readonly do: 'trade'
  readonly time: number
  readonly price: number
  readonly qty: number
  /** The aggressor. */
  readonly side: 'buy' | 'sell'
}

export interface PlaceStep {
  readonly do: 'place'
  readonly time: number
  readonly order: string
  readonly side: Side
  /** Undefined for a market order. */
  readonly price: number | undefined
  readonly qty: number
}

export interface CancelStep {
  readonly do: 'cancel'
  readonly time: number
  readonly order: string
}

export type FrameStep = { readonly do: 'frame' } & MadeFrame
export type QuoteStep = { readonly do: 'quote' } & MadeQuote

export type RecordedStep = TradeStep | FrameStep | QuoteStep
export type OrderStep = PlaceStep | CancelStep
export type Step = RecordedStep | OrderStep

export interface SessionSettings {
  /** How near to us those stand who cancel. */
  readonly power: number
  /** What is guessed where nothing is reported: lots of a print, and ticks of a sweep. */
  readonly clip: number
  readonly step: number
  readonly staleAfterMs: number
}

export const PLAIN: SessionSettings = { power: Infinity, clip: 4, step: 4, staleAfterMs: 600_000 }

/** Ticks between bid and ask that are guessed from a trade. */
export const SPREAD = 1

export interface Session {
  readonly settings: SessionSettings
  /** In the order in which they must happen: at one moment trades, frames, quotes, orders. */
  readonly steps: readonly Step[]
}

export const CROWD_NAME = 'crowd'

/** A match in which an order of ours took part; the other one may be the crowd's. */
export interface Match {
  readonly maker: string
  readonly taker: string
  readonly price: number
  readonly qty: number
}

/** An order of ours that rests. */
export interface Resting {
  readonly order: string
  readonly side: Side
  readonly price: number
  readonly qty: number
  /** Lots of the crowd that come before it at its price. */
  readonly ahead: number
}

/** What came of a step. */
export interface Turn {
  readonly step: Step
  /** In their order; neighbours with the same orders and price as one. */
  readonly matches: readonly Match[]
  /**
   * How the order stands that was placed or cancelled: `rests 3`, `lapses 2`, `is cancelled`, `is refused CODE`; empty
   * when it was filled.
   */
  readonly fate: string
  /** Orders of ours afterwards, in the order in which they came. */
  readonly resting: readonly Resting[]
}

export type Play = (session: Session) => Promise<readonly Turn[]>

export const accountOf = (order: string): string => order.replace(/\d+$/, '')

export const isRecorded = (step: Step): step is RecordedStep => step.do !== 'place' && step.do !== 'cancel'

export const isTrade = (step: Step): step is TradeStep => step.do === 'trade'

/** Joins neighbours of the same orders and price. */
export function mergedMatches(matches: readonly Match[]): readonly Match[] {
  const merged: Match[] = []
  for (const match of matches) {
    const last = merged.at(-1)
    const isSame = last?.maker === match.maker && last.taker === match.taker && last.price === match.price
    if (last !== undefined && isSame) merged[merged.length - 1] = { ...last, qty: last.qty + match.qty }
    else merged.push(match)
  }
  return merged
}
