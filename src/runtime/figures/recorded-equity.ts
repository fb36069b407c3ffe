/**
 * Equity of an account while a tape is played: its balances, marked at the last recorded prices and never at its own trades.
 *
 * Invariant: equity is exact. Known limit: an asset is priced through its market against the quote asset, and no other way.
 */
import { EquityCurve, type EquitySample } from '../../analysis/equity-curve.ts'
import { Exposure } from '../../analysis/exposure.ts'
import type { PriceSpan } from '../../analysis/buy-and-hold.ts'
import { invariant, InvariantError } from '../../domain/errors.ts'
import type { Balances } from '../../domain/balances.ts'
import type { AccountFill } from '../../domain/trade.ts'
import { valueScaleOf } from '../../domain/pricing.ts'
import type { AccountSetup } from './account-setup.ts'
import { exactOrInfinite, holdingsOf, valueOf, type Holding } from './holding.ts'
import { RecordedMark } from './recorded-mark.ts'
import { WatchedDrawdown } from './watched-drawdown.ts'

export class RecordedEquity {
  /** Digits behind the point of every equity here. */
  readonly scale: number
  readonly #holdings: readonly Holding[]
  readonly #marksBySymbol: ReadonlyMap<string, RecordedMark>
  readonly #curve: EquityCurve
  readonly #drawdown = new WatchedDrawdown(() => this.equity())
  readonly #exposure: Exposure
  /** Markets that traded, in the order of their first trades. */
  readonly #prices: PriceSpan[] = []

  constructor(setup: AccountSetup) {
    this.scale = valueScaleOf(setup.quoteAsset, setup.scales, setup.markets)
    this.#holdings = holdingsOf(setup)
    this.#curve = new EquityCurve(setup.from, setup.to)
    this.#exposure = new Exposure(setup.from, setup.to)
    this.#marksBySymbol = new Map(setup.markets.map(({ symbol }) => [symbol, this.#markOf(symbol)]))
    this.#readBalances(setup.from, setup.balances)
    for (const holding of this.#holdings) holding.initial = holding.total
    this.#drawdown.look(setup.from)
  }

  /** The mark of one market, which hears of its recorded trades. */
  mark(symbol: string): RecordedMark {
    const mark = this.#marksBySymbol.get(symbol)
    if (mark === undefined) throw new InvariantError(`no market '${symbol}'`)
    return mark
  }

  /** @param balances  after fills that happened at one moment */
  onFills([first]: readonly AccountFill[], balances: Balances): void {
    if (first === undefined) return
    const time = first.trade.createdAt
    this.#curve.advance(time, this.#equityNow)
    this.#readBalances(time, balances)
    this.#drawdown.look(time)
  }

  /**
   * Call once, after the last change.
   *
   * @param to  of a session whose end was not known
   */
  finish(to?: number): void {
    this.#curve.finish(this.#equityNow, to)
    if (to !== undefined) this.#exposure.finish(to)
  }

  /** In units of 10^-scale of the quote asset. */
  equity(): bigint {
    return this.#holdings.reduce((sum, holding) => sum + valueOf(holding, holding.total, holding.mark), 0n)
  }

  /** The initial balances, each at its first recorded price. */
  initialEquity(): bigint {
    return this.#holdings.reduce((sum, holding) => sum + valueOf(holding, holding.initial, holding.firstMark), 0n)
  }

  /** True when a holding has no price, so that the equity is incomplete. */
  get isPartial(): boolean {
    return this.#holdings.some(({ isQuote, total, mark }) => !isQuote && total !== 0n && mark === 0)
  }

  get samples(): readonly EquitySample[] {
    return this.#curve.samples
  }

  /** Largest fall at any recorded trade or fill, in [0, 1]. */
  get maxDrawdown(): number {
    return this.#drawdown.fraction
  }

  get exposure(): number {
    return this.#exposure.share
  }

  /** First and last recorded price of each market that traded. */
  get prices(): readonly PriceSpan[] {
    return this.#prices
  }

  readonly #equityNow = (): bigint => this.equity()

  #markOf(symbol: string): RecordedMark {
    const holding = this.#holdings.find((each) => each.symbol === symbol)
    const onFirst = (span: PriceSpan): void => void this.#prices.push(span)
    return new RecordedMark(holding, this.#curve, this.#equityNow, this.#drawdown, onFirst)
  }

  #readBalances(time: number, balances: Balances): void {
    for (const holding of this.#holdings) {
      const balance = balances.get(holding.asset)
      invariant(balance !== undefined, `no balance of ${holding.asset}`)
      holding.total = balance.available + balance.locked
      holding.unitsPerTick = exactOrInfinite(holding.isQuote ? 0n : holding.total * holding.unitsPerUnit)
      if (!holding.isQuote) this.#exposure.hold(time, holding.asset, holding.total)
    }
  }
}
