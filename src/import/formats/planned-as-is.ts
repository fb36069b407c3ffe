/**
 * Files with a header that is the specification's and whose cells need no other eyes: they are read the fast way.
 */
import { InputError } from '../../domain/errors.ts'
import { parseIsoTime } from '../../domain/iso-time.ts'
import { planColumns, type ColumnPlan } from '../csv/column-plan.ts'
import { FIELDS_OF, type Field } from '../csv/field.ts'
import { PLAIN_READING } from '../csv/reading.ts'
import { areUnixTimes, isInteger } from './cell-kinds.ts'
import { COLLECTOR, NO_VALUE, ownDialect, WHOLE_FLOAT } from './csv-headers.ts'
import type { CsvSample } from './csv-sample.ts'
import { dateForm } from './date-forms.ts'
import { bareHeader, isNameOf } from './header-names.ts'
import { NUMBERS } from './written-numbers.ts'

type Rows = CsvSample['records']

/** The format of such a file; undefined for another. */
export function plannedAsIs(file: string, { records }: CsvSample, header: readonly string[]): string | undefined {
  const plan = planOf(file, header)
  if (plan === undefined) return undefined
  const rows = records.slice(1).filter((row) => row.length === header.length)
  const textsOf = (field: Field): readonly string[] => {
    const at = plan.fields.indexOf(field)
    return at < 0 ? [] : rows.map((row) => row[at] ?? '')
  }
  const own = ownDialect(header, plan.kind)
  const hasOwnOrder = own === 'Yahoo candles' || own === COLLECTOR
  if (hasOwnOrder || hasOddTimes(plan, textsOf('time')) || hasOddCells(textsOf)) return undefined
  return tellsMore(header, plan, rows) ? undefined : (own ?? PLAIN_READING.dialect)
}

function planOf(file: string, header: readonly string[]): ColumnPlan | undefined {
  try {
    return planColumns(file, header, undefined)
  } catch (error) {
    if (error instanceof InputError) return undefined
    throw error
  }
}

/**
 * True for times in an unusual format, or candles with equal open times. A time in no known format is reported with its
 * line when it is read.
 */
function hasOddTimes({ kind }: ColumnPlan, times: readonly string[]): boolean {
  const form = dateForm(times)
  const areIso = times.every((time) => parseIsoTime(time) !== undefined)
  const areKnown = times.every((time) => isInteger(time) || /^\d+\.\d+$/.test(time) || parseIsoTime(time) !== undefined)
  if (typeof form === 'function' && !areIso && !areUnixTimes(times)) return true
  if (!areKnown && form !== undefined) return true
  if (times.some((time) => WHOLE_FLOAT.test(time))) return true
  return kind === 'candles' && times.some((time, at) => at > 0 && time === times[at - 1])
}

function hasOddCells(textsOf: (field: Field) => readonly string[]): boolean {
  const prices: readonly Field[] = ['open', 'high', 'low', 'close']
  return (
    textsOf('qty').some((qty) => qty.startsWith('-')) ||
    textsOf('volume').some((text) => text !== '' && NO_VALUE.test(text)) ||
    textsOf('side').some((side) => !/^(?:buy|sell|b|s|unknown)$/i.test(side)) ||
    prices.some((field) => textsOf(field).some((text) => NO_VALUE.test(text))) ||
    NUMBERS.some((field) => textsOf(field).some((text) => text.includes(',')))
  )
}

/** A column that the names of the specification leave out holds a field all the same. */
function tellsMore(header: readonly string[], { kind, fields }: ColumnPlan, rows: Rows): boolean {
  const missing = FIELDS_OF[kind].filter((field) => !fields.includes(field))
  const hasSide = SIDES.some((field) => fields.includes(field))
  const areSides = (at: number): boolean =>
    rows.length > 0 && rows.every((row) => /^(?:buy|sell|bid|ask|b|s)$/i.test(row[at] ?? ''))
  return header.some((name, at) => {
    if (fields[at] !== undefined) return false
    const bare = bareHeader(name)
    if (bare === 'type') return kind === 'trades' && !hasSide && areSides(at)
    return missing.some((field) => !(hasSide && SIDES.includes(field)) && isNameOf(field, bare))
  })
}

const SIDES: readonly Field[] = ['side', 'is_buyer_maker']
