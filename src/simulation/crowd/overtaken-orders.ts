/**
 * Corrects queue position: if the recording shows a trade with an order newer than yours, the trade would have filled
 * yours first.
 *
 * The trade was played against an assumed queue ahead of yours. Lots traded by a later order are due to your orders; as
 * far as they did not get them, the crowd hands them over.
 * Invariant: no lot of a trade is used twice, neither by the crowd nor by your orders.
 */
import { CROWD } from '../../domain/command.ts'
import type { ExchangeEvent } from '../../domain/exchange-event.ts'
import type { Side } from '../../domain/order.ts'
import type { MarketAccess } from '../../exchange/exchange.ts'
import type { CrowdQueue } from './crowd-queue.ts'
import { eachFall, type Fallen, type FrameFalls } from './frame-falls.ts'

/** A resting order of yours. */
export interface OwnResting {
  /** Lots that are open. */
  readonly qty: number
  /** Unix milliseconds at which it came. */
  readonly createdAt: number
}

export interface OvertakenParts {
  readonly queue: CrowdQueue
  readonly access: Pick<MarketAccess, 'bestPrice'>
  /** Our orders at a price, in their priority. */
  readonly ours: (side: Side, price: number) => readonly OwnResting[]
  /** Lots of the market at a price meet our orders of `side`. @returns what happened */
  readonly meet: (time: number, side: Side, price: number, lots: number) => readonly ExchangeEvent[]
}

/** Lots of the recorded trades at one moment and price that are not yet attributed to orders. */
interface Traded {
  readonly time: number
  /** The crowd gave them. */
  ofCrowd: number
  /** Lots that your orders traded. */
  ofOurs: number
}

/** Order-level frames may report a trade this much later, within the reordering of a recording. */
const WITHIN_MS = 1_000

const NOTHING: readonly ExchangeEvent[] = []

export class OvertakenOrders {
  readonly #parts: OvertakenParts
  /** Trades by price. */
  readonly #traded = { BUY: new Map<number, Traded>(), SELL: new Map<number, Traded>() }

  constructor(parts: OvertakenParts) {
    this.#parts = parts
  }

  /**
   * Call with the matches of a recorded trade.
   *
   * @param price  of the trade, in ticks
   */
  onMet(time: number, price: number, events: readonly ExchangeEvent[]): void {
    for (const event of events) {
      if (event.type !== 'traded' || event.trade.price !== price) continue
      const { maker, trade } = event
      const traded = this.#at(time, maker.side, price)
      if (maker.userId === CROWD) traded.ofCrowd += trade.qty
      else traded.ofOurs += trade.qty
    }
  }

  /**
   * Call with the order removals of a frame.
   *
   * @returns the fills of your orders
   */
  fill(time: number, falls: FrameFalls): readonly ExchangeEvent[] {
    const { BUY, SELL } = this.#traded
    if (BUY.size + SELL.size === 0) return NOTHING
    const events: ExchangeEvent[] = []
    for (const fall of eachFall(falls)) {
      const traded = fall.isTraded ? this.#traded[fall.side].get(fall.price) : undefined
      if (traded === undefined || time - traded.time > WITHIN_MS) continue
      for (const event of this.#overtake(time, fall, traded)) events.push(event)
    }
    return events
  }

  #at(time: number, side: Side, price: number): Traded {
    const prices = this.#traded[side]
    let traded = prices.get(price)
    if (traded?.time !== time) {
      traded = { time, ofCrowd: 0, ofOurs: 0 }
      // Trades of an earlier moment have been attributed.
      for (const [other, { time: before }] of prices) if (before !== time) prices.delete(other)
      prices.set(price, traded)
    }
    return traded
  }

  #overtake(
    time: number,
    { side, price, since, isSeenToCome, lots }: Fallen,
    traded: Traded,
  ): readonly ExchangeEvent[] {
    const { queue, access, ours, meet } = this.#parts
    // For an order that was there before the recording began it is unknown whether it is newer than yours.
    const isKnown = isSeenToCome && since <= traded.time
    const before = isKnown ? ours(side, price).filter(({ createdAt }) => createdAt < since) : []
    if (before.length === 0) {
      traded.ofCrowd -= Math.min(traded.ofCrowd, lots)
      return NOTHING
    }
    const had = Math.min(traded.ofOurs, lots)
    traded.ofOurs -= had
    const wanted = before.reduce((sum, { qty }) => sum + qty, 0)
    const taken = Math.min(traded.ofCrowd, lots - had, wanted)
    if (taken === 0 || access.bestPrice(side) !== price) return NOTHING
    traded.ofCrowd -= taken
    const ahead = queue.aheadOf(side, price, since)
    const shrunk = queue.shrink(time, side, price, (all) => Math.max(0, all - ahead))
    return [...shrunk, ...meet(time, side, price, taken)]
  }
}
