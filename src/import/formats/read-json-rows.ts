/** One pass over a JSON recording: detects the format from the first elements, then passes rows to the intake. */
import { InputError } from '../../domain/errors.ts'
import { escapedExcerpt } from '../../domain/escape-controls.ts'
import { setting, worded } from '../../domain/setting-name.ts'
import type { BadRows } from '../csv/bad-rows.ts'
import { type Field, FIELDS_OF } from '../csv/field.ts'
import { PLAIN_READING, type Reading } from '../csv/reading.ts'
import { type OnRow, RowIntake } from '../csv/row-intake.ts'
import type { RowSink } from '../csv/row-sink.ts'
import { isJsonArray, type JsonElement, jsonKind, jsonText, type JsonValue, textOf } from '../json/json-value.ts'
import { jsonElements } from '../json/json-elements.ts'
import type { TapeSource } from '../tape-source.ts'
import { areCandles, areUnixTimes, isInteger, isPositive, isSide, mostThatFit } from './cell-kinds.ts'
import { type JsonContent, type JsonDialect, type JsonRow, OBJECT_DIALECTS } from './json-rows.ts'
import { dialectName } from './recognise-csv.ts'
import { symbolOf, symbolOfFileName, wantedMarket } from './symbols.ts'

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
function arrayDialects(values: readonly JsonValue[]): readonly JsonDialect[] {
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

/** Number of elements for the detection. */
const SAMPLE = 400

export interface JsonPass {
  readonly intake: RowIntake
  /** Batches as from `readRows`. */
  readonly rows: AsyncGenerator<RowSink, void, undefined>
}

/** @throws {InputError} if no known format has such elements */
export async function readJsonRows(
  source: TapeSource,
  name: string,
  chunks: AsyncIterable<Buffer>,
  bad: BadRows | undefined,
  onRow: OnRow | undefined,
): Promise<JsonPass> {
  const { file } = source
  const elements = jsonElements(file, chunks)
  const sample: JsonElement[] = []
  for (let next = await elements.next(); next.done !== true; next = await elements.next()) {
    sample.push(next.value)
    if (sample.length === SAMPLE) break
  }
  const dialect = chosenDialect(source, sample)
  const contents = sample.map(({ value }) => dialect.read(value))
  const rows = contents.flatMap((each) => (each !== undefined && 'rows' in each ? each.rows : []))
  const fields = FIELDS_OF[dialect.kind].filter((field) => rows.every((row) => row[field] !== undefined))
  const reading = readingOf(source, dialect, name, fields, rows)
  const intake = new RowIntake(source, reading, bad, onRow)
  return { intake, rows: read({ file, dialect, fields, intake, bad }, sample, elements) }
}

interface Pass {
  readonly file: string
  readonly dialect: JsonDialect
  readonly fields: readonly Field[]
  readonly intake: RowIntake
  readonly bad: BadRows | undefined
}

async function* read(
  pass: Pass,
  sample: readonly JsonElement[],
  rest: AsyncGenerator<JsonElement, void, undefined>,
): AsyncGenerator<RowSink, void, undefined> {
  const { intake } = pass
  try {
    for (const element of sample) yield* take(pass, element)
    for await (const element of rest) yield* take(pass, element)
  } finally {
    await rest.return()
  }
  intake.end()
  if (intake.sink !== undefined) yield intake.sink
}

function* take(
  { file, dialect, fields, intake, bad }: Pass,
  element: JsonElement,
): Generator<RowSink, void, undefined> {
  const { line, column } = element
  const content: JsonContent = dialect.read(element.value)
  if (content === undefined) {
    const fault = new InputError(
      `${file}:${line}:${column}`,
      `expected ${dialect.dialect}, got ${jsonKind(element.value)} of another form`,
    )
    if (bad === undefined) throw fault
    bad.add(fault, line, jsonText(element.value))
    return
  }
  if ('leftOut' in content) {
    intake.leaveOut(content.leftOut)
    return
  }
  for (const row of content.rows) {
    if (intake.sink?.isFull === true) yield intake.sink
    const cells = fields.map((field) => row[field] ?? '')
    intake.add(cells, line, undefined)
  }
}

function chosenDialect(source: TapeSource, sample: readonly JsonElement[]): JsonDialect {
  const { file, dialect: asked = 'auto' } = source
  const values = sample.map(({ value }) => value)
  const all = [...objectDialects(values), ...arrayDialects(values)]
  const fitting = asked === 'auto' ? all : all.filter(({ dialect }) => dialectName(dialect) === asked)
  const [only, other] = fitting
  const [first] = sample
  const place = first === undefined ? file : `${file}:${first.line}:${first.column}`
  if (only === undefined) {
    const found = first === undefined ? 'a list without elements' : `${jsonKind(first.value)}: ${reported(first.value)}`
    throw new InputError(place, `unknown JSON format: expected trades or candles, got ${found}`)
  }
  if (other === undefined) return only
  const names = fitting.map(({ dialect }) => dialectName(dialect)).join(' or ')
  throw new InputError(place, `the elements may be ${names}`, { hint: worded`: choose one with ${setting('dialect')}` })
}

/** The first format that knows nearly all elements; streams also contain other messages. */
function objectDialects(values: readonly JsonValue[]): readonly JsonDialect[] {
  const found = OBJECT_DIALECTS.find(({ read: readValue }) => {
    const contents = values.map((value) => readValue(value))
    const known = contents.filter((content) => content !== undefined)
    return known.length * 10 >= values.length * 9 && known.some((content) => 'rows' in content)
  })
  return found === undefined ? [] : [found]
}

const SHOWN = 80

function reported(value: JsonValue): string {
  const text = jsonText(value)
  return escapedExcerpt(text.length > SHOWN ? `${text.slice(0, SHOWN)}...` : text)
}

function readingOf(
  source: TapeSource,
  { dialect, kind, isAnyOrder = false }: JsonDialect,
  name: string,
  fields: readonly Field[],
  rows: readonly JsonRow[],
): Reading {
  const isFalling = rows.some((row, at) => at > 0 && Number(row.time) < Number(rows[at - 1]?.time))
  const symbols = [...new Set(rows.map(({ symbol }) => symbol ?? ''))]
  return {
    ...PLAIN_READING,
    dialect,
    plan: { kind, fields, hasHeader: false, declaresMilliseconds: false, ignored: [] },
    width: fields.length,
    // JSON cannot be read by the line scanner.
    rewrite: (cells) => cells,
    isAnyOrder: source.sort === true || (isAnyOrder && isFalling) || (isAnyOrder && dialectIsUnsure(rows)),
    symbol: symbolOfFileName(name),
    spelling: symbolOf,
    isSymbol: wantedMarket(source, symbols),
  }
}

/** Dates as text may be in any order. */
const dialectIsUnsure = (rows: readonly JsonRow[]): boolean => rows.some(({ time }) => Number.isNaN(Number(time)))
