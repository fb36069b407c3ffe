/** Validates an emitted value: an intent, or a description of the value for the error. */
import type { Intent } from '../../strategy/intent.ts'

const INTENT_TYPES: ReadonlySet<unknown> = new Set<Intent['type']>([
  ...(['limit', 'market', 'cancel', 'cancel-all', 'target', 'rebalance', 'replace'] as const),
  ...(['stop', 'trailing-stop', 'take-profit', 'oco', 'bracket'] as const),
])

/** True for an intent: a strategy in JavaScript may emit anything. */
export const isIntent = (value: unknown): value is Intent =>
  typeof value === 'object' && value !== null && 'type' in value && INTENT_TYPES.has(value.type)

/** Describes what was emitted instead of an intent, and how to fix it. */
export function noIntentText(value: unknown): string {
  if (value === false) return `expected an intent, got false: write \`condition ? intent : undefined\``
  if (value instanceof Promise)
    return 'expected an intent, got a Promise: leave out async, or use concatMap instead of map'
  if (Array.isArray(value)) return 'expected an intent, got a nested array: emit a flat array of intents'
  // JSON has no representation of `undefined` or a function.
  const text = typeof value === 'function' ? 'a function' : JSON.stringify(value)
  return `expected an intent, such as buyMarket(symbol, qty), got ${text}`
}
