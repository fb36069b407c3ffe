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
  const isQuoted = text.includes('"')
  let fields: readonly string[] | undefined
  // Fields without quotes are cut when they are read: few readers need all of them.
  const bounds: number[] = []
  const row: TableRow = (column) => {
    const index = columns.get(column)
    if (index === undefined) return ''
    return fields === undefined ? text.slice((bounds[index] ?? 0) + 1, bounds[index + 1]) : (fields[index] ?? '')
  }
  for (let [from, line] = [0, 1]; from < text.length; line += 1) {
    const end = endOf(text, from)
    const read = isQuoted && text.slice(from, end).includes('"') ? quotedRow(where, text, from) : undefined
    if (read === undefined) findBounds(text, from, end, bounds)
    fields = line === 1 && read === undefined ? text.slice(from, end).split(',') : read?.fields
    const count = fields?.length ?? bounds.length - 1
    if (line === 1) for (const name of fields ?? []) columns.set(name, columns.size)
    else if (count === columns.size) yield row
    else throw new InputError(`${where} row ${line}`, `has ${count} fields, the header has ${columns.size}`)
    from = read?.to ?? end + 1
  }
}

/** Index of the line feed that ends a line, or of the end of the text. */
function endOf(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end === -1 ? text.length : end
}

/** The index before the line, those of its separators, and that of its end. */
function findBounds(text: string, from: number, end: number, bounds: number[]): void {
  bounds.length = 0
  bounds.push(from - 1)
  for (let at = text.indexOf(',', from); at !== -1 && at < end; at = text.indexOf(',', at + 1)) bounds.push(at)
  bounds.push(end)
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
