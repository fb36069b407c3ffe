/** A paper session from its prepared strategies to its reports. */
import { resolve } from 'node:path'
import { newSessionName } from '../adapter/live/machine-clocks.ts'
import type { LiveMarketData } from '../adapter/live/market-data/live-market-data.ts'
import { InputError, invariant } from '../domain/errors.ts'
import { ledgerScales } from '../domain/market.ts'
import { setting } from '../domain/setting-name.ts'
import { PORTFOLIO } from '../report/run/portfolio-report.ts'
import { readableCount } from '../report/readable.ts'
import { runsIn, stackOf } from '../runtime/backtest/backtest.ts'
import { allottedCapital, type Capital } from '../runtime/backtest/capital.ts'
import { ownerOf } from '../runtime/backtest/portfolio.ts'
import type { OperatorLink } from '../runtime/live/operator-link.ts'
import { PaperSession, type PaperResult } from '../runtime/live/paper-session.ts'
import type { SessionChart } from '../runtime/live/session-chart.ts'
import { PaperState } from '../runtime/live/paper-state.ts'
import type { PreparedPaper } from '../runtime/live/prepare-paper.ts'
import { liveStatusOfPaper, paperStatus } from '../runtime/live/session-status.ts'
import type { RebalanceTerms } from '../runtime/settings/rebalance-terms.ts'
import { limitsThatAreOn, type SetRiskTerms } from '../runtime/settings/risk-limits.ts'
import { stackHere } from '../runtime/modules/user-place.ts'
import { pastTrade, type PastTrade } from '../runtime/recording/received-data.ts'
import { recordingPlace, Recordings } from '../runtime/recording/recordings.ts'
import { version } from '../runtime/version.ts'
import { userDataDirectory } from '../store/state/data-directory.ts'
import type { LiveState } from '../store/state/live/live-state.ts'
import { persistedRunDirectories, saveRunDirectories, saveStatus } from '../store/state/live/persisted-facts.ts'
import { MarketTrade } from '../strategy/market-data.ts'
import { outOf, type LiveFiles } from './live-files.ts'
import type { LiveProcess } from './live-process.ts'
import { amountTexts, moneyOf, type PaperMoney } from '../runtime/live/paper-money.ts'
import { writtenFills, type OpenedPaperState } from './paper-continuation.ts'
import { paperOperators } from './paper-operators.ts'
import { chartOf, paperRunOf, soFarOnPaper, type Running } from './paper-reports.ts'
import { startNightly } from './nightly/nightly.ts'
import type { PaperListener, PaperOptions, PaperRun } from './paper-options.ts'
import { pastOf, type PublicService } from './public-service.ts'
import { seriesStoreOf, type SessionSeries } from './session-series.ts'

/** Run directories of a strategy in which an unwritten fill is looked for. */
const SEARCHED_DIRECTORIES = 8
/** Interval at which the session is checked for a failed strategy. */
const LOOK_MS = 100
/** Maximum page size of reads in the specification. */
const MAX_READ = 500

/** A strategy that is ready, without the time at which it begins. */
export interface PaperPlan {
  readonly name: string
  readonly prepared: PreparedPaper
  readonly capital: Capital | undefined
}

interface PaperParts {
  readonly process: LiveProcess<PaperListener>
  readonly service: PublicService
  readonly members: readonly PaperPlan[]
  readonly series: SessionSeries
  /** Undefined for a session without a state. */
  readonly opened: OpenedPaperState | undefined
  /** Risk limits of all strategies together; undefined for none. */
  readonly walletRisk: SetRiskTerms | undefined
  /** When and how capital moves between the strategies; undefined for never. */
  readonly rebalance: RebalanceTerms | undefined
  /** A user whose market orders are no market data. */
  readonly userOf: () => string | undefined
}

/** Trades since the start, of each market, oldest first. */
type PastTrades = readonly Parameters<PaperSession['warmUp']>[1][]

export class PaperTrading {
  readonly #options: PaperOptions
  readonly #parts: PaperParts
  readonly #prepared: PreparedPaper
  readonly #data: LiveMarketData
  readonly #session = newSessionName()
  #isStatusLost = false
  /** Played trades at the last save. */
  #savedRows = 0

  constructor(options: PaperOptions, parts: PaperParts) {
    const [first] = parts.members
    invariant(first !== undefined, 'a session has a strategy')
    this.#options = options
    this.#parts = parts
    this.#prepared = first.prepared
    this.#data = parts.service.marketData(first.prepared.markets, 'stream', parts.userOf)
  }

  async trade(): Promise<PaperRun | undefined> {
    const { process, service } = this.#parts
    const { end } = process
    const recordings = this.#recordings()
    try {
      recordings?.listen(this.#data)
      // Followed before a strategy begins, so that it misses no trade.
      for (const { symbol } of this.#prepared.markets) this.#data.watch(symbol)
      await end.before(this.#data.start().then(() => this.#data.followed()))
      if (recordings !== undefined) await end.before(recordings.resume())
      const past = await end.before(
        Promise.all(this.#prepared.markets.map(({ symbol }) => service.client.trades(symbol, MAX_READ))),
      )
      return past === undefined ? undefined : await this.#tradeFrom(past.map((newestFirst) => newestFirst.toReversed()))
    } finally {
      this.#data.close()
      recordings?.close()
    }
  }

  async #tradeFrom(past: PastTrades): Promise<PaperRun> {
    const { process, members, series, opened, walletRisk, rebalance } = this.#parts
    const { loop, end, warn } = process
    const from = loop.now()
    const { strategies, url } = this.#options
    const money = this.#money(from)
    const state = this.#state(money.exchange, from)
    const running = members.map(({ name, prepared }, index): Running => {
      const chart = chartOf(this.#prepared, () => session.members[index])
      const files = this.#filesOf(name, state, chart)
      const credit = money.capitals[index] ?? prepared.credit
      const own = { ...prepared, credit, creditTexts: amountTexts(credit, prepared.markets), from, to: from }
      return { member: { name, prepared: own, outside: files }, files, chart, firstEquity: '' }
    })
    const wallet = strategies === undefined ? undefined : this.#filesOf(PORTFOLIO, undefined)
    wallet?.begin()
    const session = new PaperSession({
      members: running.map(({ member }) => member),
      wallet: wallet && {
        reserve: money.reserve,
        outside: wallet,
        risk: limitsThatAreOn(walletRisk),
        riskStore: state?.riskStoreOf(undefined, warn),
        rebalance,
        transferStore: state?.transfers,
      },
      loop,
      feed: this.#data,
      past: pastOf(this.#data),
      series: series.byName,
      state: state && { state, absent: money.absent, isCredited: opened?.saved !== undefined, onWarning: warn },
    })
    process.adopt({
      fail: (error) => {
        for (const run of runsIn(stackOf(error), session.members)) run.onError(error)
      },
      isEnding: false,
    })
    this.#prepared.markets.forEach(({ symbol }, index) => {
      session.warmUp(symbol, past[index] ?? [])
    })
    const onInexactMath = (name: string): void => {
      for (const run of runsIn(stackHere(), session.members)) run.onInexactMath(name)
    }
    const result = await process.inWorld(onInexactMath, () => this.#live(session, running, { state, past }))
    const wallets = { url, wallet, reserve: money.reserve, state, walletRisk, rebalance }
    const run = paperRunOf(result, running, { ...wallets, series: series.reports })
    end.throwFailure()
    return run
  }

  /** @param exchange  undefined for a session without a state */
  #state(exchange: PaperMoney['exchange'] | undefined, now: number): PaperState | undefined {
    const { process, opened } = this.#parts
    if (exchange === undefined || opened === undefined) return undefined
    const { state, saved } = opened
    const isWritten = writtenFills(state, process.warn)
    const { url, credits = {} } = this.#options
    const place = { url, credits, session: this.#session, now }
    return new PaperState({ state, saved, exchange, ...place, isWritten, onWarning: process.warn })
  }

  /** Capital of each strategy; with a state also its exchange. */
  #money(now: number): Omit<PaperMoney, 'exchange'> & Partial<Pick<PaperMoney, 'exchange'>> {
    const { members, opened, process } = this.#parts
    const { markets, quoteAsset, credit } = this.#prepared
    if (opened === undefined) {
      const scales = ledgerScales(markets)
      const given = members.map(({ capital }) => capital)
      return { ...allottedCapital(given, { credit, scales, quoteAsset }), absent: [] }
    }
    const money = moneyOf(opened, this.#prepared, members, now)
    const { url, credits = {} } = this.#options
    if (opened.saved !== undefined && JSON.stringify(opened.saved.credits) !== JSON.stringify(credits))
      process.warn('the balances come from the state: changed credits are for a new one')
    if (opened.madeOn !== undefined && opened.madeOn !== url)
      process.warn(`the state was made on ${opened.madeOn}, and now trades at the prices of ${url}`)
    for (const { account } of money.absent) {
      const open = money.exchange.openOrders(account).length
      const orders =
        open === 0
          ? 'keeps its holdings'
          : 'has open orders, which can still fill; nothing watches its stops: run it, or cancel them with papertape paper flatten'
      process.warn(`'${ownerOf(account) ?? account}' is not running, and ${orders}`)
    }
    return money
  }

  #filesOf(name: string, state: PaperState | undefined, chart?: SessionChart): LiveFiles {
    const { process, opened } = this.#parts
    const { listener } = process
    const { out, dataDirectory = userDataDirectory(), strategies } = this.#options
    const files = process.openFiles(name, {
      out: strategies === undefined ? out : outOf(out, name, strategies.length + 1),
      dataDirectory,
      markets: this.#prepared.markets,
      onFill: (fill) => {
        state?.onWritten(fill)
        if (name !== PORTFOLIO || strategies === undefined) listener.onFill?.(fill, name)
      },
      onLog: (time, message) => listener.onLog?.(time, message, name),
      ...(chart !== undefined && { onPlot: chart.seeing({}).onPlot }),
    })
    if (state !== undefined && opened !== undefined) this.#saveDirectory(opened.state, name, files.path)
    return files
  }

  /** Earlier directories are read back while a fill of theirs may be missing. */
  #saveDirectory(state: LiveState, name: string, path: string): void {
    saveRunDirectories(
      state,
      name,
      [...persistedRunDirectories(state, name), resolve(path)].slice(-SEARCHED_DIRECTORIES),
    )
  }

  async #live(
    session: PaperSession,
    running: readonly Running[],
    { state, past }: { readonly state: PaperState | undefined; readonly past: PastTrades },
  ): Promise<PaperResult> {
    const { listener, loop, end, everySecond } = this.#parts.process
    const { forMs } = this.#options
    session.members.forEach(({ run }, index) => {
      run.session.state$.subscribe((change) => listener.onState?.(change, running[index]?.member.name ?? ''))
    })
    const operators = this.#operators(session, state)
    operators?.start()
    const { series, opened, process } = this.#parts
    const store = opened && seriesStoreOf(opened.state, process.warn)
    const { feedLatencyMs: feedMs } = this.#prepared.settings
    series.begin({ feedMs, store })
    const flush = this.#startKeeping(session, past)
    series.follow(feedMs, () => session.isListening)
    startNightly(this.#options, this.#parts.process, {
      flush,
      soFar: () => soFarOnPaper(session.members, running, series.reports),
    })
    for (const { member, files, chart } of running) listener.onStart?.(files.path, member.name, () => chart.look())
    for (const [index, { run }] of session.members.entries()) {
      const name = running[index]?.member.name ?? ''
      const continued = state?.continuedOf(name)
      if (continued === undefined) continue
      const open = readableCount(run.stage.adapter.openOrders().length, 'open order')
      const sessions = readableCount(continued.sessions, 'earlier session')
      listener.onLog?.(loop.now(), `continues ${sessions} with ${open}`, name)
    }
    if (forMs !== undefined) loop.after(forMs, end.stop)
    loop.every(LOOK_MS, () => {
      for (const { name, message } of session.look()) listener.onFailure?.(message, name)
      if (session.isOver) end.stop()
    })
    const startedAt = loop.now()
    everySecond(() => {
      this.#look(session, running, { state, startedAt })
    })
    await end.came
    operators?.stop()
    return await session.end()
  }

  #operators(session: PaperSession, books: PaperState | undefined): OperatorLink | undefined {
    const { opened, process } = this.#parts
    if (opened === undefined || books === undefined) return undefined
    return paperOperators({ state: opened.state, books, session, time: process.loop, onTrouble: process.warn })
  }

  /** Reports the status, and saves it for other processes. */
  #look(
    session: PaperSession,
    running: readonly Running[],
    { state, startedAt }: { readonly state: PaperState | undefined; readonly startedAt: number },
  ): void {
    const { process: live, opened } = this.#parts
    const { listener } = live
    const strategies = session.members.map((member, index) => {
      const own = running[index]
      invariant(own !== undefined, 'a member runs')
      const status = paperStatus(session, member, this.#data.health())
      const owner = own.member.name
      if (own.firstEquity === '' && !status.isPartial)
        own.firstEquity = state?.firstEquity(owner, status.equity) ?? status.equity
      listener.onStatus?.(status, owner)
      const transfers = state?.transfers.of(owner)
      return { owner, status, firstEquity: own.firstEquity, transfers, runDirectory: own.files.path }
    })
    if (opened === undefined || state === undefined) return
    // Others trade, so the queues ahead of orders change without an event of theirs.
    if (session.rows > this.#savedRows) state.save()
    this.#savedRows = session.rows
    const place = { url: this.#options.url, startedAt, events: listener.events?.() ?? [], strategies }
    const status: unknown = JSON.parse(JSON.stringify(liveStatusOfPaper(place)))
    try {
      saveStatus(opened.state, { version: version(), pid: process.pid, time: live.loop.now(), status })
    } catch (error) {
      // Nothing depends on a status that other processes read.
      if (!(error instanceof InputError)) throw error
      if (!this.#isStatusLost) live.warn(`the status cannot be saved: ${error.message}`)
      this.#isStatusLost = true
    }
  }

  #startKeeping(session: PaperSession, past: PastTrades): () => void {
    const views = new Map(this.#prepared.markets.map((market) => [market.symbol, market]))
    const read = (trade: PastTrades[number][number]): readonly PastTrade[] => {
      const market = views.get(trade.symbol)
      return market === undefined ? [] : [pastTrade(new MarketTrade(trade, market))]
    }
    const symbols = [...views.keys()]
    const { live: series } = this.#parts.series
    const parts = () => ({ feed: this.#data, symbols, past: past.flat().flatMap(read), series })
    return this.#parts.process.startKeeping(this.#options, parts, session)
  }

  #recordings(): Recordings | undefined {
    const { record: path } = this.#options
    if (path === undefined) return undefined
    const { process, service } = this.#parts
    const { loop: time, onRecordingLost: onFailure } = process
    const { client: reads } = service
    const place = recordingPlace(path)
    const { markets } = this.#prepared
    return new Recordings({ where: setting('record'), place, markets, reads, time, onFailure })
  }
}
