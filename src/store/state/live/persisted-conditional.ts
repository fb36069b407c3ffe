/** Conditional orders of a live session on disk: groups of orders, and expiry times of limit orders. */
import { z } from 'zod'
import { SIDES, type Side } from '../../../domain/order.ts'

/** Reference to the intent of a request in an earlier session. */
export interface PersistedLink {
  readonly session: string
  readonly reference: number
}

/** Amounts are decimal strings. */
export interface PersistedTerms {
  readonly type: 'stop' | 'trailing-stop' | 'take-profit'
  readonly symbol: string
  readonly side: Side
  /** Undefined for the whole open quantity of its group. */
  readonly qty: string | undefined
  readonly price: string | undefined
  readonly distance: string | undefined
  readonly percent: string | undefined
  readonly limit: string | undefined
  readonly tag: string | undefined
}

export interface PersistedWaiting {
  /** Such as `w1`. */
  readonly id: string
  readonly terms: PersistedTerms
  /** Present trigger price; undefined for a trailing stop before the first price. */
  readonly price: string | undefined
  /** Triggered, to be placed again at the next price. */
  readonly isDue: boolean
}

export interface PersistedGroupOrder {
  readonly role: 'entry' | 'exit'
  /** Id of the group, or of the conditional order that became it. */
  readonly by: string
  readonly symbol: string
  readonly side: Side
  /** Undefined for a market order. */
  readonly price: string | undefined
  readonly qty: string
  readonly tag: string | undefined
  /** Undefined if not requested yet. */
  readonly link: PersistedLink | undefined
  /** Order id of the exchange; undefined while unknown. */
  readonly id: string | undefined
  readonly isUnwanted: boolean
  /** Cancelled to be replaced by a smaller one. */
  readonly isTrimmed: boolean
  /** Filled quantity that its group has counted. */
  readonly filled: string
  /** The conditional order that became it, to be placed again for the remainder. */
  readonly fired: PersistedWaiting | undefined
}

/** Exits of a bracket, armed when the entry fills. */
export interface PersistedExits {
  readonly stop: PersistedTerms | undefined
  readonly target: { readonly price: string; readonly side: Side; readonly tag: string | undefined } | undefined
}

export interface PersistedGroup {
  readonly kind: 'group'
  readonly id: string
  readonly symbol: string
  readonly waiting: readonly PersistedWaiting[]
  readonly orders: readonly PersistedGroupOrder[]
  /** Orders assumed not to have been executed; each may still appear. */
  readonly absent: readonly PersistedGroupOrder[]
  /** Quantity that exits may close. */
  readonly open: string
  /** Open quantity without a target order so far. */
  readonly unarmed: string
  /** Id of the triggered order that waits for cancels. */
  readonly pending: string | undefined
  readonly isStopMade: boolean
  readonly isStopped: boolean
  readonly isOver: boolean
  readonly exits: PersistedExits | undefined
  /** Expiry of the whole group, Unix milliseconds. */
  readonly expires: number | undefined
  /** Expiry of the rest of the entry, Unix milliseconds. */
  readonly entryExpires: number | undefined
}

/** Expiry of a limit order. */
export interface PersistedExpiry {
  readonly kind: 'expiry'
  /** Such as `e1`. */
  readonly id: string
  /** Unix milliseconds. */
  readonly expires: number
  readonly link: PersistedLink | undefined
}

/** Quantity of an asset traded without a bracket: it is closed before that of brackets. */
export interface PersistedHoldings {
  readonly kind: 'holdings'
  readonly id: string
  readonly asset: string
  readonly bought: string
  readonly sold: string
}

export type PersistedConditional = PersistedGroup | PersistedExpiry | PersistedHoldings

/** JSON has no undefined: stored as null. */
const optional = <T>(schema: z.ZodType<T>): z.ZodType<T | undefined> =>
  schema.nullable().transform((value) => value ?? undefined)

const side = z.enum(SIDES)
const amount = z.string().regex(/^\d+(\.\d+)?$/)
/** Trigger price; negative for a trailing stop with a distance larger than the price. */
const level = z.string().regex(/^-?\d+(\.\d+)?$/)
const link = z.strictObject({ session: z.string(), reference: z.int().min(1) })

const terms = z.strictObject({
  type: z.enum(['stop', 'trailing-stop', 'take-profit']),
  symbol: z.string(),
  side,
  qty: optional(amount),
  price: optional(amount),
  distance: optional(amount),
  percent: optional(amount),
  limit: optional(amount),
  tag: optional(z.string()),
})

const waiting = z.strictObject({ id: z.string(), terms, price: optional(level), isDue: z.boolean() })

const order = z.strictObject({
  role: z.enum(['entry', 'exit']),
  by: z.string(),
  symbol: z.string(),
  side,
  price: optional(amount),
  qty: amount,
  tag: optional(z.string()),
  link: optional(link),
  id: optional(z.string()),
  isUnwanted: z.boolean(),
  isTrimmed: z.boolean().default(false),
  filled: amount,
  fired: optional(waiting),
})

const exits = z.strictObject({
  stop: optional(terms),
  target: optional(z.strictObject({ price: amount, side, tag: optional(z.string()) })),
})

const group = z.strictObject({
  kind: z.literal('group'),
  id: z.string(),
  symbol: z.string(),
  waiting: z.array(waiting),
  orders: z.array(order),
  absent: z.array(order).default([]),
  open: level,
  unarmed: amount,
  pending: optional(z.string()),
  isStopMade: z.boolean(),
  isStopped: z.boolean(),
  isOver: z.boolean(),
  exits: optional(exits),
  expires: optional(z.number()),
  entryExpires: optional(z.number()),
})

const expiry = z.strictObject({
  kind: z.literal('expiry'),
  id: z.string(),
  expires: z.number(),
  link: optional(link),
})

const holdings = z.strictObject({
  kind: z.literal('holdings'),
  id: z.string(),
  asset: z.string(),
  bought: amount,
  sold: amount,
})

export const PERSISTED_CONDITIONAL: z.ZodType<PersistedConditional> = z.discriminatedUnion('kind', [
  group,
  expiry,
  holdings,
])

/** Requests whose outcome is still needed. */
export const linksOf = (saved: PersistedConditional): readonly PersistedLink[] =>
  saved.kind === 'holdings'
    ? []
    : saved.kind === 'expiry'
      ? saved.link === undefined
        ? []
        : [saved.link]
      : [...saved.orders, ...saved.absent].flatMap((each) => each.link ?? [])
