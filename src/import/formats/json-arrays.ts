/** JSON recordings with arrays as rows: recognized by their length and the content of each position. */
import type { Field } from '../csv/field.ts'
import { isJsonArray, textOf, type JsonValue } from '../json/json-value.ts'
import { areCandles, areUnixTimes, isInteger, isPositive, isSide } from './cell-kinds.ts'
import { mostThatFit } from './most-rows.ts'
import type { JsonDialect, JsonRow } from './json-rows.ts'

type Cells = readonly (string | undefined)[]

interface ArrayShape {
  readonly dialect: string
  readonly kind: 'trades' | 'candles'
  readonly lengths: readonly number[]
  readonly fields: readonly (Field | undefined)[]
  /** A quantity with a minus was sold. */
  readonly hasSign?: boolean
  readonly fits: (rows: readonly Cells[]) => boolean
}

const column = (rows: readonly Cells[], at: number): readonly string[] => rows.map((row) => row[at] ?? '')
const candles = (rows: readonly Cells[], columns: readonly number[]): boolean =>
  areUnixTimes(column(rows, 0)) && areCandles(rows.map((row) => columns.map((at) => row[at])))
const positive = (rows: readonly Cells[], ...columns: readonly number[]): boolean =>
  columns.every((at) => column(rows, at).every(isPositive))

const SHAPES: readonly ArrayShape[] = [
  {
    dialect: "trades of Bitfinex's interface",
    kind: 'trades',
    lengths: [4],
    fields: ['id', 'time', 'qty', 'price'],
    hasSign: true,
    fits: (rows) =>
      column(rows, 0).every(isInteger) &&
      areUnixTimes(column(rows, 1)) &&
      column(rows, 2).every((text) => isPositive(text.replace(/^-/, ''))) &&
      positive(rows, 3),
  },
  {
    dialect: 'freqtrade trades',
    kind: 'trades',
    lengths: [7],
    fields: ['time', 'id', undefined, 'side', 'price', 'qty'],
    fits: (rows) => areUnixTimes(column(rows, 0)) && column(rows, 3).every(isSide) && positive(rows, 4, 5),
  },
  {
    dialect: "trades of Kraken's interface",
    kind: 'trades',
    lengths: [6, 7],
    fields: ['price', 'qty', 'time', 'side'],
    fits: (rows) => areUnixTimes(column(rows, 2)) && column(rows, 3).every(isSide) && positive(rows, 0, 1),
  },
  {
    dialect: 'Binance klines',
    kind: 'candles',
    lengths: [11, 12],
    fields: ['time', 'open', 'high', 'low', 'close', 'volume'],
    fits: (rows) => candles(rows, [1, 2, 3, 4]) && areUnixTimes(column(rows, 6)),
  },
  {
    dialect: "candles of Kraken's interface",
    kind: 'candles',
    lengths: [8],
    fields: ['time', 'open', 'high', 'low', 'close', undefined, 'volume'],
    fits: (rows) => candles(rows, [1, 2, 3, 4]) && rows.every((row) => row.length === 8),
  },
  {
    dialect: 'time, open, high, low, close and volume',
    kind: 'candles',
    lengths: [6, 7, 9],
    fields: ['time', 'open', 'high', 'low', 'close', 'volume'],
    fits: (rows) => candles(rows, [1, 2, 3, 4]),
  },
  {
    dialect: 'candles in the order time, low, high, open, close',
    kind: 'candles',
    lengths: [6],
    fields: ['time', 'low', 'high', 'open', 'close', 'volume'],
    fits: (rows) => candles(rows, [3, 2, 1, 4]),
  },
  {
    dialect: 'candles in the order time, volume, close, high, low, open',
    kind: 'candles',
    lengths: [6, 7, 8],
    fields: ['time', 'volume', 'close', 'high', 'low', 'open'],
    fits: (rows) => candles(rows, [5, 3, 4, 2]),
  },
  {
    dialect: 'candles in the order time, open, close, high, low',
    kind: 'candles',
    lengths: [6, 7],
    fields: ['time', 'open', 'close', 'high', 'low', 'volume'],
    fits: (rows) => candles(rows, [1, 3, 4, 2]),
  },
  {
    dialect: 'time, price and quantity',
    kind: 'trades',
    lengths: [3],
    fields: ['time', 'price', 'qty'],
    fits: (rows) => areUnixTimes(column(rows, 0)) && positive(rows, 1, 2),
  },
]

const cellsOf = (value: JsonValue): Cells | undefined =>
  isJsonArray(value) ? value.map((each) => textOf(each)) : undefined

/** The ways in which arrays can be read, each other than the others. */
export function arrayDialects(values: readonly JsonValue[]): readonly JsonDialect[] {
  const rows = values.map(cellsOf).filter((cells) => cells !== undefined)
  const [first] = rows
  if (first === undefined || rows.length < values.length) return []
  const whole = rows.filter((row) => row.length === first.length)
  const fitting = SHAPES.filter(
    ({ lengths, fits }) => lengths.includes(first.length) && mostThatFit(whole, fits) !== undefined,
  )
  // REST APIs usually return newest first; files sorted oldest first are read as they are.
  return fitting.map((shape) => dialectOf(shape, first.length, isFalling(shape, whole)))
}

const isFalling = ({ fields }: ArrayShape, rows: readonly Cells[]): boolean => {
  const times = column(rows, fields.indexOf('time')).map(Number)
  return times.some((time, at) => at > 0 && time < (times[at - 1] ?? 0))
}

const dialectOf = (
  { dialect, kind, fields, hasSign = false }: ArrayShape,
  length: number,
  isAnyOrder: boolean,
): JsonDialect => ({
  dialect,
  kind,
  isAnyOrder,
  read(value) {
    const cells = cellsOf(value)
    if (cells?.length !== length) return undefined
    const row: Partial<Record<Field, string>> = {}
    for (const [at, field] of fields.entries()) {
      if (field === undefined) continue
      const cell = cells[at]
      if (cell === undefined) return undefined
      row[field] = cell
    }
    return { rows: [hasSign ? sided(row) : row] }
  },
})

function sided(row: JsonRow): JsonRow {
  const { qty = '' } = row
  return { ...row, qty: qty.replace(/^-/, ''), side: qty.startsWith('-') ? 'sell' : 'buy' }
}
