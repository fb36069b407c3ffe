/**
 * Candles of any exchange that ccxt knows. ccxt is an optional package, loaded when it is asked for.
 *
 * Known limits: ccxt has the figures of a candle as doubles, whose shortest digits are those that the exchange sent, up
 * to 15 of them; how far back candles go depends on the exchange.
 */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { lengthMsOf } from '../../domain/candle-length.ts'
import { ExchangeError, InputError } from '../../domain/errors.ts'
import { nearestNameHint } from '../../domain/nearest-name.ts'
import { thrownText } from '../../domain/thrown-text.ts'
import type { CandlePages } from './fetch-candles.ts'
import { CLOCK_SKEW_MS, type FetchWorld } from './fetch-world.ts'

/** The part of ccxt that is used. */
interface CcxtExchange {
  readonly timeframes?: Readonly<Record<string, unknown>>
  readonly has: Readonly<Record<string, unknown>>
  urls: Record<string, unknown>
  readonly markets?: Readonly<Record<string, unknown>>
  loadMarkets(): Promise<unknown>
  fetchTime(): Promise<number>
  fetchOHLCV(symbol: string, timeframe: string, since: number, limit: number): Promise<readonly (readonly unknown[])[]>
}

interface Ccxt {
  readonly exchanges: readonly string[]
  readonly NetworkError: new () => Error
}

type ExchangeClass = new (options: object) => CcxtExchange

const PAGE_ROWS = 300
/** Doubles may have more digits than were sent. */
const MAX_DECIMALS = 12

export class CcxtHistory {
  readonly #exchange: CcxtExchange
  readonly #id: string
  readonly #world: FetchWorld
  readonly #isPassing: (error: unknown) => boolean

  private constructor(id: string, exchange: CcxtExchange, world: FetchWorld, isPassing: (error: unknown) => boolean) {
    this.#id = id
    this.#exchange = exchange
    this.#world = world
    this.#isPassing = isPassing
  }

  /**
   * @param url  replaces the host of the exchange's addresses
   * @param cwd  directory from which ccxt is looked for first
   * @throws {InputError} if ccxt is not installed, or does not know the exchange
   */
  static async open(
    { id, url, cwd }: { readonly id: string; readonly url: string | undefined; readonly cwd: string },
    world: FetchWorld,
  ): Promise<CcxtHistory> {
    const ccxt = await loadCcxt(cwd)
    if (!ccxt.exchanges.includes(id)) {
      throw new InputError('markets', `ccxt knows no exchange '${id}'${nearestNameHint(id, ccxt.exchanges)}`)
    }
    const Exchange = (ccxt as unknown as Record<string, ExchangeClass>)[id]
    if (Exchange === undefined) throw new InputError('markets', `ccxt has no class of the exchange '${id}'`)
    const exchange = new Exchange({ enableRateLimit: true })
    if (url !== undefined) exchange.urls.api = atHost(exchange.urls.api, url)
    const history = new CcxtHistory(id, exchange, world, (error) => error instanceof ccxt.NetworkError)
    await history.#call(() => exchange.loadMarkets())
    return history
  }

  /** @param symbol  BASE_QUOTE @throws {InputError} for a market or an interval that the exchange does not have */
  async candlePages(symbol: string, interval: string): Promise<CandlePages> {
    const { markets = {}, timeframes = {}, has } = this.#exchange
    const unified = symbol.replace('_', '/')
    if (markets[unified] === undefined) {
      const hint = nearestNameHint(unified, Object.keys(markets))
      throw new InputError('markets', `${this.#id} has no market '${unified}'${hint}`)
    }
    if (timeframes[interval] === undefined || has.fetchOHLCV !== true) {
      const known = Object.keys(timeframes).join(', ') || 'none'
      throw new InputError('--candles', `${this.#id} has no candles of '${interval}', only ${known}`)
    }
    const candleInterval = lengthMsOf(interval)
    const now = has.fetchTime === true ? await this.#call(() => this.#exchange.fetchTime()) : this.#world.time.now()
    return {
      pageRows: PAGE_ROWS,
      // Some exchanges look no further than a page.
      isWholeRange: false,
      closedBy: now - CLOCK_SKEW_MS,
      // ccxt waits by itself.
      pauseMs: 0,
      reading: { symbol, candleInterval, precision: MAX_DECIMALS },
      page: async ({ from }) => {
        const rows = await this.#call(() => this.#exchange.fetchOHLCV(unified, interval, from, PAGE_ROWS))
        return rows.flatMap(([time, ...figures]) =>
          typeof time === 'number' && figures.every((figure) => typeof figure === 'number')
            ? [{ time, figures: figures.slice(0, 'ohlcv'.length).join(',') }]
            : [],
        )
      },
    }
  }

  #call<T>(call: () => Promise<T>): Promise<T> {
    return this.#world.retried(call, (error) => ({
      error: new ExchangeError('SERVICE_UNAVAILABLE', `${this.#id}: ${thrownText(error)}`, {
        isRetryable: this.#isPassing(error),
        cause: error,
      }),
    }))
  }
}

/** That of the working directory, otherwise that of papertape. */
async function loadCcxt(cwd: string): Promise<Ccxt> {
  try {
    const loaded: unknown = await import(specifierFrom(cwd))
    return (loaded as { readonly default: Ccxt }).default
  } catch (error) {
    const [why = ''] = thrownText(error).split('\n')
    throw new InputError('markets', `needs the package ccxt: run npm install ccxt (${why})`, { cause: error })
  }
}

function specifierFrom(cwd: string): string {
  try {
    return pathToFileURL(createRequire(join(cwd, 'package.json')).resolve('ccxt')).href
  } catch {
    return 'ccxt'
  }
}

/** The same addresses at another host. */
function atHost(urls: unknown, url: string): unknown {
  if (typeof urls === 'string') return urls.replace(/^https?:\/\/[^/]+/, url)
  if (typeof urls !== 'object' || urls === null) return urls
  return Object.fromEntries(Object.entries(urls).map(([name, each]) => [name, atHost(each, url)]))
}
