/**
 * Recorded order book: every read returns the current state.
 *
 * After a gap it keeps its last known levels until the next snapshot; `isKnown` is false meanwhile.
 */
import { decimalOf, toDecimal, type Decimal, type DecimalInput } from '../domain/decimal.ts'
import { InputError } from '../domain/errors.ts'
import type { Side } from '../domain/order.ts'
import { checkLevels } from './depth-options.ts'
import { marketLevels, type MarketLevel, type SeenLevels } from './market-depth.ts'
import type { MarketView } from './market-view.ts'

/** A book in ticks and lots, as it is now. */
export interface BookReads {
  readonly isKnown: boolean
  /** Unix milliseconds of the last update; -Infinity before the first. */
  readonly reportedAt: number
  readonly bestBid: number | undefined
  readonly bestAsk: number | undefined
  /** Lots at a price in ticks. @param side  of the orders that rest */
  qtyAt(side: Side, price: number): number
  levels(count: number): SeenLevels
  /** @param side  of the order that takes @param lots  >= 0 */
  costOf(
    side: Side,
    lots: number,
  ): { readonly lots: number; readonly notional: bigint; readonly worst?: number | undefined }
}

/** Estimated result of a market order, from the known levels. */
export interface BookCost {
  /** Quantity that the book can fill, in the base asset; less than you asked for if the book is too thin. */
  readonly qty: Decimal
  /** Total price of that quantity, in the quote asset, without fees. */
  readonly notional: Decimal
  /** Average price, in the quote asset; `undefined` if nothing can be filled. */
  readonly averagePrice: Decimal | undefined
  /** Worst price reached, in the quote asset; `undefined` if nothing can be filled. */
  readonly worstPrice: Decimal | undefined
}

/** Recorded order book of a market. Your resting orders are not in it, and the volume you took stays in it. */
export class MarketBook {
  /** Symbol of the market. */
  readonly symbol: string
  readonly #reads: BookReads
  readonly #market: MarketView

  /** Wraps a book in ticks and lots of the market. */
  constructor(reads: BookReads, market: MarketView) {
    this.symbol = market.symbol
    this.#reads = reads
    this.#market = market
  }

  /** False before the first snapshot, and after a gap until the next one: its levels may be out of date. */
  get isKnown(): boolean {
    return this.#reads.isKnown
  }

  /** Time of the last update at the exchange, in Unix milliseconds; `undefined` before the first. */
  get time(): number | undefined {
    const { reportedAt } = this.#reads
    return Number.isFinite(reportedAt) ? reportedAt : undefined
  }

  /** Best bid, in the quote asset; `undefined` if there are no bids. */
  get bestBid(): Decimal | undefined {
    return this.#price(this.#reads.bestBid)
  }

  /** Best ask, in the quote asset; `undefined` if there are no asks. */
  get bestAsk(): Decimal | undefined {
    return this.#price(this.#reads.bestAsk)
  }

  /**
   * Quantity that rests at a price, in the base asset; 0 if no level is known there.
   *
   * @param side   `'BUY'` for bids, `'SELL'` for asks
   * @param price  in the quote asset
   * @throws {InputError} for any other side
   */
  qtyAt(side: Side, price: DecimalInput): Decimal {
    this.#checkSide('qtyAt', side)
    const ticks = toDecimal(price).div(this.#market.tickSize)
    const lots = ticks.isInteger() ? this.#reads.qtyAt(side, ticks.toNumber()) : 0
    return decimalOf(lots, this.#market.qtyPrecision)
  }

  /**
   * Best levels of each side, best first.
   *
   * @param count  number of levels, 1 to 1000
   * @throws {InputError} for any other count
   */
  levels(count: number): { readonly bids: readonly MarketLevel[]; readonly asks: readonly MarketLevel[] } {
    checkLevels(`book('${this.symbol}').levels`, count)
    const { bids, asks } = this.#reads.levels(count)
    return { bids: marketLevels(bids, this.#market), asks: marketLevels(asks, this.#market) }
  }

  /**
   * Estimates what a market order would pay or receive now, without fees.
   *
   * @param side  `'BUY'` takes the asks, `'SELL'` the bids
   * @param qty   in the base asset, 0 or more; rounded down to whole lots
   * @throws {InputError} for any other side, or an invalid quantity
   */
  costOf(side: Side, qty: DecimalInput): BookCost {
    this.#checkSide('costOf', side)
    const { lots, notional, worst } = this.#reads.costOf(side, this.#lotsOf(qty))
    const { pricePrecision, qtyPrecision } = this.#market
    const filled = decimalOf(lots, qtyPrecision)
    const paid = decimalOf(notional, pricePrecision + qtyPrecision)
    const isNothing = lots === 0
    return {
      qty: filled,
      notional: paid,
      averagePrice: isNothing ? undefined : paid.div(filled),
      worstPrice: isNothing ? undefined : this.#price(worst),
    }
  }

  /** Checked at runtime for JavaScript callers. */
  #checkSide(word: string, side: string): void {
    if (side === 'BUY' || side === 'SELL') return
    throw new InputError(`book('${this.symbol}').${word}`, `expected BUY or SELL, got '${side}'`)
  }

  #lotsOf(qty: DecimalInput): number {
    const wanted = toDecimal(qty)
    if (!wanted.gte(0)) {
      throw new InputError(`book('${this.symbol}').costOf`, `expected a quantity of 0 or more, got ${wanted.toFixed()}`)
    }
    return Math.min(Number.MAX_SAFE_INTEGER, wanted.divToInt(this.#market.lotSize).toNumber())
  }

  #price(ticks: number | undefined): Decimal | undefined {
    return ticks === undefined ? undefined : decimalOf(ticks, this.#market.pricePrecision)
  }
}
