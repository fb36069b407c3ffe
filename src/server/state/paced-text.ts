/**
 * Text that is made between the turns of others: a small part of the time goes into it, and nobody waits for more than a slice.
 */
import { setImmediate } from 'node:timers/promises'

/** Of the time that others had since the last slice. */
const SHARE = 1 / 4
const SHORTEST_MS = 1
const LONGEST_MS = 8

/** @param signal  after it the text is cut short */
export async function* pacedText(pieces: Iterable<string>, signal: AbortSignal): AsyncGenerator<string> {
  let text = ''
  let end = performance.now() + SHORTEST_MS
  for (const piece of pieces) {
    text += piece
    const now = performance.now()
    if (now < end) continue
    yield text
    text = ''
    await setImmediate()
    if (signal.aborted) return
    const resumed = performance.now()
    end = resumed + Math.min(LONGEST_MS, Math.max(SHORTEST_MS, (resumed - now) * SHARE))
  }
  yield text
}
