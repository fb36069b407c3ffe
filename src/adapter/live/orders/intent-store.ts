/**
 * The intents, known order ids and halts of an account, kept beyond the process: what `save` and the others have taken is on disk when
 * they return.
 */
import type { SymbolHalt } from '../../../store/state/live/kept-intent.ts'
import type { Intent } from './intent.ts'

export interface IntentStore {
  /** The first id that was never used. */
  readonly nextId: number
  /** Those that are not finished, quarantined ones of the last 24 h included, and the owners' finished ones that a listing may still show. */
  intents(): readonly Intent[]
  /** New, or in the place of the one of that id. */
  save(intent: Intent): void
  /** Ids of orders of the account that were ever seen, in the order in which they were added. */
  knownIds(): readonly string[]
  addKnownIds(ids: readonly string[]): void
  halts(): readonly SymbolHalt[]
  halt(halt: SymbolHalt): void
  endHalt(symbol: string): void
}
