/**
 * A series whose rows since the beginning of a warm-up are shown again, each at its time among the candles.
 *
 * Invariant: no new row arrives before the warm-up is over.
 */
import { LiveSeries } from '../../adapter/live/live-series.ts'
import type { RunSeries } from '../../adapter/exchange-adapter.ts'
import type { SeriesRow } from '../../domain/series-row.ts'

export class WarmSeries extends LiveSeries {
  readonly #again: readonly SeriesRow[]

  /** @param from  Unix milliseconds; the last row before it is there at the beginning */
  constructor(name: string, series: RunSeries, from: number) {
    super(name, series.columns)
    const { past = [] } = series
    this.#again = past.filter(({ timestamp }) => timestamp >= from)
    this.begin(past.slice(0, past.length - this.#again.length).slice(-1), false)
    series.arrived$?.subscribe((row) => {
      this.push(row)
    })
  }

  /** The rows of the warm-up, with the times at which they were known. */
  shown(): readonly { readonly time: number; readonly key: undefined; readonly report: () => void }[] {
    return this.#again.map((row) => ({
      time: row.timestamp,
      key: undefined,
      report: () => {
        this.push(row)
      },
    }))
  }
}
