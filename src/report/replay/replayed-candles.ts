/**
 * Candles of one market of a run, as they were known at a moment: of a length that the reader chooses, the last one
 * unfinished.
 *
 * Invariant: a recorded candle counts once it has closed, so that no moment shows a later price.
 * Known limit: a window reads at most MAX_READ recorded candles; it has fewer candles where more would be needed.
 */
import { firstIndex } from '../../domain/first-index.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../domain/time.ts'
import type { BlockColumns } from '../run/candle-blocks.ts'

/** Prices and volume as doubles, for drawing. */
export interface ReplayedCandle {
  /** Unix milliseconds of its start. */
  readonly time: number
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  readonly volume: number
}

/** A stretch of recorded candles of one length, decoded when it is first needed. */
interface CandleStretch {
  /** Unix milliseconds of the first and of the last start. */
  readonly from: number
  readonly to: number
  readonly read: () => BlockColumns
}

/** Recorded candles of one length, oldest stretch first. */
export interface CandleLevel {
  readonly intervalMs: number
  readonly stretches: readonly CandleStretch[]
}

const LENGTHS = [1, 5, 15]
  .map((each) => each * SECOND_MS)
  .concat(
    [1, 5, 15].map((each) => each * MINUTE_MS),
    [1, 4].map((each) => each * HOUR_MS),
    [1, 7].map((each) => each * DAY_MS),
  )
const MAX_READ = 150_000
/** Candles of a window. */
const MAX_CANDLES = 300

export class ReplayedCandles {
  readonly #levels: readonly CandleLevel[]
  readonly #decoded = new Map<CandleStretch, BlockColumns>()

  /** @param levels  shortest candles first; at least one */
  constructor(levels: readonly CandleLevel[]) {
    this.#levels = levels
  }

  /** Lengths that a reader can choose, in milliseconds, shortest first. */
  get lengths(): readonly number[] {
    const shortest = this.#levels[0]?.intervalMs ?? MINUTE_MS
    const longer = LENGTHS.filter((each) => each > shortest && each % shortest === 0)
    return [shortest, ...longer].filter((each) => this.#levels.some(({ intervalMs }) => each % intervalMs === 0))
  }

  /** The last candles up to a moment, oldest first. @param length  one of `lengths` */
  upTo(time: number, length: number): readonly ReplayedCandle[] {
    const fitting = this.#levels.filter(({ intervalMs }) => length % intervalMs === 0)
    const candles: ReplayedCandle[] = []
    let reach = -Infinity
    // The longest that fit make the window; shorter ones complete its last candle.
    for (const level of fitting.toReversed()) {
      const rows = this.#rows(level, reach, time - level.intervalMs, length)
      reach = Math.max(reach, (rows.at(-1)?.time ?? -Infinity) + level.intervalMs)
      // Candles of that length count as they are: months have no common length.
      for (const row of rows) {
        fold(candles, row, level.intervalMs === length ? row.time : Math.floor(row.time / length) * length)
      }
    }
    return candles.slice(-MAX_CANDLES)
  }

  /** Recorded candles that start from `from` to `to`: as many of the last as the window takes. */
  #rows({ intervalMs, stretches }: CandleLevel, from: number, to: number, length: number): readonly ReplayedCandle[] {
    const found: ReplayedCandle[] = []
    const wanted = Math.min(MAX_READ, Math.ceil(length / intervalMs) * MAX_CANDLES)
    for (const stretch of stretches.toReversed()) {
      if (stretch.from > to) continue
      if (stretch.to < from || found.length >= wanted) break
      const columns = this.#columnsOf(stretch)
      const { times } = columns
      for (let row = firstIndex(0, times.length, (each) => (times[each] ?? 0) > to) - 1; row >= 0; row -= 1) {
        if ((times[row] ?? 0) < from || found.length >= wanted) break
        found.push(candleAt(columns, row))
      }
    }
    return found.reverse()
  }

  #columnsOf(stretch: CandleStretch): BlockColumns {
    const known = this.#decoded.get(stretch) ?? stretch.read()
    this.#decoded.set(stretch, known)
    return known
  }
}

const candleAt = ({ times, open, high, low, close, volume }: BlockColumns, row: number): ReplayedCandle => ({
  time: times[row] ?? 0,
  open: open[row] ?? 0,
  high: high[row] ?? 0,
  low: low[row] ?? 0,
  close: close[row] ?? 0,
  volume: volume[row] ?? 0,
})

function fold(candles: ReplayedCandle[], row: ReplayedCandle, start: number): void {
  const last = candles.at(-1)
  if (last?.time !== start) {
    candles.push({ ...row, time: start })
    return
  }
  const { high, low, volume } = last
  const range = { high: Math.max(high, row.high), low: Math.min(low, row.low) }
  candles[candles.length - 1] = { ...last, ...range, close: row.close, volume: volume + row.volume }
}
