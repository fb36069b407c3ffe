/**
 * Small named values of a live account: the account itself, its markets, the initial session state of the next start,
 * and the last status.
 */
import { z } from 'zod'
import { forgetRisks } from './persisted-risk.ts'
import type { LiveState } from './live-state.ts'

export interface PersistedAccount {
  readonly baseUrl: string
  /** Creation time of the files, Unix milliseconds. */
  readonly createdAt: number
}

/** State set by an operator or a rule; sessions start with it. */
export interface PersistedSessionState {
  readonly state: 'ACTIVE' | 'REDUCING' | 'HALTED'
  /** Reason for people. */
  readonly reason: string
  /** Unix milliseconds. */
  readonly since: number
}

/** Precisions of a market, to format ticks and lots without asking the service. */
export interface PersistedMarket {
  readonly symbol: string
  readonly pricePrecision: number
  readonly qtyPrecision: number
}

export interface PersistedStatus {
  /** Version of papertape, which determines the format of the status. */
  readonly version: string
  readonly pid: number
  /** Unix milliseconds. */
  readonly time: number
  /** Format known only to the writer and the viewer of the same version. */
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

/** Run directories of an owner whose fills may be missing in the intents. */
const RUN_DIRECTORIES = z.array(z.string())

export const persistedRunDirectories = (state: LiveState, owner: string): readonly string[] =>
  state.savedValue(`run-directories ${owner}`, RUN_DIRECTORIES) ?? []
export const saveRunDirectories = (state: LiveState, owner: string, directories: readonly string[]): void =>
  state.saveValue(`run-directories ${owner}`, RUN_DIRECTORIES, [...directories])

/** How far a series of the strategies was delivered. */
export interface PersistedSeries {
  /** Absolute path. */
  readonly file: string
  /** Unix milliseconds of its last delivered row. */
  readonly time: number
}

const SERIES: z.ZodType<PersistedSeries> = z.object({ file: z.string(), time: z.int() })

export const persistedSeries = (state: LiveState, name: string): PersistedSeries | undefined =>
  state.savedValue(`series ${name}`, SERIES)
export const saveSeries = (state: LiveState, name: string, series: PersistedSeries): void =>
  state.saveValue(`series ${name}`, SERIES, series)

const MARKETS: z.ZodType<readonly PersistedMarket[]> = z.array(
  z.object({ symbol: z.string(), pricePrecision: z.int(), qtyPrecision: z.int() }),
)

export const persistedMarkets = (state: LiveState): readonly PersistedMarket[] =>
  state.savedValue('markets', MARKETS) ?? []
export const saveMarkets = (state: LiveState, markets: readonly PersistedMarket[]): void =>
  state.saveValue('markets', MARKETS, markets)

export const persistedAccount = (state: LiveState): PersistedAccount | undefined => state.savedValue('account', ACCOUNT)
export const saveAccount = (state: LiveState, account: PersistedAccount): void =>
  state.saveValue('account', ACCOUNT, account)

export const persistedSessionState = (state: LiveState): PersistedSessionState | undefined =>
  state.savedValue('session-state', SESSION_STATE)
/** ACTIVE also lifts the holds of limits, and restarts the counting of losses. */
export const saveSessionState = (state: LiveState, saved: PersistedSessionState): void =>
  state.together(() => {
    if (saved.state === 'ACTIVE') forgetRisks(state)
    state.saveValue('session-state', SESSION_STATE, saved)
  })

export const persistedStatus = (state: LiveState): PersistedStatus | undefined => state.savedValue('status', STATUS)
export const saveStatus = (state: LiveState, status: PersistedStatus): void => state.saveValue('status', STATUS, status)
