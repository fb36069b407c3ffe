/**
 * A run of a strategy on simulated markets: its stage, its session, its journal and its figures. The caller plays the
 * trades and moves the time.
 */
import type { RoundTrip } from '../../analysis/round-trip.ts'
import type { ExchangeAdapter } from '../../adapter/exchange-adapter.ts'
import type { Balances } from '../../domain/balances.ts'
import type { StrategyError } from '../../domain/errors.ts'
import type { Exchange } from '../../exchange/exchange.ts'
import { EventQueue } from '../../simulation/event-queue.ts'
import type { GapListener, RecordedListener } from '../../simulation/replay/tape-channel.ts'
import type { PrintCounts } from '../../tape/print-filter.ts'
import { AccountFigures } from '../figures/account-figures.ts'
import type { AccountSetup } from '../figures/holding.ts'
import { type LoggedSink, outsideSink } from '../figures/outside-sink.ts'
import { RunRecord } from '../figures/run-record.ts'
import { writeRunEnd, writeRunStart } from '../journal/journal-frame.ts'
import { Journal } from '../journal/journal.ts'
import { RestingOrderTracker } from '../order-tracking/resting-order-tracker.ts'
import type { Unrepeatable } from '../sandbox/virtual-globals.ts'
import type { ReportedEvent } from '../session/session-event.ts'
import type { SessionOptions } from '../session/session-parts.ts'
import type { LaterLimits } from '../session/risk/risk.ts'
import type { WalletRisk } from '../session/risk/wallet-risk.ts'
import { Session } from '../session/session.ts'
import type { StrategyUsage } from '../session/stream-usage.ts'
import type { Turn } from '../session/turn.ts'
import { riskLimitsIfAny, riskLimitsOf } from '../settings/risk-limits.ts'
import { statsPeriodMs } from '../settings/run-terms.ts'
import { seededRandom } from '../strategies/seeded-random.ts'
import { accountFills } from './account-fills.ts'
import { type BacktestStage, setStage } from './backtest-stage.ts'
import { candleRemarks, type CandleRemarks } from './candle-tapes.ts'
import { journalHead } from './journal-head.ts'
import { recordedListener, sinceStart, watchMarks } from './market-marks.ts'
import type { PreparedBacktest } from './prepared-backtest.ts'

/** Earlier state of a session, and where it is saved. */
export type SessionStores = Pick<
  SessionOptions,
  'waits' | 'riskStore' | 'takeEarlier' | 'boughtBefore' | 'strategyState'
>

/** Hooks into a run for tests of a strategy and for warm-ups. Without hooks a run is unchanged. */
export interface RunHooks {
  /** Wraps the adapter between the session and its exchange. */
  readonly adapterOf?: ((adapter: ExchangeAdapter) => ExchangeAdapter) | undefined
  /** True while that adapter replays history. */
  readonly isWarming?: (() => boolean) | undefined
  /** False if the markets of the run are not drawn; default: true. */
  readonly isDrawn?: boolean | undefined
  /** Earlier state that the session continues and saves; its state can then be set. Default: none. */
  readonly stores?: SessionStores | undefined
  /** Limits that replace those of the run at a moment; default: none. */
  readonly laterRisk?: LaterLimits | undefined
  /** Called with the run before the strategy starts. */
  readonly onRun?: ((run: SimulatedRun) => void) | undefined
  /** Runs a part of the run in which the strategy has its turn; an exception ends the run. */
  readonly within?: ((stretch: () => void) => void) | undefined
}

/** Listener of a run, called synchronously: must be fast, and must not throw. */
export interface SimulatedRunListener extends LoggedSink {
  /** A journal line without its line end. Without it and `onLines` the run has no journal, and an empty digest. */
  readonly onLine?: (line: string) => void
  /** Batches of whole lines, the first line alone: takes less time than `onLine`, which replaces it. */
  readonly onLines?: (text: string) => void
  /** @param rows  recorded trades played so far */
  readonly onProgress?: (rows: number, time: number) => void
}

export interface BacktestResult {
  readonly prepared: PreparedBacktest
  readonly digest: string
  /** Final state of the exchange. */
  readonly exchange: Exchange
  /** Account of the strategy there. */
  readonly account: string
  readonly figures: AccountFigures
  readonly record: RunRecord
  /** The error that ended the run before its tape did, if any. */
  readonly failure: StrategyError | undefined
  /** Orders and cancels that had not arrived when the tape ended. */
  readonly unsent: number
  /** Remarks about the markets that are recorded as candles, by symbol. */
  readonly candles: ReadonlyMap<string, CandleRemarks>
  /** Watched candles that were not closed at the end, and were not emitted. */
  readonly unfinishedCandles: number
  /** The strategy's data usage and activity. */
  readonly usage: StrategyUsage
  /** Math functions of the strategy whose last digit depends on the engine. */
  readonly inexactMath: readonly string[]
  /** Sources of irreproducibility that the strategy or the model used. */
  readonly unrepeatable: readonly Unrepeatable[]
  /** Counts of recorded prints by market. */
  readonly prints: ReadonlyMap<string, PrintCounts>
}

export interface SimulatedRunOptions {
  readonly prepared: PreparedBacktest
  readonly outside: SimulatedRunListener
  /** On while the strategy may act. */
  readonly turn: Turn
  /** The same for the session, or a longer one. */
  readonly sessionTurn?: Pick<Turn, 'isOn'>
  /** Queue at the time at which the run begins; default: a new one. */
  readonly queue?: EventQueue
  /** True if the end of the run is unknown; default: false. */
  readonly isOpenEnded?: boolean
  readonly hooks?: RunHooks
  /** Default: a new one. */
  readonly stage?: BacktestStage | undefined
  /** Set for a strategy that shares its stage with others. */
  readonly shared?: SharedRun | undefined
}

/** A strategy among others on one exchange. Its figures go on after a failure, because its holdings do. */
export interface SharedRun {
  /** Receives what the session reports, beside the run's own record. */
  readonly report: (event: ReportedEvent) => void
  /** Receives every completed round trip, too. */
  readonly onTrip: (trip: RoundTrip) => void
  /** Limits of all strategies together; undefined for none. */
  readonly risk: WalletRisk | undefined
}

export class SimulatedRun {
  readonly stage: BacktestStage
  readonly session: Session
  readonly record: RunRecord
  /** Called outside the strategy's turn. */
  readonly watcher: SimulatedRunListener
  readonly onGap: GapListener
  readonly #prepared: PreparedBacktest
  readonly #journal: Journal
  readonly #figures: AccountFigures
  readonly #trackers: RestingOrderTracker
  readonly #inexactMath: string[] = []
  readonly #unrepeatable: Unrepeatable[] = []
  readonly #shared: SharedRun | undefined

  constructor(options: SimulatedRunOptions) {
    const { prepared, outside, turn, sessionTurn = turn, queue, isOpenEnded = false, hooks, stage, shared } = options
    this.#prepared = prepared
    this.#shared = shared
    this.watcher = outsideOf(turn, outside)
    this.stage = stage ?? setStage(prepared, queue ?? new EventQueue(prepared.warmupFrom ?? prepared.from))
    this.#journal = new Journal(this.watcher.onLine, this.watcher.onLines)
    this.record = new RunRecord(this.watcher)
    const { figures, trackers, onGap } = this.#watchAccount(isOpenEnded, hooks?.isDrawn)
    this.#figures = figures
    this.#trackers = trackers
    this.onGap = onGap
    const report: SessionOptions['report'] =
      shared === undefined
        ? this.record.process
        : (event) => {
            this.record.process(event)
            shared.report(event)
          }
    const own = { isOpenEnded, journal: this.#journal, turn: sessionTurn, report, walletRisk: shared?.risk }
    this.session = new Session(sessionOptions(prepared, this.stage, this.watcher, own, hooks))
    writeRunStart(this.#journal, journalHead(prepared, this.stage.simulated))
    this.#trackers.takeOver()
  }

  /** Takes errors of the strategy outside its session. */
  readonly onError = (error: unknown): void => {
    this.session.fail(error)
  }

  readonly onInexactMath = (name: string): void => void this.#inexactMath.push(name)

  readonly onUnrepeatable = (use: Unrepeatable): void => void this.#unrepeatable.push(use)

  #watchAccount(isOpenEnded: boolean, isDrawn = true): WatchedAccount {
    const { simulated, account } = this.stage
    const { exchange } = simulated
    const setup = accountSetup(this.#prepared, exchange, exchange.balances(account), isOpenEnded)
    const figures = new AccountFigures({ ...setup, isDrawn }, (trip) => {
      this.watcher.onTrip?.(trip)
      this.#shared?.onTrip(trip)
    })
    return watchAccount(this.#prepared, this.stage, this.#journal, figures)
  }

  get figures(): AccountFigures {
    return this.#figures
  }

  /** Listener that must receive each recorded trade of a market before it is played. */
  listenerOf(symbol: string): RecordedListener {
    const listener = recordedListener(this.#figures.market(symbol), this.#trackers.market(symbol))
    return sinceStart(this.#prepared, listener)
  }

  /** Unsubscribes the strategy, and disconnects it. */
  async stop(): Promise<void> {
    this.session.stopStrategy()
    await this.stage.adapter.close()
  }

  /** The end of the figures of a failed run: nothing happened after it. */
  #failedAt(): number | undefined {
    const { failure } = this.session
    const { from, to } = this.#prepared
    return failure === undefined || this.#shared !== undefined ? undefined : Math.min(Math.max(from, failure.time), to)
  }

  /**
   * Completes journal and figures, once.
   * @param to      the time at which it ended, if that was not known before
   * @param prints  counts by market
   */
  finish(prints: ReadonlyMap<string, PrintCounts>, to?: number): BacktestResult {
    const { session, stage } = this
    const { adapter, simulated } = stage
    session.stop()
    const { failure } = session
    this.#figures.finish(to ?? this.#failedAt())
    this.#trackers.finish()
    this.record.finish()
    const prepared = to === undefined ? this.#prepared : { ...this.#prepared, to }
    writeRunEnd(this.#journal, Math.max(adapter.now(), failure === undefined ? prepared.to : 0), adapter.balances())
    return {
      prepared,
      digest: this.#journal.digest(),
      exchange: simulated.exchange,
      account: stage.account,
      figures: this.#figures,
      record: this.record,
      failure,
      unsent: adapter.inFlight + session.waiting,
      candles: candleRemarks(prepared.candleTapes, simulated),
      unfinishedCandles: simulated.runningCandles,
      usage: session.usage,
      inexactMath: this.#inexactMath,
      unrepeatable: allUnrepeatable(prepared, this.#unrepeatable),
      prints,
    }
  }
}

/** The first occurrence of each name. */
function allUnrepeatable(
  { loaded, liquidity }: PreparedBacktest,
  inRun: readonly Unrepeatable[],
): readonly Unrepeatable[] {
  const all = [...(loaded.unrepeatable ?? []), ...(liquidity.unrepeatable ?? []), ...inRun]
  return all.filter(({ name }, index) => all.findIndex((other) => other.name === name) === index)
}

interface WatchedAccount {
  readonly figures: AccountFigures
  readonly trackers: RestingOrderTracker
  readonly onGap: GapListener
}

/** Subscribes figures and order trackers to the account's commands. */
function watchAccount(
  prepared: PreparedBacktest,
  { simulated, adapter, account, ownAccounts }: BacktestStage,
  journal: Journal,
  figures: AccountFigures,
): WatchedAccount {
  const { exchange } = simulated
  const trackers = new RestingOrderTracker(simulated, { account, ownAccounts }, journal)
  simulated.onEvents((events) => {
    const fills = accountFills(account, events, adapter, ownAccounts)
    if (fills.length > 0) figures.onFills(fills, exchange.balances(account))
    trackers.onEvents(events)
  })
  watchMarks(prepared, simulated, figures, trackers)
  const onGap: GapListener = (gap) => {
    const { symbol } = gap
    const open = exchange.openOrders(account).filter((order) => order.symbol === symbol)
    if (gap.to >= prepared.from) {
      figures.onGap(symbol, open.length)
      trackers.onGap(symbol)
    }
    adapter.reportGap(gap)
  }
  return { figures, trackers, onGap }
}

/** @param balances  at its beginning */
export const accountSetup = (
  { quoteAsset, from, to, settings, candleTapes }: PreparedBacktest,
  { markets, scales }: Pick<Exchange, 'markets' | 'scales'>,
  balances: Balances,
  isOpenEnded: boolean,
): AccountSetup => {
  const end = isOpenEnded ? undefined : to
  const period = { statsPeriodMs: statsPeriodMs(settings) }
  const candleMs = new Map([...candleTapes].map(([symbol, { intervalMs }]) => [symbol, intervalMs]))
  return { markets, scales, balances, quoteAsset, from, to: end, candleMs, ...period }
}

const textOutside = (
  turn: Turn,
  watcher: SimulatedRunListener,
  name: 'onLine' | 'onLines',
): Pick<SimulatedRunListener, 'onLine' | 'onLines'> =>
  watcher[name] === undefined
    ? {}
    : {
        [name]: (text: string) => {
          turn.outside(() => {
            watcher[name]?.(text)
          })
        },
      }

/** Calls the watcher outside the strategy's turn. */
const outsideOf = (turn: Turn, watcher: SimulatedRunListener): SimulatedRunListener =>
  Object.assign(
    outsideSink(turn, watcher),
    textOutside(turn, watcher, watcher.onLine === undefined ? 'onLines' : 'onLine'),
    {
      onProgress: (rows: number, time: number) => {
        turn.outside(() => {
          watcher.onProgress?.(rows, time)
        })
      },
    },
  )

/** Without a spread: each of its results has a hidden class of its own, so that a sweep reads them slowly. */
function sessionOptions(
  { loaded, params, settings, quoteAsset, from, warmupFrom, warmedUp }: PreparedBacktest,
  { adapter, limits }: BacktestStage,
  watcher: SimulatedRunListener,
  own: Pick<SessionOptions, 'isOpenEnded' | 'journal' | 'turn' | 'report' | 'walletRisk'>,
  hooks: RunHooks = {},
): SessionOptions {
  const { isOpenEnded, journal, turn, report, walletRisk } = own
  const random = seededRandom(settings.seed)
  const log = (time: number, message: string): void => {
    watcher.onLog(time, message)
  }
  const isAlwaysOn = hooks.stores !== undefined || walletRisk !== undefined || hooks.laterRisk !== undefined
  const risk = isAlwaysOn ? riskLimitsOf(settings) : riskLimitsIfAny(settings)
  return {
    strategy: loaded.strategy,
    params,
    adapter: hooks.adapterOf?.(adapter) ?? adapter,
    limits,
    onLimit: settings.onLimit,
    rounding: settings.rounding,
    maxOrdersAtOnce: settings.maxOrdersAtOnce,
    risk,
    laterRisk: hooks.laterRisk,
    quoteAsset,
    random,
    log,
    drawn: watcher,
    actsFrom: warmupFrom === undefined ? undefined : from,
    warmedUp,
    isWarming: hooks.isWarming,
    isOpenEnded,
    journal,
    turn,
    report,
    waits: hooks.stores?.waits,
    riskStore: hooks.stores?.riskStore,
    walletRisk,
    takeEarlier: hooks.stores?.takeEarlier,
    boughtBefore: hooks.stores?.boughtBefore,
    strategyState: hooks.stores?.strategyState,
  }
}
