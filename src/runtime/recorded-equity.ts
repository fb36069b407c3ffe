/**
 * What an account is worth while a tape is played: its balances, marked at the last recorded prices and never at its own trades.
 *
 * Invariant: equity is exact. Known limit: an asset is priced through its market against the quote asset, and no other way.
 */
import { DrawdownFold } from '../analysis/drawdown.ts'
import { EquityCurve, type EquitySample } from '../analysis/equity-curve.ts'
import { Exposure } from '../analysis/exposure.ts'
import type { PriceSpan } from '../analysis/buy-and-hold.ts'
import { invariant } from '../domain/errors.ts'
import type { ExchangeEvent } from '../domain/exchange-event.ts'
import { powerOfTen } from '../domain/fixed-point.ts'
import type { Exchange } from '../exchange/exchange.ts'
import type { RecordedTrade } from '../simulation/liquidity/liquidity-model.ts'

/** One asset that the account may hold. */
interface Holding {
  readonly asset: string
  /** Market by which it is priced; undefined for the quote asset itself, or when there is none. */
  readonly symbol: string | undefined
  readonly isQuote: boolean
  /** Equity units in a ledger unit at a mark of 1. */
  readonly unitsPerUnit: bigint
  /** Ledger units. */
  total: bigint
  /** Ticks; 0 before the first recorded trade. */
  mark: number
  firstMark: number
  initial: bigint
}

export interface EquitySetup {
  readonly exchange: Exchange
  readonly account: string
  readonly quoteAsset: string
  /** Unix milliseconds of the run. */
  readonly from: number
  readonly to: number
}

export class RecordedEquity {
  /** Digits behind the point of every equity here. */
  readonly scale: number
  readonly #setup: EquitySetup
  readonly #holdings: readonly Holding[]
  readonly #holdingsBySymbol: ReadonlyMap<string, Holding>
  readonly #pricesBySymbol = new Map<string, { firstPrice: number; lastPrice: number }>()
  readonly #curve: EquityCurve
  readonly #drawdown = new DrawdownFold()
  readonly #exposure: Exposure

  /** The account has its initial balances. */
  constructor(setup: EquitySetup) {
    this.#setup = setup
    this.scale = scaleOf(setup)
    this.#holdings = holdingsOf(setup, this.scale)
    const priced = this.#holdings.flatMap((holding) =>
      holding.symbol === undefined ? [] : [[holding.symbol, holding] as const],
    )
    this.#holdingsBySymbol = new Map(priced)
    this.#curve = new EquityCurve(setup.from, setup.to)
    this.#exposure = new Exposure(setup.from, setup.to)
    this.#readBalances(setup.from)
    for (const holding of this.#holdings) holding.initial = holding.total
    this.#drawdown.add(Number(this.equity()), setup.from)
  }

  /** Call before a recorded trade is played. */
  onRecorded(symbol: string, { time, price }: RecordedTrade): void {
    this.#curve.advance(time, this.#equityNow)
    const prices = this.#pricesBySymbol.get(symbol)
    if (prices === undefined) this.#pricesBySymbol.set(symbol, { firstPrice: price, lastPrice: price })
    else prices.lastPrice = price
    const holding = this.#holdingsBySymbol.get(symbol)
    if (holding === undefined || holding.mark === price) return
    if (holding.mark === 0) holding.firstMark = price
    holding.mark = price
    if (holding.total !== 0n) this.#drawdown.add(Number(this.equity()), time)
  }

  /** Call with the events of each command, after it. */
  onEvents(events: readonly ExchangeEvent[]): void {
    const { account } = this.#setup
    for (const event of events) {
      if (event.type !== 'traded' || (event.maker.userId !== account && event.taker.userId !== account)) continue
      this.#curve.advance(event.time, this.#equityNow)
      this.#readBalances(event.time)
      this.#drawdown.add(Number(this.equity()), event.time)
      return
    }
  }

  /** Call once, after the last change. */
  finish(): void {
    this.#curve.finish(this.#equityNow)
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
    return this.#drawdown.max.fraction
  }

  get exposure(): number {
    return this.#exposure.share
  }

  /** First and last recorded price of each market that traded. */
  get prices(): readonly PriceSpan[] {
    return [...this.#pricesBySymbol.values()]
  }

  readonly #equityNow = (): bigint => this.equity()

  #readBalances(time: number): void {
    const balances = this.#setup.exchange.balances(this.#setup.account)
    for (const holding of this.#holdings) {
      const balance = balances.get(holding.asset)
      invariant(balance !== undefined, `the exchange has no asset ${holding.asset}`)
      holding.total = balance.available + balance.locked
      if (!holding.isQuote) this.#exposure.hold(time, holding.asset, holding.total)
    }
  }
}

const valueOf = ({ isQuote, unitsPerUnit }: Holding, total: bigint, mark: number): bigint =>
  total * (isQuote ? 1n : BigInt(mark)) * unitsPerUnit

/** The digits that hold the value of every asset exactly. */
function scaleOf({ exchange, quoteAsset }: EquitySetup): number {
  const digits = exchange.markets
    .filter((market) => market.quoteAsset === quoteAsset)
    .map((market) => (exchange.scales.get(market.baseAsset) ?? 0) + market.pricePrecision)
  return Math.max(exchange.scales.get(quoteAsset) ?? 0, ...digits)
}

function holdingsOf({ exchange, quoteAsset }: EquitySetup, scale: number): readonly Holding[] {
  return [...exchange.scales].map(([asset, assetScale]) => {
    const isQuote = asset === quoteAsset
    const market = isQuote
      ? undefined
      : exchange.markets.find((each) => each.baseAsset === asset && each.quoteAsset === quoteAsset)
    const digitsLeft = scale - assetScale - (market?.pricePrecision ?? 0)
    const unitsPerUnit = isQuote || market !== undefined ? powerOfTen(digitsLeft) : 0n
    return { asset, symbol: market?.symbol, isQuote, unitsPerUnit, total: 0n, mark: 0, firstMark: 0, initial: 0n }
  })
}
