/** A strategy on live market data whose orders are filled in this process, from options to report. */
import type { StateChange } from '../runtime/session-state.ts'
import type { LiveMarketData } from '../adapter/live/market-data/live-market-data.ts'
import { listedInterval } from '../domain/candle.ts'
import { InputError } from '../domain/errors.ts'
import type { Market } from '../domain/market.ts'
import { setting } from '../domain/setting-name.ts'
import { reportOfRun } from '../report/run/report-of-run.ts'
import type { RunReport } from '../report/run/run-report.ts'
import type { BacktestResult } from '../runtime/backtest/simulated-run.ts'
import type { PaperStatus } from '../runtime/live/live-status.ts'
import { paperStatus } from '../runtime/live/session-status.ts'
import { PaperSession } from '../runtime/live/paper-session.ts'
import { preparePaper, type PreparedPaper } from '../runtime/live/prepare-paper.ts'
import { recordingPlace, Recordings } from '../runtime/recording/recordings.ts'
import type { PastSource } from '../runtime/session/warm-adapter.ts'
import type { FormerTerms } from '../runtime/settings/former-terms.ts'
import { resolveTerms, type GivenTerms } from '../runtime/settings/run-terms.ts'
import { version } from '../runtime/version.ts'
import { userDataDirectory } from '../store/state/data-directory.ts'
import { MarketView } from '../strategy/market-view.ts'
import type { OwnFill } from '../strategy/own-order.ts'
import { factsOfBacktest } from './facts-of-backtest.ts'
import { refuseUsedOut, type LiveFiles } from './live-files.ts'
import { LiveProcess } from './live-process.ts'
import { loadStrategies, paramsOf, type GivenLiveStrategy } from './live-strategies.ts'
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

/** A finished paper session. */
export interface PaperRun {
  /** Directory of its files. */
  readonly directory: string
  /** The content of `run.json`. */
  readonly report: RunReport
  /** At most 2000 points, oldest first. */
  readonly equity: readonly EquityPoint[]
}

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
  const { clocks, signal, listener, onWarning, ...own } = options
  const process = new LiveProcess({ clocks, signal, listener, warned: { onWarning } })
  return await process.during(async () => {
    const service = new PublicService(options, process)
    const listed = await process.end.before(service.client.markets())
    if (listed === undefined) return undefined
    const { symbol, paramTexts: texts = {} } = options
    const views = listed.map((market) => new MarketView(market))
    const [params = {}] = paramsOf([owned], { markets: views, symbol, texts })
    const markets = namedFirst(listed, params)
    const more = { strategy: owned.owner, paramTexts: texts, params, tapes: [], books: [] }
    const prepared = await preparePaper({ settings: { ...settings, ...more }, loaded: owned.loaded, params, markets })
    return await new PaperTrading(own, { process, service, prepared, owner: owned.owner }).trade()
  })
}

/** Markets named by the parameters, `symbol` first; all markets if none is named. */
function namedFirst(listed: readonly Market[], params: Readonly<Record<string, unknown>>): readonly Market[] {
  const values = new Set(Object.values(params).flat())
  const named = listed.filter(({ symbol }) => values.has(symbol))
  const markets = named.length === 0 ? listed : named
  return markets.toSorted((a, b) => Number(b.symbol === params.symbol) - Number(a.symbol === params.symbol))
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
  readonly process: LiveProcess<PaperListener>
  readonly service: PublicService
  readonly prepared: PreparedPaper
  readonly owner: string
}

/** Trades since the start, of each market, oldest first. */
type PastTrades = readonly Parameters<PaperSession['warmUp']>[1][]

/** Listeners are excluded: events leave only through the process. */
type OwnOptions = Pick<PaperOptions, 'url' | 'out' | 'dataDirectory' | 'record' | 'forMs'>

class PaperTrading {
  readonly #options: OwnOptions
  readonly #parts: PaperParts
  readonly #data: LiveMarketData

  constructor(options: OwnOptions, parts: PaperParts) {
    this.#options = options
    this.#parts = parts
    this.#data = parts.service.marketData(parts.prepared.markets, 'stream')
  }

  async trade(): Promise<PaperRun | undefined> {
    const { process, prepared, service } = this.#parts
    const { end } = process
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

  async #tradeFrom(past: PastTrades): Promise<PaperRun> {
    const { process, prepared, owner } = this.#parts
    const { out, dataDirectory = userDataDirectory() } = this.#options
    const { loop, end, listener } = process
    const from = loop.now()
    const files = process.openFiles(owner, {
      out,
      dataDirectory,
      markets: prepared.markets,
      onFill: (fill) => listener.onFill?.(fill),
      onLog: (time, message) => listener.onLog?.(time, message),
    })
    const session = new PaperSession({
      prepared: { ...prepared, from, to: from },
      outside: files,
      loop,
      feed: this.#data,
      past: pastOf(this.#data),
    })
    process.adopt({ fail: session.run.onError, isEnding: false })
    prepared.markets.forEach(({ symbol }, index) => {
      session.warmUp(symbol, past[index] ?? [])
    })
    const result = await process.inWorld(session.run.onInexactMath, () => this.#live(session, files.path))
    const run = this.#finish(result, files)
    end.throwFailure()
    return run
  }

  async #live(session: PaperSession, directory: string): Promise<BacktestResult> {
    const { listener, loop, end, everySecond } = this.#parts.process
    const { forMs } = this.#options
    session.run.session.state$.subscribe((change) => listener.onState?.(change))
    session.start()
    listener.onStart?.(directory)
    if (forMs !== undefined) loop.after(forMs, end.stop)
    loop.every(LOOK_MS, () => {
      if (session.run.session.failure !== undefined) end.stop()
    })
    everySecond(() => listener.onStatus?.(paperStatus(session, this.#data.health())))
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
    return { directory: files.path, report, equity: equityPointsOf(equity.samples, equity.scale) }
  }

  #recordings(): Recordings | undefined {
    const { record: path } = this.#options
    if (path === undefined) return undefined
    const { process, service, prepared } = this.#parts
    const { loop: time, onRecordingLost: onFailure } = process
    const { client: reads } = service
    const place = recordingPlace(path)
    return new Recordings({ where: setting('record'), place, markets: prepared.markets, reads, time, onFailure })
  }
}
