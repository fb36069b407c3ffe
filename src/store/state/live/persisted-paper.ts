/** Persistent state of paper sessions: the orders and balances of their simulated exchange, and what each order is. */
import { z } from 'zod'
import type { LiveState } from './live-state.ts'
import { type PersistedTransfers, TRANSFERS } from './persisted-rebalancing.ts'

/** An order of a strategy, and the request that created it. */
export interface PersistedPaperOrder {
  readonly id: number
  /** Name of the strategy. */
  readonly owner: string
  /** Session that sent it, and the number of its request there. */
  readonly session: string
  readonly reference: number
  readonly tag: string | undefined
  readonly symbol: string
  /** Lots. */
  readonly filledQty: number
  readonly isOpen: boolean
  /** Unix milliseconds. */
  readonly createdAt: number
}

/** A fill that may be missing in the files of its session. */
export interface PersistedPaperFill {
  readonly owner: string
  readonly tradeId: number
  readonly orderId: number
  /** The fill and its order after it, in the form of a snapshot of the exchange. */
  readonly fill: unknown
  readonly order: unknown
}

/** The sessions of a strategy. */
export interface PersistedPaperSessions {
  /** Time of the first one, Unix milliseconds. */
  readonly startedAt: number
  readonly count: number
  /** Equity at the start of the first one, a decimal string in the quote asset; undefined before it was known. */
  readonly initialEquity: string | undefined
}

export interface PersistedPaper {
  /** Sessions so far by strategy. */
  readonly sessions: Readonly<Record<string, PersistedPaperSessions>>
  /** Credits as the first session had them: decimal strings by asset. */
  readonly credits: Readonly<Record<string, string>>
  /** Orders and balances of the exchange. */
  readonly books: unknown
  /** Open orders, and finished ones that are still referred to. */
  readonly orders: readonly PersistedPaperOrder[]
  /** Net bought quantity by strategy and base asset, decimal strings. */
  readonly bought: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** Fills that may be missing in the files. */
  readonly unwritten: readonly PersistedPaperFill[]
  /** Transfers so far by strategy. */
  readonly transfers: Readonly<Record<string, PersistedTransfers>>
}

const ORDER: z.ZodType<PersistedPaperOrder> = z.object({
  id: z.int(),
  owner: z.string(),
  session: z.string(),
  reference: z.int(),
  tag: z
    .string()
    .nullish()
    .transform((tag) => tag ?? undefined),
  symbol: z.string(),
  filledQty: z.int(),
  isOpen: z.boolean(),
  createdAt: z.number(),
})

const SESSIONS: z.ZodType<PersistedPaperSessions> = z.object({
  startedAt: z.number(),
  count: z.int(),
  initialEquity: z
    .string()
    .nullish()
    .transform((equity) => equity ?? undefined),
})

const PAPER: z.ZodType<PersistedPaper> = z.object({
  sessions: z.record(z.string(), SESSIONS),
  credits: z.record(z.string(), z.string()),
  books: z.unknown(),
  orders: z.array(ORDER),
  bought: z.record(z.string(), z.record(z.string(), z.string())),
  unwritten: z.array(
    z.object({ owner: z.string(), tradeId: z.int(), orderId: z.int(), fill: z.unknown(), order: z.unknown() }),
  ),
  transfers: TRANSFERS.nullish().transform((transfers) => transfers ?? {}),
})

const NAME = 'paper'

export const persistedPaper = (state: LiveState): PersistedPaper | undefined => state.savedValue(NAME, PAPER)

export const savePaper = (state: LiveState, paper: PersistedPaper): void => state.saveValue(NAME, PAPER, paper)
