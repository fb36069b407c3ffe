/** Records live trades of a service as tapes until stopped. */
import type { ConnectionState } from '../adapter/exchange-adapter.ts'
import { InputError } from '../domain/errors.ts'
import type { Market } from '../domain/market.ts'
import { setting } from '../domain/setting-name.ts'
import { Recordings, type RecordingPlace, type RecordingState } from '../runtime/recording/recordings.ts'
import { LiveProcess } from './live-process.ts'
import { PublicService, type PublicServiceOptions } from './public-service.ts'

export interface RecordOptions extends PublicServiceOptions {
  /** At least one. */
  readonly symbols: readonly string[]
  /** Place of the recordings. */
  readonly place: RecordingPlace
  /** Ends the recording. */
  readonly signal: AbortSignal
  /** Called when recording starts, then every second. */
  readonly onStatus?: (status: RecordStatus) => void
}

/** Status of a recording. */
export interface RecordStatus {
  /** Unix milliseconds. */
  readonly time: number
  /** State of the market data stream. */
  readonly connection: ConnectionState
  /** Number of times that the stream reconnected. */
  readonly reconnects: number
  /** Recording of each market. */
  readonly markets: readonly RecordingState[]
}

/**
 * Records until the signal aborts.
 *
 * @returns the final status
 * @throws {InputError} for a symbol that the service does not list, or a file that cannot be written
 * @throws {ExchangeError} if the service cannot be used at the start
 */
export async function record(options: RecordOptions): Promise<RecordStatus> {
  const { clocks, signal, onWarning } = options
  const process = new LiveProcess({ clocks, signal, warned: { onWarning } })
  return await process.during(async () => {
    const service = new PublicService(options, process)
    const listed = await process.end.before(service.client.markets())
    if (listed === undefined) return { time: process.loop.now(), connection: 'closed', reconnects: 0, markets: [] }
    return await recordMarkets(options, process, service, marketsOf(listed, options.symbols))
  })
}

async function recordMarkets(
  { place, onStatus }: RecordOptions,
  process: LiveProcess<object>,
  service: PublicService,
  markets: readonly Market[],
): Promise<RecordStatus> {
  const { client: reads } = service
  const { end, loop } = process
  const where = setting(place.form === 'store' ? 'db' : 'out')
  const recordings = new Recordings({ where, place, markets, reads, time: loop, onFailure: end.fail })
  // REST polling: slower than the stream, but every trade arrives in the order of the exchange.
  const data = service.marketData(markets, 'rest')
  const status = (): RecordStatus => {
    const { state, reconnects } = data.health()
    return { time: loop.now(), connection: state, reconnects, markets: recordings.states }
  }
  try {
    recordings.listen(data)
    await end.before(data.start())
    await end.before(recordings.resume())
    await end.before(data.followed())
    process.everySecond(() => onStatus?.(status()))
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
    throw new InputError(where, `the service lists no market '${symbol}', only ${known}`)
  })
}
