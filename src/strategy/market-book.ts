/**
 * A recorded book as a strategy reads it: always as it is known now.
 *
 * Behind a gap it stays as it was told last until the next snapshot, and says so: `isKnown`.
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
  /** Unix milliseconds; -Infinity before anything was told. */
  readonly toldAt: number
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

/** What an order at market would pay or get, by the levels that are told. */
export interface BookCost {
  /** What the book has for it, in the base asset: less than was asked for where it ends before. */
  readonly qty: Decimal
  /** Price times quantity of that, in the quote asset, without a fee. */
  readonly notional: Decimal
  /** Notional by quantity, in the quote asset; undefined where there is nothing. */
  readonly averagePrice: Decimal | undefined
  /** The last price that it comes to, in the quote asset; undefined where there is nothing. */
  readonly worstPrice: Decimal | undefined
}

/** The recorded book of a market, read now. Nothing of the strategy's is in it: neither what rests nor what it took. */
export class MarketBook {
  /** Of its market, BASE_QUOTE. */
  readonly symbol: string
  readonly #reads: BookReads
  readonly #market: MarketView

  /** It is read in ticks and lots of the market. */
  constructor(reads: BookReads, market: MarketView) {
    this.symbol = market.symbol
    this.#reads = reads
    this.#market = market
  }

  /** False before the first snapshot, and behind a gap until the next: what it tells may be wrong then. */
  get isKnown(): boolean {
    return this.#reads.isKnown
  }

  /** Unix milliseconds at which the exchange told something of it last; undefined before the first. */
  get time(): number | undefined {
    const { toldAt } = this.#reads
    return Number.isFinite(toldAt) ? toldAt : undefined
  }

  /** Highest price at which somebody buys, in the quote asset; undefined while nobody does. */
  get bestBid(): Decimal | undefined {
    return this.#price(this.#reads.bestBid)
  }

  /** Lowest price at which somebody sells, in the quote asset; undefined while nobody does. */
  get bestAsk(): Decimal | undefined {
    return this.#price(this.#reads.bestAsk)
  }

  /**
   * What rests at a price, in the base asset: 0 where nothing is told.
   *
   * @param side   of the orders that rest: BUY for bids
   * @param price  in the quote asset; between two ticks nothing rests
   * @throws {InputError} for no side
   */
  qtyAt(side: Side, price: DecimalInput): Decimal {
    this.#checkSide('qtyAt', side)
    const ticks = toDecimal(price).div(this.#market.tickSize)
    const lots = ticks.isInteger() ? this.#reads.qtyAt(side, ticks.toNumber()) : 0
    return decimalOf(lots, this.#market.qtyPrecision)
  }

  /**
   * The best levels of each side, best first.
   *
   * @param count  a whole number of 1 to 1000
   * @throws {InputError} for another one
   */
  levels(count: number): { readonly bids: readonly MarketLevel[]; readonly asks: readonly MarketLevel[] } {
    checkLevels(`book('${this.symbol}').levels`, count)
    const { bids, asks } = this.#reads.levels(count)
    return { bids: marketLevels(bids, this.#market), asks: marketLevels(asks, this.#market) }
  }

  /**
   * What an order at market would meet now.
   *
   * @param side  of that order: BUY takes what is asked for
   * @param qty   in the base asset, 0 or more; what is less than a lot does not count
   * @throws {InputError} for no side, and for a quantity below 0, or that is no number
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

  /** In JavaScript it may be anything. */
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
