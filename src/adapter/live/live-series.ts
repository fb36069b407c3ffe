/** A series of a session in real time: rows are pushed as they arrive. */
import { Observable } from 'rxjs'
import type { SeriesRow } from '../../domain/series-row.ts'
import { HotStream } from '../../strategy/hot-stream.ts'
import type { RunSeries } from '../exchange-adapter.ts'

export class LiveSeries implements RunSeries {
  readonly name: string
  columns: readonly string[]
  readonly rows$: Observable<SeriesRow>
  /** Hot: each row when it arrives. */
  readonly arrived$ = new HotStream<SeriesRow>()
  #latest: SeriesRow | undefined
  #isSeen = false

  constructor(name: string, columns: readonly string[]) {
    this.name = name
    this.columns = columns
    this.rows$ = new Observable((subscriber) => {
      if (this.#latest !== undefined) subscriber.next(this.#latest)
      return this.arrived$.subscribe(subscriber)
    })
  }

  /** The latest row that has arrived. */
  get latest(): SeriesRow | undefined {
    return this.#latest
  }

  get isSeen(): boolean {
    return this.#isSeen
  }

  /** Sets the latest row from before the session. @param isSeen  whether an earlier session had it */
  begin(latest: SeriesRow | undefined, isSeen: boolean): void {
    this.#latest = latest
    this.#isSeen = isSeen
  }

  /** Call as an event. */
  push(row: SeriesRow): void {
    this.#latest = row
    this.#isSeen = false
    this.arrived$.push(row)
  }
}
