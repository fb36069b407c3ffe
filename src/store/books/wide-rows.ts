/**
 * Rows with the best levels of both sides, recognised by header: snapshots of Tardis, `mbp-10` and `mbp-1` of
 * Databento, exports of ten or twenty levels. A row of one level is a quote, a row of more a snapshot with that reach.
 *
 * Trades among the rows of Databento are emitted too.
 */
import { SIDE_BUY, SIDE_SELL, SIDE_UNKNOWN } from '../../tape/tape.ts'
import type { BookEvent, LevelText } from './book-event.ts'
import type { CsvBookFormat } from './book-format.ts'
import type { BookTally } from './book-tally.ts'
import { whereOf, type CsvRow } from './csv-book-rows.ts'
import { type CsvColumns, levelIfAny } from './csv-columns.ts'
import { NanoPrices } from './nano-prices.ts'
import type { OneMarket } from './one-market.ts'

const TIMES = ['ts_event', 'timestamp', 'time', 'transaction_time', 'exchange_time', 'ts', 'local_timestamp', 'ts_recv']
const AGGRESSORS: Readonly<Record<string, number>> = { B: SIDE_BUY, A: SIDE_SELL }

/** Columns of a level, from 0. */
interface LevelColumns {
  readonly price: number
  readonly qty: number
}

interface WideLevels {
  /** Best first; as many as the header has of that side. */
  readonly bids: readonly LevelColumns[]
  readonly asks: readonly LevelColumns[]
}

/** Side, level number and property, the last two in either order. */
const NUMBERED = /^(bid|ask)s?[_.[]?(?:(\d+)[\]_.]*([a-z]+)|([a-z]+)[_.[]?(\d+)\]?)$/
const PRICES = new Set(['price', 'px', 'p'])
const QUANTITIES = new Set(['qty', 'size', 'sz', 'amount', 'quantity', 'volume', 'vol', 'q', 'v'])

/** Undefined unless the header has a price and a quantity for each level of both sides. */
function wideLevels({ names }: CsvColumns): WideLevels | undefined {
  const prices = new Map<string, number>()
  const quantities = new Map<string, number>()
  for (const [column, name] of names.entries()) {
    const [, side = '', before, wordAfter, word = wordAfter ?? '', after] = NUMBERED.exec(name) ?? []
    const key = `${side}${Number(before ?? after)}`
    if (PRICES.has(word)) prices.set(key, column)
    else if (QUANTITIES.has(word)) quantities.set(key, column)
  }
  const side = (of: string): readonly LevelColumns[] => {
    const levels: LevelColumns[] = []
    // Some count from 0, some from 1.
    for (let at = prices.has(`${of}0`) ? 0 : 1; prices.has(`${of}${at}`); at += 1) {
      const [price, qty] = [prices.get(`${of}${at}`), quantities.get(`${of}${at}`)]
      if (price !== undefined && qty !== undefined) levels.push({ price, qty })
    }
    return levels
  }
  const [bids, asks] = [side('bid'), side('ask')]
  const isWhole = bids.length + asks.length === prices.size && bids.length > 0 && asks.length > 0
  return isWhole ? { bids, asks } : undefined
}

export class WideRows implements CsvBookFormat {
  readonly #columns: CsvColumns
  readonly #market: OneMarket
  readonly #tally: BookTally
  readonly #levels: WideLevels
  readonly #time: number
  readonly #nano: NanoPrices
  #last = ''

  /** Undefined for a header without levels, or without time. */
  static of(columns: CsvColumns, tally: BookTally, market: OneMarket): WideRows | undefined {
    const levels = wideLevels(columns)
    const time = TIMES.find((name) => columns.has(name))
    return levels === undefined || time === undefined ? undefined : new WideRows(columns, tally, market, levels, time)
  }

  private constructor(columns: CsvColumns, tally: BookTally, market: OneMarket, levels: WideLevels, time: string) {
    this.#columns = columns
    this.#market = market
    this.#tally = tally
    // Databento has one row per market action.
    if (columns.has('ts_event', 'action')) tally.reportsEachChange = true
    this.#levels = levels
    this.#time = columns.at(time)
    this.#nano = new NanoPrices(columns.has('ts_event'))
  }

  *read(row: CsvRow): Generator<BookEvent, void, undefined> {
    const { cells } = row
    if (this.#columns.has('symbol') && !this.#market.has(cells[this.#columns.at('symbol')] ?? '', whereOf(row))) return
    const reported = { where: whereOf(row), time: this.#columns.time(row, this.#time) }
    if (this.#isTrade(row)) yield this.#trade(row, reported)
    const bids = this.#side(row, this.#levels.bids)
    const asks = this.#side(row, this.#levels.asks)
    const levels = `${bids.join(' ')}|${asks.join(' ')}`
    if (levels === this.#last) {
      this.#tally.count('rows with unchanged levels')
      return
    }
    this.#last = levels
    if (this.#levels.bids.length === 1) yield { ...reported, kind: 'quotes', bid: bids[0], ask: asks[0] }
    else yield { ...reported, kind: 'depth', isSnapshot: true, hasGap: false, bids, asks }
  }

  *end(): Generator<BookEvent, void, undefined> {
    // No events are buffered.
  }

  #side(row: CsvRow, levels: readonly LevelColumns[]): readonly LevelText[] {
    return levels.flatMap(({ price, qty }): readonly LevelText[] => {
      const level = levelIfAny(row, price, qty)
      return level === undefined ? [] : [[this.#nano.of(level[0]), level[1]]]
    })
  }

  #isTrade({ cells }: CsvRow): boolean {
    const columns = this.#columns
    return columns.has('ts_event', 'action', 'side', 'price', 'size') && cells[columns.at('action')] === 'T'
  }

  #trade({ cells }: CsvRow, reported: { readonly where: string; readonly time: number }): BookEvent {
    const cell = (name: string): string => cells[this.#columns.at(name)] ?? ''
    const side = AGGRESSORS[cell('side')] ?? SIDE_UNKNOWN
    return { ...reported, kind: 'trades', price: this.#nano.of(cell('price')), qty: cell('size'), side }
  }
}
