/**
 * A tape that is read from its file once, and from memory after that, when it is small enough.
 *
 * Invariant: only what was read to its end, and so was found unchanged, is kept.
 */
import type { RecordedBlock, Tape } from '../../tape/tape.ts'

/** Trades of 33 bytes each, and the characters of ids that are no integers; or candles of 48. */
const MOST_ROWS = 500_000

export function keptTape(tape: Tape): Tape {
  const { info, gaps } = tape
  if (info.rows > MOST_ROWS) return tape
  let kept: readonly RecordedBlock[] | undefined
  async function* blocks(): AsyncGenerator<RecordedBlock, void, undefined> {
    if (kept !== undefined) {
      yield* kept
      return
    }
    const read: RecordedBlock[] = []
    for await (const block of tape.blocks()) {
      read.push(block)
      yield block
    }
    kept = read
  }
  return { info, gaps, blocks }
}
