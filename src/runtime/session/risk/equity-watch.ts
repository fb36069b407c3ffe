/**
 * Watches the account's equity against that of the start of the UTC day and against its peak, both persisted over
 * restarts.
 *
 * Known limitations: it is the account's equity, so a withdrawal counts as a loss, and strategies on one key share it;
 * assets without a market in the quote asset are not valued; deposits during a session count as profit.
 */
import type { AccountUpdate, ExchangeAdapter } from '../../../adapter/exchange-adapter.ts'
import { HUNDRED, ONE, toDecimal, ZERO, type Decimal } from '../../../domain/decimal.ts'
import { DAY_MS } from '../../../domain/time.ts'
import type { PersistedHolding, PersistedMarks } from '../../../store/state/live/persisted-risk.ts'
import { valuedHoldings, valuingMarket } from '../valued-holdings.ts'
import { movedPeak } from './moved-marks.ts'
import type { RiskLimits } from '../../settings/risk-limits.ts'

/** A reached limit, and the reason as text. */
export interface Breach {
  readonly rule: 'day-loss' | 'drawdown'
  readonly why: string
}

export interface Look {
  /** Asset that has no price yet, so that the equity is unknown. */
  readonly unpriced?: string
  readonly isNewDay: boolean
  /** True if the marks have changed. */
  readonly isNews: boolean
  /** Net inflow since the marks were saved, in the quote asset; undefined for none. */
  readonly cameIn?: Decimal | undefined
  readonly breaches: readonly Breach[]
}

export type WatchedAccount = Pick<ExchangeAdapter, 'balances' | 'lastPrice' | 'markets' | 'now'>

export class EquityWatch {
  readonly #account: WatchedAccount
  readonly #quoteAsset: string
  /** May change. */
  limits: Pick<RiskLimits, 'dayLoss' | 'drawdownPercent'>
  /** Days since the epoch. */
  #day: number
  #last: Decimal | undefined
  #dayStart: Decimal | undefined
  #peak: Decimal | undefined
  /** Marks of an earlier session, until the first equity. */
  #restored: PersistedMarks | undefined

  constructor(account: WatchedAccount, quoteAsset: string, limits: Pick<RiskLimits, 'dayLoss' | 'drawdownPercent'>) {
    this.#account = account
    this.#quoteAsset = quoteAsset
    this.limits = limits
    this.#day = dayOf(account.now())
  }

  get isOn(): boolean {
    return EquityWatch.isNeededFor(this.limits)
  }

  static isNeededFor({ dayLoss, drawdownPercent }: EquityWatch['limits']): boolean {
    return dayLoss !== null || drawdownPercent !== null
  }

  /** UTC days since the epoch. */
  get day(): number {
    return this.#day
  }

  /**
   * Restores the marks of an earlier session. Marks in another quote asset are not comparable.
   * @returns whether they were restored
   */
  restore(marks: PersistedMarks): boolean {
    if (marks.quoteAsset !== this.#quoteAsset) return false
    this.#restored = marks
    this.#peak = toDecimal(marks.peak)
    // A clock that was set back begins no new day.
    if (marks.day >= this.#day) {
      this.#day = marks.day
      this.#dayStart = toDecimal(marks.dayStart)
    }
    return true
  }

  /** Marks to save; undefined before the first equity. */
  marks(): PersistedMarks | undefined {
    const [dayStart, peak] = [this.#dayStart, this.#peak]
    if (this.#restored !== undefined || dayStart === undefined || peak === undefined) return this.#restored
    const [quoteAsset, day] = [this.#quoteAsset, this.#day]
    return { quoteAsset, day, dayStart: dayStart.toFixed(), peak: peak.toFixed(), holdings: this.#holdings() }
  }

  /** Restarts the count, as at the beginning of the session. */
  reset(): void {
    this.#last = undefined
    this.#dayStart = undefined
    this.#peak = undefined
    this.#restored = undefined
  }

  /**
   * Capital that came from other strategies of the wallet, or went to them, is no profit or loss: the loss of the day
   * stays, and the fall from the peak in percent. The balances already have it.
   */
  onTransfer({ asset, amount }: Pick<Extract<AccountUpdate, { type: 'transfer' }>, 'asset' | 'amount'>): void {
    if (asset !== this.#quoteAsset) return
    const { equity, unpriced } = valuedHoldings(this.#account, this.#quoteAsset)
    const before = unpriced.length === 0 ? equity.minus(amount) : undefined
    this.#last = this.#last?.plus(amount)
    this.#dayStart = this.#dayStart?.plus(amount)
    this.#peak &&= movedPeak(this.#peak, before, amount)
  }

  /** Call after every change of a balance or price: the last call of a day gives the start of the next. */
  look(): Look {
    const isNewDay = this.#turnDay()
    const {
      equity,
      unpriced: [unpriced],
    } = valuedHoldings(this.#account, this.#quoteAsset)
    if (unpriced !== undefined) return { unpriced, isNewDay, isNews: isNewDay, breaches: [] }
    const isRestored = this.#restored !== undefined
    const cameIn = this.#addWhatCameIn()
    const isHighest = this.#peak?.gte(equity) !== true
    const isNews = isNewDay || isRestored || isHighest || this.#dayStart === undefined
    this.#last = equity
    this.#dayStart ??= equity
    if (isHighest) this.#peak = equity
    const breaches = [...this.#dayLoss(equity, this.#dayStart), ...this.#drawdown(equity, this.#peak ?? equity)]
    return { isNewDay, isNews, cameIn, breaches }
  }

  /** A clock that was set back begins no new day. */
  #turnDay(): boolean {
    const day = dayOf(this.#account.now())
    if (day <= this.#day) return false
    this.#day = day
    this.#dayStart = this.#last
    return true
  }

  /** A deposit between two sessions is not profit that could be lost again. An outflow counts as a loss. */
  #addWhatCameIn(): Decimal | undefined {
    const before = this.#restored?.holdings
    this.#restored = undefined
    if (before === undefined) return undefined
    const now = this.#holdings()
    const cameIn = [...new Set([...before, ...now].map(({ asset }) => asset))]
      .map((asset) => worthOfChange(before.find(isOf(asset)), now.find(isOf(asset))))
      .reduce((sum, worth) => sum.plus(worth), ZERO)
    if (!cameIn.gt(0)) return undefined
    this.#dayStart = this.#dayStart?.plus(cameIn)
    this.#peak = this.#peak?.plus(cameIn)
    return cameIn
  }

  #holdings(): readonly PersistedHolding[] {
    return [...this.#account.balances()].flatMap(([asset, { available, locked }]) => {
      const qty = available.plus(locked)
      return qty.isZero() ? [] : [{ asset, qty: qty.toFixed(), price: this.#priceOf(asset)?.toFixed() }]
    })
  }

  #priceOf(asset: string): Decimal | undefined {
    if (asset === this.#quoteAsset) return ONE
    const market = valuingMarket(this.#account.markets, asset, this.#quoteAsset)
    return market && this.#account.lastPrice(market.symbol)
  }

  #dayLoss(equity: Decimal, start: Decimal): readonly Breach[] {
    const { dayLoss } = this.limits
    const loss = start.minus(equity)
    if (dayLoss === null || loss.lt(dayLoss)) return []
    const why = `the loss of the day is ${loss.toFixed()} ${this.#quoteAsset}, the limit is ${dayLoss.toFixed()}`
    return [{ rule: 'day-loss', why }]
  }

  #drawdown(equity: Decimal, peak: Decimal): readonly Breach[] {
    const { drawdownPercent } = this.limits
    const fall = peak.minus(equity)
    // Uses products, because a quotient might be rounded.
    if (drawdownPercent === null || !peak.gt(0) || fall.times(HUNDRED).lt(peak.times(drawdownPercent))) return []
    const why = `the equity fell by ${fall.toFixed()} from ${peak.toFixed()} ${this.#quoteAsset}, the limit is ${drawdownPercent.toFixed()} percent`
    return [{ rule: 'drawdown', why }]
  }
}

const isOf =
  (asset: string) =>
  (holding: PersistedHolding): boolean =>
    holding.asset === asset

/** Value at the present price, or at the last one for an asset that is gone. */
function worthOfChange(before: PersistedHolding | undefined, now: PersistedHolding | undefined): Decimal {
  const price = now?.price ?? before?.price
  if (price === undefined) return ZERO
  return toDecimal(now?.qty ?? '0')
    .minus(toDecimal(before?.qty ?? '0'))
    .times(toDecimal(price))
}

/** UTC days since the epoch. @param time  Unix milliseconds */
export const dayOf = (time: number): number => Math.floor(time / DAY_MS)
