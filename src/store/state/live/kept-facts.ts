/**
 * Small facts of a live account that are kept by a name: the account itself, the state in which the next start begins, and the last status.
 */
import { z } from 'zod'
import type { LiveState } from './live-state.ts'

export interface KeptAccount {
  readonly baseUrl: string
  /** When the files were made, Unix milliseconds. */
  readonly createdAt: number
}

/** Said by an operator or by a rule; the sessions begin with it. */
export interface KeptSessionState {
  readonly state: 'ACTIVE' | 'REDUCING' | 'HALTED'
  /** For people. */
  readonly reason: string
  /** Unix milliseconds. */
  readonly since: number
}

export interface KeptStatus {
  readonly pid: number
  /** Unix milliseconds. */
  readonly time: number
  /** As whoever shows it has it. */
  readonly status: unknown
}

const ACCOUNT: z.ZodType<KeptAccount> = z.object({ baseUrl: z.string(), createdAt: z.number() })
const SESSION_STATE: z.ZodType<KeptSessionState> = z.object({
  state: z.enum(['ACTIVE', 'REDUCING', 'HALTED']),
  reason: z.string(),
  since: z.number(),
})
const STATUS: z.ZodType<KeptStatus> = z.object({ pid: z.int(), time: z.number(), status: z.unknown() })

export const keptAccount = (state: LiveState): KeptAccount | undefined => state.kept('account', ACCOUNT)
export const keepAccount = (state: LiveState, account: KeptAccount): void => state.keep('account', ACCOUNT, account)

export const keptSessionState = (state: LiveState): KeptSessionState | undefined =>
  state.kept('session-state', SESSION_STATE)
export const keepSessionState = (state: LiveState, kept: KeptSessionState): void =>
  state.keep('session-state', SESSION_STATE, kept)

export const keptStatus = (state: LiveState): KeptStatus | undefined => state.kept('status', STATUS)
export const keepStatus = (state: LiveState, status: KeptStatus): void => state.keep('status', STATUS, status)
