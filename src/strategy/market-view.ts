/**
 * A market as a strategy sees it: its precisions, and rounding on purpose.
 */
import { Decimal, decimalOf, toDecimal, type DecimalInput } from '../domain/decimal.ts'
import { FEE_RATE_ONE, parseFeeRate, type Market, type MarketFees } from '../domain/market.ts'

const NO_FEES: MarketFees = { makerFeeBps: '0', takerFeeBps: '0' }

/** What is told of a market's book; with neither only what is traded. */
export interface ToldOfBook {
  /** Levels. */
  readonly hasLevels: boolean
  /** Best prices, which levels tell too. */
  readonly hasQuotes: boolean
}

/**
 * A market, with what a strategy needs to write orders that fit it.
 *
 * Its functions need no `this`, and throw an Error for a value that is no number.
 */
export class MarketView implements Market {
  readonly id: string
  readonly name: string
  readonly symbol: string
  readonly baseAsset: string
  readonly quoteAsset: string
  readonly pricePrecision: number
  readonly qtyPrecision: number
  /** Smallest step of a price, in the quote asset. */
  readonly tickSize: Decimal
  /** Smallest step of a quantity, in the base asset. */
  readonly lotSize: Decimal
  /** True where `quotes(symbol)` tells its best prices: its quotes or its book were recorded. Else it is refused. */
  readonly hasQuotes: boolean
  /** True where `depth(symbol)` and `book(symbol)` tell its levels: its book was recorded. Else they are refused. */
  readonly hasBook: boolean
  readonly #lotsInOne: Decimal
  readonly #highestFee: Decimal
  readonly #isFree: boolean
  /** What a quote unit of a buy costs, the highest fee included. */
  readonly #costOfOne: Decimal

  /**
   * @param fees  none where the exchange does not tell them
   * @param told  undefined where only trades or candles are
   * @throws {InputError} for a fee that is no number of basis points from 0 to 10000
   */
  constructor(market: Market, { makerFeeBps, takerFeeBps }: MarketFees = NO_FEES, told?: ToldOfBook) {
    this.id = market.id
    this.name = market.name
    this.symbol = market.symbol
    this.baseAsset = market.baseAsset
    this.quoteAsset = market.quoteAsset
    this.pricePrecision = market.pricePrecision
    this.qtyPrecision = market.qtyPrecision
    this.hasBook = told?.hasLevels === true
    this.hasQuotes = this.hasBook || told?.hasQuotes === true
    this.tickSize = decimalOf(1, market.pricePrecision)
    this.lotSize = decimalOf(1, market.qtyPrecision)
    this.#lotsInOne = toDecimal(1).div(this.lotSize)
    const [maker, taker] = [parseFeeRate(market.symbol, makerFeeBps), parseFeeRate(market.symbol, takerFeeBps)]
    this.#highestFee = toDecimal(String(maker > taker ? maker : taker)).div(String(FEE_RATE_ONE))
    this.#isFree = this.#highestFee.isZero()
    this.#costOfOne = this.#highestFee.plus(1)
  }

  /** The largest quantity in whole lots that is not above `value`, in the base asset. */
  readonly floorQty = (value: DecimalInput): Decimal =>
    toDecimal(value).toDecimalPlaces(this.qtyPrecision, Decimal.ROUND_FLOOR)

  /** The largest price in whole ticks that is not above `value`, in the quote asset. */
  readonly floorPrice = (value: DecimalInput): Decimal =>
    toDecimal(value).toDecimalPlaces(this.pricePrecision, Decimal.ROUND_FLOOR)

  /** The smallest price in whole ticks that is not below `value`, in the quote asset. */
  readonly ceilPrice = (value: DecimalInput): Decimal =>
    toDecimal(value).toDecimalPlaces(this.pricePrecision, Decimal.ROUND_CEIL)

  /** The price in whole ticks that is nearest to `value`, in the quote asset; half a tick goes to the even one. */
  readonly roundPrice = (value: DecimalInput): Decimal =>
    toDecimal(value).toDecimalPlaces(this.pricePrecision, Decimal.ROUND_HALF_EVEN)

  /**
   * The largest quantity in whole lots, in the base asset, that is worth no more than `value` of the quote asset at `price`, which is above
   * 0; 0 when none is.
   */
  readonly qtyWorth = (value: DecimalInput, price: DecimalInput): Decimal => {
    const worth = toDecimal(value)
    // As whole lots, because a quotient that is worked out to its last digit costs five times as much.
    return worth.gt(0) ? worth.times(this.#lotsInOne).divToInt(price).times(this.lotSize) : toDecimal(0)
  }

  /**
   * The largest quantity in whole lots, in the base asset, that `funds` of the quote asset pay for at `price`, the highest fee of the
   * market included; 0 when they pay for none.
   */
  readonly affordableQty = (funds: DecimalInput, price: DecimalInput): Decimal => {
    const unitCost = toDecimal(price).times(this.#costOfOne)
    if (!unitCost.gt(0)) return toDecimal(0)
    const qty = this.qtyWorth(funds, unitCost)
    // A fee is rounded up to the ledger's last digit, so a quotient that is exact by a hair may be one lot too large.
    return this.#isFree || this.#costOf(qty, price).lte(toDecimal(funds)) ? qty : qty.minus(this.lotSize)
  }

  #costOf(qty: Decimal, price: DecimalInput): Decimal {
    const cost = toDecimal(price).times(qty)
    const ledgerDigits = this.pricePrecision + this.qtyPrecision
    return cost.plus(cost.times(this.#highestFee).toDecimalPlaces(ledgerDigits, Decimal.ROUND_CEIL))
  }
}
