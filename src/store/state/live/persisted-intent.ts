/**
 * An order creation of a live account as it is kept on disk, from before it leaves until it is known what became of it.
 */
import { z } from 'zod'
import { ORDER_TYPES, SIDES, type OrderType, type Side } from '../../../domain/order.ts'

/**
 * `SENDING` on disk before the request leaves; `UNKNOWN` when no answer told what became of it; `PLACED` when its order is known;
 * `REFUSED` when the service said no; `QUARANTINED` when the order is assumed not to exist; `AMBIGUOUS` when a person has to say;
 * `DISOWNED` when a person said that no order is its.
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

/** What of an order's execution is in the files of sessions. */
export interface PersistedReport {
  /** Lots. */
  readonly qty: number
  /** Ticks x lots of them, an integer. */
  readonly notional: string
  /** Lots that stand in the files as a sum, whose trades were not seen yet. */
  readonly inferredQty: number
  readonly tradeIds: readonly string[]
}

export const NOTHING_REPORTED: PersistedReport = { qty: 0, notional: '0', inferredQty: 0, tradeIds: [] }

export interface PersistedIntent {
  /** Of this process and those before it, never used again. */
  readonly id: number
  /** Name of the strategy's session, the same after a restart. */
  readonly owner: string
  /** Of the session that sent it, which is another one after a restart. */
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
  /** Newest order id of the symbol that was known when it was sent; undefined when there was none. */
  readonly watermark: string | undefined
  /** When the order of that id was created, Unix milliseconds. */
  readonly watermarkAt: number | undefined
  /**
   * Of the ids of orders that were ever seen, the first so many were known when it was sent; none of those is its
   * order.
   */
  readonly knownCount: number
  /** Of its order, once it is known. */
  readonly orderId: string | undefined
  /** What was last known of the order's execution: lots. */
  readonly filledQty: number
  /** True when nothing more can happen to its order. */
  readonly isFinished: boolean
  /**
   * As of the last end of its order or its session; undefined before form 3, when everything up to a start counted as
   * reported.
   */
  readonly report: PersistedReport | undefined
  /** Unix milliseconds. */
  readonly sentAt: number
  /** Unix milliseconds of the last change. */
  readonly changedAt: number
}

/** Why a symbol takes no orders. */
export interface SymbolHalt {
  readonly symbol: string
  readonly why: 'AMBIGUOUS' | 'GHOST'
  /** For people. */
  readonly reason: string
  /** Unix milliseconds. */
  readonly since: number
}

/** Undefined is written as null, which JSON has. */
const optional = <T>(schema: z.ZodType<T>): z.ZodType<T | undefined> =>
  schema.nullable().transform((value) => value ?? undefined)

const KEPT_REPORT: z.ZodType<PersistedReport> = z.strictObject({
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
  report: KEPT_REPORT.nullish().transform((value) => value ?? undefined),
  sentAt: z.number(),
  changedAt: z.number(),
})

/** False while fills of its order are in no file: the next session of its owner reports them. */
export const isReported = ({ report, filledQty }: PersistedIntent): boolean =>
  report === undefined || report.qty >= filledQty

export const SYMBOL_HALT: z.ZodType<SymbolHalt> = z.strictObject({
  symbol: z.string(),
  why: z.enum(['AMBIGUOUS', 'GHOST']),
  reason: z.string(),
  since: z.number(),
})
