/**
 * Writes a tape as CSV: `trade_id,time_ms,price,qty,is_buyer_maker`, one trade per line, LF; compressed if the file's
 * name ends in `.gz`.
 *
 * Invariant: the file is either complete or unchanged, because a temporary file is written and then renamed. Known
 * limit: a killed process leaves its temporary file, `FILE.<process id>.tmp`.
 */
import { createWriteStream } from 'node:fs'
import { realpath, rename, stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { InputError } from '../../domain/errors.ts'
import { formatUnits } from '../../domain/fixed-point.ts'
import type { Market } from '../../domain/market.ts'
import type { Trade } from '../../domain/trade.ts'
import { removePartial } from '../remove-partial.ts'
import { asWriteFault } from '../../domain/write-fault.ts'
import { unfinished } from '../unfinished.ts'

export interface WrittenTape {
  readonly rows: number
  /** Unix milliseconds of the first and the last trade; undefined without trades. */
  readonly from: number | undefined
  readonly to: number | undefined
  /** Size of the file. */
  readonly bytes: number
}

const HEADER = 'trade_id,time_ms,price,qty,is_buyer_maker\n'
const CHUNK_CHARACTERS = 64 * 1024
const SMALLEST = 9

/**
 * The text of a tape in chunks of whole lines.
 *
 * @param trades  oldest first
 */
export function* tapeCsv(
  { pricePrecision, qtyPrecision }: Market,
  trades: Iterable<Trade>,
): Generator<string, void, undefined> {
  let chunk = HEADER
  for (const { id, createdAt, price, qty, isBuyerMaker } of trades) {
    chunk += `${id},${createdAt},${formatUnits(price, pricePrecision)},${formatUnits(qty, qtyPrecision)},${isBuyerMaker}\n`
    if (chunk.length < CHUNK_CHARACTERS) continue
    yield chunk
    chunk = ''
  }
  if (chunk !== '') yield chunk
}

/**
 * Writes the trades as they are generated, a chunk at a time.
 *
 * @throws {InputError} naming the file, if it cannot be written; an existing file is unchanged then
 */
export async function writeTape(file: string, market: Market, trades: Iterable<Trade>): Promise<WrittenTape> {
  const target = await targetOf(file)
  const temporary = unfinished(`${target}.${process.pid}.tmp`)
  const seen = new SeenTrades(trades)
  try {
    const text = Readable.from(tapeCsv(market, seen), { highWaterMark: 1 })
    const sink = createWriteStream(temporary, { flush: true })
    await (file.endsWith('.gz') ? pipeline(text, createGzip({ level: SMALLEST }), sink) : pipeline(text, sink))
    const { size: bytes } = await stat(temporary)
    await rename(temporary, target)
    return { rows: seen.rows, from: seen.from, to: seen.to, bytes }
  } catch (error) {
    removePartial(temporary)
    throw asWriteFault(file, error)
  }
}

/** Resolves a link to the file's real path. */
async function targetOf(file: string): Promise<string> {
  const found = await stat(file).catch(() => undefined)
  if (found === undefined) return file
  if (!found.isFile()) throw new InputError(file, 'is a directory or a device: give the path of a file')
  return realpath(file)
}

/** Passes trades on and remembers how many there were, and when. */
class SeenTrades implements Iterable<Trade> {
  readonly #trades: Iterable<Trade>
  rows = 0
  from: number | undefined
  to: number | undefined

  constructor(trades: Iterable<Trade>) {
    this.#trades = trades
  }

  *[Symbol.iterator](): Generator<Trade, void, undefined> {
    for (const trade of this.#trades) {
      this.rows += 1
      this.from ??= trade.createdAt
      this.to = trade.createdAt
      yield trade
    }
  }
}
