/**
 * How many elements of JSON a second does a recording give, each number as its text, and how far is that from
 * JSON.parse, which makes doubles of them?
 *
 * Budget: half a million arrays of four values a second, 0.3 million trade messages. `npm run bench -- json`
 */
import { performance } from 'node:perf_hooks'
import { jsonElementBatches, jsonElements } from '../src/import/json/json-elements.ts'

const ELEMENTS = 300_000
const RUNS = 7
const CHUNK_BYTES = 256 * 1024

const rows = Array.from(
  { length: ELEMENTS },
  (_, index) => `[${1_723_161_256_000 + index},"${61_837 + (index % 100)}.${index % 10}","5.${index % 1000}","1"]`,
)
const trades = Array.from({ length: ELEMENTS }, (_, index) => {
  const time = 1_723_161_256_000 + index
  const price = `${61_837 + (index % 100)}.${10 + (index % 90)}000000`
  return `{"e":"trade","E":${time},"s":"BTCUSDT","t":${3_735_683_259 + index},"p":"${price}","q":"0.00${100 + (index % 900)}000","T":${time},"m":${index % 2 === 0},"M":true}`
})

async function* chunksOf(bytes: Buffer): AsyncGenerator<Buffer, void, undefined> {
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES)
    yield await Promise.resolve(bytes.subarray(at, at + CHUNK_BYTES))
}

async function oneByOne(bytes: Buffer): Promise<number> {
  let count = 0
  for await (const { line } of jsonElements('bench.json', chunksOf(bytes))) if (line > 0) count += 1
  return count
}

async function inBatches(bytes: Buffer): Promise<number> {
  let count = 0
  for await (const batch of jsonElementBatches('bench.json', chunksOf(bytes))) count += batch.length
  return count
}

/** A document whole, or a line at a time. */
function parsed(bytes: Buffer): number {
  const text = bytes.toString()
  if (!text.includes('\n')) {
    const document = JSON.parse(text) as unknown[] | { readonly data: unknown[] }
    return ('data' in document ? document.data : document).length
  }
  let count = 0
  for (let at = 0; at < text.length; count += 1) {
    const end = text.indexOf('\n', at)
    JSON.parse(text.slice(at, end))
    at = end + 1
  }
  return count
}

/** Million elements a second of processor, the median, of each way in turn. */
async function measure(name: string, bytes: Buffer): Promise<void> {
  const ways = { oneByOne, inBatches, parsed }
  const rates: Record<string, number[]> = {}
  for (let run = 0; run <= RUNS; run += 1) {
    for (const [way, read] of Object.entries(ways)) {
      const started = process.cpuUsage()
      const begun = performance.now()
      const count = await read(bytes)
      const { user, system } = process.cpuUsage(started)
      if (count !== ELEMENTS) throw new Error(`${way}: ${count} of ${ELEMENTS} after ${performance.now() - begun} ms`)
      if (run > 0) (rates[way] ??= []).push(count / (user + system))
    }
  }
  const medians = Object.entries(rates).map(
    ([way, all]) => `${way} ${(all.sort((a, b) => a - b)[RUNS >> 1] ?? NaN).toFixed(2)}`,
  )
  console.log(`${name.padEnd(46)} ${medians.join('   ')}`)
}

console.log(`${ELEMENTS} elements; million a second of processor, median of ${RUNS}`)
await measure('an array of arrays of four values', Buffer.from(`[${rows.join(',')}]`))
await measure('a list of them in an object', Buffer.from(`{"code":"0","data":[${rows.join(',')}]}`))
await measure('trade messages, JSON lines', Buffer.from(`${trades.join('\n')}\n`))
await measure('trade messages in an array', Buffer.from(`[${trades.join(',')}]`))
