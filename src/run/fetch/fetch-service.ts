/**
 * History of a service: candles page by page, and the newest trades, which are all that it lists (sections 4 and 8).
 *
 * Its limits are per key, and these reads send none; requests are paced as if they had one.
 */
import { writeFileSync } from 'node:fs'
import { ClientBudget } from '../../adapter/live/rest/client-budget.ts'
import { proxyFor } from '../../adapter/live/network/proxy.ts'
import { ServiceClient } from '../../adapter/live/rest/service-client.ts'
import { UndiciTransport } from '../../adapter/live/rest/undici-transport.ts'
import { CANDLE_INTERVALS, type CandleInterval } from '../../domain/candle.ts'
import { InputError } from '../../domain/errors.ts'
import { formatUnits } from '../../domain/fixed-point.ts'
import type { Market } from '../../domain/market.ts'
import { DEFAULT_RATE_LIMITS } from '../../domain/rate-window.ts'
import { asWriteFault } from '../../domain/write-fault.ts'
import { RECORDING_HEADER, rowText } from '../../store/recordings/recording.ts'
import type { MarkedGap } from '../../tape/gap-marks.ts'
import type { WireTrade } from '../../wire/wire-trade.ts'
import type { CandlePages } from './fetch-candles.ts'
import { ATTEMPTS, type FetchWorld, type TimeRange } from './fetch-world.ts'
import type { FetchedTape } from './fetched-tape.ts'

/** Maximum sizes of a read according to the specification, and decision 3. */
const MAX_TRADES = 500
const MAX_CANDLES = 1000
const PAUSE_MS = (DEFAULT_RATE_LIMITS.windowSeconds * 1000) / DEFAULT_RATE_LIMITS.general

type FetchRange = { readonly [Key in keyof TimeRange]?: TimeRange[Key] | undefined }

export class ServiceHistory {
  readonly #client: ServiceClient
  readonly #transport: UndiciTransport

  /** @throws {InputError} for an unusable URL */
  constructor(url: string, world: FetchWorld, random: () => number) {
    const { time, signal } = world
    this.#transport = new UndiciTransport({ url, proxy: proxyFor(url) })
    this.#client = new ServiceClient({
      transport: this.#transport,
      budget: new ClientBudget({ time }),
      time,
      random,
      attempts: ATTEMPTS,
    })
    signal?.addEventListener('abort', () => {
      this.#client.close()
    })
  }

  /** @throws {InputError} for a symbol that the service does not list */
  async market(symbol: string): Promise<Market> {
    const listed = await this.#client.markets()
    const market = listed.find((each) => each.symbol === symbol)
    if (market !== undefined) return market
    const known = listed.map((each) => each.symbol).join(', ') || 'none'
    throw new InputError('markets', `the service lists no market '${symbol}', only ${known}`)
  }

  /** Present time of the service, in Unix milliseconds: that of an emulator may be any. */
  async now(symbol: string): Promise<number> {
    return (await this.#client.ticker(symbol)).timestamp
  }

  /** @throws {InputError} for an interval that the service does not serve */
  candlePages({ symbol, pricePrecision, qtyPrecision }: Market, intervalMs: number, now: number): CandlePages {
    const [interval] = Object.entries(CANDLE_INTERVALS).find(([, ms]) => ms === intervalMs) ?? []
    if (interval === undefined) {
      const known = Object.keys(CANDLE_INTERVALS).join(', ')
      throw new InputError('--candles', `the service has candles of ${known} only`)
    }
    const price = (ticks: number): string => formatUnits(ticks, pricePrecision)
    return {
      // One less, for a service that counts both ends of a range.
      pageRows: MAX_CANDLES - 1,
      isWholeRange: true,
      closedBy: now,
      pauseMs: PAUSE_MS,
      reading: { symbol, candleInterval: intervalMs, pricePrecision, qtyPrecision },
      page: async ({ from, to }) => {
        const range = { from: String(from), to: String(to) }
        const candles = await this.#client.candles(symbol, interval as CandleInterval, MAX_CANDLES, range)
        return candles.map(({ time, open, high, low, close, volume }) => ({
          time,
          figures: `${[open, high, low, close].map(price).join(',')},${formatUnits(volume, qtyPrecision)}`,
        }))
      },
    }
  }

  /**
   * Stores the newest trades that the service lists.
   *
   * @returns what is missing of the range before them
   */
  async fetchTrades(tape: FetchedTape, market: Market, { from, to }: FetchRange): Promise<readonly MarkedGap[]> {
    const newestFirst = await this.#client.trades(market.symbol, MAX_TRADES)
    const { end } = tape
    const range = joinedRange(tape, { from, to })
    const trades = newestFirst.toReversed().filter(({ createdAt }) => createdAt >= range.from && createdAt < range.to)
    const why = `the service lists only its newest ${MAX_TRADES} trades`
    const oldest = newestFirst.at(-1)?.createdAt ?? 0
    const isComplete = newestFirst.length < MAX_TRADES
    const isJoined = isComplete || newestFirst.some(({ id }) => id === String(end?.id))
    const between = end === undefined || isJoined || end.time >= oldest ? [] : [{ from: end.time, to: oldest, why }]
    // Before the rows after it, so that a killed process leaves no gap without a mark.
    tape.mark(between)
    const { symbol, pricePrecision, qtyPrecision } = market
    if (trades.length > 0)
      await tape.add([{ file: written(tape, market, trades), symbol, pricePrecision, qtyPrecision, sort: true }])
    // A service may number the trades of all markets together: ids that a market lacks are no gaps.
    tape.ignoreIds()
    const first = tape.market(({ entries }) => entries[0]?.first) ?? oldest
    const isBefore = !isComplete && from !== undefined && from < first
    return [...(isBefore ? [{ from, to: first, why }] : []), ...between]
  }

  async close(): Promise<void> {
    this.#client.close()
    await this.#transport.close()
  }
}

/** A range as far as the stored rows on both sides, so that no trade between is left out. */
function joinedRange(tape: FetchedTape, { from = 0, to = Number.POSITIVE_INFINITY }: FetchRange): TimeRange {
  const first = tape.market(({ entries }) => entries[0]?.first) ?? 0
  return { from: Math.min(from, tape.end?.time ?? from), to: Math.max(to, first) }
}

function written(
  tape: FetchedTape,
  { symbol, pricePrecision, qtyPrecision }: Market,
  trades: readonly WireTrade[],
): string {
  const file = tape.stage('trades.csv')
  const rows = trades.map((trade) => {
    const [price, qty] = [formatUnits(trade.price, pricePrecision), formatUnits(trade.qty, qtyPrecision)]
    return rowText(file, { ...trade, price, qty }, symbol)
  })
  try {
    writeFileSync(file, `${RECORDING_HEADER}\n${rows.join('')}`)
    return file
  } catch (error) {
    throw asWriteFault(file, error)
  }
}
