/** A strategy on live market data whose orders are filled in this process, from options to report. */
import type { ConnectionState } from '../adapter/exchange-adapter.ts'
import type { SessionState, StateChange } from '../runtime/session-state.ts'
import type { LiveMarketData } from '../adapter/live/market-data/live-market-data.ts'
import { listedInterval } from '../domain/candle.ts'
import { InputError, InvariantError } from '../domain/errors.ts'
import { formatTrimmed } from '../domain/fixed-point.ts'
import type { Market } from '../domain/market.ts'
import { setting } from '../domain/setting-name.ts'
import { reportOfRun } from '../report/run/report-of-run.ts'
import type { RunReport } from '../report/run/run-report.ts'
import { ACCOUNT } from '../runtime/backtest/backtest-stage.ts'
import type { BacktestResult, SimulatedRunListener } from '../runtime/backtest/simulated-run.ts'
import { inVirtualWorld } from '../runtime/backtest/virtual-world.ts'
import type { ShownOrder } from '../runtime/live/live-status.ts'
import { shownOrder } from '../runtime/live/session-status.ts'
import { PaperSession } from '../runtime/live/paper-session.ts'
import { preparePaper, type PreparedPaper } from '../runtime/live/prepare-paper.ts'
import { recordingPlace, Recordings } from '../runtime/recording/recordings.ts'
import { outsideListener } from '../runtime/session/outside-listener.ts'
import type { AwaitedInput } from '../runtime/session/stream-usage.ts'
import type { PastSource } from '../runtime/session/warm-adapter.ts'
import type { FormerTerms } from '../runtime/settings/former-terms.ts'
import { resolveTerms, type GivenTerms } from '../runtime/settings/run-terms.ts'
import { version } from '../runtime/version.ts'
import { makeRunDirectory, userDataDirectory } from '../store/state/data-directory.ts'
import { MarketView } from '../strategy/market-view.ts'
import type { OwnFill } from '../strategy/own-order.ts'
import { AwaitedEnd } from './awaited-end.ts'
import { factsOfBacktest } from './facts-of-backtest.ts'
import { LiveFiles, refuseUsedOut, sinkOf } from './live-files.ts'
import { loadStrategies, paramsOf, type GivenLiveStrategy, type OwnedStrategy } from './live-strategies.ts'
import { equityPointsOf, type EquityPoint } from '../runtime/figures/run-rows.ts'
import { PublicService, type PublicServiceOptions } from './public-service.ts'

/** Options of `paper`. */
export interface PaperOptions extends PublicServiceOptions {
  /** Strategy, name of a ready strategy, or path of a file, with its parameters. */
  readonly strategy: GivenLiveStrategy
  /** Parameters as strings. They override the others. */
  readonly paramTexts?: Readonly<Record<string, string>> | undefined
  /** Market of a strategy that has a `symbol` parameter. */
  readonly symbol?: string | undefined
  /** Starting balances, decimal strings by asset; default: 10000 of the quote asset. */
  readonly credits?: Readonly<Record<string, string>> | undefined
  /** Terms of the run, as in a backtest. */
  readonly terms?: (Omit<GivenTerms, 'from' | 'to'> & FormerTerms) | undefined
  /** Directory to write the run to; default: a new one in `dataDirectory`. */
  readonly out?: string | undefined
  /** Directory for runs; default: the data directory of the user. */
  readonly dataDirectory?: string | undefined
  /** Records the trades as well: a directory, or a database if the name ends in `.db`. */
  readonly record?: string | undefined
  /** Milliseconds after which the session ends; default: until `signal` aborts. */
  readonly forMs?: number | undefined
  /** Ends the session. */
  readonly signal?: AbortSignal | undefined
  /** Receives the events of the session. */
  readonly listener?: Partial<PaperListener> | undefined
  /** Former name of `listener`. */
  readonly onlooker?: Partial<PaperListener> | undefined
}

/**
 * Receives each event as it happens, outside the strategy's turn. Keep it quick: the session waits for it. An error
 * that it throws is reported by `onWarning`, and the session continues.
 */
export interface PaperListener {
  /** The strategy has started. */
  onStart(directory: string): void
  /** The strategy logged a message, at a time in Unix milliseconds. */
  onLog(time: number, message: string): void
  /** An order of the strategy was filled. */
  onFill(fill: OwnFill): void
  /** A loss limit or an operator changed the state of the session. */
  onState(change: StateChange): void
  /** Called once a second. */
  onStatus(status: PaperStatus): void
}

/** Former name of `PaperListener`. */
export type PaperOnlooker = PaperListener

/** Status of a paper session. */
export interface PaperStatus {
  /** Time of the status, Unix milliseconds. */
  readonly time: number
  /** State of the market data stream. */
  readonly connection: ConnectionState
  /** State of the session: ACTIVE, REDUCING or HALTED. */
  readonly state: SessionState
  /** Why the state is not ACTIVE; empty when it is. */
  readonly why: string
  /** Number of times that the stream reconnected. */
  readonly reconnects: number
  /** Unix milliseconds of the last market data; undefined before the first. */
  readonly dataAt: number | undefined
  /** Number of trades played so far. */
  readonly trades: number
  /** Equity, a decimal string in the quote asset. */
  readonly equity: string
  /** Asset in which the session is valued. */
  readonly quoteAsset: string
  /** Number of open orders. */
  readonly openOrders: number
  /** Open orders, newest first. */
  readonly orders: readonly ShownOrder[]
  /** Positions other than zero, without the quote asset: decimal strings. */
  readonly positions: readonly { readonly asset: string; readonly qty: string }[]
  /** Number of requests that are not sent yet. */
  readonly waiting: number
  /** Candles that the strategy has received too few of, with the count that it needs. */
  readonly awaited: readonly AwaitedInput[]
  /** Number of fills so far. */
  readonly fills: number
  /** Last prices by symbol, decimal strings. */
  readonly lastPrices: Readonly<Record<string, string>>
}

/** A finished paper session. */
export interface PaperRun {
  /** Directory of its files. */
  readonly directory: string
  /** The content of `run.json`. */
  readonly report: RunReport
  /** At most 2000 points, oldest first. */
  readonly equity: readonly EquityPoint[]
}

const STATUS_MS = 1_000
/** Interval at which the session is checked for a failed strategy. */
const LOOK_MS = 100
/** Maximum page size of reads in the specification. */
const MAX_READ = 500

/**
 * Trades on paper until the signal aborts, the time is over, or the strategy has failed.
 *
 * @returns undefined if it was stopped before the strategy ran
 * @throws {InputError} for wrong options or unusable files
 * @throws {ExchangeError} if the service cannot be used at the start
 */
export async function paper(options: PaperOptions): Promise<PaperRun | undefined> {
  const settings = { ...resolveTerms(options.terms ?? {}), credit: options.credits ?? {} }
  const [owned] = await loadStrategies([options.strategy])
  if (owned === undefined) throw new InputError(setting('strategy'), 'expected a strategy')
  refuseUsedOut(options.out)
  const end = new AwaitedEnd(options.signal)
  const errors = new PaperErrors(end)
  const service = new PublicService(options, errors.tell)
  try {
    const listed = await end.before(service.client.markets())
    if (listed === undefined) return undefined
    const { symbol, paramTexts: texts = {} } = options
    const views = listed.map((market) => new MarketView(market))
    const [params = {}] = paramsOf([owned], { markets: views, symbol, texts })
    const markets = namedFirst(listed, params)
    const more = { strategy: owned.owner, paramTexts: texts, params, tapes: [], books: [] }
    const prepared = await preparePaper({ settings: { ...settings, ...more }, loaded: owned.loaded, params, markets })
    return await new PaperProcess(options, { service, prepared, owned, end, errors }).trade()
  } finally {
    await service.close()
  }
}

/** Markets named by the parameters, `symbol` first; all markets if none is named. */
function namedFirst(listed: readonly Market[], params: Readonly<Record<string, unknown>>): readonly Market[] {
  const values = new Set(Object.values(params).flat())
  const named = listed.filter(({ symbol }) => values.has(symbol))
  const markets = named.length === 0 ? listed : named
  return markets.toSorted((a, b) => Number(b.symbol === params.symbol) - Number(a.symbol === params.symbol))
}

/** Uncaught errors: those of the strategy become its failure, internal ones end the process. */
class PaperErrors {
  session: PaperSession | undefined
  readonly #end: AwaitedEnd

  constructor(end: AwaitedEnd) {
    this.#end = end
  }

  readonly tell = (error: unknown): void => {
    const isOurs = error instanceof InvariantError || error instanceof InputError
    if (isOurs || this.session === undefined) this.#end.fail(error)
    else this.session.run.onError(error)
  }
}

const pastOf = (data: LiveMarketData): PastSource => ({
  candles: (symbol, interval) => data.candles(symbol, listedInterval(interval)),
  earlierCandles: (symbol, interval) => data.earlierCandles(symbol, listedInterval(interval)),
  afterCandles: (symbol, interval, time, action) => {
    data.afterCandles(symbol, listedInterval(interval), time, action)
  },
  loadCandles: (symbol, interval, count) => data.loadCandles(symbol, listedInterval(interval), count),
  recentTrades: (symbol) => data.recentTrades(symbol),
})

interface PaperParts {
  readonly service: PublicService
  readonly prepared: PreparedPaper
  readonly owned: OwnedStrategy
  readonly end: AwaitedEnd
  readonly errors: PaperErrors
}

class PaperProcess {
  /** Listeners are excluded: events leave only through `outsideListener`. */
  readonly #options: Omit<PaperOptions, 'listener' | 'onlooker' | 'onWarning'>
  readonly #parts: PaperParts
  readonly #listener: Partial<PaperListener>
  readonly #data: LiveMarketData
  #fills = 0
  #why = ''

  constructor({ listener = {}, ...options }: PaperOptions, parts: PaperParts) {
    const { service } = parts
    this.#options = options
    this.#parts = parts
    this.#listener = outsideListener(service.loop.turn, listener, { onWarning: service.warn })
    this.#data = parts.service.marketData(parts.prepared.markets, 'stream')
  }

  async trade(): Promise<PaperRun | undefined> {
    const { end, prepared, service } = this.#parts
    const recordings = this.#recordings()
    try {
      for (const { symbol } of prepared.markets) this.#data.watch(symbol)
      recordings?.listen(this.#data)
      await end.before(this.#data.start().then(() => this.#data.followed()))
      if (recordings !== undefined) await end.before(recordings.resume())
      const past = await end.before(
        Promise.all(prepared.markets.map(({ symbol }) => service.client.trades(symbol, MAX_READ))),
      )
      return past === undefined ? undefined : await this.#tradeFrom(past.map((newestFirst) => newestFirst.toReversed()))
    } finally {
      this.#data.close()
      recordings?.close()
    }
  }

  async #tradeFrom(past: readonly (readonly Parameters<PaperSession['warmUp']>[1][number][])[]): Promise<PaperRun> {
    const { prepared, service, errors, end } = this.#parts
    const { loop } = service
    const from = loop.now()
    const files = new LiveFiles(setting('out'), this.#directory(from), prepared.markets, {
      isEnding: () => end.isFailed,
      onError: end.fail,
    })
    const session = new PaperSession({
      prepared: { ...prepared, from, to: from },
      outside: this.#watcherOf(files),
      loop,
      feed: this.#data,
      past: pastOf(this.#data),
    })
    errors.session = session
    prepared.markets.forEach(({ symbol }, index) => {
      session.warmUp(symbol, past[index] ?? [])
    })
    const { onInexactMath } = session.run
    const { queue, turn } = loop
    const results: BacktestResult[] = []
    await inVirtualWorld({ queue, turn, onError: errors.tell, onInexactMath }, async () => {
      results.push(await this.#live(session, files.path))
    })
    const [result] = results
    if (result === undefined) throw new InvariantError('a session that has ended has a result')
    return this.#finish(result, files)
  }

  async #live(session: PaperSession, directory: string): Promise<BacktestResult> {
    const { end, service } = this.#parts
    const { forMs } = this.#options
    session.run.session.state$.subscribe((change) => {
      this.#why = change.state === 'ACTIVE' ? '' : change.why
      this.#listener.onState?.(change)
    })
    session.start()
    this.#listener.onStart?.(directory)
    if (forMs !== undefined) service.loop.after(forMs, end.stop)
    this.#look(session)
    this.#tellStatus(session)
    await end.came
    return await session.end()
  }

  #finish(result: BacktestResult, files: LiveFiles): PaperRun {
    const { url } = this.#options
    const { from: startedAt, to: endedAt } = result.prepared
    const facts = factsOfBacktest(version(), result, undefined, (file) => file)
    const report = reportOfRun({ ...facts, paper: { url, startedAt, endedAt } })
    const { equity } = result.figures
    files.finish(report, result.figures)
    this.#parts.end.throwFailure()
    return { directory: files.path, report, equity: equityPointsOf(equity.samples, equity.scale) }
  }

  #look(session: PaperSession): void {
    const { end, service } = this.#parts
    service.loop.after(LOOK_MS, () => {
      if (session.run.session.failure === undefined) this.#look(session)
      else end.stop()
    })
  }

  #tellStatus(session: PaperSession): void {
    const { loop } = this.#parts.service
    this.#listener.onStatus?.(this.#status(session))
    loop.after(STATUS_MS, () => {
      this.#tellStatus(session)
    })
  }

  #status({ run, rows }: PaperSession): PaperStatus {
    const { prepared, service } = this.#parts
    const { equity } = run.figures
    const { exchange } = run.stage.simulated
    const { state, reconnects, lastMessageAgeMs } = this.#data.health()
    const time = service.loop.queue.now()
    const { adapter } = run.stage
    const prices = prepared.markets.flatMap(({ symbol }) => {
      const price = adapter.lastPrice(symbol)
      return price === undefined ? [] : [[symbol, price.toFixed()] as const]
    })
    return {
      time,
      connection: state,
      state: run.session.state,
      why: this.#why,
      reconnects,
      dataAt: lastMessageAgeMs === undefined ? undefined : Math.round(time - lastMessageAgeMs),
      trades: rows,
      equity: formatTrimmed(equity.equity(), equity.scale),
      quoteAsset: prepared.quoteAsset,
      openOrders: exchange.openOrders(ACCOUNT).length,
      orders: adapter.openOrders().map(shownOrder),
      positions: [...adapter.balances()].flatMap(([asset, { available, locked }]) => {
        const held = available.plus(locked)
        return asset === prepared.quoteAsset || held.isZero() ? [] : [{ asset, qty: held.toFixed() }]
      }),
      waiting: run.session.waiting,
      awaited: run.session.awaited,
      fills: this.#fills,
      lastPrices: Object.fromEntries(prices),
    }
  }

  #watcherOf(files: LiveFiles): SimulatedRunListener {
    const listener = this.#listener
    return {
      ...sinkOf(files),
      onFill: (fill) => {
        this.#fills += 1
        files.onFill(fill)
        listener.onFill?.(fill)
      },
      onProgress: () => undefined,
      onLog: (time, message) => {
        listener.onLog?.(time, message)
      },
    }
  }

  #recordings(): Recordings | undefined {
    const { record: path } = this.#options
    if (path === undefined) return undefined
    const { service, prepared } = this.#parts
    const { client: reads, loop: time } = service
    // The session continues without recording.
    const onFailure = (error: unknown): void => {
      service.warn(`a market is no longer recorded: ${error instanceof Error ? error.message : String(error)}`)
    }
    const place = recordingPlace(path)
    return new Recordings({ where: setting('record'), place, markets: prepared.markets, reads, time, onFailure })
  }

  #directory(time: number): string {
    const { out, dataDirectory = userDataDirectory() } = this.#options
    return out ?? makeRunDirectory(setting('out'), dataDirectory, this.#parts.owned.owner, time)
  }
}
