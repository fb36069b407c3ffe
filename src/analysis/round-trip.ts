/**
 * Round trips of one market: from a flat traded position through a nonzero one back to flat.
 *
 * The traded position is bought - sold lots since the start, so it is negative when initial inventory is sold first.
 * Invariant: the pnl of the closed trips, and that of the open one at any price, add up to the cash that all fills
 * moved and the worth of the position at that price, to the last unit.
 * Known limit: a self-trade is two fills, so it leaves the position for no time and comes back.
 */
import { invariant } from '../domain/errors.ts'
import { powerOfTen } from '../domain/fixed-point.ts'
import type { Market } from '../domain/market.ts'
import type { Side } from '../domain/order.ts'
import type { AccountFill } from '../domain/trade.ts'

/** Lowest and highest of some marks of a market, in ticks. */
export interface MarkRange {
  readonly lowest: number
  readonly highest: number
}

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
  /** Lots of the fills on either side. */
  readonly entryQty: bigint
  /** Ledger units of the quote asset. */
  readonly fees: bigint
  /** Sale proceeds - purchase cost - fees, in ledger units of the quote asset. */
  readonly pnl: bigint
  /** Decimal digits of these units. */
  readonly quoteScale: number
  /** pnl as a fraction of the entry notional. */
  readonly return: number
  /** Largest move of the mark against and in favour of the average entry at the time, as shares of it, at least 0. */
  readonly mae: number
  readonly mfe: number
  /** Count of its fills; one that crossed zero is of two trips. */
  readonly fills: number
  /**
   * The strategy's texts on its orders, each once, in the order of their first fills; of more than 100 the last one is
   * an ellipsis.
   */
  readonly tags: readonly string[]
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
   * Profit of the whole trip, including what it has already closed, if it ended at a price without a further fee.
   *
   * @param price  ticks
   * @returns      ledger units of the quote asset
   */
  pnlAt(price: number): bigint
}

const MAX_TAGS = 100
const MORE_TAGS = '…'

interface GrowingTrip {
  readonly openedAt: number
  readonly side: Side
  readonly tags: Set<string>
  /** Absolute position in lots, > 0. */
  position: bigint
  peak: bigint
  entryQty: bigint
  entryNotional: bigint
  exitNotional: bigint
  fees: bigint
  fills: number
  mae: number
  mfe: number
}

/**
 * Fold over the fills of one account in one market, oldest first; it stores the open trip, and passes closed trips on.
 */
export class RoundTrips {
  readonly #market: Market
  /** Ledger units of the quote asset in one tick x lot. */
  readonly #unitsPerNotional: bigint
  readonly #quoteScale: number
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
    this.#quoteScale = quoteScale
    this.#onClosed = onClosed
  }

  /** Snapshot of the open trip, unaffected by later fills; undefined while the position is flat. */
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
   * Adds the next fill. A fill that crosses zero closes a trip and opens the next; the closing part pays floor(fee x
   * part / qty) of its fee, the opening part the rest.
   *
   * @param marks  range of the marks since the previous fill, including the one valid then and the present one;
   * undefined when there is none
   * @throws {InvariantError} when it is of another market or has no quantity
   */
  add(fill: Omit<AccountFill, 'isOwnMatch'>, marks?: MarkRange): void {
    const { trade, side, fee, tag } = fill
    invariant(trade.symbol === this.#market.symbol, `a fill of ${trade.symbol} among those of ${this.#market.symbol}`)
    invariant(trade.price > 0 && trade.qty > 0, `a fill of ${trade.symbol} has no price or no quantity`)
    if (this.#open !== undefined && marks !== undefined) reach(this.#open, marks)
    const qty = BigInt(trade.qty)
    const closing = this.#closingPart(side, qty)
    const closingFee = (fee * closing) / qty
    if (closing > 0n) this.#reduce(closing, BigInt(trade.price), closingFee, trade.createdAt, tag)
    if (closing === qty) return
    const trip = (this.#open ??= beginning(trade.createdAt, side))
    noteFill(trip, tag)
    increase(trip, qty - closing, BigInt(trade.price), fee - closingFee)
  }

  #closingPart(side: Side, qty: bigint): bigint {
    if (this.#open === undefined || this.#open.side === side) return 0n
    return qty < this.#open.position ? qty : this.#open.position
  }

  #reduce(qty: bigint, price: bigint, fee: bigint, time: number, tag: string | undefined): void {
    const trip = this.#open
    invariant(trip !== undefined, 'only an open position is reduced')
    noteFill(trip, tag)
    trip.position -= qty
    trip.exitNotional += price * qty
    trip.fees += fee
    if (trip.position > 0n) return
    this.#open = undefined
    this.#onClosed(this.#close(trip, time))
  }

  #close(trip: GrowingTrip, time: number): RoundTrip {
    const { openedAt, side, peak, entryNotional, exitNotional, entryQty, fees, mae, mfe, fills } = trip
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
      entryQty,
      fees,
      pnl,
      quoteScale: this.#quoteScale,
      return: Number(pnl) / Number(entryNotional * this.#unitsPerNotional),
      mae,
      mfe,
      fills,
      tags: [...trip.tags],
    }
  }
}

const beginning = (openedAt: number, side: Side): GrowingTrip => ({
  openedAt,
  side,
  tags: new Set(),
  position: 0n,
  peak: 0n,
  entryQty: 0n,
  entryNotional: 0n,
  exitNotional: 0n,
  fees: 0n,
  fills: 0,
  mae: 0,
  mfe: 0,
})

function increase(trip: GrowingTrip, qty: bigint, price: bigint, fee: bigint): void {
  trip.position += qty
  trip.entryQty += qty
  trip.entryNotional += price * qty
  trip.fees += fee
  if (trip.position > trip.peak) trip.peak = trip.position
}

function noteFill(trip: GrowingTrip, tag: string | undefined): void {
  trip.fills += 1
  if (tag === undefined || trip.tags.has(tag) || trip.tags.size > MAX_TAGS) return
  trip.tags.add(trip.tags.size === MAX_TAGS ? MORE_TAGS : tag)
}

/** The average entry is constant between two fills, so the extremes of the marks are sufficient. */
function reach(trip: GrowingTrip, { lowest, highest }: MarkRange): void {
  const entry = Number(trip.entryNotional) / Number(trip.entryQty)
  const [fall, rise] = [(entry - lowest) / entry, (highest - entry) / entry]
  const [against, inFavour] = trip.side === 'BUY' ? [fall, rise] : [rise, fall]
  trip.mae = Math.max(trip.mae, against)
  trip.mfe = Math.max(trip.mfe, inFavour)
}
