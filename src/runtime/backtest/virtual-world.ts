/** Virtual environment of a strategy in a backtest: time is the event queue's, and the real globals are guarded. */
import { installVirtualTime } from '../../adapter/simulated/virtual-time.ts'
import type { EventQueue } from '../../simulation/event-queue.ts'
import type { Turn } from '../session/turn.ts'
import { isZonePinned, pinZoneAndLocale } from '../sandbox/pinned-locale.ts'
import { guardGlobals, type Unrepeatable } from '../sandbox/virtual-globals.ts'

export interface VirtualWorldOptions {
  readonly queue: EventQueue
  readonly turn: Turn
  /** Receives exceptions of the strategy's own subscribers and promises. */
  readonly onError: (error: unknown) => void
  /** Called once per Math function whose last digit depends on the engine. */
  readonly onInexactMath: (name: string) => void
  /** Called once per source of irreproducibility that the strategy used. */
  readonly onUnrepeatable?: (use: Unrepeatable) => void
}

/** The active or last run: the clock of RxJS is shared in a thread. */
let last: Promise<unknown> = Promise.resolve()

/** Runs `life` in a virtual environment once no other one is active, and always restores the real one. */
export function inVirtualWorld<T>(options: VirtualWorldOptions, life: () => Promise<T>): Promise<T> {
  const mine = last.then(() => liveVirtually(options, life))
  last = mine.catch(() => undefined)
  return mine
}

async function liveVirtually<T>(options: VirtualWorldOptions, life: () => Promise<T>): Promise<T> {
  const { queue, turn, onError, onInexactMath, onUnrepeatable } = options
  const restoreZone = pinZoneAndLocale()
  if (!isZonePinned()) onUnrepeatable?.({ name: 'the time zone, which a worker thread cannot set', place: undefined })
  const restoreTime = installVirtualTime(queue, onError)
  const restoreGlobals = guardGlobals({
    isInside: () => turn.isOn,
    onInexactMath,
    ...(onUnrepeatable !== undefined && { onUnrepeatable }),
  })
  // An unhandled rejection of the strategy would end the process during the run.
  process.on('unhandledRejection', onError)
  try {
    return await life()
  } finally {
    process.off('unhandledRejection', onError)
    restoreGlobals()
    restoreTime()
    restoreZone()
  }
}

// Captured here, because the global one throws during a strategy's turn.
// eslint-disable-next-line papertape/no-clock -- waits for promises, not for time
const { setImmediate: realSetImmediate } = globalThis

/** Waits for every promise that can settle without external input. */
export const macrotask = (): Promise<void> =>
  new Promise((resolve) => {
    realSetImmediate(resolve)
  })
