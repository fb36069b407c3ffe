/**
 * Text that is made between the turns of others: a part of the time goes into it, and nobody waits for more than a slice.
 */
import { setImmediate } from 'node:timers/promises'

/** Of the time that others have between two slices. */
const SHARE = 1 / 3
const SHORTEST_MS = 0.2
const LONGEST_MS = 8
/** Of a piece, which is more than most slices make. */
const PIECE_LENGTH = 1 << 17

/** @param signal  after it the text is cut short */
export async function* pacedText(parts: Iterable<string>, signal: AbortSignal): AsyncGenerator<string> {
  let text = ''
  let end = performance.now() + SHORTEST_MS
  for (const part of parts) {
    text += part
    const paused = performance.now()
    if (paused < end) continue
    if (text.length >= PIECE_LENGTH) {
      yield text
      text = ''
    }
    await setImmediate()
    if (signal.aborted) return
    const resumed = performance.now()
    end = resumed + Math.min(LONGEST_MS, Math.max(SHORTEST_MS, (resumed - paused) * SHARE))
  }
  yield text
}
