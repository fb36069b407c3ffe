/**
 * A recording as rows of text.
 */
import { inspectTape } from '../../../../src/store/tapes/inspect-tape.ts'
import { openTape } from '../../../../src/store/tapes/open-tape.ts'
import type { TapeSource } from '../../../../src/import/tape-source.ts'
import { isCandleBlock, type RecordedBlock, type TapeInfo } from '../../../../src/tape/tape.ts'

const ROOM = { bytes: 1e8 }
const SIDES = ['', ' buy', ' sell']

export interface Reported {
  readonly info: TapeInfo
  /** As the user is reported; the plain one says nothing. */
  readonly dialect: string
  readonly rows: readonly string[]
}

export async function readExample(source: TapeSource): Promise<Reported> {
  const inspected = await inspectTape(source, { room: ROOM })
  const { info } = inspected
  const rows: string[] = []
  for await (const block of openTape(inspected, info).blocks()) {
    for (let row = 0; row < block.length; row += 1) rows.push(rowOf(block, row, info))
  }
  const named = info.notices.map((notice) => /^Read as (.*)\.$/.exec(notice)?.[1]).find((each) => each !== undefined)
  return { info, dialect: named ?? 'CSV with a header', rows }
}

function rowOf(block: RecordedBlock, row: number, { pricePrecision, qtyPrecision }: TapeInfo): string {
  const price = (column: Float64Array): string => exact(column[row], pricePrecision)
  const time = new Date(block.time[row] ?? NaN).toISOString()
  if (!isCandleBlock(block)) {
    return `${time} ${price(block.price)} ${exact(block.qty[row], qtyPrecision)}${SIDES[block.side[row] ?? 0] ?? ''}`
  }
  const prices = [block.open, block.high, block.low, block.close].map(price)
  return [time, ...prices, exact(block.volume[row], qtyPrecision)].join(' ')
}

/** Without zeros at its end. */
function exact(units = NaN, precision: number): string {
  const digits = String(units).padStart(precision + 1, '0')
  if (precision === 0) return digits
  return `${digits.slice(0, -precision)}.${digits.slice(-precision)}`.replace(/\.?0+$/, '')
}
