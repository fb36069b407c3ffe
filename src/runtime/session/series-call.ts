/** `series` of a strategy's context: the run's own data by name, with the columns that the strategy needs. */
import type { ExchangeAdapter } from '../../adapter/exchange-adapter.ts'
import { InputError } from '../../domain/errors.ts'
import { nearestNameHint } from '../../domain/nearest-name.ts'
import { setting, worded } from '../../domain/setting-name.ts'
import type { SeriesOf } from '../../strategy/context.ts'

export const seriesCall =
  ({ series }: Pick<ExchangeAdapter, 'series'>): SeriesOf =>
  (name, columns) => {
    const place = `series('${name}')`
    if (series === undefined)
      throw new InputError(place, 'not available live or on paper, where no series is read; use a backtest')
    const found = series.get(name)
    if (found === undefined) {
      const names = [...series.keys()]
      const known = names.length === 0 ? '' : `; there is ${names.join(', ')}${nearestNameHint(name, names)}`
      throw new InputError(place, worded`the run has no such series: pass ${setting('series')} ${name}=FILE${known}`)
    }
    const missing = columns?.find((column) => column !== 'timestamp' && !found.columns.includes(column))
    if (missing !== undefined) {
      const hint = nearestNameHint(missing, found.columns)
      throw new InputError(place, `has no column '${missing}'; there is ${found.columns.join(', ')}${hint}`)
    }
    return found.rows$
  }
