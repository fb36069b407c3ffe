/** A service as anybody can read it, without a key: its markets and its trades. */
import { listedInterval } from '../domain/candle.ts'
import type { PastSource } from '../runtime/session/warm-adapter.ts'
import { LiveMarketData, type LiveMarketDataOptions } from '../adapter/live/market-data/live-market-data.ts'
import type { MarketDataSettings } from '../adapter/live/market-data/market-data-settings.ts'
import { machineRandom, type MachineClocks } from '../adapter/live/machine-clocks.ts'
import { proxyFor } from '../adapter/live/network/proxy.ts'
import { ClientBudget } from '../adapter/live/rest/client-budget.ts'
import { ServiceClient } from '../adapter/live/rest/service-client.ts'
import { UndiciTransport } from '../adapter/live/rest/undici-transport.ts'
import { streamUrlOf } from '../adapter/live/stream/stream-connection.ts'
import { WsStreamConnection } from '../adapter/live/stream/ws-stream-connection.ts'
import type { Market } from '../domain/market.ts'
import { MarketView } from '../strategy/market-view.ts'
import type { LiveProcess } from './live-process.ts'

export interface PublicServiceOptions {
  /** Base URL. */
  readonly url: string
  /** Default: the machine's. */
  readonly clocks?: MachineClocks | undefined
  /** Numbers in [0, 1); default: those of the machine. */
  readonly random?: (() => number) | undefined
  /** Something that a person should know. */
  readonly onWarning?: ((message: string) => void) | undefined
}

export class PublicService {
  readonly client: ServiceClient
  readonly #options: PublicServiceOptions
  readonly #process: LiveProcess<object>

  /** It is closed with the process. @throws {InputError} for a URL that is none */
  constructor(options: PublicServiceOptions, process: LiveProcess<object>) {
    const { url, random = machineRandom } = options
    const { loop: time } = process
    this.#options = options
    this.#process = process
    const transport = new UndiciTransport({ url, proxy: proxyFor(url) })
    const client = new ServiceClient({ transport, budget: new ClientBudget({ time }), time, random })
    this.client = client
    process.atClose(async () => {
      client.close()
      await transport.close()
    })
  }

  /**
   * Not started yet.
   * @param userOf     a user whose market orders are no market data; default: none
   * @param onCurrent  the trades of a market may have become complete, or no longer are
   */
  marketData(
    markets: readonly Market[],
    confirm: MarketDataSettings['confirm'],
    userOf: () => string | undefined = () => undefined,
    onCurrent?: () => void,
  ): LiveMarketData {
    const { url, random = machineRandom } = this.#options
    const isOwn: LiveMarketDataOptions['isOwn'] = ({ buyerId, sellerId, isBuyerMaker }) =>
      (isBuyerMaker ? sellerId : buyerId) === userOf()
    return new LiveMarketData({
      markets: markets.map((market) => new MarketView(market)),
      reads: this.client,
      stream: new WsStreamConnection({ url: streamUrlOf(url), proxy: proxyFor(streamUrlOf(url)), random }),
      time: this.#process.loop,
      random,
      settings: { confirm },
      isOwn,
      isMarketData: (trade) => !isOwn(trade),
      onCurrent,
      onWarning: this.#process.warn,
    })
  }
}

/** The feed of a market with its history, for a warm-up. */
export const pastOf = (data: LiveMarketData): PastSource => ({
  candles: (symbol, interval) => data.candles(symbol, listedInterval(interval)),
  earlierCandles: (symbol, interval) => data.earlierCandles(symbol, listedInterval(interval)),
  afterCandles: (symbol, interval, time, action) => {
    data.afterCandles(symbol, listedInterval(interval), time, action)
  },
  loadCandles: (symbol, interval, count) => data.loadCandles(symbol, listedInterval(interval), count),
  recentTrades: (symbol) => data.recentTrades(symbol),
})
