/**
 * Delivers the rows of all series of a session, each in an event of its own.
 *
 * Invariants: among the rows that are due, the one with the smallest timestamp comes first. A row is delivered only
 * while strategies listen, so that none is counted as delivered that no strategy receives. Between two rows the process
 * does its other work, whatever the backlog.
 */
import { EVENT_KIND } from '../../simulation/event-queue.ts'
import type { FollowedSeries } from './followed-series.ts'
import type { LiveLoop } from './live-loop.ts'

export interface DeliveryParts {
  readonly loop: LiveLoop
  readonly feedMs: number
  /** False while no strategy runs, or one is warming up; read again at the next `plan`. */
  readonly isListening: () => boolean
}

export class SeriesDelivery {
  readonly #all: readonly FollowedSeries[]
  readonly #parts: DeliveryParts
  /** Unix milliseconds of the next delivery; Infinity for none. */
  #plannedAt = Number.POSITIVE_INFINITY
  #isStopped = false

  constructor(all: readonly FollowedSeries[], parts: DeliveryParts) {
    this.#all = all
    this.#parts = parts
  }

  /** Call when rows were added, when strategies may listen again, and from time to time. */
  plan(): void {
    const { loop, feedMs } = this.#parts
    const due = Math.max(timeOf(this.#first) + feedMs, loop.now() + 1)
    if (due >= this.#plannedAt || this.#isStopped) return
    this.#plannedAt = due
    // An event that was planned before, for later, finds that it is not the next one any more.
    loop.atTime(due, () => { if (due === this.#plannedAt) this.#deliver() }, EVENT_KIND.series) // prettier-ignore
  }

  /** Delivers nothing from now on. */
  stop(): void {
    this.#isStopped = true
  }

  #deliver(): void {
    const { loop, feedMs, isListening } = this.#parts
    this.#plannedAt = Number.POSITIVE_INFINITY
    if (this.#isStopped || !isListening()) return
    const first = this.#first
    // The file may have been replaced since it was planned.
    const isDue = timeOf(first) + feedMs <= loop.now()
    const row = isDue ? first?.take() : undefined
    this.plan()
    if (row !== undefined) first?.live.push(row)
  }

  /** The series with the next row. */
  get #first(): FollowedSeries | undefined {
    let first: FollowedSeries | undefined
    for (const each of this.#all) if (timeOf(each) < timeOf(first)) first = each
    return first
  }
}

const timeOf = (series: FollowedSeries | undefined): number => series?.next?.[0] ?? Number.POSITIVE_INFINITY
