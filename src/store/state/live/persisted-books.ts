/** Books of the strategies of a live account: the part of the account that each one has, and the reserve. */
import { z } from 'zod'
import type { LiveState } from './live-state.ts'

/** Executions of an order that are in a book. */
export interface BookedOrder {
  /** Filled lots. */
  readonly qty: number
  /** Lots of inferred fills, whose trades may still arrive. */
  readonly inferredQty: number
  readonly tradeIds: readonly string[]
  /** Exact fee of its fills, in 10^-8 ledger units of the quote asset. */
  readonly exactFee: string
}

/** Decimal strings by asset. */
export type PersistedAmounts = Readonly<Record<string, string>>

export interface PersistedBook {
  /** Capital as it was configured; undefined for an equal part of what the others left. */
  readonly capital: { readonly share?: number | undefined; readonly amount?: string | undefined } | undefined
  /** Capital as it was allotted, with later changes of it. */
  readonly allotted: PersistedAmounts
  readonly held: PersistedAmounts
  /** Orders, by id, whose executions may be missing in the reports of their intents. */
  readonly orders: Readonly<Record<string, BookedOrder>>
}

const AMOUNTS = z.record(z.string(), z.string().regex(/^-?\d+(?:\.\d+)?$/))

const BOOK: z.ZodType<PersistedBook> = z.object({
  capital: z
    .object({ share: z.number().nullish(), amount: z.string().nullish() })
    .nullish()
    .transform((value) => value && { share: value.share ?? undefined, amount: value.amount ?? undefined })
    .transform((value) => value ?? undefined),
  allotted: AMOUNTS,
  held: AMOUNTS,
  orders: z.record(
    z.string(),
    z.object({
      qty: z.int().min(0),
      inferredQty: z.int().min(0),
      tradeIds: z.array(z.string()),
      exactFee: z.string().regex(/^\d+$/),
    }),
  ),
})

const PREFIX = 'book of '
const RESERVE = 'reserve of books'

/** Books by owner. */
export const persistedBooks = (state: LiveState): ReadonlyMap<string, PersistedBook> =>
  new Map([...state.savedValues(PREFIX, BOOK)].map(([name, book]) => [name.slice(PREFIX.length), book]))

export const saveBook = (state: LiveState, owner: string, book: PersistedBook): void =>
  state.saveValue(`${PREFIX}${owner}`, BOOK, book)

/** Amounts that no strategy has; undefined before the first book. */
export const persistedReserve = (state: LiveState): PersistedAmounts | undefined => state.savedValue(RESERVE, AMOUNTS)

export const saveReserve = (state: LiveState, reserve: PersistedAmounts): void =>
  state.saveValue(RESERVE, AMOUNTS, reserve)
