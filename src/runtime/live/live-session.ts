/**
 * One strategy on one adapter in real time: its session, its journal and its figures.
 *
 * Invariant: a request is in the journal before it is sent.
 */
import type { Subscription } from 'rxjs'
import type { ExchangeAdapter, RequestOutcome } from '../../adapter/exchange-adapter.ts'
import type { RoundTrip } from '../../analysis/round-trip.ts'
import type { ExchangeError, StrategyError } from '../../domain/errors.ts'
import type { MarketConfig } from '../../domain/market.ts'
import type { RefusalCode, Refuser } from '../../domain/refusal.ts'
import type { OwnBalances } from '../../strategy/own-order.ts'
import type { MarketView } from '../../strategy/market-view.ts'
import type { Strategy } from '../../strategy/strategy.ts'
import { outsideSink, type LoggedSink } from '../figures/outside-sink.ts'
import { RunRecord } from '../figures/run-record.ts'
import { writeRunEnd, writeRunStart } from '../journal/journal-frame.ts'
import { Journal } from '../journal/journal.ts'
import type { ReportedEvent } from '../session/session-event.ts'
import type { StrategyStateStore } from '../session/persistent-state.ts'
import type { RiskStore } from '../session/risk/risk-store.ts'
import type { WalletRisk } from '../session/risk/wallet-risk.ts'
import type { AwaitedInput } from '../session/stream-usage.ts'
import { riskLimitsOf } from '../settings/risk-limits.ts'
import type { FlatReport } from '../session/flatten/flat-report.ts'
import type { FlattenOwner } from '../session/flatten/flattening.ts'
import type { SessionState, StateChange } from '../session-state.ts'
import { Session } from '../session/session.ts'
import type { PersistedConditionals } from '../session/conditional/conditional-order-store.ts'
import type { PastSource, WarmAdapter } from '../session/warm-adapter.ts'
import { warmAdapter } from '../session/warm-start.ts'
import { statsPeriodMs, type RunTerms } from '../settings/run-terms.ts'
import type { ParamValues } from '../strategies/params.ts'
import { seededRandom } from '../strategies/seeded-random.ts'
import type { LoadedStrategy } from '../strategies/strategy-file.ts'
import type { SeriesInfo } from '../../tape/series-info.ts'
import type { LiveLoop } from './live-loop.ts'
import { OutsideAdapter } from './outside-adapter.ts'
import { SessionChart } from './session-chart.ts'
import { SessionWatch } from './session-watch.ts'
import type { AdjustedSession } from './param-changes.ts'
import { startWarm } from './warm-loop.ts'

/** Recorded in place of a liquidity model. */
export const LIVE_LIQUIDITY = 'live'

const ENDS = 'the session ends'

/** Receives the rows and the log of a session. */
export interface SessionSink extends LoggedSink {
  /** A journal line, which is saved when it returns. @throws {InputError} if it cannot be saved */
  onLine(line: string): void
}

/** Listener of a session, called synchronously, also in the strategy's turn. */
export interface LiveWatcher {
  /** A request was refused. */
  onRefusal(code: RefusalCode, by: Refuser): void
  onState(change: StateChange): void
  /** A read of the account failed permanently. */
  onFault(error: ExchangeError): void
}

export interface LiveSessionOptions {
  readonly loop: LiveLoop
  /** It has the balances and the open orders. */
  readonly adapter: ExchangeAdapter
  readonly loaded: LoadedStrategy
  readonly params: ParamValues
  readonly terms: RunTerms
  /** Asset in which the session is valued. */
  readonly quoteAsset: string
  /** Unique name among sessions of the account, stable over restarts. */
  readonly owner: string
  readonly files: SessionSink
  readonly watcher: LiveWatcher
  /** Series of the session, for the first line of its journal; default: none. */
  readonly series?: readonly Pick<SeriesInfo, 'name' | 'sha256'>[] | undefined
  /** Persists conditional orders; default: nothing is persisted. */
  readonly waits?: PersistedConditionals | undefined
  /** Persists the state of the risk limits; default: nothing is persisted. */
  readonly riskStore?: RiskStore | undefined
  /** Persists the state of the strategy itself; default: nothing is persisted. */
  readonly strategyState?: StrategyStateStore | undefined
  /** Limits of all strategies together; default: none. */
  readonly walletRisk?: WalletRisk | undefined
  /** Holdings that it may sell to get flat; default: what its own fills bought. */
  readonly holder?: FlattenOwner | undefined
}

export class LiveSession implements AdjustedSession {
  readonly options: LiveSessionOptions
  /** Unix milliseconds. */
  readonly startedAt: number
  /** Initial balances, before the fills that it recovers: decimal strings by asset. */
  readonly credits: Readonly<Record<string, string>>
  readonly watch: SessionWatch
  readonly record: RunRecord
  readonly chart: SessionChart
  readonly #journal: Journal
  readonly #session: Session
  readonly #adapter: OutsideAdapter
  #warm: WarmAdapter | undefined
  /** Market data of the present instance of the strategy, if it was started again. */
  #view: OutsideAdapter | undefined
  #params: ParamValues
  #faults: Subscription | undefined
  #endedAt: number | undefined

  constructor(options: LiveSessionOptions) {
    const { loop, adapter, loaded, params, terms, quoteAsset, files, watcher } = options
    const { turn } = loop
    this.options = options
    this.startedAt = loop.now()
    this.credits = heldTexts(adapter.startBalances ?? adapter.balances())
    const outside = outsideOf(loop, files)
    const named = new Set(Object.values(params).flat())
    const onTrip = (trip: RoundTrip): void => outside.onTrip?.(trip)
    this.watch = new SessionWatch({ adapter, turn, quoteAsset, named, statsPeriodMs: statsPeriodMs(terms), onTrip })
    this.record = new RunRecord(outside)
    this.chart = new SessionChart({ markets: adapter.markets, quoteAsset, figures: () => this.watch.figures })
    this.#journal = new Journal((line) => {
      outside.onLine(line)
    })
    this.#params = params
    this.#warm = warmAdapterOf(options)
    this.#adapter = new OutsideAdapter(this.#warm ?? adapter, turn, this.watch)
    this.#session = new Session({
      strategy: loaded.strategy,
      params,
      adapter: this.#adapter,
      // The adapter applies the budget of the key, which all its sessions share.
      limits: undefined,
      onLimit: terms.onLimit,
      rounding: terms.rounding,
      isOpenEnded: true,
      risk: riskLimitsOf(terms),
      quoteAsset,
      journal: this.#journal,
      random: seededRandom(terms.seed),
      log: (time, message) => {
        outside.onLog(time, message)
      },
      drawn: this.chart.seeing(outside),
      turn: loaded.strategy.async === true ? loop.promiseTurn() : turn,
      report: reportTo(this.record, watcher, this.watch),
      takeEarlier: (write) => {
        turn.outside(() => adapter.takeEarlier?.(write))
      },
      waits: options.waits,
      riskStore: options.riskStore,
      strategyState: options.strategyState,
      walletRisk: options.walletRisk,
      owner: options.holder,
      isWarming: () => this.isWarming,
    })
    this.#writeHead()
  }

  /** True until its warm-up is over. */
  get isWarming(): boolean {
    return this.#warm?.isWarming === true
  }

  /** The strategy's error, if it threw one. */
  get failure(): StrategyError | undefined {
    return this.#session.failure
  }

  get state(): SessionState {
    return this.#session.state
  }

  /** Checks its limits at the present prices. */
  look(): void {
    this.#session.look()
  }

  /** Requests that are neither sent nor refused. */
  get waiting(): number {
    return this.#session.waiting
  }

  /** Candles of which the strategy has received fewer than it needs before it can act. */
  get awaited(): readonly AwaitedInput[] {
    return this.#session.awaited
  }

  /** Unix milliseconds; undefined while it is running. */
  get endedAt(): number | undefined {
    return this.#endedAt
  }

  /** Calls the strategy's `run`, as an event. @throws {InputError} if it cannot start */
  prepare(): void {
    const { adapter, watcher } = this.options
    this.#faults = adapter.faults$.subscribe((error) => {
      watcher.onFault(error)
    })
    this.watch.start()
    this.#session.prepare()
  }

  /** Lets the strategy act, in the same event. @throws {InputError} if it requests unavailable data */
  begin(): void {
    this.#session.begin()
    startWarm(this.#warm, this.options.loop, () => {
      this.#session.endWarmUp()
    })
  }

  get owner(): string {
    return this.options.owner
  }

  get strategy(): Strategy {
    return this.options.loaded.strategy
  }

  get symbols(): readonly string[] {
    return this.options.adapter.markets.map(({ symbol }) => symbol)
  }

  /** The present parameters. */
  get params(): ParamValues {
    return this.#params
  }

  restart(params: ParamValues, changed: ParamValues, begin: () => void): void {
    const { adapter, loop } = this.options
    const warm = warmAdapterOf(this.options)
    const view = new OutsideAdapter(warm ?? adapter, loop.turn, this.watch)
    this.#session.restart({ params, changed, adapter: view }, () => {
      begin()
      this.#params = params
      this.#warm = warm
      this.#view?.end()
      this.#view = view
    })
    startWarm(warm, loop, () => {
      this.#session.endWarmUp()
    })
  }

  #writeHead(): void {
    const { adapter, loaded, params, terms, series = [] } = this.options
    writeRunStart(this.#journal, {
      from: this.startedAt,
      strategy: loaded.strategy.name,
      params,
      markets: adapter.markets.map((market) => configOf(market, terms)),
      candleMs: new Map(),
      series: new Map(series.map(({ name, sha256 }) => [name, sha256])),
      liquidity: LIVE_LIQUIDITY,
      terms,
      credits: this.credits,
    })
  }

  setState(state: SessionState, why: string): void {
    this.#session.setState(state, why)
  }

  /** Cancels its orders and sells its position. HALTED until it is done. @param onDone  called as an event */
  flatten(why: string, withinMs: number, onDone: (report: FlatReport) => void): void {
    this.#session.flatten(why, withinMs, onDone)
  }

  /** Takes an error of the strategy outside its session. */
  fail(error: unknown): void {
    this.#session.fail(error)
  }

  /** Stops the strategy's inputs and outputs; requests in flight continue. */
  stopIntake(): void {
    this.#session.stopStrategy()
    this.#session.stopFlattening(ENDS)
  }

  /** Drops conditional orders, together with the orders that were cancelled. */
  giveUpWaiting(): void {
    this.#session.giveUpWaiting()
  }

  /** Cancels an order in the name of the session's end. */
  cancel(orderId: string, reply: (outcome: RequestOutcome) => void): void {
    this.#session.cancel('end', orderId, reply)
  }

  /** Ends it, once, and completes its journal and figures. */
  finish(): void {
    if (this.#endedAt !== undefined) return
    const { adapter, loop } = this.options
    this.#endedAt = loop.now()
    this.#session.stopFlattening(ENDS)
    this.#session.stop()
    this.#adapter.end()
    this.#view?.end()
    this.#faults?.unsubscribe()
    this.watch.finish(this.#endedAt)
    this.record.finish()
    writeRunEnd(this.#journal, this.#endedAt, adapter.balances())
  }

  /** Digest of the journal so far. */
  digest(): string {
    return this.#journal.digest()
  }
}

function warmAdapterOf({ adapter, loop, loaded, terms, files }: LiveSessionOptions): WarmAdapter | undefined {
  const { past } = adapter
  if (past === undefined) return undefined
  const source: PastSource = {
    ...past,
    candles: (symbol, interval) => adapter.candles(symbol, interval),
    earlierCandles: (symbol, interval) => adapter.earlierCandles(symbol, interval),
    afterCandles: (symbol, interval, time, action) => {
      adapter.afterCandles(symbol, interval, time, action)
    },
  }
  return warmAdapter({
    adapter,
    source,
    strategy: loaded.strategy,
    warmupMs: terms.warmupMs,
    enter: (action) => {
      loop.enter(action)
    },
    log: (message) => {
      files.onLog(loop.now(), message)
    },
  })
}

/** Calls the files outside the strategy's turn. */
const outsideOf = ({ turn }: LiveLoop, files: SessionSink): SessionSink => ({
  ...outsideSink(turn, files),
  onLine: (line) => {
    turn.outside(() => {
      files.onLine(line)
    })
  },
})

/** Record first; it forwards orders and fills to the files itself. */
const reportTo =
  (record: RunRecord, watcher: LiveWatcher, watch: SessionWatch) =>
  (event: ReportedEvent): void => {
    record.process(event)
    if (event.type === 'fill' && event.fill.isRecovered === true) watch.onRecovered(event.fill)
    if (event.type === 'refusal') watcher.onRefusal(event.refused.refusal.code, event.refused.by)
    if (event.type === 'state') watcher.onState(event.change)
  }

/** A market with its assumed fees. */
function configOf(market: MarketView, { makerFeeBps, takerFeeBps }: RunTerms): MarketConfig {
  const { id, name, symbol, baseAsset, quoteAsset, pricePrecision, qtyPrecision } = market
  const fees = { makerFeeBps, takerFeeBps }
  return { id, name, symbol, baseAsset, quoteAsset, pricePrecision, qtyPrecision, ...fees, selfTrade: 'allow' }
}

const heldTexts = (balances: OwnBalances): Readonly<Record<string, string>> =>
  Object.fromEntries([...balances].map(([asset, { available, locked }]) => [asset, available.plus(locked).toFixed()]))
