/** Risk limits of a session, each off unless it is set. */
import { toDecimal, type Decimal } from '../../domain/decimal.ts'
import type { RunTerms } from './run-terms.ts'

/** The terms of a run that are risk limits. */
export type RiskTerms = Pick<
  RunTerms,
  'maxOrder' | 'maxPosition' | 'collarPercent' | 'ordersPerMinute' | 'dayLoss' | 'drawdownPercent' | 'atLimit'
>

/** Risk terms of which only those that are on have a value. */
export type SetRiskTerms = { readonly [Name in keyof RiskTerms]?: RiskTerms[Name] | undefined }

/** Default collar of a session on a live exchange. */
export const LIVE_COLLAR_PERCENT = '10'

/** Null means off. */
export interface RiskLimits {
  /** Largest notional of an order, in the quote asset of its market. */
  readonly maxOrder: Decimal | null
  /**
   * Maximum value of the holdings of a base asset plus everything that could be bought of it, in the quote asset of an
   * order's market.
   */
  readonly maxPosition: Decimal | null
  /**
   * Maximum distance of a limit price from the last trade on the costly side: above it for a buy, below it for a sell.
   */
  readonly collarPercent: Decimal | null
  /** Maximum number of order creations within 60 seconds. */
  readonly ordersPerMinute: number | null
  /**
   * Loss since the start of the UTC day after which only reducing orders are allowed, in the quote asset of the
   * session.
   */
  readonly dayLoss: Decimal | null
  /** Drawdown from the session's peak equity after which only reducing orders are allowed. */
  readonly drawdownPercent: Decimal | null
  /** Whether a reached loss limit also sells the session's position. */
  readonly atLimit: 'flatten' | null
}

export function riskLimitsOf(terms: RiskTerms): RiskLimits {
  const { maxOrder, maxPosition, collarPercent, ordersPerMinute, dayLoss, drawdownPercent, atLimit } = terms
  const decimal = (text: string | null): Decimal | null => (text === null ? null : toDecimal(text))
  return {
    maxOrder: decimal(maxOrder),
    maxPosition: decimal(maxPosition),
    collarPercent: decimal(collarPercent),
    ordersPerMinute,
    dayLoss: decimal(dayLoss),
    drawdownPercent: decimal(drawdownPercent),
    atLimit,
  }
}

/** The limits of terms of which only those that are on have a value. */
export const limitsThatAreOn = (terms: SetRiskTerms | undefined): RiskLimits | undefined =>
  terms &&
  riskLimitsOf({
    maxOrder: terms.maxOrder ?? null,
    maxPosition: terms.maxPosition ?? null,
    collarPercent: terms.collarPercent ?? null,
    ordersPerMinute: terms.ordersPerMinute ?? null,
    dayLoss: terms.dayLoss ?? null,
    drawdownPercent: terms.drawdownPercent ?? null,
    atLimit: terms.atLimit ?? null,
  })

/** The limits that are on, as terms. */
export const termsThatAreOn = (limits: RiskLimits): SetRiskTerms =>
  Object.fromEntries(
    Object.entries(limits).flatMap(([name, limit]: readonly [string, Decimal | number | string | null]) => {
      if (limit === null) return []
      return [[name, typeof limit === 'object' ? limit.toFixed() : limit]]
    }),
  )

/** Undefined if none is on, so that a run without limits watches nothing. */
export function riskLimitsIfAny(terms: RiskTerms): RiskLimits | undefined {
  const limits = riskLimitsOf(terms)
  return Object.values({ ...limits, atLimit: null }).some((limit) => limit !== null) ? limits : undefined
}
