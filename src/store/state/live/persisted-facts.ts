/**
 * Small facts of a live account that are kept by a name: the account itself, its markets, the state in which the next
 * start begins, and the last status.
 */
import { z } from 'zod'
import { forgetRisks } from './persisted-risk.ts'
import type { LiveState } from './live-state.ts'

export interface PersistedAccount {
  readonly baseUrl: string
  /** When the files were made, Unix milliseconds. */
  readonly createdAt: number
}

/** Said by an operator or by a rule; the sessions begin with it. */
export interface PersistedSessionState {
  readonly state: 'ACTIVE' | 'REDUCING' | 'HALTED'
  /** For people. */
  readonly reason: string
  /** Unix milliseconds. */
  readonly since: number
}

/** Precision of a market, by which ticks and lots are written where the service is not asked. */
export interface PersistedMarket {
  readonly symbol: string
  readonly pricePrecision: number
  readonly qtyPrecision: number
}

export interface PersistedStatus {
  /** Of papertape, which alone knows the form of the status. */
  readonly version: string
  readonly pid: number
  /** Unix milliseconds. */
  readonly time: number
  /** As whoever shows it has it. */
  readonly status: unknown
}

const ACCOUNT: z.ZodType<PersistedAccount> = z.object({ baseUrl: z.string(), createdAt: z.number() })
const SESSION_STATE: z.ZodType<PersistedSessionState> = z.object({
  state: z.enum(['ACTIVE', 'REDUCING', 'HALTED']),
  reason: z.string(),
  since: z.number(),
})
const STATUS: z.ZodType<PersistedStatus> = z.object({
  version: z.string(),
  pid: z.int(),
  time: z.number(),
  status: z.unknown(),
})

/** Directories of an owner's sessions whose fills the intents may not count yet. */
const RUN_DIRECTORIES = z.array(z.string())

export const persistedRunDirectories = (state: LiveState, owner: string): readonly string[] =>
  state.kept(`run-directories ${owner}`, RUN_DIRECTORIES) ?? []
export const saveRunDirectories = (state: LiveState, owner: string, directories: readonly string[]): void =>
  state.keep(`run-directories ${owner}`, RUN_DIRECTORIES, [...directories])

const MARKETS: z.ZodType<readonly PersistedMarket[]> = z.array(
  z.object({ symbol: z.string(), pricePrecision: z.int(), qtyPrecision: z.int() }),
)

export const persistedMarkets = (state: LiveState): readonly PersistedMarket[] => state.kept('markets', MARKETS) ?? []
export const saveMarkets = (state: LiveState, markets: readonly PersistedMarket[]): void =>
  state.keep('markets', MARKETS, markets)

export const persistedAccount = (state: LiveState): PersistedAccount | undefined => state.kept('account', ACCOUNT)
export const saveAccount = (state: LiveState, account: PersistedAccount): void =>
  state.keep('account', ACCOUNT, account)

export const persistedSessionState = (state: LiveState): PersistedSessionState | undefined =>
  state.kept('session-state', SESSION_STATE)
/** ACTIVE lifts what the limits hold as well, and losses are counted anew. */
export const saveSessionState = (state: LiveState, kept: PersistedSessionState): void =>
  state.together(() => {
    if (kept.state === 'ACTIVE') forgetRisks(state)
    state.keep('session-state', SESSION_STATE, kept)
  })

export const persistedStatus = (state: LiveState): PersistedStatus | undefined => state.kept('status', STATUS)
export const saveStatus = (state: LiveState, status: PersistedStatus): void => state.keep('status', STATUS, status)
