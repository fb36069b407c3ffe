/**
 * Prices of the fills of the same requests in two runs, held against each other.
 *
 * Invariant: exact up to the mean, which is reckoned to 64 digits and given to 8 decimals, rounded half to even.
 */
import { Decimal, toDecimal } from '../../domain/decimal.ts'
import type { RunTrace, TracedFill, TracedRequest } from './run-trace.ts'

export interface FillSlippage {
  /** Requests for the same that were filled in both, in whole or in part. */
  readonly requests: number
  /** Means: decimal strings, positive when the second run paid more, or got less. */
  readonly meanTicks: string
  readonly meanBps: string
}

const BPS = 10_000
const DECIMALS = 8

export class SlippageMean {
  readonly #ticksBySymbol: ReadonlyMap<string, Decimal>
  #requests = 0
  #ticks = toDecimal(0)
  #bps = toDecimal(0)

  constructor({ head }: RunTrace) {
    const { markets = [] } = head ?? {}
    this.#ticksBySymbol = new Map(
      markets.map(({ symbol, pricePrecision }) => [symbol, toDecimal(10).pow(pricePrecision)]),
    )
  }

  add(a: TracedRequest, b: TracedRequest): void {
    const { placed } = a
    const [ofA, ofB] = [averageOf(a.fills), averageOf(b.fills)]
    if (placed === undefined || ofA === undefined || ofB === undefined) return
    const worse = placed.side === 'BUY' ? ofB.minus(ofA) : ofA.minus(ofB)
    this.#requests += 1
    this.#ticks = this.#ticks.plus(worse.times(this.#ticksBySymbol.get(placed.symbol) ?? 1))
    // Of the middle of both, so that it is the same whichever run is named first.
    this.#bps = this.#bps.plus(worse.times(2 * BPS).div(ofA.plus(ofB)))
  }

  result(): FillSlippage | null {
    if (this.#requests === 0) return null
    const mean = (sum: Decimal): string =>
      sum.div(this.#requests).toDecimalPlaces(DECIMALS, Decimal.ROUND_HALF_EVEN).plus(0).toFixed()
    return { requests: this.#requests, meanTicks: mean(this.#ticks), meanBps: mean(this.#bps) }
  }
}

function averageOf(fills: readonly TracedFill[]): Decimal | undefined {
  let [value, qty] = [toDecimal(0), toDecimal(0)]
  for (const fill of fills) {
    value = value.plus(toDecimal(fill.price).times(fill.qty))
    qty = qty.plus(fill.qty)
  }
  return qty.isZero() || value.isZero() ? undefined : value.div(qty)
}
