/**
 * How many rows a second of processor does an import read, check, encode and store, SHA-256 of the file in the same
 * pass?
 *
 * Budget: 4 million rows of plain trades, 3 at the very least. Beside it, in turn in the same run: a loop that is
 * written for these rows alone and hashes the bytes, checks nothing and keeps nothing. `npm run bench -- import`;
 * DuckDB and polars are in `npm run bench:rivals`.
 */
import { createHash } from 'node:crypto'
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { importRecordings } from '../src/store/transfers/import-recordings.ts'

const ROWS = 1_000_000
const RUNS = 3
const CHUNK = 65_536

const folder = mkdtempSync(join(tmpdir(), 'papertape-bench-'))
process.on('exit', () => {
  rmSync(folder, { recursive: true })
})

/** Trades of a random walk. */
function written(name: string, header: string, rowOf: (row: number, of: Walk) => string): string {
  const file = join(folder, name)
  const descriptor = openSync(file, 'w')
  let [state, cents, time] = [1, 6_183_763, 1_723_161_255_342]
  const below = (limit: number): number => {
    state = (state * 48_271) % 2_147_483_647
    return state % limit
  }
  let text = header
  for (let row = 0; row < ROWS; row += 1) {
    if (below(10) > 5) time += below(50)
    cents += below(21) - 10
    text += rowOf(row, { time, cents, qty: 1 + below(99_999), isSell: below(2) === 0 })
    if (text.length > CHUNK || row === ROWS - 1) {
      writeSync(descriptor, text)
      text = ''
    }
  }
  closeSync(descriptor)
  return file
}

interface Walk {
  readonly time: number
  readonly cents: number
  readonly qty: number
  readonly isSell: boolean
}

const FORMS = [
  {
    name: 'the project’s own form',
    file: written('own.csv', 'trade_id,time_ms,price,qty,is_buyer_maker\n', (row, { time, cents, qty, isSell }) => {
      return `${3_735_683_259 + row},${time},${(cents / 100).toFixed(2)},${(qty / 1e5).toFixed(5)},${isSell}\n`
    }),
  },
  {
    name: 'Binance trades',
    file: written('BTCUSDT-trades-2024-08-09.csv', '', (row, { time, cents, qty, isSell }) => {
      const [price, size] = [(cents / 100).toFixed(8), (qty / 1e5).toFixed(8)]
      const value = ((cents * qty) / 1e7).toFixed(8)
      return `${3_735_683_259 + row},${price},${size},${value},${time},${isSell ? 'True' : 'False'},True\n`
    }),
  },
]

/** Every number of every row summed, point or not, and the bytes hashed. */
function loop(file: string): number {
  const hash = createHash('sha256')
  const descriptor = openSync(file, 'r')
  const chunk = Buffer.alloc(4 * CHUNK)
  let [sum, value, rows] = [0, 0, 0]
  for (;;) {
    const length = readSync(descriptor, chunk)
    if (length === 0) break
    const bytes = chunk.subarray(0, length)
    hash.update(bytes)
    for (let at = 0; at < length; at += 1) {
      const byte = bytes[at] ?? 0
      if (byte >= 0x30 && byte <= 0x39) value = value * 10 + byte - 0x30
      else if (byte === 0x2c || byte === 0x0a) {
        sum += value
        value = 0
        if (byte === 0x0a) rows += 1
      }
    }
  }
  closeSync(descriptor)
  return hash.digest('hex').length > 0 && sum > 0 ? rows : 0
}

const options = { importedAt: 0 }
const into = (form: 'store' | 'tape-file', name: string) => ({ form, file: join(folder, name) })

async function imported(file: string, form: 'store' | 'tape-file'): Promise<void> {
  const place = into(form, `into.${form}`)
  const [manifest] = await importRecordings([{ file, symbol: 'BTC_USD' }], place, options)
  if (manifest?.imported !== ROWS) throw new Error(`imported ${manifest?.imported ?? 0} rows of ${ROWS}`)
}

async function again(file: string): Promise<void> {
  const [manifest] = await importRecordings([{ file, symbol: 'BTC_USD' }], into('store', 'into.store'), options)
  if (manifest?.duplicate !== ROWS) throw new Error(`found ${manifest?.duplicate ?? 0} rows of ${ROWS} again`)
}

/** Seconds of processor, all threads. */
async function timed(action: () => Promise<void> | void): Promise<number> {
  globalThis.gc?.()
  const before = process.cpuUsage()
  await action()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN

console.log(`${ROWS} rows, million a second of processor, medians of ${RUNS}, in turn`)
for (const { name, file } of FORMS) {
  const all = new Map<string, number[]>()
  const note = (what: string, seconds: number): void => void all.set(what, [...(all.get(what) ?? []), seconds])
  for (let run = 0; run < RUNS; run += 1) {
    for (const place of ['into.store', 'into.tape-file']) rmSync(join(folder, place), { force: true })
    note('a loop with the hash', await timed(() => void loop(file)))
    note('import into a store', await timed(() => imported(file, 'store')))
    note('the same file again', await timed(() => again(file)))
    note('import into a .tape file', await timed(() => imported(file, 'tape-file')))
  }
  const base = median(all.get('a loop with the hash') ?? [])
  for (const [what, seconds] of all) {
    const rate = ROWS / median(seconds) / 1e6
    console.log(`${name}, ${what}`.padEnd(52), rate.toFixed(2), `${(base / median(seconds)).toFixed(2)} of the loop`)
  }
}
