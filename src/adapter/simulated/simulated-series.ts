/**
 * Series of a run as its strategy receives them: each row at its timestamp plus the feed latency, after the trades of
 * that moment and before its candles.
 *
 * Invariant: no row arrives before its time. A series that no one subscribes to is never read.
 */
import { Observable } from 'rxjs'
import type { SeriesRow } from '../../domain/series-row.ts'
import { EVENT_KIND, type EventQueue } from '../../simulation/event-queue.ts'
import { SeriesCursor, type InspectedSeries } from '../../store/series/inspected-series.ts'
import { HotStream } from '../../strategy/hot-stream.ts'
import type { RunSeries } from '../exchange-adapter.ts'

export const simulatedSeries = (
  all: readonly InspectedSeries[],
  queue: EventQueue,
  feedMs: number,
): ReadonlyMap<string, RunSeries> =>
  new Map(all.map((each) => [each.info.name, new SimulatedSeries(each, queue, feedMs)]))

class SimulatedSeries implements RunSeries {
  readonly columns: readonly string[]
  readonly rows$: Observable<SeriesRow>
  readonly #queue: EventQueue
  readonly #feedMs: number
  readonly #cursor: SeriesCursor
  readonly #later = new HotStream<SeriesRow>()
  #latest: SeriesRow | undefined
  #isScheduled = false

  constructor(series: InspectedSeries, queue: EventQueue, feedMs: number) {
    this.columns = series.info.columns
    this.#queue = queue
    this.#feedMs = feedMs
    this.#cursor = new SeriesCursor(series)
    this.rows$ = new Observable((subscriber) => {
      // A row of this very moment arrives in its turn, after the trades, unless that is over.
      const isOver = queue.hasPassed(EVENT_KIND.series)
      this.#latest = this.#cursor.passBefore(queue.now() - feedMs + Number(isOver)) ?? this.#latest
      this.#schedule()
      if (this.#latest !== undefined) subscriber.next(this.#latest)
      return this.#later.subscribe(subscriber)
    })
  }

  #schedule(): void {
    const due = this.#cursor.nextTime + this.#feedMs
    if (this.#isScheduled || due === Number.POSITIVE_INFINITY) return
    this.#isScheduled = true
    this.#queue.enter(due, EVENT_KIND.series, this.#deliver)
  }

  readonly #deliver = (): void => {
    this.#isScheduled = false
    this.#latest = this.#cursor.take()
    this.#later.push(this.#latest)
    if (this.#later.isWatched) this.#schedule()
  }
}
