/**
 * Attribution of an account's profit: price moves of its positions, spread of its fills against the mark, and fees; and
 * its traded volume. All valued in the quote asset at the marks.
 *
 * Invariant: price + spread + fees equal the final minus the initial equity, to the last unit. Fills before the first
 * mark of their market are compared with that mark, like the initial balances.
 */
import { InvariantError } from '../../domain/errors.ts'
import { powerOfTen } from '../../domain/fixed-point.ts'
import type { AccountFill } from '../../domain/trade.ts'
import { type AccountSetup, type Holding, valueOf } from './holding.ts'

/** Units of 10^-scale of the quote asset. */
export interface Profit {
  readonly price: bigint
  readonly spread: bigint
  readonly fees: bigint
}

interface TradedMarket {
  /** Holding of its quote asset, and of its base asset if the market prices it. */
  readonly quote: Holding
  readonly base: Holding | undefined
  /** Ledger units of its quote asset in one tick x lot. */
  readonly unitsPerNotional: bigint
  /** Bought minus sold lots before its first mark. */
  unmarked: bigint
}

export class ProfitParts {
  readonly #holdings: readonly Holding[]
  readonly #marketsBySymbol: ReadonlyMap<string, TradedMarket>
  #price = 0n
  #spread = 0n
  #fees = 0n
  #traded = 0n
  #made = 0n
  /** Something was traded, or a fee charged, in an asset that had no price then. */
  #isUnvalued = false
  /** Trades of a market in another quote asset were seen. */
  #isOfOtherQuote = false
  #hasUnmarked = false

  constructor({ markets, scales }: AccountSetup, holdings: readonly Holding[]) {
    this.#holdings = holdings
    const holdingOf = (asset: string): Holding => {
      const found = holdings.find((each) => each.asset === asset)
      if (found === undefined) throw new InvariantError(`no holding of ${asset}`)
      return found
    }
    this.#marketsBySymbol = new Map(
      markets.map(({ symbol, quoteAsset, pricePrecision, qtyPrecision }) => {
        const unitsPerNotional = powerOfTen((scales.get(quoteAsset) ?? 0) - pricePrecision - qtyPrecision)
        const base = holdings.find((each) => each.symbol === symbol)
        return [symbol, { quote: holdingOf(quoteAsset), base, unitsPerNotional, unmarked: 0n }]
      }),
    )
  }

  /** Call when the first data of a market arrives. */
  onMarket(symbol: string): void {
    if (!this.#market(symbol).quote.isQuote) this.#isOfOtherQuote = true
  }

  /** Call before they change the balances. */
  onFills(fills: readonly AccountFill[]): void {
    for (const fill of fills) this.#add(fill, this.#market(fill.trade.symbol))
  }

  /** Call before the total of a holding changes. */
  settle(holding: Holding): void {
    this.#price += gainOf(holding)
    holding.settledMark = holding.mark
  }

  /** Null if the parts are undefined: the markets have several quote assets, or a traded asset never had a price. */
  get profit(): Profit | null {
    const isLost = [...this.#marketsBySymbol.values()].some(({ unmarked, base }) => {
      return unmarked !== 0n && (base?.firstMark ?? 0) === 0
    })
    if (this.#isOfOtherQuote || isLost) return null
    const price = this.#holdings.reduce((sum, holding) => sum + gainOf(holding), this.#price)
    return { price, spread: this.#spread + this.#spreadOfUnmarked(), fees: -this.#fees }
  }

  /** Sum of the fees; null if one had no price. */
  get fees(): bigint | null {
    return this.#isUnvalued ? null : this.#fees
  }

  /** Value of everything bought and sold, and the part that resting orders made; null if some had no price. */
  get traded(): { readonly all: bigint; readonly made: bigint } | null {
    return this.#isUnvalued ? null : { all: this.#traded, made: this.#made }
  }

  #add({ trade, side, isMaker, fee }: AccountFill, market: TradedMarket): void {
    const { quote, base, unitsPerNotional } = market
    const lots = BigInt(trade.qty)
    const notional = lots * BigInt(trade.price) * unitsPerNotional
    const value = valueOf(quote, notional, quote.mark)
    this.#traded += value
    if (isMaker) this.#made += value
    this.#fees += valueOf(quote, fee, quote.mark)
    if (!quote.isQuote) {
      this.#isOfOtherQuote = true
      if (quote.mark === 0) this.#isUnvalued = true
      return
    }
    const signed = side === 'BUY' ? lots : -lots
    const mark = base?.mark ?? 0
    if (mark === 0) {
      market.unmarked += signed
      this.#hasUnmarked = true
    }
    this.#spread += signed * BigInt(mark - trade.price) * unitsPerNotional * quote.unitsPerUnit
  }

  #spreadOfUnmarked(): bigint {
    if (!this.#hasUnmarked) return 0n
    return [...this.#marketsBySymbol.values()].reduce((sum, { unmarked, base, quote, unitsPerNotional }) => {
      return sum + unmarked * BigInt(base?.firstMark ?? 0) * unitsPerNotional * quote.unitsPerUnit
    }, 0n)
  }

  #market(symbol: string): TradedMarket {
    const market = this.#marketsBySymbol.get(symbol)
    if (market === undefined) throw new InvariantError(`no market '${symbol}'`)
    return market
  }
}

/** Gain by price moves since the total last changed, from its first mark on. */
function gainOf(holding: Holding): bigint {
  const { isQuote, total, mark, settledMark, firstMark } = holding
  if (isQuote || total === 0n) return 0n
  const before = settledMark === 0 ? firstMark : settledMark
  return valueOf(holding, total, mark) - valueOf(holding, total, before)
}
