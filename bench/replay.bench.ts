/**
 * How fast are stored trades there again, every byte of them checked, from each place that a tape can be in?
 *
 * Budget: 40 million trades a second of processor decoded, 20 at the very least. Beside it, in the same run, their
 * CRC-32 alone, and the tape opened from CSV, `.tape` file and store (checked whole, as before a run) and played to its
 * end. `npm run bench -- replay`
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { BlockCodec } from '../src/store/tapes/blocks/block-codec.ts'
import { importRecordings } from '../src/store/transfers/import-recordings.ts'
import { inspectTape } from '../src/store/tapes/inspect-tape.ts'
import { openTape } from '../src/store/tapes/open-tape.ts'
import { recordedBlocks } from './tape-in-memory.ts'

const ROWS = 1_000_000
const RUNS = 5

const folder = mkdtempSync(join(tmpdir(), 'papertape-bench-'))
process.on('exit', () => {
  rmSync(folder, { recursive: true })
})

const blocks = recordedBlocks(ROWS)
const codec = new BlockCodec()
const encoded = blocks.map((block) => codec.encode({ block, pricePrecision: 2, qtyPrecision: 5 }))
const bytes = encoded.reduce((sum, each) => sum + each.bytes.length, 0)

function csv(): string {
  const file = join(folder, 'trades.csv')
  const lines = ['time_ms,price,qty,is_buyer_maker']
  for (const { length, time, price, qty, side } of blocks) {
    for (let row = 0; row < length; row += 1) {
      const [at = 0, ticks = 0, lots = 0] = [time[row], price[row], qty[row]]
      lines.push(`${at},${(ticks / 100).toFixed(2)},${(lots / 1e5).toFixed(5)},${side[row] === 2}`)
    }
  }
  writeFileSync(file, `${lines.join('\n')}\n`)
  return file
}

function decoded(): void {
  let rows = 0
  for (const { bytes, checksum } of encoded) rows += codec.decode(bytes, checksum).block.length
  if (rows !== ROWS) throw new Error(`decoded ${rows} rows`)
}

function summed(): void {
  for (const { bytes, checksum } of encoded) if (crc32(bytes) !== checksum) throw new Error('a checksum is wrong')
}

async function played(file: string): Promise<void> {
  const inspected = await inspectTape({ file, symbol: 'BTC_USD' })
  let rows = 0
  for await (const block of openTape(inspected, inspected.info).blocks()) rows += block.length
  if (rows !== ROWS) throw new Error(`played ${rows} rows of ${file}`)
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

const recording = csv()
const [tape, store] = [join(folder, 'trades.tape'), join(folder, 'trades.db')]
await importRecordings([{ file: recording, symbol: 'BTC_USD' }], { form: 'tape-file', file: tape }, { importedAt: 0 })
await importRecordings([{ file: recording, symbol: 'BTC_USD' }], { form: 'store', file: store }, { importedAt: 0 })

const CASES: readonly (readonly [string, () => Promise<void> | void])[] = [
  ['checksums alone', summed],
  ['decode, everything checked', decoded],
  ['CSV: read, kept and read again', () => played(recording)],
  ['.tape file: opened and read', () => played(tape)],
  ['store: opened and read', () => played(store)],
]

console.log(
  `${ROWS} trades, ${(bytes / ROWS).toFixed(2)} bytes each; million a second of processor, medians of ${RUNS}`,
)
const seconds = CASES.map((): number[] => [])
for (let run = 0; run <= RUNS; run += 1) {
  for (const [index, [, action]] of CASES.entries()) {
    const took = await timed(action)
    if (run > 0) seconds[index]?.push(took)
  }
}
for (const [index, [name]] of CASES.entries()) {
  console.log(name.padEnd(36), (ROWS / median(seconds[index] ?? []) / 1e6).toFixed(1))
}
