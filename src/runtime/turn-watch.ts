/**
 * Watches a heartbeat, and reports if it has stopped for too long, or if it beats while the time of the run hardly
 * advances.
 *
 * It counts its own checks instead of using a clock, so that the sleep of a machine does not count as waiting.
 */
import type { Heartbeat } from './heartbeat.ts'

/** Whole seconds of the machine. */
export type TurnLimit = number | 'off'

export const DEFAULT_TURN_LIMIT: TurnLimit = 60

/** Minimum events per second for a run that circles at one time; a waiting thread beats less often. */
const MANY = 20
/** Maximum milliseconds of the run per event while it crawls. */
const CRAWL_MS = 1.5

/** Seconds of inactivity before a notice. */
export const NOTICE_SECONDS = 10

export class TurnWatch {
  readonly #heartbeat: Pick<Heartbeat, 'count' | 'stage' | 'time'>
  #seen: string | undefined
  #seenCount = 0
  #seenTime = Number.NaN
  #seconds = 0
  /** Seconds for which it has crawled. */
  #crawled = 0
  #isCircling = false

  constructor(watched: Pick<Heartbeat, 'count' | 'stage' | 'time'>) {
    this.#heartbeat = watched
  }

  /** True if turns begin and end without any progress of the run's time. */
  get isCircling(): boolean {
    return this.#isCircling
  }

  /** Call once per second. */
  look(limit: TurnLimit): 'fine' | 'slow' | 'crawling' | 'over' {
    const { count, stage, time } = this.#heartbeat
    const [now = 0] = time
    const seen = `${stage} ${count}`
    const events = (count - this.#seenCount) | 0
    const passed = now - this.#seenTime
    const isRunning = stage === 'running' && events >= MANY
    const isCircling = isRunning && passed === 0
    this.#crawled = isRunning && passed > 0 && passed <= CRAWL_MS * events ? this.#crawled + 1 : 0
    const isStill = seen === this.#seen && stage !== 'waiting'
    this.#seconds = (isStill || isCircling) && isCircling === this.#isCircling ? this.#seconds + 1 : Number(isCircling)
    this.#isCircling = isCircling
    this.#seen = seen
    this.#seenCount = count
    this.#seenTime = now
    if (this.#crawled === NOTICE_SECONDS) return 'crawling'
    if (limit === 'off') return this.#seconds === NOTICE_SECONDS ? 'slow' : 'fine'
    if (this.#seconds >= limit) return 'over'
    return this.#seconds === NOTICE_SECONDS ? 'slow' : 'fine'
  }
}
