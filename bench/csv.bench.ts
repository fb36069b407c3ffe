/**
 * How many rows a second does a tape in CSV give, and how far is that from only reading, unpacking and hashing its
 * bytes?
 *
 * Budget: 2 million plain rows of trades a second and pass, 3 million of candles. csv-parse, which reads what is not
 * plain, runs beside it on the same rows; it only splits them, without checking or converting anything. `npm run bench
 * -- csv`
 *
 * Measured on two busy cores of 2.5 GHz with Node 20, median: first pass 3.9, second pass 4.8, through gzip 4.9 and
 * 4.8; csv-parse 0.26 for splitting, 0.18 as the way for quoted rows.
 */
import { createHash } from 'node:crypto'
import { createReadStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { finished } from 'node:stream/promises'
import { gzipSync } from 'node:zlib'
import { parse } from 'csv-parse'
import { fileBytes } from '../src/import/file-bytes.ts'
import { inspectTape } from '../src/store/tapes/inspect-tape.ts'
import { openTape } from '../src/store/tapes/open-tape.ts'

const ROWS = 1_000_000
const RUNS = 5

/** Random integers below a limit, from a generator of Lehmer's kind. */
function lehmer(): (limit: number) => number {
  let state = 1
  return (limit) => {
    state = (state * 48_271) % 2_147_483_647
    return state % limit
  }
}

/** Trades of a random walk, 47 bytes a row. */
function tradesCsv(rows: number): string {
  const below = lehmer()
  const lines = ['trade_id,time_ms,price,qty,is_buyer_maker']
  let time = 1_723_161_255_342
  let cents = 6_183_763
  for (let row = 0; row < rows; row += 1) {
    if (below(10) > 5) time += below(50)
    cents += below(21) - 10
    const qty = (1 + below(99_999)) / 100_000
    lines.push(`${3_735_683_259 + row},${time},${(cents / 100).toFixed(2)},${qty.toFixed(5)},${below(2) === 0}`)
  }
  return `${lines.join('\n')}\n`
}

/** Candles of a minute of a random walk, 60 bytes a row. */
function candlesCsv(rows: number, timeOf: (ms: number) => string | number): string {
  const below = lehmer()
  const lines = ['time,open,high,low,close,volume']
  const price = (cents: number): string => (cents / 100).toFixed(2)
  let close = 6_183_763
  for (let row = 0; row < rows; row += 1) {
    const open = close
    close += below(2001) - 1000
    const high = Math.max(open, close) + below(500)
    const low = Math.min(open, close) - below(500)
    const volume = (below(9_999_999) / 100_000).toFixed(5)
    const time = timeOf(1_577_836_800_000 + row * 60_000)
    lines.push(`${time},${price(open)},${price(high)},${price(low)},${price(close)},${volume}`)
  }
  return `${lines.join('\n')}\n`
}

const folder = mkdtempSync(join(tmpdir(), 'papertape-bench-'))
process.on('exit', () => {
  rmSync(folder, { recursive: true })
})

function written(name: string, content: string | Uint8Array): string {
  const file = join(folder, name)
  writeFileSync(file, content)
  return file
}

const text = tradesCsv(ROWS)
const plain = written('plain.csv', text)
const packed = written('packed.csv.gz', gzipSync(text))
const quoted = written('quoted.csv', tradesCsv(ROWS / 10).replaceAll(/(true|false)\n/g, '"$1"\n'))

const candles = written(
  'candles.csv',
  candlesCsv(ROWS, (ms) => ms),
)
const dated = written(
  'dated.csv',
  candlesCsv(ROWS, (ms) => new Date(ms).toISOString().slice(0, 19).replace('T', ' ')),
)

async function bytesAlone(file: string): Promise<number> {
  let length = 0
  const hash = createHash('sha256')
  const onBytes = (chunk: Buffer): void => void hash.update(chunk)
  for await (const chunk of fileBytes(file, { onBytes })) length += chunk.length
  return length > 0 ? ROWS : 0
}

async function firstPass(file: string): Promise<number> {
  return (await inspectTape({ file, symbol: 'BTC_USD' })).info.rows
}

async function secondPass(file: string): Promise<() => Promise<number>> {
  const inspected = await inspectTape({ file, symbol: 'BTC_USD' })
  return async () => {
    let rows = 0
    for await (const block of openTape(inspected, inspected.info).blocks()) rows += block.length
    return rows
  }
}

async function csvParse(file: string): Promise<number> {
  let rows = 0
  const parser = parse({ on_record: () => void (rows += 1) })
  await finished(createReadStream(file).pipe(parser).resume())
  return rows - 1
}

/** Median and best of the runs, in million rows a second, after one run that does not count. */
async function measure(name: string, pass: () => Promise<number>): Promise<void> {
  const rates: number[] = []
  for (let run = 0; run <= RUNS; run += 1) {
    const started = performance.now()
    const rows = await pass()
    if (run > 0) rates.push(rows / (performance.now() - started) / 1000)
  }
  rates.sort((a, b) => a - b)
  const shown = [rates[RUNS >> 1] ?? NaN, rates[RUNS - 1] ?? NaN].map((rate) => rate.toFixed(2).padStart(6))
  console.log(`${name.padEnd(44)} ${shown.join(' / ')}`)
}

console.log(`${ROWS} rows of ${(text.length / ROWS).toFixed(1)} bytes; million rows a second, median / best of ${RUNS}`)
await measure('read and hash alone', () => bytesAlone(plain))
await measure('first pass', () => firstPass(plain))
await measure('second pass', await secondPass(plain))
await measure('read, hash and unpack alone', () => bytesAlone(packed))
await measure('first pass, gzip', () => firstPass(packed))
await measure('second pass, gzip', await secondPass(packed))
await measure('first pass, a quote in each row (csv-parse)', () => firstPass(quoted))
await measure('candles, first pass', () => firstPass(candles))
await measure('candles, second pass', await secondPass(candles))
await measure('candles by date, first pass', () => firstPass(dated))
await measure('candles by date, second pass', await secondPass(dated))
await measure('csv-parse splitting the candles', () => csvParse(candles))
await measure('csv-parse splitting the plain rows', () => csvParse(plain))
