/**
 * Levels of a recorded book after each frame of it, or at boundaries of the clock: then the last state, where something was told since the
 * boundary before.
 */
import { openTimeOf } from '../../../domain/candle-length.ts'
import { EVENT_KIND, type EventQueue } from '../../../simulation/event-queue.ts'
import type { DepthTerms } from '../../../strategy/depth-options.ts'
import { HotStream } from '../../../strategy/hot-stream.ts'
import type { BookReads } from '../../../strategy/market-book.ts'
import { MarketDepth } from '../../../strategy/market-depth.ts'
import type { MarketView } from '../../../strategy/market-view.ts'

export class DepthStream {
  readonly stream = new HotStream<MarketDepth>()
  readonly #terms: DepthTerms
  readonly #reads: BookReads
  readonly #market: MarketView
  readonly #queue: EventQueue
  #isDue = false

  constructor(terms: DepthTerms, reads: BookReads, market: MarketView, queue: EventQueue) {
    this.#terms = terms
    this.#reads = reads
    this.#market = market
    this.#queue = queue
  }

  /** A frame was told. Behind a gap nothing is known until the next snapshot, and nothing is told. */
  onFrame(): void {
    if (!this.stream.isWatched || !this.#reads.isKnown) return
    const { everyMs } = this.#terms
    if (everyMs === undefined) this.#push()
    else if (!this.#isDue) this.#tellAtBoundary(everyMs)
  }

  /** A frame of the boundary's own millisecond is in it still, as is what arrives then. */
  #tellAtBoundary(everyMs: number): void {
    const now = this.#queue.now()
    const open = openTimeOf(now, everyMs)
    this.#isDue = true
    this.#queue.schedule(open === now ? now : open + everyMs, EVENT_KIND.candle, () => {
      this.#isDue = false
      if (this.stream.isWatched && this.#reads.isKnown) this.#push()
    })
  }

  #push(): void {
    const { toldAt } = this.#reads
    this.stream.push(new MarketDepth(toldAt, this.#reads.levels(this.#terms.levels), this.#market))
  }
}
