/**
 * Whether what a strategy emitted is an intent.
 */
import type { Intent } from '../../strategy/intent.ts'

const INTENT_TYPES: ReadonlySet<unknown> = new Set<Intent['type']>(['limit', 'market', 'cancel', 'cancel-all'])

/** What a strategy in JavaScript emits may be anything. */
export const isIntent = (value: unknown): value is Intent =>
  typeof value === 'object' && value !== null && 'type' in value && INTENT_TYPES.has(value.type)

/** What was emitted instead; JSON has no text for `undefined`. */
export const described = (value: unknown): string => (value === undefined ? 'undefined' : JSON.stringify(value))
