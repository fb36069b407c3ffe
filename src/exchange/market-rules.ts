/** Rules of one market in integers: ledger units of a tick and a lot, and fee rates. */
import { invariant } from '../domain/errors.ts'
import { powerOfTen } from '../domain/fixed-point.ts'
import { parseFeeRate, type MarketConfig, type MarketFees } from '../domain/market.ts'
import type { PowerOfTen } from './ledger/amount.ts'

export class MarketRules {
  readonly config: MarketConfig
  /** Indexes of its assets in the ledger. */
  readonly base: number
  readonly quote: number
  /** Ledger units of the base asset in a lot. */
  readonly unitsPerLot: PowerOfTen
  /** Ledger units of the quote asset in a tick x lot. */
  readonly unitsPerNotional: PowerOfTen
  /** Rates in 10^-8 of the notional. */
  makerRate = 0n
  takerRate = 0n
  highestRate = 0n
  /** True once a fee was not zero: from then on orders have fees to remember. */
  hasFees = false

  /** @param scales  ledger digits by asset, in the order of the ledger */
  constructor(config: MarketConfig, scales: ReadonlyMap<string, number>) {
    const assets = [...scales.keys()]
    const baseScale = scales.get(config.baseAsset)
    const quoteScale = scales.get(config.quoteAsset)
    invariant(baseScale !== undefined && quoteScale !== undefined, `${config.symbol} has assets without a scale`)
    this.config = config
    this.base = assets.indexOf(config.baseAsset)
    this.quote = assets.indexOf(config.quoteAsset)
    this.unitsPerLot = inBothForms(powerOfTen(baseScale - config.qtyPrecision))
    this.unitsPerNotional = inBothForms(powerOfTen(quoteScale - config.pricePrecision - config.qtyPrecision))
    this.#readFees()
  }

  /** Other fees from now on, in the config too. @throws {InputError} for a fee out of range */
  changeFees({ makerFeeBps, takerFeeBps }: MarketFees): void {
    Object.assign(this.config, { makerFeeBps, takerFeeBps })
    this.#readFees()
  }

  #readFees(): void {
    const { symbol, makerFeeBps, takerFeeBps } = this.config
    this.makerRate = parseFeeRate(`${symbol} makerFeeBps`, makerFeeBps)
    this.takerRate = parseFeeRate(`${symbol} takerFeeBps`, takerFeeBps)
    this.highestRate = this.makerRate > this.takerRate ? this.makerRate : this.takerRate
    this.hasFees ||= this.highestRate > 0n
  }

  /** Cost of `qty` lots at `price` ticks, in ledger units of the quote asset. */
  cost(price: number, qty: number): bigint {
    return BigInt(price) * BigInt(qty) * this.unitsPerNotional.bigint
  }
}

const inBothForms = (power: bigint): PowerOfTen => ({ number: Number(power), bigint: power })
