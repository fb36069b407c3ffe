/**
 * The candle history of Coinbase Exchange: pages of JSON over its whole past. It has no archive of trades.
 *
 * Known limit: candles of minutes without a trade are absent.
 * @see https://docs.cdp.coinbase.com/exchange/reference/exchangerestapi_getproductcandles
 */
import { readFile } from 'node:fs/promises'
import { lengthNameOf } from '../../domain/candle-length.ts'
import { InputError } from '../../domain/errors.ts'
import { isoTime } from '../../domain/time.ts'
import type { ArchiveFile, ArchiveRequest, ArchiveSource } from './archive-source.ts'

export const COINBASE_URL = 'https://api.exchange.coinbase.com'

const INTERVALS = ['1m', '5m', '15m', '1h', '6h', '1d']
const DIALECT = 'candles-in-the-order-time-low-high-open-close'
/** Its limit, which counts both ends of a range. */
const PAGE_ROWS = 300

export class CoinbaseArchive implements ArchiveSource {
  readonly name = 'coinbase'
  /** Half of the ten requests per second that it allows. */
  readonly pauseMs = 200
  readonly maxFileBytes = 1024 ** 2
  readonly #baseUrl: string

  constructor(baseUrl: string) {
    this.#baseUrl = baseUrl
  }

  list({ symbol, intervalMs, from, to }: ArchiveRequest): readonly ArchiveFile[] {
    if (intervalMs === null) throw new InputError('--trades', 'coinbase has no archive of trades: pass --candles 1m')
    const interval = lengthNameOf(intervalMs) ?? ''
    if (!INTERVALS.includes(interval))
      throw new InputError('--candles', `coinbase has candles of ${INTERVALS.join(', ')}, got '${interval}'`)
    const product = symbol.replace('_', '-').toUpperCase()
    const pageMs = PAGE_ROWS * intervalMs
    const files: ArchiveFile[] = []
    // A candle that is not complete yet would change later.
    const end = Math.floor(to / intervalMs) * intervalMs
    for (let start = Math.ceil(from / intervalMs) * intervalMs; start < end; start += pageMs) {
      const range = { from: start, to: Math.min(end, start + pageMs) }
      const [first, last] = [isoTime(range.from), isoTime(range.to - intervalMs)]
      const query = `granularity=${intervalMs / 1000}&start=${first}&end=${last}`
      const name = `${product}-${interval}-${first.replaceAll(':', '')}-${last.replaceAll(':', '')}.json`
      const url = `${this.#baseUrl}/products/${product}/candles?${query}`
      files.push({ name, url, range, reading: { symbol, candleInterval: intervalMs, dialect: DIALECT } })
    }
    return files
  }

  async check(path: string): Promise<boolean> {
    const rows = jsonOf(await readFile(path, 'utf8'))
    if (!Array.isArray(rows))
      throw new InputError(path, 'expected a JSON array of candles: it is damaged or incomplete')
    return rows.length > 0
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
