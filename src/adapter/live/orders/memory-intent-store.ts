/** An intent store in memory, which ends with its process. */
import type { BlockedMarket } from '../../../store/state/live/persisted-intent.ts'
import type { Intent, IntentStore } from './intent.ts'

export class MemoryIntentStore implements IntentStore {
  readonly intentsById = new Map<number, Intent>()
  readonly ids: string[] = []
  readonly droppedLots = []
  readonly blockedBySymbol = new Map<string, BlockedMarket>()

  get nextId(): number {
    return Math.max(0, ...this.intentsById.keys()) + 1
  }

  intents(): readonly Intent[] {
    return [...this.intentsById.values()]
  }

  intentOfOrder(orderId: string): Intent | undefined {
    return this.intents().find((intent) => intent.orderId === orderId)
  }

  save(intent: Intent): void {
    this.intentsById.set(intent.id, intent)
  }

  knownIds(): readonly string[] {
    return this.ids
  }

  addKnownIds(ids: readonly string[]): void {
    this.ids.push(...ids)
  }

  blockedMarkets(): readonly BlockedMarket[] {
    return [...this.blockedBySymbol.values()]
  }

  block(market: BlockedMarket): void {
    this.blockedBySymbol.set(market.symbol, market)
  }

  together<T>(action: () => T): T {
    return action()
  }

  unblock(symbol: string): void {
    this.blockedBySymbol.delete(symbol)
  }
}
