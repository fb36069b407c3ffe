/**
 * Makes the small recorded market of data/: an hour of BTC_USD as the agents of an emulator trade it, its book once in
 * three seconds.
 *
 * A frame says what changed on the best levels of each side: a quantity of 0 where nothing rests any more, or where the
 * level is deeper than those now. The same seed gives the same text, and fewer minutes give the beginning of it.
 *
 * Usage: npm run --silent build && node scripts/generate-book.mjs [DIRECTORY] [MINUTES]
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { startEmulator } from '../dist/emulator.js'

const [directory = 'data', minutes = '60'] = process.argv.slice(2)
const FRAME_MS = 3_000
const LEVELS = 6
const FRAMES = Math.floor((Number(minutes) * 60_000) / FRAME_MS)

const market = { symbol: 'BTC_USD', pricePrecision: 2, qtyPrecision: 5 }
const emulator = await startEmulator({
  virtualClock: true,
  seed: 3,
  start: Date.UTC(2024, 1, 1) - 60_000,
  config: { markets: [market], agents: true },
})

/**
 * @typedef {{ id: string, price: string, qty: string, isBuyerMaker: boolean, createdAt: number }} Trade  of the service
 */

/** The trades that no one has seen yet, oldest first. */
async function newTrades() {
  const answer = await fetch(`${emulator.baseUrl}/markets/${market.symbol}/trades?limit=500`)
  const newestFirst = /** @type {Trade[]} */ (await answer.json())
  const trades = newestFirst.filter(({ id }) => Number(id) > lastTrade).reverse()
  lastTrade = Number(trades.at(-1)?.id ?? lastTrade)
  return trades
}
let lastTrade = 0

/**
 * Changes of a side since it was asked for last.
 *
 * @param {readonly (readonly [price: string, qty: string])[]} levels
 * @param {Map<string, string>} shown  quantities by price, which become those of now
 */
function changesOf(levels, shown) {
  const now = new Map(levels.slice(0, LEVELS))
  const gone = [...shown.keys()].filter((price) => !now.has(price)).map((price) => [price, '0'])
  const changed = [...now].filter(([price, qty]) => shown.get(price) !== qty)
  shown.clear()
  for (const [price, qty] of now) shown.set(price, qty)
  return [...gone, ...changed]
}

const shown = { bids: new Map(), asks: new Map() }
const books = ['time,side,price,qty,snapshot']
const trades = ['trade_id,time_ms,price,qty,is_buyer_maker']

// The agents have a minute to find each other; what they trade in it is no part of the recording.
await emulator.advance(60_000)
await newTrades()
for (let frame = 0; frame <= FRAMES; frame += 1) {
  const time = await emulator.advance(frame === 0 ? 0 : FRAME_MS)
  const { bids, asks } = await emulator.book(market.symbol)
  for (const [price, qty] of changesOf(bids, shown.bids)) books.push(`${time},bid,${price},${qty},${frame === 0}`)
  for (const [price, qty] of changesOf(asks, shown.asks)) books.push(`${time},ask,${price},${qty},${frame === 0}`)
  for (const { id, createdAt, price, qty, isBuyerMaker } of await newTrades()) {
    trades.push(`${id},${createdAt},${price},${qty},${isBuyerMaker}`)
  }
}
await emulator.close()

mkdirSync(directory, { recursive: true })
for (const [name, rows] of Object.entries({ btc_usd_book: books, btc_usd_hour: trades })) {
  writeFileSync(join(directory, `${name}.csv.gz`), gzipSync(`${rows.join('\n')}\n`, { level: 9 }))
}
