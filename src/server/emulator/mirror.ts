/**
 * A live service whose markets an emulator follows, as a paper session does: by its public data alone, so neither a key
 * nor an order is ever sent to it.
 *
 * It reconnects by itself, and one connection serves every life of the emulator.
 */
import type { LiveMarketData } from '../../adapter/live/market-data/live-market-data.ts'
import { CANDLE_INTERVALS, type Candle } from '../../domain/candle.ts'
import { ExchangeError, invariant } from '../../domain/errors.ts'
import type { Market } from '../../domain/market.ts'
import { thrownText } from '../../domain/thrown-text.ts'
import { LiveProcess } from '../../run/live-process.ts'
import { PublicService } from '../../run/public-service.ts'

/** Maximum number of candles in a read (decision 4). */
const MAX_CANDLES = 1_000

/** From the shortest to the longest. */
const INTERVALS = Object.entries(CANDLE_INTERVALS) as readonly (readonly [keyof typeof CANDLE_INTERVALS, number])[]

export interface MirrorOptions {
  readonly url: string
  readonly onNotice: (message: string) => void
  /** Called once if it cannot continue, by a fault of ours. */
  readonly onFailure: (error: unknown) => void
}

/** A candle of the past and its length. */
export interface PastCandle extends Candle {
  readonly lengthMs: number
}

export class Mirror {
  readonly url: string
  /** Called when `isCurrent` may have changed. */
  onCurrent: () => void = () => undefined
  readonly onNotice: (message: string) => void
  readonly #process: LiveProcess<object>
  readonly #service: PublicService
  readonly #ended: Promise<void>
  #data: LiveMarketData | undefined

  constructor({ url, onNotice, onFailure }: MirrorOptions) {
    this.url = url
    this.onNotice = onNotice
    this.#process = new LiveProcess({
      warned: {
        onWarning: (text) => {
          onNotice(`${url}: ${text}`)
        },
      },
    })
    const { end } = this.#process
    this.#service = new PublicService({ url }, this.#process)
    this.#ended = this.#process.during(() => end.came)
    end.atOnce(() => {
      if (end.failure !== undefined) onFailure(end.failure)
    })
  }

  /** Markets that the service lists. @throws {ExchangeError} naming the URL */
  async markets(): Promise<readonly Market[]> {
    return await this.#service.client.markets().catch(this.#asUnusable)
  }

  /** Follows the trades of these markets; resolves when no later one can be missed. @throws {ExchangeError} */
  async follow(markets: readonly Market[]): Promise<void> {
    const data = this.#service.marketData(markets, 'stream', undefined, () => {
      this.onCurrent()
    })
    this.#data = data
    for (const { symbol } of markets) {
      data.watch(symbol)
      // A ticker shows that there was trading, also if the stream of trades is silent.
      data.tickers(symbol).subscribe()
    }
    const followed = data.start().then(() => data.followed())
    await this.#process.end.before(followed.catch(this.#asUnusable))
  }

  get data(): LiveMarketData {
    invariant(this.#data !== undefined, 'the mirrored markets are followed')
    return this.#data
  }

  /** Whether the trades of a market are known up to now. */
  isCurrent(symbol: string): boolean {
    return this.data.watch(symbol).feed.isCurrent
  }

  /** Closed candles from before `now`, oldest first, as fine as the service has them; none if it has no candles. */
  async candles(symbol: string, now: number): Promise<readonly PastCandle[]> {
    let joined: readonly PastCandle[] = []
    try {
      let from = Number.POSITIVE_INFINITY
      for (const [interval, lengthMs] of INTERVALS) {
        const candles = await this.#service.client.candles(symbol, interval, MAX_CANDLES)
        const boundary = Math.ceil(from / lengthMs) * lengthMs
        const earlier = candles.filter(({ time }) => time + lengthMs <= Math.min(boundary, now))
        joined = [
          ...earlier.map((candle) => ({ ...candle, lengthMs })),
          ...joined.filter(({ time }) => time >= boundary),
        ]
        if (candles.length < MAX_CANDLES) break
        from = candles[0]?.time ?? from
      }
    } catch (error) {
      this.onNotice(`${this.url}: no earlier candles of ${symbol}: ${thrownText(error)}`)
    }
    return joined
  }

  /** Idempotent. */
  async close(): Promise<void> {
    this.#data?.close()
    this.#process.end.stop()
    await this.#ended
  }

  readonly #asUnusable = (error: unknown): never => {
    if (!(error instanceof ExchangeError)) throw error
    const { code, message, requestId, isRetryable } = error
    const options = { cause: error, requestId, isRetryable }
    throw new ExchangeError(code, `${this.url} cannot be mirrored: ${message}`, options)
  }
}
