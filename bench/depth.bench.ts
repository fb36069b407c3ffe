/**
 * How fast is a recorded book: its rows applied, a block of them decoded, and read from a capture?
 *
 * The captures of /work/shared/data/depth (ETH spot each 100 ms, a BTC perpetual at each change); without them a made
 * book that moves as those do. Million rows a second of the processor; beside it a Map for each side, whose best price
 * is searched when it goes. Aim: 55 to 78 applied, 65 decoded (at least 40), at most 4 bytes a row with the book before
 * each block. `npm run bench -- depth`
 */
import { existsSync } from 'node:fs'
import { cpus } from 'node:os'
import { cpuUsage } from 'node:process'
import { fileURLToPath } from 'node:url'
import { BookReading } from '../src/store/books/read-books.ts'
import { DepthCodec, type StoredDepth } from '../src/store/tapes/blocks/depth-codec.ts'
import { RecordedBook } from '../src/tape/book/recorded-book.ts'
import { ASK, BID, FRAME_END, SNAPSHOT, type DepthBlock } from '../src/tape/depth-block.ts'
import type { TapeBlock } from '../src/tape/tape.ts'
import { playMarket, type PlayedMarket } from './depth-market.ts'

const DATA = fileURLToPath(new URL('../../shared/data/depth/', import.meta.url))
const CAPTURES: readonly (readonly [name: string, files: readonly string[]])[] = [
  ['ETH spot', ['spot_ethusdt_20240808.gz', 'spot_ethusdt_20240809.gz'].map((file) => DATA + file)],
  ['BTC perpetual', [`${DATA}usdm_btcusdt_20240808.gz`]],
]
const RUNS = 15
/** Runs of a slow case. */
const FEW_RUNS = 3
const MADE_BLOCKS = 5
const MADE_ROWS = 65_536
const FRAME_ROWS = 32

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN

/** Million rows a second of the processor; the first run warms up. */
function speed(rows: number, times: number, play: () => void): string {
  const speeds = Array.from({ length: times + 1 }, () => {
    const before = cpuUsage()
    play()
    const { user, system } = cpuUsage(before)
    return rows / (user + system)
  }).slice(1)
  return `${median(speeds).toFixed(1)} (best ${Math.max(...speeds).toFixed(1)})`
}

/** Frames near a price that walks, most of them of levels that come and go a few ticks away. */
function* madeParts(): Generator<StoredDepth> {
  let [state, middle, time] = [1, 600_000, 1_700_000_000_000]
  const next = (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return (state >>> 8) % below
  }
  const book = new RecordedBook()
  for (let part = 0; part < MADE_BLOCKS; part += 1) {
    const block = emptyBlock(MADE_ROWS)
    for (let row = 0; row < MADE_ROWS; row += FRAME_ROWS) {
      middle += next(3) - 1
      time += 100
      for (const [side, sign, from] of [
        [BID, -1, row],
        [ASK, 1, row + FRAME_ROWS / 2],
      ] as const) {
        // prettier-ignore
        let price = middle
        for (let at = from; at < from + FRAME_ROWS / 2; at += 1) {
          price += sign * (1 + next(20))
          block.time[at] = time
          block.side[at] = side
          block.price[at] = price
          block.qty[at] = next(10) < 4 ? 0 : 1 + next(5_000)
        }
      }
      block.flags[row] = part === 0 && row === 0 ? SNAPSHOT : 0
      block.flags[row + FRAME_ROWS - 1] = FRAME_END
    }
    yield { block, before: book.state(), pricePrecision: 1, qtyPrecision: 3 }
    book.apply(block)
  }
}

const emptyBlock = (length: number): DepthBlock => ({
  length,
  ...{ time: new Float64Array(length), flags: new Uint8Array(length), side: new Uint8Array(length) },
  ...{ price: new Float64Array(length), qty: new Float64Array(length) },
})

/** Two maps, and a search for the best when it goes. */
function playMaps(blocks: readonly DepthBlock[]): number {
  const sides = [new Map<number, number>(), new Map<number, number>()] as const
  const best: number[] = [0, Infinity]
  for (const { length, side, price, qty } of blocks) {
    for (let row = 0; row < length; row += 1) {
      const [of, at, lots] = [side[row] ?? 0, price[row] ?? 0, qty[row] ?? 0]
      const levels = of === BID ? sides[0] : sides[1]
      if (lots > 0) {
        levels.set(at, lots)
        best[of] = of === BID ? Math.max(best[of] ?? 0, at) : Math.min(best[of] ?? 0, at)
      } else {
        levels.delete(at)
        if (best[of] !== at) continue
        let found = of === BID ? 0 : Infinity
        for (const key of levels.keys()) if (of === BID ? key > found : key < found) found = key
        best[of] = found
      }
    }
  }
  return best[BID] ?? 0
}

function measure(name: string, parts: readonly StoredDepth[]): void {
  const codec = new DepthCodec()
  const blocks = parts.map(({ block }) => block)
  const rows = blocks.reduce((sum, { length }) => sum + length, 0)
  const encoded = parts.map((part) => codec.encode(part))
  const compact = parts.map((part) => codec.encode(part, true))
  const bytes = (of: typeof encoded): string => (of.reduce((sum, each) => sum + each.bytes.length, 0) / rows).toFixed(2)
  const book = new RecordedBook()
  const applied = speed(rows, RUNS, () => {
    for (const block of blocks) book.apply(block)
  })
  const decoded = speed(rows, RUNS, () => {
    for (const each of encoded) codec.decode(each.bytes, each.checksum)
  })
  const inflated = speed(rows, RUNS, () => {
    for (const each of compact) codec.decode(each.bytes, each.checksum)
  })
  const maps = speed(rows, FEW_RUNS, () => void playMaps(blocks))
  console.log(`${name}: ${rows} rows, ${bytes(encoded)} bytes each, compact ${bytes(compact)}`)
  console.log(`  applied ${applied}, maps ${maps}; decoded ${decoded}, compact ${inflated}`)
}

/** Through a simulated market, with the trades of the recording where there are some. */
async function measureMarket(market: PlayedMarket): Promise<void> {
  const rows = [...market.depth, ...market.trades].reduce((sum, { length }) => sum + length, 0)
  for (const isQuoting of [false, true]) {
    const speeds: number[] = []
    let reported = { orders: 0, fills: 0 }
    for (let run = 0; run <= RUNS; run += 1) {
      const before = cpuUsage()
      reported = await playMarket(market, isQuoting)
      const { user, system } = cpuUsage(before)
      if (run > 0) speeds.push(rows / (user + system))
    }
    const what = isQuoting
      ? `two quotes ten times a second (${reported.orders} orders, ${reported.fills} fills)`
      : 'nothing of ours'
    console.log(`  through a market, ${what}: ${median(speeds).toFixed(1)} (best ${Math.max(...speeds).toFixed(1)})`)
  }
}

console.log(`${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}, million rows a second of the processor, median`)
const made = [...madeParts()]
measure('made', made)
await measureMarket({ depth: made.map(({ block }) => block), trades: [] })
for (const [name, files] of CAPTURES) {
  if (!files.every((file) => existsSync(file))) {
    console.log(`${name}: skipped, its capture is not there`)
    continue
  }
  const before = cpuUsage()
  const parts: StoredDepth[] = []
  const trades: TapeBlock[] = []
  let rows = 0
  for await (const part of new BookReading({ files }).parts()) {
    rows += part.block.length
    if (part.kind === 'depth') parts.push(part)
    else if (part.kind === 'trades') trades.push(part.block)
  }
  const { user, system } = cpuUsage(before)
  measure(name, parts)
  await measureMarket({ depth: parts.map(({ block }) => block), trades })
  console.log(`  read from its capture ${(rows / (user + system)).toFixed(2)}`)
}
