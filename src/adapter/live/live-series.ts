/** A series of a session in real time: rows are pushed as they arrive. */
import { Observable } from 'rxjs'
import type { SeriesRow } from '../../domain/series-row.ts'
import { HotStream } from '../../strategy/hot-stream.ts'
import type { RunSeries } from '../exchange-adapter.ts'

/** Rows that a warm-up can show again. */
export const MAX_PAST = 100_000

export class LiveSeries implements RunSeries {
  readonly name: string
  columns: readonly string[]
  readonly rows$: Observable<SeriesRow>
  /** Hot: each row when it arrives. */
  readonly arrived$ = new HotStream<SeriesRow>()
  #past: SeriesRow[] = []
  #isSeen = false

  constructor(name: string, columns: readonly string[]) {
    this.name = name
    this.columns = columns
    this.rows$ = new Observable((subscriber) => {
      const { latest } = this
      if (latest !== undefined) subscriber.next(latest)
      return this.arrived$.subscribe(subscriber)
    })
  }

  /** The latest row that has arrived. */
  get latest(): SeriesRow | undefined {
    return this.#past.at(-1)
  }

  get isSeen(): boolean {
    return this.#isSeen
  }

  /** The latest rows that have arrived, oldest first. */
  get past(): readonly SeriesRow[] {
    return this.#past
  }

  /** Sets the rows from before the session. @param isSeen  whether an earlier session had them */
  begin(past: readonly SeriesRow[], isSeen: boolean): void {
    this.#past = [...past]
    this.#isSeen = isSeen
  }

  /** Call as an event. */
  push(row: SeriesRow): void {
    if (this.#past.length >= 2 * MAX_PAST) this.#past = this.#past.slice(-MAX_PAST)
    this.#past.push(row)
    this.#isSeen = false
    this.arrived$.push(row)
  }
}
