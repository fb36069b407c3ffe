/**
 * Watches a heartbeat, and says when it has stood still for too long.
 *
 * Counted in looks at it and not by a clock: a machine that was asleep in between has not waited.
 */
import type { Heartbeat } from '../../runtime/heartbeat.ts'

/** Whole seconds of the machine. */
export type TurnLimit = number | 'off'

export const DEFAULT_TURN_LIMIT: TurnLimit = 60

/** Seconds after which it is told that nothing happens. */
export const NOTICE_SECONDS = 10

export class TurnWatch {
  readonly #heartbeat: Pick<Heartbeat, 'count' | 'stage'>
  #seen: string | undefined
  #seconds = 0

  constructor(watched: Pick<Heartbeat, 'count' | 'stage'>) {
    this.#heartbeat = watched
  }

  /** Call it once a second. */
  look(limit: TurnLimit): 'fine' | 'slow' | 'over' {
    const { count, stage } = this.#heartbeat
    const now = `${stage} ${count}`
    this.#seconds = now === this.#seen && stage !== 'waiting' ? this.#seconds + 1 : 0
    this.#seen = now
    if (limit === 'off') return this.#seconds === NOTICE_SECONDS ? 'slow' : 'fine'
    if (this.#seconds >= limit) return 'over'
    return this.#seconds === NOTICE_SECONDS ? 'slow' : 'fine'
  }
}
