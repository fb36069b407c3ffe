/**
 * The clock of the machine, the default clock of a served market.
 *
 * The wall clock is read once, when the process starts; after that the monotonic clock counts, so setting the wall
 * clock has no effect before the next start. Known limit: it may stop while the machine sleeps.
 */
import type { Clock } from '../../domain/time.ts'

const start = Date.now() - performance.now()

export const MACHINE_CLOCK: Clock = { now: () => Math.floor(start + performance.now()) }
