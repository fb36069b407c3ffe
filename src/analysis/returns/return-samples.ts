/** Samples of an equity curve at the ends of its periods, and the returns between them. */
import { invariant } from '../../domain/errors.ts'
import { YEAR_MS } from '../../domain/time.ts'

export interface EquityAt {
  /** Unix milliseconds: the end of a period, or of the run. */
  readonly time: number
  /** Equity after everything before that moment, in units of the portfolio's valueScale. */
  readonly equity: bigint
  /** Some market traded in the period that ends here; default: one did. */
  readonly isTraded?: boolean | undefined
  /** Factor by which the equity continues that of before all transfers; default: 1. */
  readonly factor?: number | undefined
  /** Equity with the transfers; default: `equity`. */
  readonly held?: bigint | undefined
}

/**
 * Equity without the transfers of the account: it grows and falls with the returns alone, as if nothing had come or
 * gone. Exact without transfers.
 */
export const withoutTransfers = ({ equity, factor = 1 }: Pick<EquityAt, 'equity' | 'factor'>): bigint =>
  factor === 1 ? equity : BigInt(Math.round(Number(equity) * factor))

export interface ReturnSetup {
  readonly periodMs: number
  /**
   * Trading periods per year; undefined to measure them: the share of periods with a trade, times those in 365 days.
   */
  readonly periodsPerYear?: number | undefined
  /** A year, as a share. */
  readonly riskFreeRate: number
}

/** Returns of one curve, each over one period in which at least one market traded; the last period may be shorter. */
export interface ReturnSamples {
  /** Samples at the ends of the returns' periods, the first being the start of the run. */
  readonly equity: readonly EquityAt[]
  /** Equity over the one before - 1. */
  readonly returns: readonly number[]
  /** The same less the risk-free rate of a period. */
  readonly excess: readonly number[]
  /** Risk-free rate of a period, as a share. */
  readonly riskFree: number
  readonly periodsPerYear: number
}

/**
 * @param equity  the start of the run, every boundary, then the end; oldest first
 * @returns undefined if an equity is not above 0, because no statistic of returns is meaningful then
 */
export function returnSamples(equity: readonly EquityAt[], setup: ReturnSetup): ReturnSamples | undefined {
  invariant(setup.periodMs > 0, `a period of ${setup.periodMs} ms has no returns`)
  if (equity.some((sample) => sample.equity <= 0n)) return undefined
  const traded = tradedSamples(equity)
  const tradedShare = equity.length < 2 ? 1 : (traded.length - 1) / (equity.length - 1)
  const periodsPerYear = setup.periodsPerYear ?? (YEAR_MS / setup.periodMs) * (tradedShare || 1)
  const riskFree = setup.riskFreeRate / periodsPerYear
  const returns = traded.slice(1).map((sample, index) => change(traded[index]?.equity ?? 1n, sample.equity))
  return { equity: traded, returns, excess: returns.map((value) => value - riskFree), riskFree, periodsPerYear }
}

/** Removes period ends in which no market traded; keeps the last one if the equity has changed since the one before. */
export function tradedSamples<Sample extends EquityAt>(equity: readonly Sample[]): readonly Sample[] {
  const traded = equity.filter(({ isTraded = true }, index) => index === 0 || isTraded)
  const [last, lastTraded] = [equity.at(-1), traded.at(-1)]
  if (last === undefined || last === lastTraded || last.equity === lastTraded?.equity) return traded
  return [...traded, last]
}

/** Relative change; the difference is computed exactly before the division in floating point. */
const change = (from: bigint, to: bigint): number => Number(to - from) / Number(from)
