/**
 * The world in which a strategy runs in a backtest: time is the event queue's, and nothing real is in reach.
 */
import { installVirtualTime } from '../../adapter/simulated/virtual-time.ts'
import type { EventQueue } from '../../simulation/event-queue.ts'
import type { Turn } from '../session/turn.ts'
import { isZonePinned, pinZoneAndLocale } from './pinned-locale.ts'
import { guardGlobals, type Unrepeatable } from './virtual-globals.ts'

export interface VirtualWorldOptions {
  readonly queue: EventQueue
  readonly turn: Turn
  /** Hears what a subscriber or a promise of the strategy's own threw. */
  readonly onError: (error: unknown) => void
  /** Hears, once each, of Math functions whose last digit depends on the engine. */
  readonly onInexactMath: (name: string) => void
  /** Hears, once each, of what the strategy used and that may be another the next time. */
  readonly onUnrepeatable?: (use: Unrepeatable) => void
}

/** The run that is under way, or the last one: the clock of RxJS is one for all in a thread. */
let last: Promise<void> = Promise.resolve()

/** Runs `life` in a virtual world when no other one is there, and puts the real one back whatever happens. */
export async function inVirtualWorld(options: VirtualWorldOptions, life: () => Promise<void>): Promise<void> {
  const mine = last.then(() => liveVirtually(options, life))
  last = mine.catch(() => undefined)
  await mine
}

async function liveVirtually(options: VirtualWorldOptions, life: () => Promise<void>): Promise<void> {
  const { queue, turn, onError, onInexactMath, onUnrepeatable } = options
  const restoreZone = pinZoneAndLocale()
  if (!isZonePinned()) onUnrepeatable?.({ name: 'the time zone, which a worker thread cannot set', place: undefined })
  const restoreTime = installVirtualTime(queue, onError)
  const restoreGlobals = guardGlobals({
    isInside: () => turn.isOn,
    onInexactMath,
    ...(onUnrepeatable !== undefined && { onUnrepeatable }),
  })
  // A promise of the strategy's that nobody handles would end the process in the middle of the run.
  process.on('unhandledRejection', onError)
  try {
    await life()
  } finally {
    process.off('unhandledRejection', onError)
    restoreGlobals()
    restoreTime()
    restoreZone()
  }
}

// Taken here, because the global refuses while a strategy has its turn.
// eslint-disable-next-line papertape/no-clock -- waits for promises, not for time
const { setImmediate: realSetImmediate } = globalThis

/** Waits for every promise that can settle without the outside. */
export const macrotask = (): Promise<void> =>
  new Promise((resolve) => {
    realSetImmediate(resolve)
  })
