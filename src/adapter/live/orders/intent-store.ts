/**
 * The intents, known order ids and halts of an account, kept beyond the process: what `save` and the others have taken
 * is on disk when they return.
 */
import type { SymbolHalt } from '../../../store/state/live/persisted-intent.ts'
import type { SessionLots } from '../../../store/state/live/session-lots.ts'
import type { Intent } from './intent.ts'

export interface IntentStore {
  /** The first id that was never used. */
  readonly nextId: number
  /** Oldest first: those that are not finished, and finished ones of the last days. */
  intents(): readonly Intent[]
  /** What those bought and sold that are no longer kept. */
  readonly droppedLots: readonly SessionLots[]
  /** That of an order, also of one that is finished. */
  intentOfOrder(orderId: string): Intent | undefined
  /** New, or in the place of the one of that id. */
  save(intent: Intent): void
  /** Ids of orders of the account that were ever seen, in the order in which they were added. */
  knownIds(): readonly string[]
  addKnownIds(ids: readonly string[]): void
  halts(): readonly SymbolHalt[]
  halt(halt: SymbolHalt): void
  endHalt(symbol: string): void
  /** All of what `action` does is kept at once, or when it throws, none of it. It must do nothing else. */
  together<T>(action: () => T): T
}
