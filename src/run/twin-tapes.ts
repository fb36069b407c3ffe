/** The market data that a session received, as tapes for its twin. */
import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { InputError } from '../domain/errors.ts'
import type { SeriesRow } from '../domain/series-row.ts'
import type { ReceivedTrade } from '../report/twin/twin-prices.ts'
import { recordingName, RECORDING_HEADER, rowText } from '../store/recordings/recording.ts'
import { receivedRows } from '../store/runs/received-file.ts'
import { GAP_HEADER, gapFileOf, gapLine } from '../store/tapes/gap-file.ts'
import type { TapeSource } from '../import/tape-source.ts'

interface ReceivedGap {
  readonly symbol: string
  /** Unix milliseconds by the clock of the session. */
  readonly arrivedAt: number
}

/** A row of a series as it was delivered. */
export interface ReceivedRowOfSeries {
  /** Name of the series. */
  readonly name: string
  /** Unix milliseconds by the clock of the session; undefined for the latest row from before its start. */
  readonly arrivedAt: number | undefined
  readonly row: SeriesRow
  /** Whether an earlier session had it. */
  readonly isSeen: boolean
}

export interface Received {
  /** Ordered by their arrival, those from before the start first. */
  readonly trades: readonly ReceivedTrade[]
  readonly gaps: readonly ReceivedGap[]
  /** Ordered by their delivery. */
  readonly series: readonly ReceivedRowOfSeries[]
  /** Unix milliseconds at which the strategies started, by the clock of the session. */
  readonly startedAt: number | undefined
}

/** @param bytes  number of bytes to read of a session that still runs. @throws {InputError} for an invalid line */
export function readReceived(path: string, bytes?: number): Received {
  const trades: ReceivedTrade[] = []
  const gaps: ReceivedGap[] = []
  const series: ReceivedRowOfSeries[] = []
  let seriesAt: number | undefined
  let lastAt = 0
  /** Not before what has arrived already, which may have been moved on. */
  const moved = (arrivedAt: number): number => (lastAt = Math.max(lastAt, arrivedAt))
  let startedAt: number | undefined
  // Millions of trades have few symbols and prices.
  const texts = new Map<string, string>()
  const shared = (text: string): string => {
    const known = texts.get(text)
    if (known === undefined) texts.set(text, text)
    return known ?? text
  }
  for (const { arrivedAt, symbol, createdAt, trade, cells, isSeen = false, isStart } of receivedRows(path, bytes)) {
    if (isStart === true) startedAt = arrivedAt
    else if (trade !== undefined) {
      // Moved on: the trades of a millisecond come before the rows of series in a backtest.
      const at = arrivedAt && moved(moved(arrivedAt) === seriesAt ? seriesAt + 1 : arrivedAt)
      trades.push({ symbol: shared(symbol), arrivedAt: at, createdAt, ...trade, price: shared(trade.price) })
    } else if (cells !== undefined) {
      const row = Object.freeze({ ...cells, timestamp: createdAt }) as SeriesRow
      seriesAt = arrivedAt && moved(arrivedAt)
      series.push({ name: symbol, arrivedAt: seriesAt, row, isSeen })
    } else if (arrivedAt !== undefined) gaps.push({ symbol, arrivedAt: moved(arrivedAt) })
  }
  return { trades, gaps, series, startedAt }
}

interface ArrivedTrade extends ReceivedTrade {
  readonly arrivedAt: number
}

/** Rows that are written to a tape at a time. */
const WRITTEN_ROWS = 10_000

interface Precisions {
  readonly symbol: string
  readonly pricePrecision: number
  readonly qtyPrecision: number
}

export interface TwinTapeParts {
  readonly received: Received
  readonly markets: readonly Precisions[]
  /** Trades that the session took itself: its twin takes its own. */
  readonly isOwn: (trade: ReceivedTrade) => boolean
  /** File of the received data, for errors. */
  readonly path: string
}

/** Writes a tape for each market with trades, which has the times of their arrival. @throws {InputError} without any */
export function writeTwinTapes(folder: string, { received, markets, isOwn, path }: TwinTapeParts): TapeSource[] {
  const sources = markets.flatMap(({ symbol, ...precisions }) => {
    const arrived = received.trades.filter(
      (trade): trade is ArrivedTrade => trade.symbol === symbol && trade.arrivedAt !== undefined && !isOwn(trade),
    )
    const [first] = arrived
    if (first === undefined) return []
    const isAscending = arrived.every(({ id }, index) => isNext(id, arrived[index - 1]?.id))
    const file = join(folder, recordingName(symbol))
    writeFileSync(file, `${RECORDING_HEADER}\n`)
    for (let start = 0; start < arrived.length; start += WRITTEN_ROWS) {
      const lines = arrived.slice(start, start + WRITTEN_ROWS).map((row, index) => {
        const id = isAscending ? row.id : String(start + index + 1)
        return rowText(path, { ...row, createdAt: row.arrivedAt, id }, symbol)
      })
      appendFileSync(file, lines.join(''))
    }
    writeFileSync(
      gapFileOf(file),
      gapText(
        received.gaps.filter((gap) => gap.symbol === symbol),
        first.arrivedAt,
      ),
    )
    return [{ file, symbol, ...precisions }]
  })
  if (sources.length === 0) throw new InputError(path, 'has no trade that arrived, so nothing can be repeated')
  return sources
}

/** Ids of a tape are integers that increase, or any texts. */
const isNext = (id: string, before: string | undefined): boolean =>
  /^\d{1,15}$/.test(id) && (before === undefined || Number(id) > Number(before))

/** Each counts before the first trade at or after its arrival. */
function gapText(gaps: readonly ReceivedGap[], start: number): string {
  let from = start
  const lines = gaps.map(({ arrivedAt }) => {
    const line = arrivedAt > from ? gapLine({ from, to: arrivedAt, why: 'found out then' }) : ''
    from = Math.max(from, arrivedAt)
    return line
  })
  return `${GAP_HEADER}\n${lines.join('')}`
}
