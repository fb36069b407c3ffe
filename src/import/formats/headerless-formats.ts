/**
 * Files without a header: formats recognized by the content of their columns. If two fit that would read a row
 * differently, none is chosen.
 */
import type { Field, RowKind } from '../csv/field.ts'
import {
  areCandles,
  areTimes,
  areUnixTimes,
  isBoolean,
  isInteger,
  isPositive,
  isRising,
  isSide,
  mostThatFit,
} from './cell-kinds.ts'
import type { Columns, Source } from './columns.ts'
import { dateForm } from './date-forms.ts'

type Rows = readonly (readonly string[])[]

interface Shape {
  readonly dialect: string
  readonly kind: RowKind
  /** Numbers of cells that a row can have. */
  readonly widths: readonly number[]
  /** The format has trades whose quantity was rounded to nothing. */
  readonly mayHaveNoQty?: boolean
  /** The field of each column; those behind are not used. */
  readonly fields: readonly (Field | undefined)[]
  readonly fits: (rows: Rows) => boolean
}

const column = (rows: Rows, at: number): readonly string[] => rows.map((row) => row[at] ?? '')
const every = (rows: Rows, at: number, test: (text: string) => boolean): boolean => column(rows, at).every(test)
const candles = (rows: Rows, columns: readonly number[]): boolean =>
  areCandles(rows.map((row) => columns.map((at) => row[at])))
const isQuote = (rows: Rows, price: number, qty: number, quote: number): boolean =>
  rows.every((row) => {
    const product = Number(row[price]) * Number(row[qty])
    return Math.abs(product - Number(row[quote])) <= 1e-6 * product + 1e-7
  })

const SHAPES: readonly Shape[] = [
  {
    dialect: 'Binance trades',
    kind: 'trades',
    widths: [6, 7],
    fields: ['id', 'price', 'qty', undefined, 'time', 'is_buyer_maker'],
    fits: (rows) =>
      every(rows, 0, isInteger) && every(rows, 5, isBoolean) && areUnixTimes(column(rows, 4)) && isQuote(rows, 1, 2, 3),
  },
  {
    dialect: 'Binance aggTrades',
    kind: 'trades',
    widths: [7, 8],
    fields: ['id', 'price', 'qty', undefined, undefined, 'time', 'is_buyer_maker'],
    fits: (rows) =>
      [0, 3, 4].every((at) => every(rows, at, isInteger)) &&
      every(rows, 6, isBoolean) &&
      areUnixTimes(column(rows, 5)) &&
      rows.every((row) => Number(row[4]) >= Number(row[3])),
  },
  {
    dialect: 'Binance klines',
    kind: 'candles',
    widths: [11, 12],
    fields: ['time', 'open', 'high', 'low', 'close', 'volume'],
    fits: (rows) => areUnixTimes(column(rows, 0)) && areUnixTimes(column(rows, 6)) && candles(rows, [1, 2, 3, 4]),
  },
  {
    dialect: 'bitcoincharts or Kraken trades',
    kind: 'trades',
    widths: [3],
    fields: ['time', 'price', 'qty'],
    mayHaveNoQty: true,
    fits: (rows) => areTimes(column(rows, 0)) && every(rows, 1, isPositive) && every(rows, 2, isVolume),
  },
  {
    dialect: 'time, price, quantity and side',
    kind: 'trades',
    widths: [4, 5, 6, 7],
    fields: ['time', 'price', 'qty', 'side'],
    fits: (rows) =>
      areTimes(column(rows, 0)) && every(rows, 1, isPositive) && every(rows, 2, isPositive) && every(rows, 3, isSide),
  },
  {
    dialect: "trades of Kraken's interface",
    kind: 'trades',
    widths: [5, 6, 7],
    fields: ['price', 'qty', 'time', 'side'],
    fits: (rows) =>
      areUnixTimes(column(rows, 2)) &&
      every(rows, 0, isPositive) &&
      every(rows, 1, isPositive) &&
      every(rows, 3, isSide),
  },
  {
    dialect: 'id, time, price and quantity',
    kind: 'trades',
    widths: [4],
    fields: ['id', 'time', 'price', 'qty'],
    fits: (rows) =>
      every(rows, 0, isInteger) &&
      isRising(column(rows, 0)) &&
      areUnixTimes(column(rows, 1)) &&
      every(rows, 2, isPositive) &&
      every(rows, 3, isPositive),
  },
  {
    dialect: 'time, open, high, low, close and volume',
    kind: 'candles',
    widths: [6, 7, 9, 10],
    fields: ['time', 'open', 'high', 'low', 'close', 'volume'],
    fits: (rows) => areTimes(column(rows, 0)) && candles(rows, [1, 2, 3, 4]) && every(rows, 5, isVolume),
  },
  {
    dialect: "candles of Kraken's interface",
    kind: 'candles',
    widths: [8],
    fields: ['time', 'open', 'high', 'low', 'close', undefined, 'volume'],
    fits: (rows) =>
      areUnixTimes(column(rows, 0)) &&
      candles(rows, [1, 2, 3, 4]) &&
      every(rows, 6, isVolume) &&
      every(rows, 7, isInteger),
  },
  {
    dialect: 'candles in the order time, low, high, open, close',
    kind: 'candles',
    widths: [6],
    fields: ['time', 'low', 'high', 'open', 'close', 'volume'],
    fits: (rows) => areUnixTimes(column(rows, 0)) && candles(rows, [3, 2, 1, 4]) && every(rows, 5, isVolume),
  },
  {
    dialect: 'candles in the order time, volume, close, high, low, open',
    kind: 'candles',
    widths: [6, 7, 8],
    fields: ['time', 'volume', 'close', 'high', 'low', 'open'],
    fits: (rows) => areUnixTimes(column(rows, 0)) && candles(rows, [5, 3, 4, 2]) && every(rows, 1, isVolume),
  },
  {
    dialect: 'candles in the order time, open, close, high, low',
    kind: 'candles',
    widths: [6, 7],
    fields: ['time', 'open', 'close', 'high', 'low', 'volume'],
    fits: (rows) => areUnixTimes(column(rows, 0)) && candles(rows, [1, 3, 4, 2]) && every(rows, 5, isVolume),
  },
  {
    dialect: 'MetaTrader candles',
    kind: 'candles',
    widths: [7, 8, 9],
    fields: ['time', undefined, 'open', 'high', 'low', 'close', 'volume'],
    fits: (rows) =>
      typeof dateForm(column(rows, 0)) === 'function' &&
      every(rows, 1, (text) => /^\d\d:?\d\d(?::?\d\d)?$/.test(text)) &&
      candles(rows, [2, 3, 4, 5]) &&
      every(rows, 6, isVolume),
  },
]

const isVolume = (text: string): boolean => text === '' || text === '0' || /^\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text)

/** The ways in which rows without a header can be read, each other than the others. */
export function columnsOfShape(rows: Rows): readonly Columns[] {
  const width = rows[0]?.length ?? 0
  const whole = rows.filter((row) => row.length === width)
  if (whole.length * 10 < rows.length * 9) return []
  return SHAPES.flatMap((shape) => {
    const fitting = shape.widths.includes(width) ? mostThatFit(whole, shape.fits) : undefined
    return fitting === undefined ? [] : [columnsOf(shape, fitting)]
  })
}

function columnsOf({ dialect, kind, fields, mayHaveNoQty = false }: Shape, rows: Rows): Columns {
  const width = rows[0]?.length ?? 0
  const sources = fields.flatMap((field, at): readonly Source[] =>
    field === undefined ? [] : [{ field, column: at, edit: field === 'time' ? timeEdit(rows, at, fields) : undefined }],
  )
  return { dialect, kind, hasHeader: false, sources, width, mayHaveNoQty }
}

function timeEdit(rows: Rows, at: number, fields: readonly (Field | undefined)[]): Source['edit'] {
  const texts = column(rows, at)
  const hasDay = texts.every(
    (text) => /^\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d.*)?$/.test(text) && fields[at + 1] !== undefined,
  )
  if (areUnixTimes(texts) || hasDay) return undefined
  const form = dateForm(texts)
  if (typeof form !== 'function') return undefined
  const hasClock = fields[at + 1] === undefined && /^\d\d:?\d\d/.test(rows[0]?.[at + 1] ?? '') && fields[0] === 'time'
  if (!hasClock) return (text) => form(text) ?? text
  return (text, cells) => {
    const iso = form(text)
    const whole = `${iso ?? ''} ${cells[at + 1] ?? ''}`
    const moment = dateForm([whole])
    return (
      (iso !== undefined && typeof moment === 'function' ? moment(whole) : undefined) ??
      `${text} ${cells[at + 1] ?? ''}`
    )
  }
}
