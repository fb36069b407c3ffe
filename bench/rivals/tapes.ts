/** Tapes of the comparison, each made once: a random walk on a grid of cents. */
import { existsSync, renameSync, writeFileSync } from 'node:fs'
import { uniformInt } from 'pure-rand/distribution/uniformInt'
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus'
import { MINUTE_MS } from '../../src/domain/time.ts'

const START = 1_577_836_800_000
const LEAST_PRICE = 1_000
/** Rows written at once. */
const PIECE = 100_000

/** Writes the file in pieces, since one text would be too long, and under another name until it is complete. */
function written(file: string, head: string, rows: number, line: (row: number) => string): string {
  if (existsSync(file)) return file
  writeFileSync(`${file}.part`, `${head}\n`)
  for (let first = 0; first < rows; first += PIECE) {
    const lines = Array.from({ length: Math.min(PIECE, rows - first) }, (_, index) => `${line(first + index)}\n`)
    writeFileSync(`${file}.part`, lines.join(''), { flag: 'a' })
  }
  renameSync(`${file}.part`, file)
  return file
}

const cents = (ticks: number): string => (ticks / 100).toFixed(2)

/** One-minute candles. @returns the file */
export function candlesFile(file: string, rows: number): string {
  const generator = xoroshiro128plus(7)
  const draw = (least: number, most: number): number => uniformInt(generator, least, most)
  let price = 2_000_000
  return written(file, 'time,open,high,low,close,volume', rows, (row) => {
    const [open, close] = [price, Math.max(LEAST_PRICE, price + draw(-600, 600))]
    const [high, low] = [Math.max(open, close) + draw(0, 150), Math.min(open, close) - draw(0, 150)]
    price = close
    const prices = [open, high, low, close].map(cents).join(',')
    return `${START + row * MINUTE_MS},${prices},${(draw(1, 99_999) / 1_000).toFixed(3)}`
  })
}

/** Four trades a second. @returns the file */
export function tradesFile(file: string, rows: number): string {
  const generator = xoroshiro128plus(8)
  let price = 2_000_000
  return written(file, 'id,time,price,qty,is_buyer_maker', rows, (row) => {
    price = Math.max(LEAST_PRICE, price + uniformInt(generator, -20, 20))
    return `${row},${START + row * 250},${cents(price)},${1 + (row % 7)},${row % 2 === 0}`
  })
}
