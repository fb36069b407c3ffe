/**
 * A table of text as Parquet: decimals keep every digit, times are timestamps, and an empty cell is null.
 *
 * The rows are read twice: the first time for the digits of the decimals. A column of decimals with more than 38 digits
 * stays text.
 */
import { fileWriter, ParquetWriter } from 'hyparquet-writer'
import { invariant } from '../../domain/errors.ts'

type SchemaElement = ConstructorParameters<typeof ParquetWriter>[0]['schema'][number]

/** Rows in memory at a time. */
const GROUP_ROWS = 65_536
/** Digits of a decimal that 16 bytes hold. Every column has as many, since a product of narrower ones overflows. */
const MAX_DIGITS = 38

export type CellKind = 'text' | 'integer' | 'time' | 'flag' | 'float' | 'decimal'

export interface TextTable {
  readonly columns: readonly { readonly name: string; readonly kind: CellKind }[]
  /** The rows, again at each call, with as many cells as there are columns. */
  readonly rows: () => AsyncIterable<readonly string[]>
}

interface Column {
  readonly element: SchemaElement
  readonly valueOf: (cell: string) => unknown
}

/** Writes the file; it is complete when it returns. @returns the number of rows */
export async function writeTextTable(file: string, table: TextTable): Promise<number> {
  const digits = await digitsOf(table)
  const columns = table.columns.map(({ name, kind }, at) => columnOf(name, kind, digits[at] ?? NO_DIGITS))
  const schema = [{ name: 'root', num_children: columns.length }, ...columns.map(({ element }) => element)]
  const parquet = new ParquetWriter({ writer: fileWriter(file), schema })
  let [rows, group] = [0, columns.map((): unknown[] => [])]
  const flush = async (): Promise<void> => {
    const columnData = columns.map(({ element: { name } }, at) => ({ name, data: group[at] ?? [] }))
    await parquet.write({ columnData, rowGroupSize: GROUP_ROWS })
    group = columns.map(() => [])
  }
  for await (const cells of table.rows()) {
    for (const [at, { valueOf }] of columns.entries()) {
      const cell = cells[at] ?? ''
      group[at]?.push(cell === '' ? null : valueOf(cell))
    }
    rows += 1
    if (rows % GROUP_ROWS === 0) await flush()
  }
  if (rows === 0 || rows % GROUP_ROWS !== 0) await flush()
  await parquet.finish()
  return rows
}

interface Digits {
  readonly whole: number
  readonly scale: number
}

const NO_DIGITS: Digits = { whole: 1, scale: 0 }

/** The most digits of each column before and after the point. */
async function digitsOf({ columns, rows }: TextTable): Promise<readonly Digits[]> {
  const most = columns.map(() => ({ whole: 1, scale: 0 }))
  if (!columns.some(({ kind }) => kind === 'decimal')) return most
  for await (const cells of rows()) {
    for (const [at, digits] of most.entries()) {
      const cell = cells[at] ?? ''
      const point = cell.indexOf('.')
      digits.whole = Math.max(digits.whole, point < 0 ? cell.length : point)
      if (point >= 0) digits.scale = Math.max(digits.scale, cell.length - point - 1)
    }
  }
  return most
}

function columnOf(name: string, kind: CellKind, { whole, scale }: Digits): Column {
  const optional = { name, repetition_type: 'OPTIONAL' } as const
  switch (kind) {
    case 'text':
      return { element: { ...optional, type: 'BYTE_ARRAY', converted_type: 'UTF8' }, valueOf: (cell) => cell }
    case 'integer':
      return { element: { ...optional, type: 'INT64' }, valueOf: BigInt }
    case 'time':
      return { element: { ...optional, type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' }, valueOf: momentOf }
    case 'flag':
      return { element: { ...optional, type: 'BOOLEAN' }, valueOf: (cell) => cell === 'true' }
    case 'float':
      return { element: { ...optional, type: 'DOUBLE' }, valueOf: Number }
    case 'decimal':
      if (whole + scale > MAX_DIGITS) return columnOf(name, 'text', NO_DIGITS)
  }
  const decimal = { converted_type: 'DECIMAL', scale, precision: MAX_DIGITS } as const
  return {
    element: { ...optional, ...decimal, type: 'FIXED_LEN_BYTE_ARRAY', type_length: 16 },
    valueOf: (cell) => unitsOf(cell, scale),
  }
}

const momentOf = (cell: string): bigint => BigInt(/^\d+$/.test(cell) ? cell : Date.parse(cell))

/** The decimal in units of its last digit. */
function unitsOf(cell: string, scale: number): bigint {
  const [whole = '', fraction = ''] = cell.split('.')
  invariant(/^-?\d+$/.test(whole) && /^\d*$/.test(fraction), `'${cell}' is a decimal`)
  return BigInt(`${whole}${fraction.padEnd(scale, '0')}`)
}
