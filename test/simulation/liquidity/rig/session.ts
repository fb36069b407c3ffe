/**
 * A recorded market and the orders of two strategies in it, and what comes of them: what scenarios and properties play.
 *
 * Prices are in ticks and quantities in lots. An order is named by its account and a number: `A1` is the first of
 * account A.
 */
import type { Side } from '../../../../src/domain/order.ts'

export interface TradeStep {
  readonly do: 'trade'
  readonly time: number
  readonly price: number
  readonly qty: number
  /** The aggressor, where it was recorded. */
  readonly side: 'buy' | 'sell' | undefined
  /** The recorded id; all trades of a session have one, or none. */
  readonly id: number | undefined
  /** Number of the file it is in, from 0. */
  readonly file: number
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

export type Step = TradeStep | PlaceStep | CancelStep

export interface Credit {
  readonly account: string
  readonly asset: string
  readonly amount: bigint
}

export interface SessionSettings {
  readonly model: 'tape' | 'through' | 'touch'
  /** Clips ahead of an order that joins. */
  readonly queue: number
  /** Times as many lots at a level of the ladder. */
  readonly depth: number
  /** Given instead of estimated, in ticks. */
  readonly spread?: number
  readonly staleAfterMs?: number
  /** The price of a print that no one believes yet, all the time. */
  readonly heldPrice?: number
  readonly selfTrade: 'allow' | 'reject'
  /** All that these accounts have; any other has more than it can spend. */
  readonly credits: readonly Credit[]
}

export const PLAIN: SessionSettings = { model: 'tape', queue: 1, depth: 1, selfTrade: 'allow', credits: [] }

export interface Session {
  readonly settings: SessionSettings
  /** In the order in which they must happen. */
  readonly steps: readonly Step[]
}

export const CROWD_NAME = 'crowd'

/** Lots at a price. */
export interface Lots {
  readonly price: number
  readonly qty: number
}

/** A match in which an order of ours took part; the other one may be the crowd's. */
export interface Match extends Lots {
  readonly maker: string
  readonly taker: string
}

/** What came of a step. */
export interface Outcome {
  /** In their order; neighbours with the same orders and price as one. */
  readonly matches: readonly Match[]
  /** Traded between crowd and crowd, prices in the order of their first trade. */
  readonly prints: readonly Lots[]
  /**
   * How the order stands that was placed or cancelled: `rests 3`, `lapses 2`, `is cancelled`, `is refused CODE`; empty
   * when it was filled.
   */
  readonly fate: string
}

export interface Quote {
  readonly bid: number
  readonly ask: number
  /** Clip size, in lots. */
  readonly clip: number
  /** Ticks between a level of the ladder and the fourth after it, while the market stands. */
  readonly step: number
  /** What takers meet, before anything that we took. */
  readonly takerBid: number
  readonly takerAsk: number
}

export interface Resting {
  /** `crowd` or the name of an order of ours. */
  readonly order: string
  readonly qty: number
}

/** The books after a step. */
export interface BookView {
  /** Undefined before the first recorded trade. */
  quote(): Quote | undefined
  /** Orders at a price, first in queue first; neighbours of the crowd as one. */
  queue(price: number): readonly Resting[]
  /** Price levels, best first. */
  levels(side: Side): readonly Lots[]
}

export type See = (step: Step, outcome: Outcome, view: BookView) => void

/** Plays a session and shows each step, in the order in which they really happened. */
export type Play = (session: Session, see: See) => void | Promise<void>

export const accountOf = (order: string): string => order.replace(/\d+$/, '')

export const isTrade = (step: Step): step is TradeStep => step.do === 'trade'

/** Joins neighbours that `same` says are one, adding their lots. */
export function merged<T extends { readonly qty: number }>(rows: readonly T[], same: (a: T, b: T) => boolean): T[] {
  const result: T[] = []
  for (const row of rows) {
    const last = result.at(-1)
    if (last !== undefined && same(last, row)) result[result.length - 1] = { ...last, qty: last.qty + row.qty }
    else result.push(row)
  }
  return result
}

export const sameMatch = (a: Match, b: Match): boolean =>
  a.maker === b.maker && a.taker === b.taker && a.price === b.price

/** A queue as it is shown: the crowd's neighbours are one. */
export const mergedQueue = (queue: readonly Resting[]): readonly Resting[] =>
  merged(queue, (a, b) => a.order === CROWD_NAME && b.order === CROWD_NAME)

export const totalOf = (rows: readonly { readonly qty: number }[]): number =>
  rows.reduce((sum, { qty }) => sum + qty, 0)
