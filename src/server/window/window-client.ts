/**
 * An open window: its selection, and its frames. Sends each section only when it changed since the last frame.
 *
 * Known limit: sections are compared as text, so they must be small; candles are compared from the last one on.
 */
import type { Service } from '../service/service.ts'
import type { WindowFrame, WindowWatch } from './window-frame.ts'
import { accountLook, bookLook, candlesLook, tickersLook, tradesLook } from './window-looks.ts'

/** Candles of a chart at its beginning, and at most in one frame. */
const FIRST_CANDLES = 500
const MAX_CANDLES = 1_000

/** Pieces that are the same for every window. */
export type SharedPieces = Pick<WindowFrame, 'world' | 'clock' | 'users' | 'faults' | 'tickers' | 'pauses'>

export class WindowClient {
  watch: WindowWatch | undefined
  readonly #reported = new Map<string, string>()
  /** Open time of the last candle sent; undefined before the first. */
  #lastCandle: number | undefined

  /** Looks elsewhere from now on. */
  turn(watch: WindowWatch): void {
    const before = this.watch
    this.watch = watch
    if (before?.symbol !== watch.symbol || before.interval !== watch.interval) this.#lastCandle = undefined
  }

  /** @returns undefined when there is nothing new */
  frame(service: Service, now: number, shared: SharedPieces): WindowFrame | undefined {
    const { watch } = this
    if (watch === undefined) return undefined
    const market = service.market(watch.symbol)
    const pieces: WindowFrame = {
      ...shared,
      tickers: tickersLook(service, now).map((ticker) => ({ ...ticker, timestamp: '' })),
      ...(market !== undefined && { book: bookLook(service, market), trades: tradesLook(service, market) }),
      ...(watch.user !== undefined && { account: accountLook(service, watch.user, now) ?? null }),
    }
    const news = Object.entries(pieces).filter(([name, piece]) => this.#isNews(name, JSON.stringify(piece)))
    const candles = this.#candles(service, watch)
    if (news.length === 0 && candles === undefined) return undefined
    return { ...(Object.fromEntries(news) as WindowFrame), ...(candles !== undefined && { candles }) }
  }

  #isNews(name: string, text: string): boolean {
    if (this.#reported.get(name) === text) return false
    this.#reported.set(name, text)
    return true
  }

  #candles(service: Service, watch: WindowWatch): WindowFrame['candles'] {
    const market = service.market(watch.symbol)
    if (market === undefined) return undefined
    const { symbol, interval } = watch
    const last = this.#lastCandle
    const since = last === undefined ? [] : candlesLook(service, market, watch, MAX_CANDLES, last)
    // If the first candle is not the last one sent, candles between them are missing.
    const isWhole = since[0]?.time !== last || last === undefined
    const data = isWhole ? candlesLook(service, market, watch, FIRST_CANDLES, undefined) : since
    const newest = data.at(-1)
    if (newest === undefined || !this.#isNews('candle', JSON.stringify([symbol, interval, newest]))) return undefined
    this.#lastCandle = newest.time
    return { symbol, interval, isWhole, data }
  }
}
