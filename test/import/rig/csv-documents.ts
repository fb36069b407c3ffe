/**
 * Random CSV files of trades in random dialects, whole or with faults, together with what they say.
 */
import fc from 'fast-check'
import { SIDE_BUY, SIDE_SELL, SIDE_UNKNOWN } from '../../../src/tape/tape.ts'

/** What a row says, before it is written in some dialect. */
export interface Row {
  /** Unix milliseconds, and nanoseconds behind them that only fine dialects write. */
  readonly timeMs: number
  readonly nanos: number
  /** Units of 10^-priceDecimals and 10^-qtyDecimals of the document. */
  readonly price: number
  readonly qty: number
  readonly isSell: boolean
  /** Which of the conditions and of the exchanges. */
  readonly condition: number
  readonly exchange: number
}

export interface CsvDocument {
  readonly bytes: Uint8Array
  readonly dialect: Dialect
  readonly rows: readonly Row[]
  readonly faults: readonly Fault[]
}

export interface Dialect {
  readonly priceDecimals: number
  readonly qtyDecimals: number
  readonly time: 's' | 'ms' | 'declared-ms' | 'us' | 'ns' | 'iso' | 'iso-space' | 'iso-zone'
  readonly side: 'none' | 'word' | 'letter' | 'maker-word' | 'maker-digit'
  readonly id: 'none' | 'number' | 'integer' | 'text'
  readonly hasSymbol: boolean
  readonly conditions: 'none' | 'letters' | 'bits'
  readonly hasExchange: boolean
  /** Columns that are not used, with what they hold. */
  readonly extras: readonly string[]
  /** Decides the order of the columns. */
  readonly order: number
  readonly upperCase: boolean
  /** Zeros behind the last decimal. */
  readonly padding: number
  readonly exponents: 'never' | 'sometimes'
  readonly quoting: 'none' | 'words' | 'sometimes' | 'all'
  readonly lineEnd: '\n' | '\r\n' | 'mixed'
  readonly hasMark: boolean
  /** What follows the last row. */
  readonly ending: string
}

/** A change of one row, at a place that is taken modulo what there is. */
export interface Fault {
  readonly row: number
  readonly column: number
  readonly kind: 'replace' | 'drop-cell' | 'add-cell' | 'repeat-row' | 'swap-rows' | 'blank-line' | 'lone-return'
  readonly text: Uint8Array | string
}

/** Cells that are wrong in most columns, and some that are only unusual. */
export const ODD_CELLS: readonly (string | Uint8Array)[] = [
  ...['', ' ', '.5', '1.', '-1', '+1', 'NaN', '0x10', '\uff11\uff12', '0', '0.000', '000', '007', '1e5', '3.844E-5'],
  ...['1e-13', '1E+20', '9007199254740991', '9007199254740992', '123456789012345678901234567890', '1.0000000000001'],
  ...['0.123456789012', 'buy', 'SELL', 'True', '1', 'abc', 'BTC_USD', '2024-02-30', '2024-08-09', '20240809', '\u0011'],
  ...['a"b', '"a""b"', '"12"', '"x\ny"', '"x\r\n1"', '"open', '"1"2', '""', '\u0000', '\t1', '1\t', '1 ', 'é'],
  ...[
    Uint8Array.of(0xff),
    Uint8Array.of(0x31, 0xc3),
    '1723161255342',
    '1723161255',
    '1723161255342123456',
    '8640000000000001',
  ],
]

const dialects = fc.record<Dialect>({
  priceDecimals: fc.integer({ min: 0, max: 8 }),
  qtyDecimals: fc.integer({ min: 0, max: 8 }),
  time: fc.constantFrom(
    's',
    'ms',
    'ms',
    'declared-ms',
    'declared-ms',
    'us',
    'us',
    'ns',
    'ns',
    'iso',
    'iso-space',
    'iso-zone',
  ),
  side: fc.constantFrom('none', 'word', 'letter', 'maker-word', 'maker-digit'),
  id: fc.constantFrom('none', 'number', 'number', 'number', 'number', 'integer', 'text'),
  hasSymbol: fc.boolean(),
  conditions: fc.constantFrom('none', 'none', 'letters', 'bits'),
  hasExchange: fc.boolean(),
  extras: fc.array(fc.constantFrom('', 'x', '12.5', '-', 'two words', '~', 'é', 'a,b', 'a"b', 'a\nb'), {
    maxLength: 1,
  }),
  order: fc.nat(),
  upperCase: fc.boolean(),
  padding: fc.constantFrom(0, 0, 3, 8),
  exponents: fc.constantFrom('never', 'never', 'sometimes'),
  quoting: fc.constantFrom('none', 'none', 'none', 'sometimes', 'sometimes', 'words', 'all'),
  lineEnd: fc.constantFrom('\n', '\r\n', 'mixed'),
  hasMark: fc.boolean(),
  ending: fc.constantFrom('\n', '', '\r\n', '\n\n\n', '\r\n\r\n'),
})

const rowSteps = fc.array(
  fc.record({
    stepMs: fc.constantFrom(0, 0, 1, 7, 1000),
    nanos: fc.constantFrom(0, 0, 1, 999_999, 500_000),
    price: fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 9_999_999_999 })),
    qty: fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 99_999_999 })),
    isSell: fc.boolean(),
    condition: fc.nat({ max: 5 }),
    exchange: fc.nat({ max: 3 }),
  }),
  { minLength: 1, maxLength: 12 },
)

const faults = fc.array(
  fc.record<Fault>({
    // Mostly late rows, so that some were taken before.
    row: fc.oneof(fc.nat({ max: 12 }), fc.constant(11)),
    column: fc.nat({ max: 9 }),
    kind: fc.oneof(
      { arbitrary: fc.constant<Fault['kind']>('replace'), weight: 6 },
      {
        arbitrary: fc.constantFrom<Fault['kind'][]>(
          'drop-cell',
          'add-cell',
          'repeat-row',
          'swap-rows',
          'blank-line',
          'lone-return',
        ),
        weight: 3,
      },
    ),
    text: fc.constantFrom(...ODD_CELLS),
  }),
  { minLength: 0, maxLength: 2 },
)

/** Files that every reader must take, with what they say. */
export const soundDocuments = (): fc.Arbitrary<CsvDocument> => documents(fc.constant([]))

/** Files with a fault or two; some are only unusual. */
export const faultyDocuments = (): fc.Arbitrary<CsvDocument> => documents(faults)

const documents = (faultsOf: fc.Arbitrary<Fault[]>): fc.Arbitrary<CsvDocument> =>
  fc.record({ dialect: dialects, steps: rowSteps, faults: faultsOf }).map(({ dialect, steps, faults: changes }) => {
    let timeMs = 1_723_161_255_000
    const rows = steps.map(({ stepMs, ...row }) => {
      timeMs += dialect.time === 's' ? stepMs * 1000 : stepMs
      return { timeMs, ...row }
    })
    return { bytes: write(dialect, rows, changes), dialect, rows, faults: changes }
  })

const HEADERS = { time: 'timestamp', price: 'price', qty: 'amount', symbol: 'symbol', id: 'id' } as const

/** A column: its header and its cells. */
interface Column {
  readonly header: string
  readonly cell: (row: Row, index: number) => string
  /** A word rather than a number. */
  readonly isWord: boolean
}

function columnsOf(dialect: Dialect): readonly Column[] {
  const columns: Column[] = [
    {
      header: dialect.time === 'declared-ms' ? 'time_ms' : HEADERS.time,
      cell: (row) => timeText(dialect, row),
      isWord: dialect.time.startsWith('iso'),
    },
    {
      header: HEADERS.price,
      cell: (row, index) => decimalText(row.price, dialect.priceDecimals, dialect, index),
      isWord: false,
    },
    {
      header: HEADERS.qty,
      cell: (row, index) => decimalText(row.qty, dialect.qtyDecimals, dialect, index + 1),
      isWord: false,
    },
  ]
  if (dialect.hasSymbol) columns.push({ header: HEADERS.symbol, cell: () => 'BTC-USD', isWord: true })
  if (dialect.id !== 'none')
    columns.push({ header: HEADERS.id, cell: (_, index) => idText(dialect, index), isWord: true })
  if (dialect.side !== 'none') columns.push(sideColumn(dialect))
  if (dialect.conditions !== 'none')
    columns.push({ header: 'sale_condition', cell: (row) => conditionsOf(dialect, row)[0], isWord: true })
  if (dialect.hasExchange) columns.push({ header: 'exchange', cell: (row) => exchangeOf(row)[0], isWord: true })
  for (const [index, text] of dialect.extras.entries()) {
    // What has to be quoted comes late, so that rows are scanned before.
    const isPlain = !/[",\n]/.test(text)
    columns.push({ header: `extra${index}`, cell: (_, row) => (isPlain || row % 4 === 3 ? text : 'x'), isWord: true })
  }
  const turn = dialect.order % columns.length
  const turned = [...columns.slice(turn), ...columns.slice(0, turn)]
  return dialect.order % 2 === 0 ? turned : turned.reverse()
}

const sideColumn = (dialect: Dialect): Column => ({
  header: dialect.side.startsWith('maker') ? 'isBuyerMaker' : 'side',
  cell: ({ isSell }) => {
    const words = {
      word: ['buy', 'sell'],
      letter: ['b', 's'],
      'maker-word': ['false', 'true'],
      'maker-digit': ['0', '1'],
    }
    const [buy = '', sell = ''] = dialect.side === 'none' ? [] : words[dialect.side]
    const text = isSell ? sell : buy
    return dialect.upperCase ? text.toUpperCase() : text
  },
  isWord: true,
})

function timeText({ time }: Dialect, { timeMs, nanos }: Row): string {
  const iso = new Date(timeMs).toISOString()
  switch (time) {
    case 's':
      return String(timeMs / 1000)
    case 'ms':
    case 'declared-ms':
      return String(timeMs)
    case 'us':
      return `${timeMs}${String(nanos).padStart(6, '0').slice(0, 3)}`
    case 'ns':
      return `${timeMs}${String(nanos).padStart(6, '0')}`
    case 'iso':
      return iso.replace('Z', `${String(nanos).padStart(6, '0')}Z`)
    case 'iso-space':
      return iso.replace('T', ' ').replace('Z', '')
    case 'iso-zone':
      return new Date(timeMs + 5.5 * 3_600_000).toISOString().replace('Z', '+05:30')
  }
}

/** True when the time that is written is finer than a millisecond. */
export function isFiner({ time }: Dialect, { nanos }: Row): boolean {
  if (time === 'us') return nanos >= 1000
  return (time === 'ns' || time === 'iso') && nanos > 0
}

function decimalText(units: number, decimals: number, { padding, exponents }: Dialect, index: number): string {
  if (exponents === 'sometimes' && index % 3 === 0) return `${units}E-${decimals}`
  const digits = String(units).padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals) + '0'.repeat(padding)
  return fraction === '' ? whole : `${whole}.${fraction}`
}

function idText({ id }: Dialect, index: number): string {
  if (id === 'number') return String(3_735_683_259 + 2 * index)
  return id === 'integer' ? `98765432109876543${210 + index}` : `a-${(index * 7) % 13}`
}

/** A cell, and whether it makes its row doubtful. */
type Doubt = readonly [cell: string, isDoubtful: boolean]

const CONDITIONS: Readonly<Record<Dialect['conditions'], readonly Doubt[]>> = {
  none: [],
  letters: [
    ['', false],
    ['@', false],
    ['@ TI', true],
    ['F', false],
    [' F X', false],
    ['4', true],
  ],
  bits: [
    ['', false],
    ['1', false],
    ['80000001', true],
    ['41', false],
    ['a0000020', true],
    ['20000021', false],
  ],
}
const EXCHANGES: readonly Doubt[] = [
  ['P', false],
  ['D', true],
  ['Finra', true],
  ['bitmex', false],
]

const conditionsOf = ({ conditions }: Dialect, { condition }: Row): Doubt =>
  CONDITIONS[conditions][condition] ?? ['', false]
const exchangeOf = ({ exchange }: Row): Doubt => EXCHANGES[exchange] ?? ['', false]

/** What the doubts of the document are read as; undefined when nothing reports of any. */
export function doubtsOf({ dialect, rows }: CsvDocument): number[] | undefined {
  if (dialect.conditions === 'none' && !dialect.hasExchange) return undefined
  return rows.map((row) => (conditionsOf(dialect, row)[1] || (dialect.hasExchange && exchangeOf(row)[1]) ? 1 : 0))
}

/** What the sides and ids of the document are read as. */
export const sidesOf = ({ dialect, rows }: CsvDocument): number[] =>
  rows.map(({ isSell }) => (dialect.side === 'none' ? SIDE_UNKNOWN : isSell ? SIDE_SELL : SIDE_BUY))

export function idsOf({ dialect, rows }: CsvDocument): (number | string)[] | undefined {
  if (dialect.id === 'none') return undefined
  return rows.map((_, index) => (dialect.id === 'number' ? Number(idText(dialect, index)) : idText(dialect, index)))
}

type Cell = string | Uint8Array

function write(dialect: Dialect, rows: readonly Row[], changes: readonly Fault[]): Uint8Array {
  const columns = columnsOf(dialect)
  const header: Cell[] = columns.map((column) => quoted(column.header, dialect.quoting === 'all'))
  const lines: Cell[][] = rows.map((row, index) =>
    columns.map((column) => quoted(column.cell(row, index), isQuoted(dialect, column, index))),
  )
  for (const change of changes) apply(change, lines)
  const parts: Uint8Array[] = dialect.hasMark ? [Uint8Array.of(0xef, 0xbb, 0xbf)] : []
  for (const [index, cells] of [header, ...lines].entries()) {
    for (const [position, cell] of cells.entries())
      parts.push(Buffer.from(position === 0 ? '' : ','), Buffer.from(cell))
    const end = dialect.lineEnd === 'mixed' ? (index % 2 === 0 ? '\n' : '\r\n') : dialect.lineEnd
    parts.push(Buffer.from(index === lines.length ? dialect.ending : end))
  }
  return Buffer.concat(parts)
}

function isQuoted({ quoting }: Dialect, column: Column, index: number): boolean {
  if (quoting === 'sometimes') return index % 3 === 2
  return quoting === 'all' || (quoting === 'words' && column.isWord)
}

/** Quotes what must be quoted whatever the dialect. */
const quoted = (text: string, isQuoted: boolean): string =>
  isQuoted || /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text

function apply({ row, column, kind, text }: Fault, lines: Cell[][]): void {
  const index = row % lines.length
  const line = lines[index] ?? []
  const position = column % Math.max(1, line.length)
  switch (kind) {
    case 'replace':
      line[position] = text
      break
    case 'drop-cell':
      line.splice(position, 1)
      break
    case 'add-cell':
      line.splice(position, 0, text)
      break
    case 'repeat-row':
      lines.splice(index, 0, [...line])
      break
    case 'swap-rows':
      lines.reverse()
      break
    case 'blank-line':
      lines.splice(index, 0, [''])
      break
    case 'lone-return':
      line[position] = `${Buffer.from(line[position] ?? '').toString()}\r`
      break
  }
}
