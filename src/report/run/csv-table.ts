/**
 * Parser for the CSV files of a run: the inverse of `csvRow`.
 *
 * Invariant: every field is read exactly as written.
 */
import { InputError, type Place } from '../../domain/errors.ts'

/** Values of one row by column name, until the next row is read; empty for no value. */
export type TableRow = (column: string) => string

/**
 * @param where  name of the file, for errors
 * @returns the rows after the header
 * @throws {InputError} for a row whose number of fields differs from the header, or an unterminated quote
 */
export function* csvTable(where: string, text: string): Generator<TableRow> {
  const columns = new Map<string, number>()
  let fields: readonly string[] = []
  const row: TableRow = (column) => fields[columns.get(column) ?? -1] ?? ''
  const isQuoted = text.includes('"')
  for (let [from, line] = [0, 0]; from < text.length; line += 1) {
    const end = text.indexOf('\n', from)
    const bare = text.slice(from, end === -1 ? text.length : end)
    if (isQuoted && bare.includes('"')) {
      const read = quotedRow(where, text, from)
      fields = read.fields
      from = read.to
    } else {
      fields = bare.split(',')
      from += bare.length + 1
    }
    if (line === 0) for (const name of fields) columns.set(name, columns.size)
    else if (fields.length === columns.size) yield row
    else throw new InputError(`${where} row ${line + 1}`, `has ${fields.length} fields, the header has ${columns.size}`)
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
