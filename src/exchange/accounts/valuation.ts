/** Valuation of accounts in one asset, at the last trades (section 2, Portfolio; decision 17). */
import { invariant } from '../../domain/errors.ts'
import type { Portfolio, Position } from '../../domain/portfolio.ts'
import { pricingsOf, valueScaleOf, type Pricing } from '../../domain/pricing.ts'
import type { Account } from './account.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { MarketState } from '../market-state.ts'

interface AssetPricing extends Pricing {
  /** State of its market. */
  readonly state: MarketState | undefined
}

interface Mark {
  readonly price: number
  readonly scale: number
  readonly time: number | undefined
}

export class Valuation {
  readonly #quoteAsset: string
  readonly #valueScale: number
  /** Pricing by asset index. */
  readonly #pricings: readonly AssetPricing[]
  readonly #ledger: Ledger

  constructor(
    quoteAsset: string,
    scales: ReadonlyMap<string, number>,
    markets: readonly MarketState[],
    ledger: Ledger,
  ) {
    const configs = markets.map(({ config }) => config)
    this.#ledger = ledger
    this.#quoteAsset = quoteAsset
    this.#valueScale = valueScaleOf(quoteAsset, scales, configs)
    this.#pricings = pricingsOf(quoteAsset, scales, configs).map((pricing) => ({
      ...pricing,
      state: markets.find(({ config }) => config === pricing.market),
    }))
  }

  /** A credit or debit moves the baseline by its value, so that a deposit is no profit. One of nothing is none. */
  credit(account: Account, asset: number, amount: bigint, time: number): void {
    if (amount === 0n) return
    account.baselineAt ??= time
    const value = this.#value(asset, amount)
    if (value === undefined) account.unpriced.set(asset, (account.unpriced.get(asset) ?? 0n) + amount)
    else account.baseline += value
  }

  /** Call after the first trade ever of `market`: earlier credits now have a price. */
  firstTrade(market: MarketState, accounts: Iterable<Account>): void {
    const asset = this.#pricings.findIndex((pricing) => pricing.state === market)
    if (asset < 0) return
    for (const account of accounts) {
      const amount = account.unpriced.get(asset)
      if (amount === undefined) continue
      account.baseline += this.#value(asset, amount) ?? 0n
      account.unpriced.delete(asset)
    }
  }

  /**
   * A debit at a higher price than its credit's takes the account's baseline below zero, which section 2 does not
   * define.
   */
  portfolio(account: Account, now: number): Portfolio {
    const positions = this.#pricings.map((_, asset) => this.#position(account, asset))
    const held = this.#pricings.filter((_, asset) => positions[asset]?.total !== 0n)
    const times = held.flatMap((pricing) => markOf(pricing)?.time ?? [])
    return {
      quoteAsset: this.#quoteAsset,
      valueScale: this.#valueScale,
      equity: positions.reduce((equity, { value }) => equity + value, 0n),
      baselineEquity: account.baseline > 0n ? account.baseline : 0n,
      baselineAt: account.baselineAt ?? now,
      asOf: times.length === 0 ? now : Math.min(...times),
      partial: held.some((pricing) => markOf(pricing) === undefined),
      positions,
    }
  }

  #position(account: Account, asset: number): Position {
    const pricing = this.#pricing(asset)
    const available = this.#ledger.available(account.row, asset)
    const locked = this.#ledger.locked(account.row, asset)
    const total = available + locked
    const mark = markOf(pricing)
    return {
      asset: pricing.asset,
      available,
      locked,
      total,
      scale: pricing.scale,
      markPrice: mark?.price ?? 0,
      markScale: mark?.scale ?? 0,
      value: this.#value(asset, total) ?? 0n,
    }
  }

  /** Value of an amount of an asset; undefined when it has no price. */
  #value(asset: number, amount: bigint): bigint | undefined {
    const pricing = this.#pricing(asset)
    const mark = markOf(pricing)
    return mark === undefined ? undefined : amount * BigInt(mark.price) * pricing.unitsPerUnit
  }

  #pricing(asset: number): AssetPricing {
    const pricing = this.#pricings[asset]
    invariant(pricing !== undefined, `no asset number ${asset}`)
    return pricing
  }
}

function markOf({ isQuote, state }: AssetPricing): Mark | undefined {
  if (isQuote) return { price: 1, scale: 0, time: undefined }
  if (state === undefined || state.statistics.lastPrice === 0) return undefined
  const { lastPrice, lastTime } = state.statistics
  return { price: lastPrice, scale: state.config.pricePrecision, time: lastTime }
}
