/** Market of the strategy API: precisions and rounding. */
import { Decimal, decimalOf, toDecimal, type DecimalInput } from '../domain/decimal.ts'
import { FEE_RATE_ONE, parseFeeRate, type Market, type MarketFees } from '../domain/market.ts'

const NO_FEES: MarketFees = { makerFeeBps: '0', takerFeeBps: '0' }

/** The higher of two fees. */
interface HighestFee extends MarketFees {
  /** Fraction of a notional. */
  readonly share: Decimal
  /** Cost of one quote unit of a buy. */
  readonly costOfOne: Decimal
}

function highestFee(symbol: string, { makerFeeBps, takerFeeBps }: MarketFees): HighestFee {
  const [maker, taker] = [parseFeeRate(symbol, makerFeeBps), parseFeeRate(symbol, takerFeeBps)]
  const share = toDecimal(String(maker > taker ? maker : taker)).div(String(FEE_RATE_ONE))
  return { makerFeeBps, takerFeeBps, share, costOfOne: share.plus(1) }
}

/** Recorded book data of a market. */
export interface ReportedOfBook {
  /** True if levels were recorded. */
  readonly hasLevels: boolean
  /** True if best prices were recorded. */
  readonly hasQuotes: boolean
}

/**
 * Market with its precisions and rounding functions.
 *
 * The functions do not need `this`. They throw an Error for a value that is not a number.
 */
export class MarketView implements Market {
  readonly id: string
  readonly name: string
  readonly symbol: string
  readonly baseAsset: string
  readonly quoteAsset: string
  readonly pricePrecision: number
  readonly qtyPrecision: number
  /** Tick: the smallest price step, in the quote asset. */
  readonly tickSize: Decimal
  /** Lot: the smallest quantity step, in the base asset. */
  readonly lotSize: Decimal
  /** True if quotes or a book were recorded, so that `quotes(symbol)` works. */
  readonly hasQuotes: boolean
  /** True if a book was recorded, so that `depth(symbol)` and `book(symbol)` work. */
  readonly hasBook: boolean
  readonly #lotsInOne: Decimal
  /** They may change. */
  readonly #fees: MarketFees
  #highest: HighestFee

  /**
   * @param fees  none if the exchange does not report them
   * @param recorded  recorded book data; undefined for trades or candles only
   * @throws {InputError} for a fee outside 0 to 10000 basis points
   */
  constructor(market: Market, fees: MarketFees = NO_FEES, recorded?: ReportedOfBook) {
    this.id = market.id
    this.name = market.name
    this.symbol = market.symbol
    this.baseAsset = market.baseAsset
    this.quoteAsset = market.quoteAsset
    this.pricePrecision = market.pricePrecision
    this.qtyPrecision = market.qtyPrecision
    this.hasBook = recorded?.hasLevels === true
    this.hasQuotes = this.hasBook || recorded?.hasQuotes === true
    this.tickSize = decimalOf(1, market.pricePrecision)
    this.lotSize = decimalOf(1, market.qtyPrecision)
    this.#lotsInOne = toDecimal(1).div(this.lotSize)
    this.#fees = fees
    this.#highest = highestFee(market.symbol, fees)
  }

  /** Rounds a quantity down to whole lots, in the base asset. */
  readonly floorQty = (value: DecimalInput): Decimal =>
    toDecimal(value).toDecimalPlaces(this.qtyPrecision, Decimal.ROUND_FLOOR)

  /** Rounds a price down to whole ticks, in the quote asset. */
  readonly floorPrice = (value: DecimalInput): Decimal =>
    toDecimal(value).toDecimalPlaces(this.pricePrecision, Decimal.ROUND_FLOOR)

  /** Rounds a price up to whole ticks, in the quote asset. */
  readonly ceilPrice = (value: DecimalInput): Decimal =>
    toDecimal(value).toDecimalPlaces(this.pricePrecision, Decimal.ROUND_CEIL)

  /** Rounds a price to the nearest tick, in the quote asset; half a tick rounds to the even tick. */
  readonly roundPrice = (value: DecimalInput): Decimal =>
    toDecimal(value).toDecimalPlaces(this.pricePrecision, Decimal.ROUND_HALF_EVEN)

  /**
   * Quantity in whole lots, in the base asset, that is worth at most `value` of the quote asset at `price` (above 0); 0
   * if one lot is worth more.
   */
  readonly qtyWorth = (value: DecimalInput, price: DecimalInput): Decimal => {
    const worth = toDecimal(value)
    // Computed in whole lots, because a quotient with all its digits costs five times as much.
    return worth.gt(0) ? worth.times(this.#lotsInOne).divToInt(price).times(this.lotSize) : toDecimal(0)
  }

  /**
   * Quantity in whole lots, in the base asset, that `funds` of the quote asset can buy at `price`, with the highest fee
   * of the market; 0 if that is too little for one lot.
   */
  readonly affordableQty = (funds: DecimalInput, price: DecimalInput): Decimal => {
    const fee = this.#highestFee()
    const unitCost = toDecimal(price).times(fee.costOfOne)
    if (!unitCost.gt(0)) return toDecimal(0)
    const qty = this.qtyWorth(funds, unitCost)
    // A fee is rounded up to the ledger's last digit, so a quotient that is exact by a hair may be one lot too large.
    return fee.share.isZero() || this.#costOf(qty, price, fee).lte(toDecimal(funds)) ? qty : qty.minus(this.lotSize)
  }

  #highestFee(): HighestFee {
    const [known, fees] = [this.#highest, this.#fees]
    if (known.makerFeeBps !== fees.makerFeeBps || known.takerFeeBps !== fees.takerFeeBps)
      this.#highest = highestFee(this.symbol, fees)
    return this.#highest
  }

  #costOf(qty: Decimal, price: DecimalInput, { share }: HighestFee): Decimal {
    const cost = toDecimal(price).times(qty)
    const ledgerDigits = this.pricePrecision + this.qtyPrecision
    return cost.plus(cost.times(share).toDecimalPlaces(ledgerDigits, Decimal.ROUND_CEIL))
  }
}
