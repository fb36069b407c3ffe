/** The parts of a session and their connections; `Session.process` applies events to them. */
import type { ExchangeAdapter } from '../../adapter/exchange-adapter.ts'
import type { Decimal } from '../../domain/decimal.ts'
import type { RateBudget, RateLimits } from '../../domain/rate-window.ts'
import type { StrategyContext } from '../../strategy/context.ts'
import type { Strategy } from '../../strategy/strategy.ts'
import { warmupNeeds } from '../../strategy/warmup.ts'
import type { Journal } from '../journal/journal.ts'
import { SessionJournal } from '../journal/session-journal.ts'
import type { RiskLimits } from '../settings/risk-limits.ts'
import { ConditionalOrderStore, type PersistedConditionals } from './conditional/conditional-order-store.ts'
import type { FlattenOwner } from './flatten/flattening.ts'
import { SessionFlattening, type SessionFlatteningParts } from './flatten/session-flattening.ts'
import { FollowedOrders } from './followed-orders.ts'
import { FreshBalances } from './fresh-balances.ts'
import { IntentIntake, type IntakeOptions } from './intent-intake.ts'
import { PersistentState, type StrategyStateStore } from './persistent-state.ts'
import { plotCommands, type PlotSink } from './plot-commands.ts'
import { PositionBook } from './position-book.ts'
import { RateStage } from './request-queue.ts'
import type { OnLimit } from './request-queue.ts'
import type { RiskStore } from './risk/risk-store.ts'
import { type LaterLimits, Risk } from './risk/risk.ts'
import type { WalletRisk } from './risk/wallet-risk.ts'
import { WatchedRisk } from './risk/watched-risk.ts'
import type { ReportedEvent, SessionEvent } from './session-event.ts'
import {
  createContext,
  createStreams,
  portfolioOf,
  type ContextParts,
  type ContextStreams,
} from './strategy-context.ts'
import { KnownRows } from './series-call.ts'
import { StrategyOutcomes } from './strategy-outcomes.ts'
import { Sizing } from './targets/sizing.ts'
import type { Turn } from './turn.ts'
import { UnfilledOrders } from './unfilled-orders.ts'
import { WarmUp, type WarmUpOptions } from './warm-up.ts'

export interface SessionOptions
  extends Pick<WarmUpOptions, 'warmedUp'>, Pick<IntakeOptions, 'rounding' | 'maxOrdersAtOnce' | 'isOpenEnded'> {
  readonly strategy: Strategy
  readonly params: Readonly<Record<string, unknown>>
  readonly adapter: ExchangeAdapter
  /** Limits, or a budget that sessions share; undefined for none. */
  readonly limits: RateLimits | RateBudget | undefined
  readonly onLimit: OnLimit
  /** Undefined for none: nothing is watched then, and the session is always ACTIVE. */
  readonly risk: RiskLimits | undefined
  /** Limits that replace them at a moment; default: none. */
  readonly laterRisk?: LaterLimits | undefined
  /** Asset in which the strategy's portfolio is valued. */
  readonly quoteAsset: string
  readonly journal: Journal
  /** Seeded generator of numbers in [0, 1). */
  readonly random: () => number
  readonly log: (time: number, message: string) => void
  /** Receives plots and notes of the strategy; default: none. */
  readonly drawn?: PlotSink
  readonly turn: Pick<Turn, 'isOn'>
  /** Receives what the run records; default: nothing is recorded. */
  readonly report?: ((event: ReportedEvent) => void) | undefined
  /** Unix milliseconds from which the strategy's intents are sent; default: from its start. */
  readonly actsFrom?: number | undefined
  /** True while the adapter replays history; default: never. */
  readonly isWarming?: (() => boolean) | undefined
  /** Hands over earlier changes that no session has reported; default: nothing. */
  readonly takeEarlier?: ExchangeAdapter['takeEarlier']
  /** Persists conditional orders; default: nothing is persisted. */
  readonly waits?: PersistedConditionals | undefined
  /** Holdings that it may sell to get flat; default: what its own fills bought. */
  readonly owner?: FlattenOwner | undefined
  /** Net quantity that its earlier sessions bought on a simulated exchange, by base asset; default: nothing. */
  readonly boughtBefore?: ReadonlyMap<string, Decimal> | undefined
  /** Persists the state of the risk limits; default: nothing is persisted. */
  readonly riskStore?: RiskStore | undefined
  /** Persists the state of the strategy itself; default: it starts empty, and nothing is persisted. */
  readonly strategyState?: StrategyStateStore | undefined
  /** Limits of all strategies on its wallet together; default: none. */
  readonly walletRisk?: WalletRisk | undefined
}

export interface SessionParts {
  readonly context: StrategyContext<Record<string, unknown>>
  /** The same for a new instance of the strategy, with other parameters and its own view of the market data. */
  readonly contextWith: (own: Pick<SessionOptions, 'params' | 'adapter'>) => StrategyContext<Record<string, unknown>>
  /** The strategy's streams of its own orders. */
  readonly streams: ContextStreams
  readonly journal: SessionJournal
  readonly unfilled: UnfilledOrders
  readonly positions: PositionBook
  /** Undefined without limits, like `riskWatch`. */
  readonly risk: Risk | undefined
  readonly riskWatch: WatchedRisk | undefined
  readonly followed: FollowedOrders
  readonly balances: FreshBalances
  readonly outcomes: StrategyOutcomes
  readonly intake: IntentIntake
  readonly flattening: SessionFlattening
  readonly knownRows: KnownRows
  readonly warmUp: WarmUp
}

/** The parts' access to their session. */
export interface SessionHooks {
  readonly process: (event: SessionEvent) => void
  /** True if nothing more is sent for the strategy. */
  readonly isOver: () => boolean
  /** True if what the strategy records is passed on. @param what  for the error @throws {Error} outside a turn */
  readonly isRecorded: (what: string) => boolean
  readonly log: (message: string) => void
}

export function createSessionParts(options: SessionOptions, hooks: SessionHooks): SessionParts {
  const { adapter, quoteAsset, risk: limits, laterRisk: later, riskStore: store, walletRisk: wallet } = options
  const { isOver, log } = hooks
  const streams = createStreams()
  const journal = new SessionJournal(options.journal, () => adapter.now())
  const unfilled = new UnfilledOrders(adapter.markets)
  const positions = new PositionBook(adapter, quoteAsset)
  const sizing = new Sizing({
    adapter,
    unfilled,
    portfolio: () => portfolioOf(adapter, quoteAsset),
    held: (symbol) => positions.position(symbol).qty,
  })
  const state = createState(options, hooks, journal)
  const knownRows = new KnownRows()
  const contextParts: ContextParts = {
    streams,
    positions,
    sizing,
    knownRows,
    waitingOrders: (symbol) => intake.waitingOrders.list(symbol),
    own: { ...createPlots(options, hooks), state: state.open },
  }
  const context = createContext(options, contextParts)
  const risk = limits && new Risk({ limits, later, adapter, quoteAsset, unfilled, store, wallet, log })
  const [followed, balances] = [new FollowedOrders(), new FreshBalances()]
  const known = { journal, unfilled, risk, followed, balances, sizing, context }
  const intake: IntentIntake = createIntake(options, hooks, known)
  // Without a spread: each of its results has a hidden class of its own, so that a sweep reads them slowly.
  return {
    journal,
    unfilled,
    risk,
    followed,
    balances,
    context,
    contextWith: (own) => {
      state.reopen()
      return createContext({ ...options, ...own }, contextParts)
    },
    streams,
    positions,
    riskWatch: risk && createRiskWatch(options, hooks, risk, intake),
    outcomes: new StrategyOutcomes(),
    intake,
    flattening: createFlattening(options, { unfilled, risk, intake, isOver, log }),
    knownRows,
    warmUp: createWarmUp(options, log, knownRows),
  }
}

const failing =
  ({ process }: SessionHooks) =>
  (error: unknown): void => {
    process({ type: 'failed', error })
  }

const createPlots = (
  { adapter, drawn: sink = {} }: SessionOptions,
  hooks: SessionHooks,
): Pick<ContextParts['own'], 'plot' | 'note'> => {
  const isRecorded = (): boolean => hooks.isRecorded('a plot or a note')
  return plotCommands({ sink, now: () => adapter.now(), isRecorded, fail: failing(hooks) })
}

const createState = (
  { adapter, strategyState: store, actsFrom = 0 }: SessionOptions,
  hooks: SessionHooks,
  journal: SessionJournal,
): PersistentState =>
  new PersistentState({
    store,
    journal: (text, isContinued) => {
      // It is opened before the warm-up, which the journal does not have.
      journal.strategyState(Math.max(adapter.now(), actsFrom), text, isContinued)
    },
    isRecorded: () => hooks.isRecorded('a change of the state'),
    log: hooks.log,
    fail: failing(hooks),
  })

function createIntake(
  options: SessionOptions,
  { process, isOver, log }: SessionHooks,
  known: Pick<SessionParts, 'context' | 'journal' | 'unfilled' | 'risk' | 'followed' | 'balances'> & {
    readonly sizing: Sizing
  },
): IntentIntake {
  const { adapter, rounding, maxOrdersAtOnce, isOpenEnded, quoteAsset, waits } = options
  const { context, journal, unfilled, risk, followed, balances, sizing } = known
  return new IntentIntake({
    journal,
    unfilled,
    risk,
    followed,
    balances,
    sizing,
    adapter,
    process,
    stages: [createRateStage(options)],
    openOrders: context.openOrders,
    rounding,
    maxOrdersAtOnce,
    isOpenEnded,
    book: new ConditionalOrderStore(waits),
    quoteAsset,
    isOver,
    log,
  })
}

function createRiskWatch(
  { adapter, quoteAsset }: SessionOptions,
  { process, isOver }: SessionHooks,
  risk: Risk,
  intake: IntentIntake,
): WatchedRisk {
  return new WatchedRisk({
    risk,
    adapter,
    quoteAsset,
    process,
    isOver,
    cancel: (orderId, reply) => {
      intake.cancelFor('risk', orderId, reply)
    },
  })
}

function createRateStage({ adapter, limits, onLimit }: SessionOptions): RateStage {
  const after = (delayMs: number, action: () => void): void => {
    adapter.after(delayMs, action)
  }
  return new RateStage({ limits, onLimit, now: () => adapter.now(), after })
}

const createFlattening = (
  { adapter, quoteAsset, owner, boughtBefore }: SessionOptions,
  { unfilled, risk, intake, isOver, log }: FlatteningParts,
): SessionFlattening =>
  new SessionFlattening({ adapter, quoteAsset, owner, boughtBefore, unfilled, risk, intake, isOver, log })

type FlatteningParts = Pick<SessionFlatteningParts, 'unfilled' | 'risk' | 'intake' | 'isOver' | 'log'>

function createWarmUp(options: SessionOptions, log: (message: string) => void, knownRows: KnownRows): WarmUp {
  const { adapter, strategy, actsFrom, warmedUp, isWarming: isShown } = options
  return new WarmUp({ adapter, needs: warmupNeeds(strategy.warmup), actsFrom, warmedUp, isShown, knownRows, log })
}
