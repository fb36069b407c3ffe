/**
 * Beats while a thread of strategies waits: a tape that is waited for lets the event loop turn; a strategy that never
 * ends its turn does not.
 */
import { setInterval } from 'node:timers'
import { heartbeat } from '../../runtime/heartbeat.ts'

const BEAT_MS = 500

/** Starts the heartbeat, which runs until the thread ends. Not for loading, which must end by itself. */
export function startHeartbeat(): void {
  setInterval(() => {
    const pulse = heartbeat()
    if (pulse.stage !== 'loading') pulse.beat()
  }, BEAT_MS).unref()
}
