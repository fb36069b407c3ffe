/**
 * The pause between two blocks of a recording that is there already.
 */

// Taken now, because a run puts its own in the place of the global one.
// eslint-disable-next-line papertape/no-clock -- waits for nothing
const { setImmediate: realSetImmediate } = globalThis

/**
 * Yields to the event loop between two blocks, as reading a file does, so that signals and timers of the process can
 * run.
 */
export const blockTurn = (): Promise<void> => new Promise((resolve) => realSetImmediate(resolve))
