/**
 * Watches a heartbeat, and says when it has stood still for too long, or beats while the time of the run does not go
 * on, or hardly.
 *
 * Counted in looks at it and not by a clock: a machine that was asleep in between has not waited.
 */
import type { Heartbeat } from './heartbeat.ts'

/** Whole seconds of the machine. */
export type TurnLimit = number | 'off'

export const DEFAULT_TURN_LIMIT: TurnLimit = 60

/** Events a second from which on a run that stays at one time goes round in it; fewer beat for a thread that waits. */
const MANY = 20
/** Milliseconds of the run to an event, at most, while it crawls. */
const CRAWL_MS = 1.5

/** Seconds after which it is told that nothing happens. */
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

  /** True when turns end and begin, all of them at one time of the run. */
  get isCircling(): boolean {
    return this.#isCircling
  }

  /** Call it once a second. */
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
