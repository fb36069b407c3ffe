/** Capital that moves between the strategies of one wallet: what a restart continues. */
import { z } from 'zod'
import type { LiveState } from './live-state.ts'

/** Daily returns of a strategy. */
export interface PersistedReturns {
  /** Equity after the transfers of the last time of day, a decimal string; undefined if it was not known. */
  readonly value?: string | undefined
  /** The last ones, oldest first. */
  readonly returns: readonly number[]
}

export interface PersistedRebalancing {
  /** The last time of day at which capital could move, Unix milliseconds. */
  readonly time: number
  /** Returns by strategy; empty for a rule that needs none. */
  readonly books: Readonly<Record<string, PersistedReturns>>
}

/** Transfers between a strategy and the others: their count, and sums as decimal strings in the quote asset. */
export interface PersistedTransfers {
  readonly count: number
  readonly in: string
  readonly out: string
}

const REBALANCING: z.ZodType<PersistedRebalancing> = z.object({
  time: z.number(),
  books: z.record(
    z.string(),
    z.object({
      value: z
        .string()
        .nullish()
        .transform((value) => value ?? undefined),
      returns: z.array(z.number()),
    }),
  ),
})

/** Transfers by strategy. */
export const TRANSFERS = z.record(z.string(), z.object({ count: z.int(), in: z.string(), out: z.string() }))

const REBALANCING_NAME = 'rebalancing'
const TRANSFERS_NAME = 'transfers of books'

/** Undefined before the first session that moves capital. */
export const persistedRebalancing = (state: LiveState): PersistedRebalancing | undefined =>
  state.savedValue(REBALANCING_NAME, REBALANCING)

export const saveRebalancing = (state: LiveState, rebalancing: PersistedRebalancing): void =>
  state.saveValue(REBALANCING_NAME, REBALANCING, rebalancing)

/** The strategies have other capital than at the last time of day: their next returns start from it. */
export function forgetValues(state: LiveState, owners: Iterable<string>): void {
  const saved = persistedRebalancing(state)
  if (saved === undefined) return
  const changed = [...owners].flatMap((owner) => {
    const { returns = [] } = saved.books[owner] ?? {}
    return [[owner, { returns }] as const]
  })
  saveRebalancing(state, { ...saved, books: { ...saved.books, ...Object.fromEntries(changed) } })
}

/** Transfers of all sessions by the strategy of a book. */
export const persistedTransfers = (state: LiveState): Readonly<Record<string, PersistedTransfers>> =>
  state.savedValue(TRANSFERS_NAME, TRANSFERS) ?? {}

export const saveTransfers = (state: LiveState, transfers: Readonly<Record<string, PersistedTransfers>>): void =>
  state.saveValue(TRANSFERS_NAME, TRANSFERS, transfers)
