/**
 * The public archive of Binance spot markets: a zip file per day and market, with its SHA-256 next to it.
 *
 * Times are in milliseconds, and in microseconds since 2025-01-01: the unit is detected when a file is read.
 * @see https://github.com/binance/binance-public-data
 */
import { lengthNameOf } from '../../domain/candle-length.ts'
import { InputError } from '../../domain/errors.ts'
import { DAY_MS, isoTime } from '../../domain/time.ts'
import { openZip } from '../../import/zip/zip-archive.ts'
import type { ArchiveFile, ArchiveRequest, ArchiveSource } from './archive-source.ts'

export const BINANCE_URL = 'https://data.binance.vision'

/** Largest zip file, and what it may unpack to; the busiest days have about a tenth of it. */
const MAX_FILE_BYTES = 2 * 1024 ** 3
const MAX_UNPACKED_BYTES = 16 * 1024 ** 3
/** Candles that have a file per day. */
const INTERVALS = ['1s', '1m', '3m', '5m', '15m', '30m', '1h', '2h', '4h', '6h', '8h', '12h', '1d']

export class BinanceArchive implements ArchiveSource {
  readonly name: string
  readonly pauseMs = 50
  readonly maxFileBytes = MAX_FILE_BYTES
  readonly #baseUrl: string
  readonly #trades: 'aggTrades' | 'trades'

  /** @param trades  `aggTrades` joins the fills of one order at one price */
  constructor(baseUrl: string, trades: 'aggTrades' | 'trades') {
    this.name = trades === 'trades' ? 'binance:trades' : 'binance'
    this.#baseUrl = baseUrl
    this.#trades = trades
  }

  list({ symbol, intervalMs, from, to }: ArchiveRequest): readonly ArchiveFile[] {
    const pair = symbol.replace('_', '').toUpperCase()
    const [folder, kind] = this.#placeOf(pair, intervalMs)
    const files: ArchiveFile[] = []
    for (let day = Math.floor(from / DAY_MS) * DAY_MS; day < to; day += DAY_MS) {
      const name = `${pair}-${kind}-${isoTime(day).slice(0, '2024-01-01'.length)}.zip`
      const url = `${this.#baseUrl}/data/spot/daily/${folder}/${name}`
      const range = { from: day, to: day + DAY_MS }
      const reading = { symbol, ...(intervalMs !== null && { candleInterval: intervalMs }) }
      files.push({ name, url, checksumUrl: `${url}.CHECKSUM`, range, reading })
    }
    return files
  }

  async check(path: string): Promise<boolean> {
    const zip = await openZip(path)
    await zip.close()
    const bytes = zip.entries.reduce((sum, { size }) => sum + size, 0)
    if (bytes <= MAX_UNPACKED_BYTES) return bytes > 0
    throw new InputError(path, `expected at most ${MAX_UNPACKED_BYTES} bytes when unpacked, got ${bytes}`)
  }

  #placeOf(pair: string, intervalMs: number | null): readonly [folder: string, kind: string] {
    if (intervalMs === null) return [`${this.#trades}/${pair}`, this.#trades]
    const interval = lengthNameOf(intervalMs) ?? ''
    if (INTERVALS.includes(interval)) return [`klines/${pair}/${interval}`, interval]
    throw new InputError('--candles', `binance has candles of ${INTERVALS.join(', ')}, got '${interval}'`)
  }
}
