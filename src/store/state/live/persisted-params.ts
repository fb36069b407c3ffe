/** Parameters that an operator changed while a session ran; the next session continues with them. */
import { z } from 'zod'
import type { LiveState } from './live-state.ts'

export interface PersistedParam {
  readonly value: unknown
  /** Value that the user configured when the operator changed it. */
  readonly configured: unknown
  /** Unix milliseconds of the change. */
  readonly since: number
}

/** Changed parameters by name. */
export type PersistedParams = Readonly<Record<string, PersistedParam>>

const PARAMS: z.ZodType<PersistedParams> = z.record(
  z.string(),
  z.object({ value: z.unknown(), configured: z.unknown(), since: z.number() }),
)

const PREFIX = 'params of '

export const persistedParams = (state: LiveState, owner: string): PersistedParams =>
  state.savedValue(`${PREFIX}${owner}`, PARAMS) ?? {}

export const saveParams = (state: LiveState, owner: string, params: PersistedParams): void =>
  state.saveValue(`${PREFIX}${owner}`, PARAMS, params)

/** Changed parameters by owner. */
export const allPersistedParams = (state: LiveState): ReadonlyMap<string, PersistedParams> =>
  new Map([...state.savedValues(PREFIX, PARAMS)].map(([name, params]) => [name.slice(PREFIX.length), params]))
