/** An order creation of ours, from before it is sent until its outcome is known, as persisted on disk. */
import type { PersistedIntent, BlockedMarket } from '../../../store/state/live/persisted-intent.ts'
import type { SessionLots } from '../../../store/state/live/session-lots.ts'

/**
 * Durable store of an account's intents, known order ids and blocked markets: data is on disk when `save` and the other
 * writers return.
 */
export interface IntentStore {
  /** The lowest unused id. */
  readonly nextId: number
  /** Oldest first: unfinished intents, and those finished in the last days. */
  intents(): readonly Intent[]
  /** Lots bought and sold by intents that were dropped. */
  readonly droppedLots: readonly SessionLots[]
  /** The intent of an order, finished or not. */
  intentOfOrder(orderId: string): Intent | undefined
  /** Inserts the intent, or replaces the one with its id. */
  save(intent: Intent): void
  /** Ids of all orders of the account that were ever seen, in insertion order. */
  knownIds(): readonly string[]
  addKnownIds(ids: readonly string[]): void
  blockedMarkets(): readonly BlockedMarket[]
  block(market: BlockedMarket): void
  unblock(symbol: string): void
  /**
   * Transaction: everything that `action` writes is saved together, or nothing if it throws. It must not do anything
   * else.
   */
  together<T>(action: () => T): T
}

export type Intent = PersistedIntent

export type IntentState = Intent['state']
