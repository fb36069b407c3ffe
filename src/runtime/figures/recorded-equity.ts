/**
 * Equity of an account during a replay: its balances, marked at the last recorded prices and never at its own trades.
 *
 * Invariant: equity is exact.
 * Known limitation: an asset is priced only through its market against the quote asset.
 */
import type { EquitySample } from '../../analysis/equity-curve.ts'
import { Exposure } from '../../analysis/exposure.ts'
import type { PriceSpan } from '../../analysis/buy-and-hold.ts'
import type { AccountSample, PeriodSample } from '../../analysis/returns/period-samples.ts'
import { invariant, InvariantError } from '../../domain/errors.ts'
import type { Balances } from '../../domain/balances.ts'
import { DAY_MS } from '../../domain/time.ts'
import type { AccountFill } from '../../domain/trade.ts'
import { valueScaleOf } from '../../domain/pricing.ts'
import type { AccountSetup } from './account-setup.ts'
import { EquityClock } from './equity-clock.ts'
import { exactOrInfinite, holdingsOf, valueOf, type Holding } from './holding.ts'
import { ProfitParts } from './profit-parts.ts'
import { RecordedMark } from './recorded-mark.ts'
import { WatchedDrawdown } from './watched-drawdown.ts'

export class RecordedEquity {
  /** Decimal digits of every equity here. */
  readonly scale: number
  /** Unix milliseconds. */
  readonly from: number
  /** Attribution of the profit. */
  readonly parts: ProfitParts
  /** Maximum drawdown over all recorded trades and fills. */
  readonly drawdown = new WatchedDrawdown(() => this.equity())
  readonly #holdings: readonly Holding[]
  readonly #marksBySymbol: ReadonlyMap<string, RecordedMark>
  readonly #clock: EquityClock
  readonly #exposure: Exposure
  /** Markets that traded, in the order of their first trades. */
  readonly #prices: PriceSpan[] = []

  constructor(setup: AccountSetup) {
    const { from, to, statsPeriodMs = DAY_MS } = setup
    this.scale = valueScaleOf(setup.quoteAsset, setup.scales, setup.markets)
    this.from = from
    this.#holdings = holdingsOf(setup)
    this.parts = new ProfitParts(setup, this.#holdings)
    this.#clock = new EquityClock({ from, to, periodMs: statsPeriodMs, look: () => this.#look() })
    this.#exposure = new Exposure(from, to)
    this.#marksBySymbol = new Map(setup.markets.map(({ symbol }) => [symbol, this.#markOf(symbol)]))
    this.#readBalances(from, setup.balances)
    for (const holding of this.#holdings) holding.initial = holding.total
    this.drawdown.look(from)
  }

  /** The mark of one market, which receives its recorded trades. */
  mark(symbol: string): RecordedMark {
    const mark = this.#marksBySymbol.get(symbol)
    if (mark === undefined) throw new InvariantError(`no market '${symbol}'`)
    return mark
  }

  /** @param balances  after fills that happened at one moment */
  onFills(fills: readonly AccountFill[], balances: Balances): void {
    const [first] = fills
    if (first === undefined) return
    const { createdAt: time, symbol } = first.trade
    if (this.mark(symbol).isInsideCandle(time)) this.#clock.advanceUpTo(time)
    else this.#clock.advance(time)
    this.parts.onFills(fills)
    this.#readBalances(time, balances)
    this.drawdown.look(time)
  }

  /**
   * Call once, at the end.
   * @param to  of a session whose end was not known
   */
  finish(to?: number): void {
    this.#clock.finish(to)
    if (to !== undefined) this.#exposure.finish(to)
  }

  /** Present equity in units of 10^-scale of the quote asset. */
  equity(): bigint {
    return this.#holdings.reduce((sum, holding) => sum + valueOf(holding, holding.total, holding.mark), 0n)
  }

  /** The initial balances, each at its first recorded price. */
  initialEquity(): bigint {
    return this.#holdings.reduce((sum, holding) => sum + valueOf(holding, holding.initial, holding.firstMark), 0n)
  }

  /** True if a holding has no price, so that the equity is incomplete. */
  get isPartial(): boolean {
    return this.#holdings.some(({ isQuote, total, mark }) => !isQuote && total !== 0n && mark === 0)
  }

  /** True if a part of the initial balances never had a price. */
  get isPartialAtStart(): boolean {
    return this.#holdings.some(({ isQuote, initial, firstMark }) => !isQuote && initial !== 0n && firstMark === 0)
  }

  get samples(): readonly EquitySample[] {
    return this.#clock.curve.samples
  }

  /** Samples at the boundaries of the periods, and a last one at the end; complete after `finish`. */
  get periodSamples(): readonly PeriodSample[] {
    return this.#clock.periods.samples
  }

  /** Maximum drawdown over all recorded trades and fills, in [0, 1]. */
  get maxDrawdown(): number {
    return this.drawdown.fraction
  }

  get exposure(): number {
    return this.#exposure.share
  }

  /** First and last recorded price of each market that traded. */
  get prices(): readonly PriceSpan[] {
    return this.#prices
  }

  /** First recorded price of each market in ticks, in the order of the markets; 0 for one that did not trade. */
  get firstMarks(): readonly number[] {
    return [...this.#marksBySymbol.values()].map(({ firstPrice }) => firstPrice)
  }

  #look(): AccountSample {
    const marks = [...this.#marksBySymbol.values()].map(({ lastPrice }) => lastPrice)
    return { equity: this.equity(), isPartial: this.isPartial, marks }
  }

  #markOf(symbol: string): RecordedMark {
    const holding = this.#holdings.find((each) => each.symbol === symbol)
    const onFirst = (span: PriceSpan): void => {
      this.#prices.push(span)
      this.parts.onMarket(symbol)
    }
    return new RecordedMark({ holding, clock: this.#clock, drawdown: this.drawdown, onFirst })
  }

  #readBalances(time: number, balances: Balances): void {
    for (const holding of this.#holdings) {
      const balance = balances.get(holding.asset)
      invariant(balance !== undefined, `no balance of ${holding.asset}`)
      this.parts.settle(holding)
      holding.total = balance.available + balance.locked
      holding.unitsPerTick = exactOrInfinite(holding.isQuote ? 0n : holding.total * holding.unitsPerUnit)
      if (!holding.isQuote) this.#exposure.hold(time, holding.asset, holding.total)
    }
  }
}
