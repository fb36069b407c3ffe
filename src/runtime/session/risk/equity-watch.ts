/**
 * Equity of the account beside that at the start of the UTC day and the highest one since the session began.
 *
 * Known limits: it is the account's, so a withdrawal counts as a loss, and several strategies on one key share it; what no market values
 * in the quote asset counts as nothing; a session that is started again begins a new count.
 */
import type { ExchangeAdapter } from '../../../adapter/exchange-adapter.ts'
import { toDecimal, type Decimal } from '../../../domain/decimal.ts'
import { valuedHoldings } from '../valued-holdings.ts'
import type { RiskLimits } from './risk-limits.ts'

const DAY_MS = 86_400_000
const HUNDRED = toDecimal(100)

/** A limit that was reached, and why, for people. */
export interface Breach {
  readonly rule: LossRule
  readonly why: string
}

export type LossRule = 'day-loss' | 'drawdown'

export interface Look {
  /** Asset that has no price yet, so that nobody can tell the equity. */
  readonly unpriced?: string
  readonly isNewDay: boolean
  readonly breaches: readonly Breach[]
}

export type WatchedAccount = Pick<ExchangeAdapter, 'balances' | 'lastPrice' | 'markets' | 'now'>

export class EquityWatch {
  readonly #account: WatchedAccount
  readonly #quoteAsset: string
  readonly #limits: Pick<RiskLimits, 'dayLoss' | 'drawdownPercent'>
  /** Days since the epoch. */
  #day: number
  #last: Decimal | undefined
  #dayStart: Decimal | undefined
  #peak: Decimal | undefined

  constructor(account: WatchedAccount, quoteAsset: string, limits: Pick<RiskLimits, 'dayLoss' | 'drawdownPercent'>) {
    this.#account = account
    this.#quoteAsset = quoteAsset
    this.#limits = limits
    this.#day = dayOf(account.now())
  }

  get isOn(): boolean {
    return this.#limits.dayLoss !== null || this.#limits.drawdownPercent !== null
  }

  /** Counts from now on, as if the session began. */
  reset(): void {
    this.#last = undefined
    this.#dayStart = undefined
    this.#peak = undefined
  }

  /** Call after every change of a balance or a price: the last look of a day is how the next one starts. */
  look(): Look {
    const isNewDay = this.#turnDay()
    const {
      equity,
      unpriced: [unpriced],
    } = valuedHoldings(this.#account, this.#quoteAsset)
    if (unpriced !== undefined) return { unpriced, isNewDay, breaches: [] }
    this.#last = equity
    this.#dayStart ??= equity
    this.#peak = this.#peak?.gte(equity) === true ? this.#peak : equity
    return { isNewDay, breaches: [...this.#dayLoss(equity, this.#dayStart), ...this.#drawdown(equity, this.#peak)] }
  }

  /** A clock that is set back begins no day. */
  #turnDay(): boolean {
    const day = dayOf(this.#account.now())
    if (day <= this.#day) return false
    this.#day = day
    this.#dayStart = this.#last
    return true
  }

  #dayLoss(equity: Decimal, start: Decimal): readonly Breach[] {
    const { dayLoss } = this.#limits
    const loss = start.minus(equity)
    if (dayLoss === null || loss.lt(dayLoss)) return []
    const why = `the loss of the day is ${loss.toFixed()} ${this.#quoteAsset}, the limit ${dayLoss.toFixed()}`
    return [{ rule: 'day-loss', why }]
  }

  #drawdown(equity: Decimal, peak: Decimal): readonly Breach[] {
    const { drawdownPercent } = this.#limits
    const fall = peak.minus(equity)
    // By products, since a quotient might be rounded.
    if (drawdownPercent === null || !peak.gt(0) || fall.times(HUNDRED).lt(peak.times(drawdownPercent))) return []
    const why = `the equity fell by ${fall.toFixed()} from ${peak.toFixed()} ${this.#quoteAsset}, the limit is ${drawdownPercent.toFixed()} percent`
    return [{ rule: 'drawdown', why }]
  }
}

const dayOf = (time: number): number => Math.floor(time / DAY_MS)
