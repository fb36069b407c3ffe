/**
 * Orders that wait in the session of a live account, as they are kept on disk: groups of orders, and the times at which
 * limit orders are given up.
 */
import { z } from 'zod'
import { SIDES, type Side } from '../../../domain/order.ts'

/** By which the request of an earlier session is found among the intents. */
export interface PersistedLink {
  readonly session: string
  readonly reference: number
}

/** Amounts are decimal strings. */
export interface PersistedTerms {
  readonly type: 'stop' | 'trailing-stop' | 'take-profit'
  readonly symbol: string
  readonly side: Side
  /** Undefined for all that its group has open. */
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
  /** At which it acts now; undefined for a trailing stop before the first price. */
  readonly price: string | undefined
  /** It was triggered, and asks again at the next price. */
  readonly isDue: boolean
}

export interface PersistedGroupOrder {
  readonly role: 'entry' | 'exit'
  /** Id of the group, or of the waiting order that became it. */
  readonly by: string
  readonly symbol: string
  readonly side: Side
  /** Undefined for a market order. */
  readonly price: string | undefined
  readonly qty: string
  readonly tag: string | undefined
  /** Undefined for one that was not asked for yet. */
  readonly link: PersistedLink | undefined
  /** As the exchange named it; undefined while that is not known. */
  readonly id: string | undefined
  readonly isUnwanted: boolean
  /** It is cancelled for a smaller one, which follows. */
  readonly isTrimmed: boolean
  /** Filled of it, as far as it is counted in its group. */
  readonly filled: string
  /** The waiting order that became it, and asks again for what is left. */
  readonly fired: PersistedWaiting | undefined
}

/** What follows the entry of a bracket. */
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
  /** Assumed not to have been executed: each may come all the same. */
  readonly absent: readonly PersistedGroupOrder[]
  /** What may be closed. */
  readonly open: string
  /** Held, and to be offered at the target next. */
  readonly unarmed: string
  /** Id of the one that was triggered and waits for cancels. */
  readonly pending: string | undefined
  readonly isStopMade: boolean
  readonly isStopped: boolean
  readonly isOver: boolean
  readonly exits: PersistedExits | undefined
  /** When all of it is given up, Unix milliseconds. */
  readonly expires: number | undefined
  /** When what is left of the entry is given up, Unix milliseconds. */
  readonly entryExpires: number | undefined
}

/** A limit order that is given up at a time. */
export interface PersistedExpiry {
  readonly kind: 'expiry'
  /** Such as `e1`. */
  readonly id: string
  /** Unix milliseconds. */
  readonly expires: number
  readonly link: PersistedLink | undefined
}

/** What a session has traded of an asset without a bracket: it is closed before what brackets hold. */
export interface PersistedHoldings {
  readonly kind: 'holdings'
  readonly id: string
  readonly asset: string
  readonly bought: string
  readonly sold: string
}

export type PersistedConditional = PersistedGroup | PersistedExpiry | PersistedHoldings

/** Undefined is written as null, which JSON has. */
const optional = <T>(schema: z.ZodType<T>): z.ZodType<T | undefined> =>
  schema.nullable().transform((value) => value ?? undefined)

const side = z.enum(SIDES)
const amount = z.string().regex(/^\d+(\.\d+)?$/)
/** Of a trailing stop that is further behind than the price is high. */
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

/** Requests of which somebody will ask what became of them. */
export const linksOf = (kept: PersistedConditional): readonly PersistedLink[] =>
  kept.kind === 'holdings'
    ? []
    : kept.kind === 'expiry'
      ? kept.link === undefined
        ? []
        : [kept.link]
      : [...kept.orders, ...kept.absent].flatMap((each) => each.link ?? [])
