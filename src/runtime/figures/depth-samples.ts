/**
 * The recorded book of a market at evenly spaced moments of a run, to draw it without its recording.
 *
 * Invariant: a sample is the book after everything up to its moment, recorded trades included. A moment before which
 * nothing happened since the last sample has none of its own.
 */
import type { BookSampler } from '../../simulation/crowd/book-player.ts'
import type { RecordedDepth } from '../../simulation/depth/recorded-depth.ts'
import type { SideState } from '../../tape/book/book-state.ts'

/** Samples of a run; a screen can show few more. */
const SAMPLES = 360
/** Levels per side of a sample, best first. */
const MAX_LEVELS = 1_000

/** Levels of a side, best first: ticks and lots. */
export type SampledSide = Pick<SideState, 'price' | 'qty'>

export interface DepthSample {
  /** Unix milliseconds. */
  readonly time: number
  /** Without levels while the book is unknown. */
  readonly bids: SampledSide
  readonly asks: SampledSide
}

export class DepthSamples implements BookSampler {
  nextAt: number
  readonly #depth: RecordedDepth
  readonly #from: number
  readonly #intervalMs: number
  readonly #samples: DepthSample[] = []
  #changedAt = Number.NEGATIVE_INFINITY

  /** @param span  the run, in Unix milliseconds */
  constructor(depth: RecordedDepth, { from, to }: { readonly from: number; readonly to: number }) {
    this.#depth = depth
    this.#from = from
    this.#intervalMs = Math.max(1, Math.ceil((to - from) / SAMPLES))
    this.nextAt = from
  }

  before(time: number): void {
    if (time > this.nextAt) {
      if (this.#changedAt > Number.NEGATIVE_INFINITY) this.#samples.push(this.#sampleAt(this.nextAt))
      this.nextAt = this.#from + Math.ceil((time - this.#from) / this.#intervalMs) * this.#intervalMs
    }
    this.#changedAt = time
  }

  /** Oldest first; the last one is of the last change. */
  get samples(): readonly DepthSample[] {
    const last = this.#samples.at(-1)?.time ?? this.#from - 1
    const end = Math.max(this.#changedAt, this.#depth.reportedAt)
    return end > last ? [...this.#samples, this.#sampleAt(end)] : this.#samples
  }

  #sampleAt(time: number): DepthSample {
    const { isKnown, bids, asks } = this.#depth.book.state()
    return { time, bids: bestOf(bids, isKnown), asks: bestOf(asks, isKnown) }
  }
}

function bestOf({ price, qty }: SampledSide, isKnown: boolean): SampledSide {
  const end = isKnown ? MAX_LEVELS : 0
  return { price: price.slice(0, end), qty: qty.slice(0, end) }
}
