/** The rows of a tape as CSV with the column names of the specification, all figures unchanged. */
import { InputError } from '../../../domain/errors.ts'
import { formatUnits } from '../../../domain/fixed-point.ts'
import { isoTime } from '../../../domain/time.ts'
import {
  isCandleBlock,
  SIDE_BUY,
  SIDE_SELL,
  type CandleBlock,
  type RecordedBlock,
  type TapeBlock,
  type TapeInfo,
} from '../../../tape/tape.ts'

const CHUNK_CHARACTERS = 64 * 1024
const CANDLE_HEADER = 'time,open,high,low,close,volume\n'

/** A header and whole lines; trades without ids have no such column. */
export async function* csvRows(
  info: TapeInfo,
  blocks: AsyncIterable<RecordedBlock>,
): AsyncGenerator<string, void, undefined> {
  let chunk = ''
  let hasIds: boolean | undefined
  for await (const block of blocks) {
    if (isCandleBlock(block)) {
      if (hasIds === undefined) chunk = CANDLE_HEADER
      hasIds = false
    } else {
      if (hasIds === undefined) chunk = `${block.ids === undefined ? '' : 'id,'}createdAt,symbol,side,price,qty\n`
      hasIds ??= block.ids !== undefined
      if (hasIds !== (block.ids !== undefined))
        throw new InputError(info.file, 'expected ids in all of its rows or in none')
    }
    for (let row = 0; row < block.length; row += 1) {
      chunk += isCandleBlock(block) ? candleLine(block, row, info) : tradeLine(block, row, info)
      if (chunk.length < CHUNK_CHARACTERS) continue
      yield chunk
      chunk = ''
    }
  }
  if (chunk !== '') yield chunk
}

function candleLine(
  { time, open, high, low, close, volume }: CandleBlock,
  row: number,
  { pricePrecision, qtyPrecision }: TapeInfo,
): string {
  const price = (column: Float64Array): string => formatUnits(column[row] ?? 0, pricePrecision)
  const prices = `${price(open)},${price(high)},${price(low)},${price(close)}`
  return `${isoTime(time[row] ?? 0)},${prices},${formatUnits(volume[row] ?? 0, qtyPrecision)}\n`
}

function tradeLine({ time, price, qty, side, ids }: TapeBlock, row: number, info: TapeInfo): string {
  const { symbol, pricePrecision, qtyPrecision } = info
  const id = ids === undefined ? '' : `${quoted(String(ids[row] ?? ''))},`
  const figures = `${formatUnits(price[row] ?? 0, pricePrecision)},${formatUnits(qty[row] ?? 0, qtyPrecision)}`
  return `${id}${time[row] ?? 0},${symbol},${sideWord(side[row])},${figures}\n`
}

/** The aggressor's side. */
export function sideWord(side: number | undefined): 'buy' | 'sell' | 'unknown' {
  if (side === SIDE_BUY) return 'buy'
  return side === SIDE_SELL ? 'sell' : 'unknown'
}

const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
