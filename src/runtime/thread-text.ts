/** Text about a thread that runs strategies: the work that does not end, and the reason why the thread ended. */
import { getHeapStatistics } from 'node:v8'
import { isoTime } from '../domain/time.ts'
import type { Heartbeat } from './heartbeat.ts'

/**
 * The work of a thread, as the subject of a sentence.
 * @param isCircling  turns begin and end, but the time of the run stays
 */
export function workText({ stage, time }: Pick<Heartbeat, 'stage' | 'time'>, isCircling: boolean): string {
  const at = isoTime(time[0] ?? 0)
  if (isCircling) return `an endless chain of timers or replies at ${at}`
  if (stage === 'loading') return 'loading'
  return stage === 'running' ? `handling the event at ${at}` : 'work left after the run'
}

/** The error that ended a thread; names the limit if it ran out of memory. */
export function threadFaultText(error: Error): string {
  if (!('code' in error) || error.code !== 'ERR_WORKER_OUT_OF_MEMORY') return String(error)
  const most = Math.floor(getHeapStatistics().heap_size_limit / 2 ** 20)
  return `out of memory at ${most} MB; raise the limit with NODE_OPTIONS=--max-old-space-size=MB`
}

/** The reason of a thread that ended without an error. */
export const EXIT_TEXT = 'process.exit() was called'
