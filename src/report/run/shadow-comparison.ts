/** The figures of a live run and its shadow: the content of `comparison.json`. */
import { toDecimal } from '../../domain/decimal.ts'
import type { RunReport } from './run-report.ts'

/** Figures of one run. */
export interface ComparedFigures {
  /** Equity at the start, a decimal string in the quote asset. */
  readonly initialEquity: string
  /** Equity at the end, a decimal string in the quote asset. */
  readonly finalEquity: string
  /** All fees, a decimal string in the quote asset; null if a fee asset had no price. */
  readonly fees: string | null
  /** Final / initial equity - 1, a fraction; null if the run started without equity. */
  readonly return: number | null
  /** Largest decline of the equity, a fraction of its peak. */
  readonly maxDrawdown: number
  /** Count of accepted orders. */
  readonly orders: number
  /** Count of fills. */
  readonly fills: number
}

/** A live run and its shadow. */
export interface ShadowComparison {
  /** Figures of the live run. */
  readonly live: ComparedFigures
  /** Figures of the run on paper. */
  readonly shadow: ComparedFigures
  /** The figures of the shadow minus those of the live run; null if one of the two is. */
  readonly difference: { readonly [Name in keyof ComparedFigures]: ComparedFigures[Name] | null }
}

export function shadowComparison(live: RunReport, shadow: RunReport): ShadowComparison {
  const [ours, its] = [figuresOf(live), figuresOf(shadow)]
  const amount = (of: (figures: ComparedFigures) => string | null): string | null => {
    const [was, is] = [of(ours), of(its)]
    return was === null || is === null ? null : toDecimal(is).minus(was).toFixed()
  }
  return {
    live: ours,
    shadow: its,
    difference: {
      initialEquity: amount(({ initialEquity }) => initialEquity),
      finalEquity: amount(({ finalEquity }) => finalEquity),
      fees: amount(({ fees }) => fees),
      return: ours.return === null || its.return === null ? null : its.return - ours.return,
      maxDrawdown: its.maxDrawdown - ours.maxDrawdown,
      orders: its.orders - ours.orders,
      fills: its.fills - ours.fills,
    },
  }
}

const figuresOf = ({ initialEquity, finalEquity, orders, fills, statistics }: RunReport): ComparedFigures => ({
  initialEquity,
  finalEquity,
  fees: statistics.feesInQuote,
  return: statistics.return,
  maxDrawdown: statistics.maxDrawdown,
  orders,
  fills,
})
