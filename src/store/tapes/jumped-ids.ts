/**
 * Gaps of stored rows that nobody has marked, as a replay of them would guess from their ids.
 */
import { GapDetector } from '../../tape/gap-detector.ts'
import type { MarkedGap } from '../../tape/gap-marks.ts'
import { isCandleBlock } from '../../tape/tape.ts'
import type { StoredMarket } from './blocks/stored-market.ts'

/** Reads every block of a market, oldest first. @throws {InputError} naming a block that is damaged */
export function jumpedIds(market: StoredMarket): readonly MarkedGap[] {
  // A long silence is guessed beside marked gaps as well.
  const detector = new GapDetector(Number.POSITIVE_INFINITY)
  const gaps: MarkedGap[] = []
  for (const index of market.entries.keys()) {
    const { block } = market.read(index)
    if (isCandleBlock(block) || !(block.ids instanceof Float64Array)) continue
    for (let row = 0; row < block.length; row += 1) {
      const time = block.time[row] ?? 0
      if (!detector.next(0, time, block.ids[row] ?? Number.NaN, false)) continue
      gaps.push({ from: detector.timeBefore, to: time, why: 'ids are missing' })
    }
  }
  return gaps
}
