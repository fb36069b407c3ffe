/**
 * Check of an emitted value: an intent, or something else in words for the error.
 */
import type { Intent } from '../../strategy/intent.ts'

const INTENT_TYPES: ReadonlySet<unknown> = new Set<Intent['type']>([
  ...(['limit', 'market', 'cancel', 'cancel-all', 'target', 'rebalance', 'replace'] as const),
  ...(['stop', 'trailing-stop', 'take-profit', 'oco', 'bracket'] as const),
])

/** True for an intent: a strategy in JavaScript may emit anything. */
export const isIntent = (value: unknown): value is Intent =>
  typeof value === 'object' && value !== null && 'type' in value && INTENT_TYPES.has(value.type)

/** Text of a value that was emitted instead; JSON has none for `undefined`. */
export const described = (value: unknown): string => (value === undefined ? 'undefined' : JSON.stringify(value))
