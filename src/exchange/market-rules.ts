/** Rules of one market in integers: ledger units of a tick and a lot, and fee rates. */
import { invariant } from '../domain/errors.ts'
import { powerOfTen } from '../domain/fixed-point.ts'
import { parseFeeRate, type MarketConfig } from '../domain/market.ts'
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
  readonly makerRate: bigint
  readonly takerRate: bigint
  readonly highestRate: bigint

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
    this.makerRate = parseFeeRate(`${config.symbol} makerFeeBps`, config.makerFeeBps)
    this.takerRate = parseFeeRate(`${config.symbol} takerFeeBps`, config.takerFeeBps)
    this.highestRate = this.makerRate > this.takerRate ? this.makerRate : this.takerRate
  }

  /** Cost of `qty` lots at `price` ticks, in ledger units of the quote asset. */
  cost(price: number, qty: number): bigint {
    return BigInt(price) * BigInt(qty) * this.unitsPerNotional.bigint
  }
}

const inBothForms = (power: bigint): PowerOfTen => ({ number: Number(power), bigint: power })
