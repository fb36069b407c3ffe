/**
 * The time of the machine: where the present of a served market comes from, unless its clock is another.
 */
import type { Clock } from '../../domain/time.ts'

export const MACHINE_CLOCK: Clock = { now: () => Date.now() }
