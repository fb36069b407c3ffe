/**
 * Tables of a run's page, from its CSV files and its report.
 *
 * Invariant: a cell shows the full value of the file or the report.
 */
import { isoTime } from '../../domain/time.ts'
import { csvTable, type TableRow } from '../run/csv-table.ts'
import type { RunReport } from '../run/run-report.ts'
import { readableAmount, readableChange, readableDuration, readablePercent, readableSigned } from '../readable.ts'
import { type Decimals, moneyDecimals, priceDecimals, quoteDecimals } from './shown-decimals.ts'
import { NONE, ratioText } from './figure-forms.ts'
import type { PageColumn, PageRow, PageTable, Tone } from './page-data.ts'
import { numberOrNull } from './run-series.ts'

interface Column extends PageColumn {
  readonly cell: (row: TableRow) => string
  readonly order: (row: TableRow) => number | null
}

const text = (key: string, label: string, cell = (row: TableRow) => row(key)): Column => ({
  key,
  label,
  kind: 'text',
  definition: '',
  cell,
  order: () => null,
})

const number = (key: string, label: string, form: (text: string) => string = (value) => value): Column => ({
  key,
  label,
  kind: 'number',
  definition: '',
  cell: (row) => (row(key) === '' ? NONE : form(row(key))),
  order: (row) => numberOrNull(row(key)),
})

/** A fraction, sorted and drawn to a millionth: the digits of a double would take a third of a large page. */
const share = (key: string, label: string, form: (value: number) => string): Column => ({
  ...number(key, label, (value) => form(Number(value))),
  order: (row) => (row(key) === '' ? null : Number(Number(row(key)).toFixed(6))),
})

/** Accepts Unix milliseconds and ISO 8601. */
const time = (key: string, label: string): Column => ({
  key,
  label,
  kind: 'time',
  definition: '',
  cell: (row) => String(timeOf(row(key))),
  order: (row) => timeOf(row(key)),
})

const timeOf = (value: string): number => (/^\d+$/.test(value) ? Number(value) : Date.parse(value))

/** @param decimals  by market, of columns of prices and of amounts */
const plain =
  (decimals: Decimals) =>
  ({ key, label, kind, definition, isDuration }: Column): PageColumn => ({
    key,
    label,
    kind,
    definition,
    ...(PRICES.has(key) && { decimals }),
    ...(AMOUNTS.has(key) && { decimals: moneyDecimals(decimals) }),
    ...(isDuration === true && { isDuration }),
  })

const PRICES = new Set(['entry', 'exit', 'price', 'average_price'])
const AMOUNTS = new Set(['profit', 'fees', 'fee'])

const TRIP_COLUMNS: readonly Column[] = [
  time('opened_at', 'Opened'),
  text('symbol', 'Market'),
  text('side', 'Side', (row) => (row('side') === 'BUY' ? 'long' : 'short')),
  number('qty', 'Quantity'),
  number('entry', 'Entry'),
  number('exit', 'Exit'),
  number('profit', 'Profit', (value) => readableSigned(value, Infinity)),
  share('return', 'Return', readableChange),
  number('fees', 'Fees'),
  {
    ...number('closed_at', 'Duration'),
    isDuration: true,
    cell: (row) => readableDuration(timeOf(row('closed_at')) - timeOf(row('opened_at'))),
    order: (row) => timeOf(row('closed_at')) - timeOf(row('opened_at')),
  },
  {
    ...share('mae', 'MAE', readablePercent),
    definition: 'Maximum adverse excursion: the largest move against the position',
  },
  {
    ...share('mfe', 'MFE', readablePercent),
    definition: 'Maximum favourable excursion: the largest move in its favour',
  },
  number('fills', 'Fills'),
  text('tags', 'Tags'),
]

export const signTone = (value: string): Tone => {
  const sign = Math.sign(Number(value))
  return sign === 0 ? 'plain' : sign > 0 ? 'good' : 'bad'
}

/** @param csv  trades.csv @param decimals  of prices, by market */
export function tripTable(where: string, csv: string, decimals: Decimals): PageTable {
  const rows = Array.from(csvTable(where, csv), (row): PageRow => {
    const [symbol, from, to] = [row('symbol'), timeOf(row('opened_at')), timeOf(row('closed_at'))]
    return { ...cellsOf(TRIP_COLUMNS, row), at: { symbol, from, to }, tone: signTone(row('profit')) }
  })
  return { columns: TRIP_COLUMNS.map(plain(decimals)), rows }
}

const ORDER_COLUMNS: readonly Column[] = [
  time('created_at', 'Placed'),
  text('id', 'Order'),
  text('symbol', 'Market'),
  text('side', 'Side'),
  text('type', 'Type'),
  text('status', 'Status'),
  number('price', 'Price'),
  number('qty', 'Quantity'),
  number('filled_qty', 'Filled'),
  number('average_price', 'Average'),
  number('fee', 'Fee'),
  text('tag', 'Tag'),
  text('reason', 'Reason'),
]

/**
 * @param csv  orders.csv
 * @param decimals  of prices, by market
 * @param hasExplanation  whether an order has an explanation
 */
export function orderTable(
  where: string,
  csv: string,
  decimals: Decimals,
  hasExplanation: (key: string) => boolean,
): PageTable {
  const rows = Array.from(csvTable(where, csv), (row): PageRow => {
    const [key, from] = [row('id'), timeOf(row('created_at'))]
    return {
      ...cellsOf(ORDER_COLUMNS, row),
      at: { symbol: row('symbol'), from, to: from },
      ...(hasExplanation(key) && { explanation: key }),
      tone: row('status') === 'REFUSED' ? 'bad' : 'plain',
    }
  })
  return { columns: ORDER_COLUMNS.map(plain(decimals)), rows }
}

const cellsOf = (columns: readonly Column[], row: TableRow): Pick<PageRow, 'cells' | 'order'> => ({
  cells: columns.map(({ cell }) => cell(row)),
  order: columns.map(({ order }) => order(row)),
})

const NOTE_COLUMNS: readonly Column[] = [time('time', 'Time'), text('text', 'Note')]

/** @param csv  notes.csv @param symbol  market whose chart a click on a note opens */
export function noteTable(where: string, csv: string, symbol: string | undefined): PageTable {
  const rows = Array.from(csvTable(where, csv), (row): PageRow => {
    const from = timeOf(row('time'))
    const at = symbol === undefined ? {} : { at: { symbol, from, to: from } }
    return { ...cellsOf(NOTE_COLUMNS, row), ...at, tone: 'plain' }
  })
  return { columns: NOTE_COLUMNS.map(plain({})), rows }
}

type PlainColumn = readonly [label: string, kind: PageColumn['kind'], definition?: string, decimals?: Decimals]

/** Table of plain texts; numeric columns are sorted by the leading number of each cell. */
function tableOf(columns: readonly PlainColumn[], rows: readonly (readonly string[])[]): PageTable {
  return {
    columns: columns.map(([label, kind, definition = '', decimals]) => ({
      key: label,
      label,
      kind,
      definition,
      ...(decimals !== undefined && { decimals }),
    })),
    rows: rows.map((cells) => ({
      cells,
      order: cells.map((cell, index) => (columns[index]?.[1] === 'number' ? leadingNumber(cell) : null)),
      tone: 'plain',
    })),
  }
}

function leadingNumber(cell: string): number | null {
  const value = Number.parseFloat(cell.replaceAll(',', ''))
  return Number.isNaN(value) ? null : value
}

const MAX_DECIMALS = 8

const wholeAmount = (text: string): string => readableAmount(text, Infinity)

/** Amounts in another asset are whole lots. */
const quoteOnly = (report: RunReport): Decimals => ({ [report.quoteAsset]: quoteDecimals(report) ?? MAX_DECIMALS })

/** Final balances, then the open position in each market. */
export function holdingTable(report: RunReport): PageTable {
  const { balances, statistics } = report
  const held = Object.entries(balances).map(([asset, { available, locked }]) => [
    ...[asset, wholeAmount(available), wholeAmount(locked), NONE, NONE],
  ])
  const prices = priceDecimals(report)
  const positions: Record<string, number> = {}
  const open = statistics.openTrips.map(({ symbol, side, qty, entryPrice, unrealizedPnl, quoteAsset, openedAt }) => {
    const name = `${symbol}, ${side === 'BUY' ? 'long' : 'short'} since ${isoTime(openedAt)}`
    positions[name] = prices[symbol] ?? MAX_DECIMALS
    const pnl = unrealizedPnl === null ? 'no price' : `${readableSigned(unrealizedPnl, Infinity)} ${quoteAsset}`
    return [name, qty, NONE, entryPrice, pnl]
  })
  const columns = [
    ['Asset or position', 'text'],
    ['Available', 'number', '', quoteOnly(report)],
    ['Locked', 'number', 'Reserved by open orders', quoteOnly(report)],
    ['Entry', 'number', 'Average price of the fills that opened or increased it', positions],
    ['Unrealized', 'number', 'At the last recorded price, without exit fees', moneyDecimals(positions)],
  ] as const
  return tableOf(columns, [...held, ...open])
}

const MARKOUT = 'Average price move in your favour after the fills, in basis points'

/** One row per market and role. */
export function markoutTable({ fillQuality }: RunReport): PageTable {
  const rows = Object.entries(fillQuality).flatMap(([symbol, { maker, taker, shareOfVolume }]) => [
    roleCells(symbol, 'maker', maker, makerText(maker), shareOfVolume),
    roleCells(symbol, 'taker', taker, takerText(taker), shareOfVolume),
  ])
  const columns = [
    ['Market', 'text'],
    ['Role', 'text', 'A maker order was resting; a taker order traded against resting orders'],
    ['Fills', 'number'],
    ['Quantity', 'number'],
    ['1 s later', 'number', MARKOUT],
    ['5 s later', 'number', MARKOUT],
    ['60 s later', 'number', MARKOUT],
    ['Share of volume', 'number', 'Your quantity as a share of the recorded quantity'],
    ['Details', 'text'],
  ] as const
  return tableOf(columns, rows)
}

type MarketQuality = RunReport['fillQuality'][string]

const makerText = ({ byQueue, byThrough, byCrossing }: MarketQuality['maker']): string =>
  [`${byQueue} by queue`, `${byThrough} through`, ...(byCrossing === undefined ? [] : [`${byCrossing} crossing`])].join(
    ', ',
  )

const takerText = ({ onOldQuote, onOldBook = 0 }: MarketQuality['taker']): string =>
  [
    ...(onOldQuote === 0 ? [] : [`${onOldQuote} on a quote older than 5 s`]),
    ...(onOldBook === 0 ? [] : [`${onOldBook} on a book older than 1 s`]),
  ].join(', ')

function roleCells(
  symbol: string,
  role: string,
  { fills, qty, markoutBps }: MarketQuality['maker' | 'taker'],
  more: string,
  share: number,
): readonly string[] {
  const bps = (['1s', '5s', '60s'] as const).map((name) => {
    const value = markoutBps[name]
    return value === null ? NONE : `${ratioText(value)} bps`
  })
  return [symbol, role, String(fills), readableAmount(qty), ...bps, readablePercent(share), more]
}

/** One row per asset with fees, and the fee rates. */
export function feeTable(report: RunReport): PageTable {
  const { statistics, config, audit } = report
  const rows = Object.entries(audit.assets).map(([asset, line]) => [
    asset,
    wholeAmount(statistics.fees[asset] ?? '0'),
    wholeAmount(line.credited),
    wholeAmount(line.held),
    wholeAmount(line.difference),
  ])
  const columns = [
    ['Asset', 'text'],
    [`Fees (maker ${config.makerFeeBps} bps, taker ${config.takerFeeBps} bps)`, 'number', '', quoteOnly(report)],
    ['Credited', 'number', 'Paid into all accounts of the exchange: yours, and that of the market', quoteOnly(report)],
    ['Held', 'number', 'In all accounts at the end: what you lost is in that of the market', quoteOnly(report)],
    ['Difference', 'number', 'Credited minus held and fees; 0 if the accounting balances'],
  ] as const
  return tableOf(columns, rows)
}
