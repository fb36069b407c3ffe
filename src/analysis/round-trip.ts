/**
 * Round trips of one market: from a flat traded position through a nonzero one back to flat.
 *
 * The traded position is bought - sold lots since the start, so it is negative when initial inventory is sold first.
 * Invariant: the pnl of the closed trips, and that of the open one at any price, add up to the cash that all fills moved and the
 * worth of the position at that price, to the last unit.
 * Known limit: a self-trade is two fills, so it leaves the position for no time and comes back.
 */
import { invariant } from '../domain/errors.ts'
import { powerOfTen } from '../domain/fixed-point.ts'
import type { Market } from '../domain/market.ts'
import type { Side } from '../domain/order.ts'
import type { AccountFill } from '../domain/trade.ts'

export interface RoundTrip {
  readonly symbol: string
  /** Unix milliseconds of the first and the last fill. */
  readonly openedAt: number
  readonly closedAt: number
  /** Side of the fill that opened it: BUY is a long trip. */
  readonly side: Side
  /** Largest absolute position, in lots. */
  readonly qty: bigint
  /** Sum of price x qty of the fills on the opening side, and on the other one; ticks x lots, > 0. */
  readonly entryNotional: bigint
  readonly exitNotional: bigint
  /** Ledger units of the quote asset. */
  readonly fees: bigint
  /** What was sold for - what was bought for - fees, in ledger units of the quote asset. */
  readonly pnl: bigint
  /** pnl as a fraction of the entry notional. */
  readonly return: number
}

/** A trip whose position is not flat yet. */
export interface OpenTrip {
  readonly symbol: string
  /** Unix milliseconds of its first fill. */
  readonly openedAt: number
  /** BUY while more was bought than sold. */
  readonly side: Side
  /** Absolute position, in lots, > 0. */
  readonly qty: bigint
  /** Lots of the fills on the opening side, and sum of their price x qty; > 0. */
  readonly entryQty: bigint
  readonly entryNotional: bigint
  /**
   * The pnl of the whole trip if it ended at a price, without a further fee: what it closed in part is in it.
   *
   * @param price  ticks
   * @returns      ledger units of the quote asset
   */
  pnlAt(price: number): bigint
}

interface GrowingTrip {
  readonly openedAt: number
  readonly side: Side
  /** Absolute position in lots, > 0. */
  position: bigint
  peak: bigint
  entryQty: bigint
  entryNotional: bigint
  exitNotional: bigint
  fees: bigint
}

/** A fold over the fills of one account in one market, oldest first; it keeps the open trip, and hands on the closed ones. */
export class RoundTrips {
  readonly #market: Market
  /** Ledger units of the quote asset in one tick x lot. */
  readonly #unitsPerNotional: bigint
  readonly #onClosed: (trip: RoundTrip) => void
  #open: GrowingTrip | undefined

  /**
   * @param quoteScale  ledger digits of the market's quote asset
   * @param onClosed    gets each trip that ends, oldest first
   * @throws {InvariantError} when the ledger has fewer digits than the market produces
   */
  constructor(market: Market, quoteScale: number, onClosed: (trip: RoundTrip) => void) {
    const spareDigits = quoteScale - market.pricePrecision - market.qtyPrecision
    invariant(spareDigits >= 0, `a ledger of ${quoteScale} digits cannot hold a notional of ${market.symbol}`)
    this.#market = market
    this.#unitsPerNotional = powerOfTen(spareDigits)
    this.#onClosed = onClosed
  }

  /** The trip as it stands, which later fills do not change; undefined while the position is flat. */
  get open(): OpenTrip | undefined {
    if (this.#open === undefined) return undefined
    const { openedAt, side, position, entryQty, entryNotional, exitNotional, fees } = this.#open
    const pnlAt = (price: number): bigint => {
      const exit = exitNotional + position * BigInt(price)
      return (side === 'BUY' ? exit - entryNotional : entryNotional - exit) * this.#unitsPerNotional - fees
    }
    return { symbol: this.#market.symbol, openedAt, side, qty: position, entryQty, entryNotional, pnlAt }
  }

  /** Bought - sold lots so far. */
  get position(): bigint {
    if (this.#open === undefined) return 0n
    return this.#open.side === 'BUY' ? this.#open.position : -this.#open.position
  }

  /**
   * Takes the next fill. One that crosses zero closes a trip and opens the next; of its fee the closing part bears
   * floor(fee x part / qty), the opening part the rest.
   *
   * @throws {InvariantError} when it is of another market or has no quantity
   */
  add(fill: Omit<AccountFill, 'isOwnMatch'>): void {
    const { trade, side, fee } = fill
    invariant(trade.symbol === this.#market.symbol, `a fill of ${trade.symbol} among those of ${this.#market.symbol}`)
    invariant(trade.price > 0 && trade.qty > 0, `a fill of ${trade.symbol} has no price or no quantity`)
    const qty = BigInt(trade.qty)
    const closing = this.#closingPart(side, qty)
    const closingFee = (fee * closing) / qty
    if (closing > 0n) this.#reduce(closing, BigInt(trade.price), closingFee, trade.createdAt)
    if (closing < qty) this.#increase(side, qty - closing, BigInt(trade.price), fee - closingFee, trade.createdAt)
  }

  #closingPart(side: Side, qty: bigint): bigint {
    if (this.#open === undefined || this.#open.side === side) return 0n
    return qty < this.#open.position ? qty : this.#open.position
  }

  #increase(side: Side, qty: bigint, price: bigint, fee: bigint, time: number): void {
    const trip = (this.#open ??= beginning(time, side))
    trip.position += qty
    trip.entryQty += qty
    trip.entryNotional += price * qty
    trip.fees += fee
    if (trip.position > trip.peak) trip.peak = trip.position
  }

  #reduce(qty: bigint, price: bigint, fee: bigint, time: number): void {
    const trip = this.#open
    invariant(trip !== undefined, 'only an open position is reduced')
    trip.position -= qty
    trip.exitNotional += price * qty
    trip.fees += fee
    if (trip.position > 0n) return
    this.#open = undefined
    this.#onClosed(this.#close(trip, time))
  }

  #close(trip: GrowingTrip, time: number): RoundTrip {
    const { openedAt, side, peak, entryNotional, exitNotional, fees } = trip
    const gained = side === 'BUY' ? exitNotional - entryNotional : entryNotional - exitNotional
    const pnl = gained * this.#unitsPerNotional - fees
    return {
      symbol: this.#market.symbol,
      openedAt,
      closedAt: time,
      side,
      qty: peak,
      entryNotional,
      exitNotional,
      fees,
      pnl,
      return: Number(pnl) / Number(entryNotional * this.#unitsPerNotional),
    }
  }
}

const beginning = (openedAt: number, side: Side): GrowingTrip => ({
  openedAt,
  side,
  ...{ position: 0n, peak: 0n, entryQty: 0n, entryNotional: 0n, exitNotional: 0n, fees: 0n },
})
