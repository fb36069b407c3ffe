/**
 * A tape that is read from its file once, and from memory after that, when it is small enough.
 *
 * Invariant: only what was read to its end, and so was found unchanged, is kept.
 */
import type { Tape, TapeBlock } from '../../tape/tape.ts'

/** Trades; 33 bytes each, and the characters of ids that are no integers. */
const MOST_ROWS = 500_000
const TRADES_OF_A_CANDLE = 4

export function keptTape(tape: Tape): Tape {
  const { info } = tape
  const rows = info.kind === 'candles' ? info.rows * TRADES_OF_A_CANDLE : info.rows
  if (rows > MOST_ROWS) return tape
  let kept: readonly TapeBlock[] | undefined
  async function* blocks(): AsyncGenerator<TapeBlock, void, undefined> {
    if (kept !== undefined) {
      yield* kept
      return
    }
    const read: TapeBlock[] = []
    for await (const block of tape.blocks()) {
      read.push(block)
      yield block
    }
    kept = read
  }
  return { info, blocks }
}
