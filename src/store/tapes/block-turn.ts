/**
 * The pause between two blocks of a recording that is there already.
 */

// Taken now, because a run puts its own in the place of the global one.
// eslint-disable-next-line papertape/no-clock -- waits for nothing
const { setImmediate: realSetImmediate } = globalThis

/** As when a file is read: signals and timers of the process have their turn between two blocks. */
export const blockTurn = (): Promise<void> => new Promise((resolve) => realSetImmediate(resolve))
