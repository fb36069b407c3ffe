/**
 * The time of the machine: where the present of a served market comes from, unless its clock is another.
 *
 * It is read from the wall once, when the process begins, and then goes on by the monotonic clock: whoever sets the
 * wall clock, by an hour back or two days forward, moves nothing before the next start. Known limit: while the machine
 * sleeps it may stand still.
 */
import type { Clock } from '../../domain/time.ts'

const start = Date.now() - performance.now()

export const MACHINE_CLOCK: Clock = { now: () => Math.floor(start + performance.now()) }
