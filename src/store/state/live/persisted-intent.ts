/** An order request of a live account on disk, from before it is sent until its outcome is known. */
import { z } from 'zod'
import { ORDER_TYPES, SIDES, type OrderType, type Side } from '../../../domain/order.ts'

/**
 * State of an intent:
 * - `SENDING`: on disk before the request is sent
 * - `UNKNOWN`: no answer received
 * - `PLACED`: its order is known
 * - `REFUSED`: refused by the service
 * - `QUARANTINED`: its order is assumed not to exist
 * - `AMBIGUOUS`: an operator must decide
 * - `DISOWNED`: an operator decided that it has no order
 */
export const INTENT_STATES = [
  'SENDING',
  'UNKNOWN',
  'PLACED',
  'REFUSED',
  'QUARANTINED',
  'AMBIGUOUS',
  'DISOWNED',
] as const

export type IntentState = (typeof INTENT_STATES)[number]

/** The part of an order's execution that is in the files of sessions. */
export interface PersistedReport {
  /** Filled lots. */
  readonly qty: number
  /** Sum of ticks x lots, an integer. */
  readonly notional: string
  /** Lots reported as a sum, because their trades were not seen. */
  readonly inferredQty: number
  readonly tradeIds: readonly string[]
}

export const NOTHING_REPORTED: PersistedReport = { qty: 0, notional: '0', inferredQty: 0, tradeIds: [] }

export interface PersistedIntent {
  /** Unique over all processes, never reused. */
  readonly id: number
  /** Name of the strategy's session, the same after a restart. */
  readonly owner: string
  /** Session that sent it; a restart begins another session. */
  readonly session: string
  readonly reference: number
  readonly tag: string | undefined
  readonly symbol: string
  readonly side: Side
  readonly type: OrderType
  /** Ticks; limit orders only. */
  readonly price: number | undefined
  /** Lots, as sent. */
  readonly qty: number
  readonly state: IntentState
  /** Newest order id of the symbol known when it was sent; undefined if there was none. */
  readonly watermark: string | undefined
  /** Creation time of that order, Unix milliseconds. */
  readonly watermarkAt: number | undefined
  /** Number of order ids known when it was sent: none of these is its order. */
  readonly knownCount: number
  /** Id of its order, once known. */
  readonly orderId: string | undefined
  /** Last known filled quantity in lots. */
  readonly filledQty: number
  /** True if its order can no longer change. */
  readonly isFinished: boolean
  /**
   * State at the last end of its order or session; undefined before format 3, when everything before a start counted as
   * reported.
   */
  readonly report: PersistedReport | undefined
  /** Unix milliseconds. */
  readonly sentAt: number
  /** Unix milliseconds of the last change. */
  readonly changedAt: number
}

/** Why a symbol takes no orders. */
export interface BlockedMarket {
  readonly symbol: string
  readonly why: 'AMBIGUOUS' | 'GHOST'
  /** Reason for people. */
  readonly reason: string
  /** Unix milliseconds. */
  readonly since: number
}

/** JSON has no undefined: stored as null. */
const optional = <T>(schema: z.ZodType<T>): z.ZodType<T | undefined> =>
  schema.nullable().transform((value) => value ?? undefined)

const PERSISTED_REPORT: z.ZodType<PersistedReport> = z.strictObject({
  qty: z.int().min(0),
  notional: z.string().regex(/^\d+$/),
  inferredQty: z.int().min(0),
  tradeIds: z.array(z.string()),
})

export const PERSISTED_INTENT: z.ZodType<PersistedIntent> = z.strictObject({
  id: z.int().min(1),
  owner: z.string(),
  session: z.string(),
  reference: z.int(),
  tag: optional(z.string()),
  symbol: z.string(),
  side: z.enum(SIDES),
  type: z.enum(ORDER_TYPES),
  price: optional(z.int()),
  qty: z.int(),
  state: z.enum(INTENT_STATES),
  watermark: optional(z.string()),
  watermarkAt: optional(z.number()),
  knownCount: z.int(),
  orderId: optional(z.string()),
  filledQty: z.int(),
  isFinished: z.boolean(),
  report: PERSISTED_REPORT.nullish().transform((value) => value ?? undefined),
  sentAt: z.number(),
  changedAt: z.number(),
})

/** False while fills of its order are missing in the files: the next session of its owner reports them. */
export const isReported = ({ report, filledQty }: PersistedIntent): boolean =>
  report === undefined || report.qty >= filledQty

export const BLOCKED_MARKET: z.ZodType<BlockedMarket> = z.strictObject({
  symbol: z.string(),
  why: z.enum(['AMBIGUOUS', 'GHOST']),
  reason: z.string(),
  since: z.number(),
})
