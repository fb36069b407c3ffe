/**
 * A tape that a signal can cut off, between two of its blocks.
 */
import { throwIfAborted } from '../../domain/errors.ts'
import type { TapeWindow } from '../../tape/tape.ts'
import { macrotask } from './virtual-world.ts'

/** Rows of any kind that can be read. */
interface Readable {
  blocks(window?: TapeWindow): AsyncIterable<unknown>
}

/** The tape itself when there is no signal. Its blocks throw an AbortError when the signal says so. */
export const abortable = <Tape extends Readable>(tape: Tape, signal: AbortSignal | undefined): Tape =>
  signal === undefined ? tape : { ...tape, blocks: () => blocksUntil(tape, signal) }

async function* blocksUntil(tape: Readable, signal: AbortSignal): AsyncGenerator<unknown, void, undefined> {
  for await (const block of tape.blocks()) {
    // A tape in memory would never let go of the thread, and nobody could abort it.
    await macrotask()
    throwIfAborted(signal)
    yield block
  }
}
