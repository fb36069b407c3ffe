/** States that the strategies themselves keep: a JSON value of each. */
import { z } from 'zod'
import type { LiveState } from './live-state.ts'

const VALUE = z.unknown()

const PREFIX = 'strategy-state of '

/** Undefined if the strategy has saved none. */
export const persistedStrategyState = (state: LiveState, owner: string): unknown =>
  state.savedValue(`${PREFIX}${owner}`, VALUE)

export const saveStrategyState = (state: LiveState, owner: string, value: unknown): void =>
  state.saveValue(`${PREFIX}${owner}`, VALUE, value)
