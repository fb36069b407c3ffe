/**
 * A tape that a signal can cut off, between two of its blocks.
 */
import { throwIfAborted } from '../../domain/errors.ts'
import type { RecordedBlock, Tape } from '../../tape/tape.ts'
import { macrotask } from './virtual-world.ts'

/** The tape itself when there is no signal. Its blocks throw an AbortError when the signal says so. */
export function abortable(tape: Tape, signal: AbortSignal | undefined): Tape {
  return signal === undefined ? tape : { info: tape.info, gaps: tape.gaps, blocks: () => blocksUntil(tape, signal) }
}

async function* blocksUntil(tape: Tape, signal: AbortSignal): AsyncGenerator<RecordedBlock, void, undefined> {
  for await (const block of tape.blocks()) {
    // A tape in memory would never let go of the thread, and nobody could abort it.
    await macrotask()
    throwIfAborted(signal)
    yield block
  }
}
