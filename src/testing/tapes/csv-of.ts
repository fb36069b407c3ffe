/** Rows of a test as the text of a CSV file, which a backtest reads as the same tape. */
import type { TapeRows } from './tape-rows.ts'

/** Header and rows, each with a line end. The side of a trade is empty if undefined. */
export function csvOf(rows: TapeRows): string {
  const lines =
    rows.kind === 'candles'
      ? rows.candles.map(({ time, open, high, low, close, volume = '1' }) => [time, open, high, low, close, volume])
      : rows.trades.map(({ time, price, qty = '1', side }) => [
          time,
          price,
          qty,
          ...(hasSides(rows) ? [side ?? ''] : []),
        ])
  return [headerOf(rows), ...lines].map((cells) => `${cells.join(',')}\n`).join('')
}

const hasSides = (rows: TapeRows & { kind: 'trades' }): boolean => rows.trades.some(({ side }) => side !== undefined)

const headerOf = (rows: TapeRows): readonly string[] =>
  rows.kind === 'candles'
    ? ['time', 'open', 'high', 'low', 'close', 'volume']
    : ['time', 'price', 'qty', ...(hasSides(rows) ? ['side'] : [])]
