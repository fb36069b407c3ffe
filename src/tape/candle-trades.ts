/**
 * Candles as trades: what four trades could have made each of them.
 *
 * A candle becomes its open, then the nearer of high and low to the open (a tie: low), then the other, then its close: at its
 * opening, a third and two thirds of its length later, and in its last millisecond. Its volume is dealt in quarters of whole
 * lots, the remainder on the close; trades without quantity are left out. Neither side nor ids are known.
 *
 * Known limit: the four prices are real, the path between them is a guess.
 */
import { invariant } from '../domain/errors.ts'
import { SIDE_UNKNOWN, type CandleBlock, type TapeBlock } from './tape.ts'

/** The shortest candle whose four trades fall into four different milliseconds. */
export const SHORTEST_CANDLE_MS = 4

/** Trades being written; `length` is how many there are. */
interface Trades {
  length: number
  readonly time: Float64Array
  readonly price: Float64Array
  readonly qty: Float64Array
  readonly candleTime: Float64Array
}

/**
 * The trades of candles, oldest first; at most four a candle, none for one without volume.
 *
 * @param intervalMs  length of a candle, at least 4; no candle opens before the one before it has ended
 */
export function candleTrades(candles: CandleBlock, intervalMs: number): TapeBlock {
  invariant(intervalMs >= SHORTEST_CANDLE_MS, `a candle of ${intervalMs} ms has no room for its trades`)
  const capacity = candles.length * 4
  const column = (): Float64Array => new Float64Array(capacity)
  const trades: Trades = {
    length: 0,
    time: column(),
    price: column(),
    qty: column(),
    candleTime: column(),
  }
  for (let row = 0; row < candles.length; row += 1) deal(trades, candles, row, intervalMs)
  const side = new Uint8Array(capacity).fill(SIDE_UNKNOWN)
  return { ...trades, side, ids: undefined }
}

function deal(trades: Trades, candles: CandleBlock, row: number, intervalMs: number): void {
  const [opened, open, high, low, close, volume] = cells(candles, row)
  const quarter = Math.floor(volume / 4)
  const highFirst = high - open < open - low
  const push = (time: number, price: number, qty: number): void => {
    pushTrade(trades, opened, time, price, qty)
  }
  push(opened, open, quarter)
  push(opened + Math.floor(intervalMs / 3), highFirst ? high : low, quarter)
  push(opened + Math.floor((2 * intervalMs) / 3), highFirst ? low : high, quarter)
  push(opened + intervalMs - 1, close, volume - 3 * quarter)
}

function cells(candles: CandleBlock, row: number): readonly [number, number, number, number, number, number] {
  const { time, open, high, low, close, volume } = candles
  const cell = (column: Float64Array): number => {
    const value = column[row]
    invariant(value !== undefined, `candle ${row} is outside its block`)
    return value
  }
  return [cell(time), cell(open), cell(high), cell(low), cell(close), cell(volume)]
}

function pushTrade(trades: Trades, candleTime: number, time: number, price: number, qty: number): void {
  if (qty === 0) return
  trades.candleTime[trades.length] = candleTime
  trades.time[trades.length] = time
  trades.price[trades.length] = price
  trades.qty[trades.length] = qty
  trades.length += 1
}
