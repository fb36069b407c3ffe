/**
 * The text of `--columns`: which column of a file holds which field.
 */
import { InputError } from '../../domain/errors.ts'
import { FIELDS, type Field } from './field.ts'
import { nearestName } from '../../domain/nearest-name.ts'

export type ColumnOption =
  /** `time=timestamp,price=px`: header names by field, for a file with a header. */
  | { readonly form: 'by-header'; readonly headers: ReadonlyMap<Field, string> }
  /** `id,price,-,time`: the field of each column, undefined for one that is skipped, for a file without a header. */
  | { readonly form: 'by-position'; readonly fields: readonly (Field | undefined)[] }

const FLAG = '--columns'
const SKIP = '-'

/** @throws {InputError} when a field is unknown or named twice, or the two forms are mixed */
export function parseColumnOption(text: string): ColumnOption {
  const entries = text.split(',')
  const named = entries.filter((entry) => entry.includes('=')).length
  if (named > 0 && named < entries.length) {
    throw new InputError(FLAG, `expected either field=header everywhere or fields alone, got '${text}'`)
  }
  return named > 0 ? byHeader(entries) : byPosition(entries)
}

function byHeader(entries: readonly string[]): ColumnOption {
  const headers = new Map<Field, string>()
  for (const entry of entries) {
    const equals = entry.indexOf('=')
    const field = fieldNamed(entry.slice(0, equals))
    refuseDouble(headers.has(field), field)
    headers.set(field, entry.slice(equals + 1))
  }
  return { form: 'by-header', headers }
}

function byPosition(entries: readonly string[]): ColumnOption {
  const fields: (Field | undefined)[] = []
  for (const entry of entries) {
    const field = entry === SKIP ? undefined : fieldNamed(entry)
    if (field !== undefined) refuseDouble(fields.includes(field), field)
    fields.push(field)
  }
  return { form: 'by-position', fields }
}

function fieldNamed(name: string): Field {
  const field = FIELDS.find((known) => known === name)
  if (field !== undefined) return field
  const nearest = nearestName(name, FIELDS)
  const hint = nearest === undefined ? '' : `; did you mean '${nearest}'?`
  throw new InputError(FLAG, `expected one of ${FIELDS.join(', ')}, or - for a column to skip, got '${name}'${hint}`)
}

function refuseDouble(isDouble: boolean, field: Field): void {
  if (isDouble) throw new InputError(FLAG, `expected each field once, got '${field}' twice`)
}
