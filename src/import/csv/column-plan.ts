/**
 * The field that each column of a file holds: found in its first row, or as the text of the setting `columns` says.
 *
 * `time=timestamp,price=px` gives header names by field, for a file with a header; `id,price,-,time` the field of each
 * column, `-` for one that is skipped, for a file without.
 *
 * Invariant: a plan has every field that its kind of row must have, each in one column.
 */
import { InputError, type Place } from '../../domain/errors.ts'
import { setting, worded } from '../../domain/setting-name.ts'
import {
  declaresMilliseconds,
  FIELDS,
  FIELDS_OF,
  HEADER_NAMES,
  kindOf,
  REQUIRED_FIELDS_OF,
  type Field,
  type RowKind,
} from './field.ts'
import { nearestName, nearestNameHint } from '../../domain/nearest-name.ts'
import { escapedExcerpt } from '../../domain/escape-controls.ts'

export interface ColumnPlan {
  readonly kind: RowKind
  /** The field of each column, undefined for one that is not used. */
  readonly fields: readonly (Field | undefined)[]
  /** False when the first row is already data. */
  readonly hasHeader: boolean
  /** The time's header says that it is in milliseconds. */
  readonly declaresMilliseconds: boolean
  /** Header names of the columns that are not used; an unnamed one as `column 1`. */
  readonly ignored: readonly string[]
}

const COLUMNS = setting('columns')
const SKIP = '-'

/**
 * @param file      as the user named it
 * @param firstRow  cells of the first row
 * @param columns   text of the setting
 * @throws {InputError} when the text is wrong, or a field that is needed is not found, or found twice
 */
export function planColumns(file: string, firstRow: readonly string[], columns: string | undefined): ColumnPlan {
  if (columns === undefined) return planByNames(file, firstRow)
  const entries = columns.split(',')
  const named = entries.filter((entry) => entry.includes('=')).length
  if (named > 0 && named < entries.length) {
    throw new InputError(COLUMNS, `expected field=header in every entry, or only fields, got '${columns}'`)
  }
  return named > 0
    ? planByHeader(file, firstRow, headersByField(entries))
    : planByPosition(file, firstRow, fieldsInOrder(entries))
}

/** Columns found by the usual names. */
function planByNames(file: string, header: readonly string[]): ColumnPlan {
  if (header.some(looksLikeData)) {
    const example = setting('columns', 'time,price,qty')
    throw new InputError(`${file}:1`, `expected a header, got ${shownRow(header)}`, {
      hint: worded`; for a file without a header, name the field of each column, with - to skip one: ${example}`,
    })
  }
  const known = header.map(fieldOfHeader)
  if (header[0] === '' && !known.includes('time')) known[0] = 'time'
  const kind = kindOf((field) => known.includes(field))
  const fields = known.map((field) => (field !== undefined && FIELDS_OF[kind].includes(field) ? field : undefined))
  for (const field of FIELDS_OF[kind]) refuseAmbiguous(file, header, fields, field)
  refuseTwoSides(`${file}:1`, fields)
  const missing = REQUIRED_FIELDS_OF[kind].find((field) => !fields.includes(field))
  const unused = header.filter((_, index) => fields[index] === undefined)
  if (missing !== undefined) throw missingColumn(file, header, missing, nearestHeader(missing, unused))
  const volume = kind === 'candles' && !fields.includes('volume') ? nearestHeader('volume', unused) : undefined
  if (volume !== undefined) throw missingColumn(file, header, 'volume', volume)
  return headerPlan(kind, header, fields)
}

/** Columns whose headers the option names; no others are used. */
function planByHeader(file: string, header: readonly string[], headers: ReadonlyMap<Field, string>): ColumnPlan {
  const kind = kindOfOption([...headers.keys()])
  const fields = new Array<Field | undefined>(header.length).fill(undefined)
  for (const [field, name] of headers) {
    const column = columnNamed(file, header, name)
    if (fields[column] !== undefined) {
      throw new InputError(COLUMNS, `expected one field for column '${name}', got ${fields[column]} and ${field}`)
    }
    fields[column] = field
  }
  return headerPlan(kind, header, fields)
}

/** Columns whose fields the option gives in their order. */
function planByPosition(file: string, firstRow: readonly string[], fields: readonly (Field | undefined)[]): ColumnPlan {
  const kind = kindOfOption(fields.filter((field) => field !== undefined))
  if (fields.length !== firstRow.length) {
    const row = `${firstRow.length} columns in ${file}:1, ${shownRow(firstRow)}`
    throw new InputError(COLUMNS, `expected a field or - for each of ${row}, got ${fields.length}`)
  }
  return { kind, fields, hasHeader: false, declaresMilliseconds: false, ignored: [] }
}

function headerPlan(kind: RowKind, header: readonly string[], fields: readonly (Field | undefined)[]): ColumnPlan {
  const timeHeader = header[fields.indexOf('time')] ?? ''
  const ignored = header.map((name, index) => (name === '' ? `column ${index + 1}` : name))
  return {
    kind,
    fields,
    hasHeader: true,
    declaresMilliseconds: declaresMilliseconds(timeHeader),
    ignored: ignored.filter((_, index) => fields[index] === undefined),
  }
}

/** Headers by field from entries such as `price=px`. */
function headersByField(entries: readonly string[]): ReadonlyMap<Field, string> {
  const headers = new Map<Field, string>()
  for (const entry of entries) {
    const equals = entry.indexOf('=')
    const field = fieldNamed(entry.slice(0, equals))
    refuseDouble(headers.has(field), field)
    headers.set(field, entry.slice(equals + 1))
  }
  return headers
}

/** Undefined for a column that is skipped. */
function fieldsInOrder(entries: readonly string[]): readonly (Field | undefined)[] {
  const fields: (Field | undefined)[] = []
  for (const entry of entries) {
    const field = entry === SKIP ? undefined : fieldNamed(entry)
    if (field !== undefined) refuseDouble(fields.includes(field), field)
    fields.push(field)
  }
  return fields
}

function fieldNamed(name: string): Field {
  const field = FIELDS.find((known) => known === name)
  if (field !== undefined) return field
  const expected = `expected one of ${FIELDS.join(', ')}, or ${SKIP} for a column to skip`
  throw new InputError(COLUMNS, `${expected}, got '${name}'${nearestNameHint(name, FIELDS)}`)
}

function refuseDouble(isDouble: boolean, field: Field): void {
  if (isDouble) throw new InputError(COLUMNS, `expected each field once, got '${field}' twice`)
}

/** Row kind of these fields; all must belong to one kind, and none may be missing. */
function kindOfOption(fields: readonly Field[]): RowKind {
  const kind = kindOf((field) => fields.includes(field))
  const stray = fields.find((field) => !FIELDS_OF[kind].includes(field))
  if (stray !== undefined)
    throw new InputError(COLUMNS, `expected ${FIELDS_OF[kind].join(', ')} for ${kind}, got ${stray}`)
  const missing = REQUIRED_FIELDS_OF[kind].find((field) => !fields.includes(field))
  if (missing !== undefined)
    throw new InputError(COLUMNS, `expected ${missing} among the fields, got ${fields.join(', ')}`)
  refuseTwoSides(COLUMNS, fields)
  return kind
}

function columnNamed(file: string, header: readonly string[], name: string): number {
  const matching = header.flatMap((cell, index) => (cell.toLowerCase() === name.toLowerCase() ? [index] : []))
  const [column] = matching
  if (column === undefined) {
    const hint = nearestNameHint(name, header)
    throw new InputError(COLUMNS, `expected a header of ${file}, ${shownRow(header)}, got '${name}'${hint}`)
  }
  if (matching.length > 1)
    throw new InputError(COLUMNS, `expected one column '${name}' in ${file}, got ${matching.length}`)
  return column
}

const fieldOfHeader = (name: string): Field | undefined =>
  FIELDS.find((field) => HEADER_NAMES[field].includes(name.toLowerCase()))

function refuseAmbiguous(
  file: string,
  header: readonly string[],
  fields: readonly (Field | undefined)[],
  field: Field,
): void {
  const names = header.filter((_, index) => fields[index] === field)
  if (names.length < 2) return
  const example = setting('columns', `${field}=${names[0] ?? ''},...`)
  throw new InputError(`${file}:1`, `expected one column for ${field}, got ${names.join(' and ')}`, {
    hint: worded`; choose one with ${example}`,
  })
}

function refuseTwoSides(where: Place, fields: readonly (Field | undefined)[]): void {
  if (!fields.includes('side') || !fields.includes('is_buyer_maker')) return
  throw new InputError(where, 'expected one column for the aggressor, got both side and is_buyer_maker', {
    hint: worded`; choose one with ${COLUMNS}`,
  })
}

/** The header that may have been meant for a field; undefined when none is near one of its names. */
const nearestHeader = (field: Field, headers: readonly string[]): string | undefined =>
  HEADER_NAMES[field].map((name) => nearestName(name, headers)).find((nearest) => nearest !== undefined)

function missingColumn(file: string, header: readonly string[], field: Field, nearest: string | undefined): InputError {
  const names = HEADER_NAMES[field].join(', ')
  const commas = header.length === 1 ? ' (columns are separated by commas)' : ''
  const near = nearest === undefined ? '' : ` (is it '${escapedExcerpt(nearest)}'?)`
  const example = nearest === undefined ? `${field}=...` : `${field}=${escapedExcerpt(nearest)},...`
  return new InputError(
    `${file}:1`,
    `found no column for ${field} (expected ${names}) in the header ${shownRow(header)}${commas || near}`,
    { hint: worded`; set it with ${setting('columns', example)}` },
  )
}

/** A number or a date: no header has such a name. */
export const looksLikeData = (cell: string): boolean =>
  /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(cell) || /^\d{4}-\d\d-\d\d/.test(cell)

const shownRow = (cells: readonly string[]): string => `'${escapedExcerpt(cells.join(','))}'`
