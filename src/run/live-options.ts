/**
 * The options of a live process.
 */
import type { MachineClocks } from '../adapter/live/machine-clocks.ts'
import type { LiveTime } from '../adapter/live/live-time.ts'
import type { ExchangeError } from '../domain/errors.ts'
import type { MarketFees } from '../domain/market.ts'
import type { RefusalCode, Refuser } from '../domain/refusal.ts'
import type { OwnFill } from '../strategy/own-order.ts'
import type { RunReport } from '../report/run/run-report.ts'
import type { ShadowComparison } from '../report/run/shadow-comparison.ts'
import type { TradingAccount } from '../runtime/live/trading-account.ts'
import type { LiveStatus } from '../runtime/live/live-status.ts'
import type { LiveSession } from '../runtime/live/live-session.ts'
import type { StateChange } from '../runtime/session-state.ts'
import type { GivenLiveSettings, GivenLiveTerms } from '../runtime/settings/live-settings.ts'
import type { RebalanceOptions } from '../runtime/settings/rebalance-terms.ts'
import type { RiskOptions } from './backtest-options.ts'
import type { GivenLiveStrategy } from './live-strategies.ts'
import type { NightlyTwin } from './nightly/nightly.ts'

/** Options of `live`, besides those of the `live` section of a config file. */
export interface LiveOptions extends GivenLiveSettings {
  /** Strategies, each with its own orders, journal and run directory. They share the API key. */
  readonly strategies: readonly GivenLiveStrategy[]
  /** Risk limits of all strategies together, besides those of each; default: none. */
  readonly walletRisk?: RiskOptions | undefined
  /**
   * Moves free quote asset between the strategies at given times, by a rule. Each strategy then has a book of its own.
   * Default: never.
   */
  readonly rebalance?: RebalanceOptions | undefined
  /** Base URL of the service. */
  readonly url: string
  /** API key. It is never printed. */
  readonly apiKey: string
  /** Parameters for every strategy that has them; the `params` of a strategy override them. */
  readonly params?: Readonly<Record<string, unknown>> | undefined
  /** Parameters as strings, for every strategy that has them. They override all others. */
  readonly paramTexts?: Readonly<Record<string, string>> | undefined
  /** Files with the strategies' own data by the name that they ask for; new rows are read while the session runs. */
  readonly series?: Readonly<Record<string, string>> | undefined
  /** Risk limits, fees and other terms; see docs/configuration.md. */
  readonly terms?: GivenLiveTerms | undefined
  /** Parameters of the strategy `shadow`, over those of the live one that it has too. */
  readonly shadowParams?: Readonly<Record<string, unknown>> | undefined
  /** The same as strings. They override the others. */
  readonly shadowParamTexts?: Readonly<Record<string, string>> | undefined
  /** Clocks and timers; default: those of the machine. */
  readonly clocks?: MachineClocks | undefined
  /** Stops the sessions in good order. */
  readonly signal?: AbortSignal | undefined
  /** Receives the events of the sessions. */
  readonly listener?: Partial<LiveListener> | undefined
  /** Former name of `reconcileMs`, in milliseconds. */
  readonly settleMs?: number | undefined
  /** Former name of `listener`. */
  readonly watcher?: Partial<LiveListener> | undefined
}

/**
 * Receives each event as it happens, outside the strategy's turn. Keep it quick: the session waits for it. An error
 * that it throws is reported by `onWarning`, and the session continues.
 */
export interface LiveListener {
  /** The sessions have started. */
  onStart(sessions: readonly StartedSession[]): void
  /** The strategy logged a message, at a time in Unix milliseconds. */
  onLog(owner: string, time: number, message: string): void
  /** An order of the session was filled. */
  onFill(owner: string, fill: OwnFill): void
  /** A request was refused: by the service, or before it was sent. */
  onRefusal(owner: string, code: RefusalCode, by: Refuser): void
  /** A session is ACTIVE, REDUCING or HALTED from now on. */
  onState(owner: string, change: StateChange): void
  /** A market takes no orders until an operator resumes it. */
  onHalt(halt: ReportedHalt): void
  /** The account can no longer be used, with the reason. */
  onFault(message: string): void
  /** The session was repeated as its own backtest after a midnight, if `nightly` is on, or that failed. */
  onTwin(twin: NightlyTwin): void
  /** A warning that a person should see immediately. */
  onWarning(text: string): void
  /** Called about once a second. */
  onStatus(status: LiveStatus): void
  /** Returns the newest events, oldest first, to show with the status. */
  events(): LiveStatus['events']
  /** A session has ended. */
  onEnd(session: EndedSession): void
}

/** Former name of `LiveListener`. */
export type LiveOnlooker = LiveListener

export type ReportedHalt = ReturnType<TradingAccount['blockedMarkets']>[number]

/** A running session. */
export interface StartedSession {
  /** Name of the strategy; with a number if several have that name. */
  readonly owner: string
  /** Directory of its files. */
  readonly directory: string
  /** Its present state. */
  readonly session: LiveSession
}

/** A session that ended in good order, with complete files. */
export interface EndedSession {
  /** Name of the strategy; with a number if several have that name. */
  readonly owner: string
  /** Directory of its files. */
  readonly directory: string
  /** The content of `run.json`. */
  readonly report: RunReport
  /** Open orders, and orders with an unknown outcome, each in a few words. */
  readonly left: readonly string[]
}

/** A strategy that ran on paper next to a live one until both ended. */
export interface EndedShadow {
  /** Directory of its files. */
  readonly directory: string
  /** The content of `run.json`. */
  readonly report: RunReport
  /** The content of `comparison.json`. */
  readonly comparison: ShadowComparison
}

/** Result of sessions that ended in good order. */
export interface LiveResult {
  /** Sessions in the order in which they ended. */
  readonly sessions: readonly EndedSession[]
  /** Why the account could no longer be used; undefined if it could. */
  readonly fault: ExchangeError | undefined
  /** Symbols of markets that take no orders until an operator resumes them. */
  readonly halted: readonly string[]
  /** Undefined without a shadow, and for one that ended without a report. */
  readonly shadow?: EndedShadow | undefined
}

/** Everything needed to open an account. */
export interface AccountOpening {
  readonly url: string
  readonly apiKey: string
  readonly time: LiveTime
  /** Directory of intents, known orders and the lock. */
  readonly state: string
  /** Directories for the lock of the API key, which is independent of `state`. Default: none. */
  readonly keyLocks?: readonly string[] | undefined
  /** Identifies the process among all of the account. */
  readonly session: string
  readonly fees: MarketFees
  readonly timeoutMs: number
  readonly settleMs: number
  readonly uniqueQty: boolean
  /**
   * Maximum wait for a service that does not answer; default: ten minutes if an earlier session left orders or
   * conditional orders, otherwise none.
   */
  readonly waitMs?: number | undefined
  /** Ends the wait. */
  readonly signal?: AbortSignal | undefined
  readonly onWarning: (text: string) => void
  /** Receives internal errors. */
  readonly onError: (error: unknown) => void
}

/** Reads the markets of the service and takes the lock. @throws {InputError} @throws {ExchangeError} */
export type OpenAccount = (opening: AccountOpening) => Promise<TradingAccount>

/** Dependencies of a live process that tests replace. */
export interface LiveParts {
  readonly clocks: MachineClocks
  readonly openAccount: OpenAccount
  /** Default directory for files without an explicit place. */
  readonly dataDirectory: string
  /** Identifies the process among all of the account. */
  readonly session: string
}
