/**
 * Live trades of a service as tapes, for as long as they are wanted.
 */
import { UndiciTransport } from '../adapter/live/rest/undici-transport.ts'
import { ClientBudget } from '../adapter/live/rest/client-budget.ts'
import { ServiceClient } from '../adapter/live/rest/service-client.ts'
import { LiveMarketData } from '../adapter/live/market-data/live-market-data.ts'
import type { MachineClocks } from '../adapter/live/machine-clocks.ts'
import { streamUrlOf } from '../adapter/live/stream/stream-url.ts'
import { WsStreamConnection } from '../adapter/live/stream/ws-stream-connection.ts'
import type { ConnectionState } from '../adapter/exchange-adapter.ts'
import { InputError } from '../domain/errors.ts'
import type { Market } from '../domain/market.ts'
import { setting } from '../domain/setting-name.ts'
import { LiveLoop } from '../runtime/live/live-loop.ts'
import { Recordings, type RecordingState } from '../runtime/recording/recordings.ts'
import { MarketView } from '../strategy/market-view.ts'

export interface RecordOptions {
  /** Base URL of the service. */
  readonly url: string
  /** At least one. */
  readonly symbols: readonly string[]
  /** Folder of the recordings. */
  readonly out: string
  readonly clocks: MachineClocks
  /** Gives numbers in [0, 1). */
  readonly random: () => number
  /** Ends it. */
  readonly signal: AbortSignal
  /** Called once it records, each second, and at the end. */
  readonly onStatus?: (status: RecordStatus) => void
  /** Something that a person should know. */
  readonly onWarning?: (message: string) => void
}

export interface RecordStatus {
  /** Unix milliseconds. */
  readonly time: number
  readonly connection: ConnectionState
  /** Times that the stream was connected anew. */
  readonly reconnects: number
  readonly markets: readonly RecordingState[]
}

const STATUS_MS = 1_000

/**
 * Records until the signal says so.
 *
 * @returns how it stands at the end
 * @throws {InputError} for a symbol that the service does not list, or a file that cannot be written
 * @throws {ExchangeError} when the service cannot be used at the start
 */
export async function record(options: RecordOptions): Promise<RecordStatus> {
  const { url, random, signal } = options
  const end = new RecordEnd(signal)
  const loop = new LiveLoop(options.clocks, {
    onJump: () => undefined,
    onSetBack: () => undefined,
    onError: end.fail,
  })
  const transport = new UndiciTransport({ url })
  const client = new ServiceClient({ transport, budget: new ClientBudget({ time: loop }), time: loop, random })
  try {
    const listed = await end.before(client.markets())
    if (listed === undefined) return { time: loop.now(), connection: 'closed', reconnects: 0, markets: [] }
    return await recordMarkets(options, { markets: marketsOf(listed, options.symbols), client, loop, end })
  } finally {
    loop.stop()
    client.close()
    await transport.close()
  }
}

interface RecordParts {
  readonly markets: readonly Market[]
  readonly client: ServiceClient
  readonly loop: LiveLoop
  readonly end: RecordEnd
}

async function recordMarkets(
  { url, out: folder, random, onStatus, onWarning }: RecordOptions,
  { markets, client, loop, end }: RecordParts,
): Promise<RecordStatus> {
  const where = setting('out')
  const recordings = new Recordings({ where, folder, markets, reads: client, time: loop, onFailure: end.fail })
  const data = new LiveMarketData({
    markets: markets.map((market) => new MarketView(market)),
    reads: client,
    stream: new WsStreamConnection({ url: streamUrlOf(url), random }),
    time: loop,
    random,
    // A recording has time: every trade in the order of the exchange.
    settings: { confirm: 'rest' },
    ...(onWarning !== undefined && { onWarning }),
  })
  const status = (): RecordStatus => {
    const { state, reconnects } = data.health()
    return { time: loop.now(), connection: state, reconnects, markets: recordings.states }
  }
  const tell = (): void => {
    onStatus?.(status())
    loop.after(STATUS_MS, tell)
  }
  try {
    recordings.listen(data)
    await end.before(data.start())
    await end.before(recordings.resume())
    tell()
    await end.came
  } finally {
    data.close()
    recordings.close()
  }
  end.throwFailure()
  return status()
}

function marketsOf(listed: readonly Market[], symbols: readonly string[]): readonly Market[] {
  const where = setting('symbols')
  if (symbols.length === 0) throw new InputError(where, 'expected at least one symbol')
  const names = listed.map(({ symbol }) => symbol)
  return [...new Set(symbols)].map((symbol) => {
    const market = listed.find((each) => each.symbol === symbol)
    if (market !== undefined) return market
    const known = names.join(', ') || 'none'
    throw new InputError(where, `the service lists no market '${symbol}'; there is ${known}`)
  })
}

/** Waits for what ends it: the signal, or a failure. */
class RecordEnd {
  readonly came: Promise<void>
  #come: () => void = () => undefined
  #failure: { readonly error: unknown } | undefined

  constructor(signal: AbortSignal) {
    this.came = new Promise((resolve) => {
      this.#come = resolve
    })
    if (signal.aborted) this.#come()
    signal.addEventListener('abort', this.#come)
  }

  readonly fail = (error: unknown): void => {
    this.#failure ??= { error }
    this.#come()
  }

  /** What comes of it, or undefined when the end is sooner. @throws what it throws */
  async before<T>(promise: Promise<T>): Promise<T | undefined> {
    // What is not waited for any more may fail.
    promise.catch(() => undefined)
    return await Promise.race([promise, this.came.then(() => undefined)])
  }

  /** @throws why it ended, when that was no signal */
  throwFailure(): void {
    if (this.#failure !== undefined) throw this.#failure.error
  }
}
