/** Days of a Binance market, as its archive has them, and as they are stored. */
import { TapeDatabase } from '../../../../src/store/tapes/database/tape-database.ts'
import { isCandleBlock } from '../../../../src/tape/tape.ts'
import { publish, type TestArchive } from './archive-server.ts'

const DAY_MS = 86_400_000
export const START = Date.UTC(2024, 11, 30)
const ROWS = 400
export const TRADES = 'aggTrades/BTCUSDT'

export const dateOf = (day: number): string =>
  new Date(START + day * DAY_MS).toISOString().slice(0, '2024-12-30'.length)

/** A day of trades; since 2025 in microseconds. */
export function tradesOf(day: number): string {
  const rows = Array.from({ length: ROWS }, (_, row) => {
    const [id, time] = [1 + day * ROWS + row, START + day * DAY_MS + row * 200_000]
    const cells = [id, '42000.10000000', '0.00100000', id * 2, id * 2 + 1, time * (day < 2 ? 1 : 1000), 'True', 'True']
    return cells.join(',')
  })
  return `${rows.join('\n')}\n`
}

/** A day of hours. @param hasHour  whether the archive has a candle */
export function candlesOf(day: number, hasHour: (hour: number) => boolean = () => true): string {
  const unit = day < 2 ? 1 : 1000
  const hours = Array.from({ length: 24 }, (_, hour) => hour).filter(hasHour)
  const rows = hours.map((hour) => {
    const time = START + day * DAY_MS + hour * 3_600_000
    return `${time * unit},10.0,12.0,9.0,11.0,5.5,${(time + 3_599_999) * unit},60.5,3,1.0,11.0,0`
  })
  return `${rows.join('\n')}\n`
}

export function publishTradesOf(archive: TestArchive, days: readonly number[]): void {
  for (const day of days) publish(archive, TRADES, `BTCUSDT-aggTrades-${dateOf(day)}`, tradesOf(day))
}

export const idsOf = (...days: readonly number[]): readonly number[] =>
  days.flatMap((day) => Array.from({ length: ROWS }, (_, row) => 1 + day * ROWS + row))

export interface StoredTrades {
  readonly ids: readonly number[]
  /** In days since the start. */
  readonly gaps: readonly (readonly number[])[]
  /** False if gaps are found by ids. */
  readonly isMarked: boolean
}

/** The only tape of a database. */
export function storedTrades(db: string): StoredTrades {
  const database = TapeDatabase.read(db)
  try {
    const [market] = database.markets()
    const ids = (market?.entries ?? []).flatMap((_, index) => {
      const { block } = market?.read(index) ?? {}
      return block === undefined || isCandleBlock(block) ? [] : [...(block.ids ?? [])].map(Number)
    })
    const gaps = (market?.gaps ?? []).map(({ from, to }) => [(from - START) / DAY_MS, (to - START) / DAY_MS])
    return { ids, gaps, isMarked: market?.gaps !== undefined }
  } finally {
    database.close()
  }
}
