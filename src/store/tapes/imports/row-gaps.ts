/** Gaps in the ids and in the times of rows, looked for block by block. */
import { longestStepOf } from '../../../domain/calendar.ts'
import { isCandleBlock } from '../../../tape/tape.ts'
import type { StoredMarket } from '../blocks/stored-market.ts'
import type { RowGaps } from './manifest.ts'

/** A market may be quiet; of trades that come more often than this a stretch without any is worth a word. */
const SILENCE_MS = 3_600_000

/** Reads every block, and so checks each. @throws {InputError} naming a block that is damaged */
export function rowGapsOf(market: StoredMarket): RowGaps {
  const times = new TimeGaps(longestStepOf(market.head.intervalMs ?? SILENCE_MS))
  const ids = new IdGaps()
  for (const index of market.entries.keys()) {
    const { block } = market.read(index)
    times.add(block.time, block.length)
    if (!isCandleBlock(block) && block.ids instanceof Float64Array) ids.add(block.ids, block.length)
  }
  return { ...ids.reported(), times: times.count, longest: times.longest }
}

class TimeGaps {
  readonly #expectedMs: number
  #last = Number.POSITIVE_INFINITY
  #most = 0
  count = 0
  longest: RowGaps['longest'] = null

  constructor(expectedMs: number) {
    this.#expectedMs = expectedMs
  }

  add(times: Float64Array, length: number): void {
    for (let row = 0; row < length; row += 1) {
      const time = times[row] ?? 0
      const step = time - this.#last
      if (step > this.#expectedMs) {
        this.count += 1
        if (step > this.#most) {
          this.#most = step
          this.longest = { from: this.#last, to: time }
        }
      }
      this.#last = time
    }
  }
}

class IdGaps {
  #last = Number.NaN
  #steps = 0
  #jumps = 0
  #missing = 0

  add(ids: Float64Array, length: number): void {
    for (let row = 0; row < length; row += 1) {
      const id = ids[row] ?? 0
      const missing = id - this.#last - 1
      this.#last = id
      // Not a number before the second row.
      if (!(missing >= 0)) continue
      this.#steps += 1
      if (missing > 0) {
        this.#jumps += 1
        this.#missing += missing
      }
    }
  }

  /** If most ids are not consecutive, they are not numbered per market, and their jumps are no gaps. */
  reported(): Pick<RowGaps, 'ids' | 'missingIds'> {
    const doCount = this.#steps > 0 && this.#jumps * 2 <= this.#steps
    return doCount ? { ids: this.#jumps, missingIds: this.#missing } : { ids: null, missingIds: null }
  }
}
