/**
 * Parser for the CSV files of a run: the inverse of `csvRow`.
 *
 * Invariant: every field is read exactly as written.
 */
import { InputError, type Place } from '../../domain/errors.ts'

/** Values of one row by column name; empty for no value. */
export type TableRow = (column: string) => string

/**
 * @param where  name of the file, for errors
 * @returns the rows after the header
 * @throws {InputError} for a row whose number of fields differs from the header, or an unterminated quote
 */
export function* csvTable(where: string, text: string): Generator<TableRow> {
  const rows = csvRows(where, text)
  const header = rows.next()
  if (header.done === true) return
  const columns = new Map(header.value.map((name, index) => [name, index]))
  let line = 1
  for (const fields of rows) {
    line += 1
    if (fields.length !== columns.size) {
      throw new InputError(`${where} row ${line}`, `has ${fields.length} fields, the header has ${columns.size}`)
    }
    yield (column) => fields[columns.get(column) ?? -1] ?? ''
  }
}

function* csvRows(where: Place, text: string): Generator<readonly string[]> {
  for (let from = 0; from < text.length;) {
    const end = text.indexOf('\n', from)
    const to = end === -1 ? text.length : end
    const line = text.slice(from, to)
    if (!line.includes('"')) {
      yield line.split(',')
      from = to + 1
      continue
    }
    const row = quotedRow(where, text, from)
    yield row.fields
    from = row.to
  }
}

/** A row with quoted fields, which may contain line feeds. */
function quotedRow(
  where: Place,
  text: string,
  from: number,
): { readonly fields: readonly string[]; readonly to: number } {
  const fields: string[] = []
  for (let at = from; ;) {
    const field = text[at] === '"' ? quotedField(where, text, at) : bareField(text, at)
    fields.push(field.value)
    if (text[field.to] !== ',') return { fields, to: field.to + 1 }
    at = field.to + 1
  }
}

interface Field {
  readonly value: string
  /** Index after the field. */
  readonly to: number
}

function bareField(text: string, from: number): Field {
  let to = from
  while (to < text.length && text[to] !== ',' && text[to] !== '\n') to += 1
  return { value: text.slice(from, to), to }
}

function quotedField(where: Place, text: string, from: number): Field {
  for (let at = from + 1; ;) {
    const quote = text.indexOf('"', at)
    if (quote === -1) throw new InputError(where, 'has a quote that never ends')
    if (text[quote + 1] !== '"') return { value: text.slice(from + 1, quote).replaceAll('""', '"'), to: quote + 1 }
    at = quote + 2
  }
}
