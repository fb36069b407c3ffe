/**
 * The limits of a session's risk, each of which is off unless it is set.
 */
import { toDecimal, type Decimal } from '../../../domain/decimal.ts'
import type { RunTerms } from '../../settings/run-terms.ts'

/** Those of the terms of a run that are limits of its risk. */
export type RiskTerms = Pick<
  RunTerms,
  'maxOrder' | 'maxPosition' | 'collarPercent' | 'ordersPerMinute' | 'dayLoss' | 'drawdownPercent' | 'atLimit'
>

/** Collar of a session on a live exchange for which none was set. */
export const LIVE_COLLAR_PERCENT = '10'

/** Null for one that is off. */
export interface RiskLimits {
  /** Largest notional of an order, in the quote asset of its market. */
  readonly maxOrder: Decimal | null
  /**
   * Largest worth of what is held of a base asset and of all that could be bought of it, in the quote asset of an
   * order's market.
   */
  readonly maxPosition: Decimal | null
  /** How far behind the last trade a limit order may reach: a buy above it, a sell below it. */
  readonly collarPercent: Decimal | null
  /** Most order creations within 60 seconds. */
  readonly ordersPerMinute: number | null
  /** Loss since the start of the UTC day that ends all but reducing, in the quote asset of the session. */
  readonly dayLoss: Decimal | null
  /** Fall from the highest equity of the session that ends all but reducing. */
  readonly drawdownPercent: Decimal | null
  /** Whether a loss beyond its limit also sells the session's position. */
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

/** Undefined when none is on, so that a run without them has nothing to watch. */
export function riskLimitsIfAny(terms: RiskTerms): RiskLimits | undefined {
  const limits = riskLimitsOf(terms)
  return Object.values({ ...limits, atLimit: null }).some((limit) => limit !== null) ? limits : undefined
}
