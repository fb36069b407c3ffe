/**
 * Every row of a tape in words: `time price x quantity side`, or `time open high low close volume`.
 */
import { formatTrimmed } from '../../../../src/domain/fixed-point.ts'
import { isoTime } from '../../../../src/domain/time.ts'
import { inspectTape } from '../../../../src/store/tapes/inspect-tape.ts'
import { openTape } from '../../../../src/store/tapes/open-tape.ts'
import type { TapeSource } from '../../../../src/import/tape-source.ts'
import { isCandleBlock, SIDE_BUY, SIDE_SELL, type RecordedBlock, type TapeInfo } from '../../../../src/tape/tape.ts'

function reported(block: RecordedBlock, row: number, { pricePrecision, qtyPrecision }: TapeInfo): string {
  const price = (column: Float64Array): string => formatTrimmed(BigInt(column[row] ?? 0), pricePrecision)
  const qty = (column: Float64Array): string => formatTrimmed(BigInt(column[row] ?? 0), qtyPrecision)
  const time = isoTime(block.time[row] ?? 0)
  if (isCandleBlock(block)) {
    const { open, high, low, close, volume } = block
    return [time, ...[open, high, low, close].map(price), qty(volume)].join(' ')
  }
  const side = block.side[row]
  const words = side === SIDE_BUY ? ' buy' : side === SIDE_SELL ? ' sell' : ''
  return `${time} ${price(block.price)} x ${qty(block.qty)}${words}`
}

export async function rowsReported(source: TapeSource): Promise<readonly string[]> {
  const inspected = await inspectTape(source, { room: { bytes: 1e8 } })
  const rows: string[] = []
  for await (const block of openTape(inspected, inspected.info).blocks()) {
    for (let row = 0; row < block.length; row += 1) rows.push(reported(block, row, inspected.info))
  }
  return rows
}
