/**
 * The scene that the agents of one market share.
 */
import type { EventQueue } from '../event-queue.ts'

/** Public knowledge of the fair value of the base asset. */
export interface Worth {
  /** Ticks, not whole ones. */
  readonly price: number
  /** Multiple of the usual volatility. */
  readonly volatility: number
  /** @param listener  is called at every change, with the change as a fraction of the price before */
  onNews(listener: (move: number) => void): void
}

export interface Scene {
  readonly queue: EventQueue
  readonly fairValue: Worth
  /** Lots of a small order; agents trade multiples of it. */
  readonly unitQty: number
  /** Event rate as a multiple of the usual, above 0. */
  readonly pace: number
}
