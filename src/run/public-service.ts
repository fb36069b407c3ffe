/** A service as anybody can read it, without a key: its markets, its trades, and the time at which they come. */
import { LiveMarketData } from '../adapter/live/market-data/live-market-data.ts'
import type { MarketDataSettings } from '../adapter/live/market-data/market-data-settings.ts'
import { MACHINE_CLOCKS, machineRandom, type MachineClocks } from '../adapter/live/machine-clocks.ts'
import { proxyFor } from '../adapter/live/network/proxy.ts'
import { ClientBudget } from '../adapter/live/rest/client-budget.ts'
import { ServiceClient } from '../adapter/live/rest/service-client.ts'
import { UndiciTransport } from '../adapter/live/rest/undici-transport.ts'
import { streamUrlOf } from '../adapter/live/stream/stream-connection.ts'
import { WsStreamConnection } from '../adapter/live/stream/ws-stream-connection.ts'
import type { Market } from '../domain/market.ts'
import { LiveLoop } from '../runtime/live/live-loop.ts'
import { WarningLimiter } from '../runtime/live/warning-limiter.ts'
import { outsideListener, type WarningListener } from '../runtime/session/outside-listener.ts'
import { MarketView } from '../strategy/market-view.ts'

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
  readonly loop: LiveLoop
  readonly client: ServiceClient
  /** Something that a person should know. */
  readonly warn: (message: string) => void
  readonly #options: PublicServiceOptions
  readonly #warnings: WarningLimiter
  readonly #transport: UndiciTransport
  readonly #budget: ClientBudget

  /** @param onError  what an event has thrown. @throws {InputError} for a URL that is none */
  constructor(options: PublicServiceOptions, onError: (error: unknown) => void) {
    const { url, clocks = MACHINE_CLOCKS, random = machineRandom, onWarning } = options
    this.#options = options
    this.#transport = new UndiciTransport({ url, proxy: proxyFor(url) })
    this.loop = new LiveLoop(clocks, {
      onJump: (byMs) => {
        this.warn(`the clock jumped by ${byMs} ms`)
      },
      onSetBack: (byMs) => {
        this.warn(`the clock of this machine was set back by ${byMs} ms; the session keeps its own time`)
      },
      onError,
    })
    const { turn } = this.loop
    const listener = outsideListener<WarningListener>(turn, onWarning === undefined ? {} : { onWarning })
    this.#warnings = new WarningLimiter(this.loop, (message) => listener.onWarning?.(message))
    this.warn = (message) => this.#warnings.warn(message)
    this.#budget = new ClientBudget({ time: this.loop })
    this.client = new ServiceClient({ transport: this.#transport, budget: this.#budget, time: this.loop, random })
  }

  /** Not started yet. */
  marketData(markets: readonly Market[], confirm: MarketDataSettings['confirm']): LiveMarketData {
    const { url, random = machineRandom } = this.#options
    return new LiveMarketData({
      markets: markets.map((market) => new MarketView(market)),
      reads: this.client,
      stream: new WsStreamConnection({ url: streamUrlOf(url), proxy: proxyFor(streamUrlOf(url)), random }),
      time: this.loop,
      random,
      settings: { confirm },
      onWarning: this.warn,
    })
  }

  async close(): Promise<void> {
    this.#warnings.flush()
    this.loop.stop()
    this.client.close()
    await this.#transport.close()
  }
}
