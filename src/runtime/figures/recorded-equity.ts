/**
 * Equity of an account during a replay: its balances, marked at the last recorded prices and never at its own trades.
 *
 * Purpose: the equity curve, the maximum drawdown, the exposure and the parts of the profit of a run.
 * Invariant: equity is exact, and sampled before anything at the moment of a sample changes it.
 * Known limitation: an asset is priced only through its market against the quote asset.
 * Complexity: a recorded trade at the price before costs two comparisons; a fill reads every balance of the account.
 * Source: docs/statistics.md; docs/decisions/004-drawdown-at-every-trade.md.
 */
import type { PriceSpan } from '../../analysis/buy-and-hold.ts'
import { EquityCurve, type EquitySample } from '../../analysis/equity-curve.ts'
import { Exposure } from '../../analysis/exposure.ts'
import { type AccountSample, type PeriodSample, PeriodSamples } from '../../analysis/returns/period-samples.ts'
import type { MarkRange } from '../../analysis/round-trip.ts'
import type { Balances } from '../../domain/balances.ts'
import { invariant, InvariantError } from '../../domain/errors.ts'
import { valueScaleOf } from '../../domain/pricing.ts'
import { DAY_MS } from '../../domain/time.ts'
import type { AccountFill } from '../../domain/trade.ts'
import { type AccountSetup, exactOrInfinite, type Holding, holdingsOf, valueOf } from './holding.ts'
import { ProfitParts } from './profit-parts.ts'
import { WatchedDrawdown } from './watched-drawdown.ts'

/** Quote asset that came from other strategies of the wallet, or went to them. */
export interface Transfer {
  /** Unix milliseconds. */
  readonly time: number
  /** Units of the value scale; negative for what went. */
  readonly amount: bigint
  /** Factor by which the equity from then on continues that of before all transfers. */
  readonly factor: number
}

interface EquityClockSetup {
  /** Unix milliseconds. */
  readonly from: number
  /** Undefined while it is not known. */
  readonly to: number | undefined
  readonly periodMs: number
  /** Reads the present state of the account. */
  readonly look: () => AccountSample
}

/**
 * Sampling times of an account's equity: those of its curve, and the boundaries between the periods of its returns.
 *
 * Invariant: a call without a due sample costs one comparison.
 */
class EquityClock {
  readonly curve: EquityCurve
  readonly periods: PeriodSamples
  readonly #look: () => AccountSample
  readonly #equity: () => bigint
  /** The next millisecond at which a sample is due. */
  #due: number

  constructor({ from, to, periodMs, look }: EquityClockSetup) {
    this.curve = new EquityCurve(from, to)
    this.periods = new PeriodSamples(from, to, periodMs)
    this.#look = look
    this.#equity = () => look().equity
    this.#due = this.#nextDue()
  }

  /** Call before anything at `time` changes a mark or a balance. */
  advance(time: number): void {
    if (time >= this.#due) this.#pass(time, time)
  }

  /** The same for data from before `time` that is emitted at `time`: the end of a candle. */
  advanceUpTo(time: number): void {
    if (time >= this.#due) this.#pass(time, time - 1)
  }

  /** Call once, after the last change. */
  finish(to?: number): void {
    this.curve.finish(this.#equity, to)
    this.periods.finish(this.#look, to)
  }

  #pass(time: number, happenedAt: number): void {
    this.curve.advance(time, this.#equity)
    this.periods.advance(happenedAt, this.#look)
    this.#due = this.#nextDue()
  }

  /** The curve samples a moment once it is over. */
  #nextDue(): number {
    return Math.min(this.curve.next + 1, this.periods.next)
  }
}

interface MarkParts {
  /** Undefined for a market that prices no holding. */
  readonly holding: Holding | undefined
  readonly clock: EquityClock
  readonly drawdown: WatchedDrawdown
  /** Called with the first trade. */
  readonly onFirst: (span: PriceSpan) => void
}

/**
 * Recorded trades of one market, and their effect on the equity of an account.
 *
 * Invariant: a trade at the price of the one before costs two comparisons.
 */
class RecordedMark implements PriceSpan {
  /** Ticks; 0 before the first recorded trade. */
  firstPrice = 0
  lastPrice = 0
  readonly #holding: Holding | undefined
  readonly #clock: EquityClock
  readonly #drawdown: WatchedDrawdown
  readonly #onFirst: (span: PriceSpan) => void
  /** Range of the marks since the last `takeRange`. */
  #lowest = 0
  #highest = 0
  /** End of the candle that is filling orders; NaN for none. */
  #endsAt = Number.NaN

  constructor({ holding, clock, drawdown, onFirst }: MarkParts) {
    this.#holding = holding
    this.#clock = clock
    this.#drawdown = drawdown
    this.#onFirst = onFirst
  }

  /** Call before a recorded trade is played. */
  onRecorded(time: number, price: number): void {
    this.#clock.advance(time)
    this.#clock.periods.tradedAt = time
    if (this.lastPrice !== price) this.#move(time, price)
  }

  /** Call before the open of a candle is played. Its trades and prices are counted at its end. */
  onOpen(time: number, open: number): void {
    this.#endsAt = Number.NaN
    this.#clock.advance(time)
    if (this.lastPrice !== open) this.#move(time, open)
  }

  /** Call when a candle closes, before it fills anything: its close was before its end. */
  onClose(endsAt: number, close: number): void {
    this.#endsAt = endsAt
    this.#clock.advanceUpTo(endsAt)
    this.#clock.periods.tradedAt = endsAt - 1
    if (this.lastPrice !== close) this.#move(endsAt, close)
  }

  /** Whether a fill at `time` happened inside the candle that ends then. */
  isInsideCandle(time: number): boolean {
    return time === this.#endsAt
  }

  /** Range of the marks since the last call, including the one at that time; undefined before the first. */
  takeRange(): MarkRange | undefined {
    if (this.lastPrice === 0) return undefined
    const range = { lowest: this.#lowest, highest: this.#highest }
    this.#lowest = this.lastPrice
    this.#highest = this.lastPrice
    return range
  }

  #move(time: number, price: number): void {
    const before = this.lastPrice
    if (before === 0) this.#begin(price)
    this.lastPrice = price
    if (price < this.#lowest) this.#lowest = price
    else if (price > this.#highest) this.#highest = price
    const holding = this.#holding
    if (holding === undefined) return
    holding.mark = price
    if (holding.unitsPerTick !== 0) this.#drawdown.move(holding.unitsPerTick * (price - before), time)
  }

  #begin(price: number): void {
    this.firstPrice = price
    this.#lowest = price
    this.#highest = price
    if (this.#holding !== undefined) this.#holding.firstMark = price
    this.#onFirst(this)
  }
}

export class RecordedEquity {
  /** Decimal digits of every equity here. */
  readonly scale: number
  /** Unix milliseconds. */
  readonly from: number
  /** Attribution of the profit. */
  readonly parts: ProfitParts
  /** Maximum drawdown over all recorded trades and fills. */
  readonly drawdown = new WatchedDrawdown(
    () => this.equity(),
    () => !this.#hasUnpricedFill,
  )
  readonly #holdings: readonly Holding[]
  readonly #marksBySymbol: ReadonlyMap<string, RecordedMark>
  readonly #clock: EquityClock
  readonly #exposure: Exposure
  /** Markets that traded, in the order of their first trades. */
  readonly #prices: PriceSpan[] = []
  readonly #transfers: Transfer[] = []

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
   * Quote asset came or went, which is no profit or loss. Call before the end of a candle of that time.
   *
   * @param balances  after it
   */
  onTransfer(time: number, balances: Balances): void {
    this.#clock.advanceUpTo(time)
    const before = this.equity()
    this.#readBalances(time, balances)
    const after = this.equity()
    const factor = before > 0n && after > 0n ? (this.factor * Number(before)) / Number(after) : this.factor
    this.#transfers.push({ time, amount: after - before, factor })
    this.drawdown.rescale(before, after)
  }

  /** Oldest first. */
  get transfers(): readonly Transfer[] {
    return this.#transfers
  }

  /** Factor by which the present equity continues that of before all transfers; 1 without transfers. */
  get factor(): number {
    return this.#transfers.at(-1)?.factor ?? 1
  }

  /** The factor at a time, with the transfers of that moment. */
  factorAt(time: number): number {
    return this.#transfers.findLast((transfer) => transfer.time <= time)?.factor ?? 1
  }

  /** Sum of all transfers after `from`, up to and including `to`. Default: of all. */
  transferred(from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY): bigint {
    return this.#transfers.reduce((sum, { time, amount }) => (time > from && time <= to ? sum + amount : sum), 0n)
  }

  /** Profit without the transfers. */
  profit(): bigint {
    return this.equity() - this.initialEquity() - this.transferred()
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

  /** True if a holding changed before its first price, as by fills that a live session recovers. */
  get #hasUnpricedFill(): boolean {
    return this.#holdings.some(({ symbol, total, initial, mark }) => {
      return symbol !== undefined && mark === 0 && total !== initial
    })
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
    const sample = { equity: this.equity(), isPartial: this.isPartial, marks }
    return this.#transfers.length === 0 ? sample : { ...sample, factor: this.factor }
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
