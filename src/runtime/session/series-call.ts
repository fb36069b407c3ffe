/** `series` of a strategy's context: the run's own data by name, with the columns that the strategy needs. */
import { Observable } from 'rxjs'
import type { ExchangeAdapter, RunSeries } from '../../adapter/exchange-adapter.ts'
import { InputError } from '../../domain/errors.ts'
import { nearestNameHint } from '../../domain/nearest-name.ts'
import type { SeriesRow } from '../../domain/series-row.ts'
import { setting, worded } from '../../domain/setting-name.ts'
import type { SeriesOf } from '../../strategy/context.ts'

/**
 * Rows that a strategy had before it was started again, in an earlier session or with other parameters. It receives the
 * latest one as its present value, and no order follows from it.
 */
export class KnownRows {
  /** The part of a start that runs; undefined between them. */
  #start: { readonly isAgain: boolean } | undefined
  #isShowing = false

  /** True while the strategy receives such a row. */
  get isShowing(): boolean {
    return this.#isShowing
  }

  /** Calls a part of a start. @param isAgain  true for a new start within a session */
  during<T>(isAgain: boolean, start: () => T): T {
    this.#start = { isAgain }
    try {
      return start()
    } finally {
      this.#start = undefined
    }
  }

  rowsOf(series: RunSeries): Observable<SeriesRow> {
    return new Observable((subscriber) => {
      const isKnown = this.#start !== undefined && (this.#start.isAgain || series.isSeen === true)
      if (!isKnown) return series.rows$.subscribe(subscriber)
      this.#isShowing = true
      try {
        return series.rows$.subscribe(subscriber)
      } finally {
        this.#isShowing = false
      }
    })
  }
}

export const seriesCall =
  (adapter: Pick<ExchangeAdapter, 'series'>, known: KnownRows): SeriesOf =>
  (name, columns) => {
    const place = `series('${name}')`
    const found = adapter.series?.get(name)
    if (found === undefined) {
      const names = [...(adapter.series?.keys() ?? [])]
      const known = names.length === 0 ? '' : `; there is ${names.join(', ')}${nearestNameHint(name, names)}`
      throw new InputError(place, worded`the run has no such series: pass ${setting('series')} ${name}=FILE${known}`)
    }
    const missing = columns?.find((column) => column !== 'timestamp' && !found.columns.includes(column))
    if (missing !== undefined) {
      const hint = nearestNameHint(missing, found.columns)
      throw new InputError(place, `has no column '${missing}'; there is ${found.columns.join(', ')}${hint}`)
    }
    return known.rowsOf(found)
  }
