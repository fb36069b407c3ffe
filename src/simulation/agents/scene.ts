/**
 * The scene that the agents of one market share.
 */
import type { EventQueue } from '../event-queue.ts'

/** What everybody knows of the worth of the base asset. */
export interface Worth {
  /** Ticks, not whole ones. */
  readonly price: number
  /** As a multiple of the usual. */
  readonly volatility: number
  /** @param listener  is called at every change, with the change as a fraction of the price before */
  onNews(listener: (move: number) => void): void
}

export interface Scene {
  readonly queue: EventQueue
  readonly fairValue: Worth
  /** Lots of a small order; what an agent trades is a multiple of it. */
  readonly unitQty: number
  /** How many times as often as usual things happen, more than 0. */
  readonly pace: number
}
