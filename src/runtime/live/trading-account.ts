/** An account at a service, as the sessions that share it need it. */
import type { ExchangeAdapter } from '../../adapter/exchange-adapter.ts'
import type { Amounts } from '../../adapter/live/books/strategy-book.ts'
import type { MarketView } from '../../strategy/market-view.ts'
import type { OwnBalances } from '../../strategy/own-order.ts'
import type { Recordings } from '../recording/recordings.ts'
import type { StrategyStateStore } from '../session/persistent-state.ts'
import type { Moment } from '../backtest/simulated-wallet.ts'
import type { RiskStore } from '../session/risk/risk-store.ts'
import type { SessionState } from '../session-state.ts'
import type { AdjustedSession, ContinueParams } from './param-changes.ts'
import type { DurableTransfers } from './durable-transfers.ts'
import type { FlattenAccess, FlattenedSession } from './flatten-account.ts'
import type { AskedCapital, CapitalPlan } from './live-capital.ts'
import type { SeriesStore } from './followed-series.ts'
import type { LiveStatusSource } from './status-watch.ts'
import type { OnLimit } from '../session/request-queue.ts'
import type { PersistedConditionals } from '../session/conditional/conditional-order-store.ts'

/** The sessions that an operator controls. */
export interface OperatedSessions {
  /** Sets the state of every session. */
  setState(state: SessionState, why: string): void
  /** Running sessions. */
  running(): readonly FlattenedSession[]
  /** The same, for changes of their parameters. */
  adjusted(): readonly AdjustedSession[]
}

/**
 * Opens the command channel.
 * @param onTrouble  the channel does not work
 */
export type OperatorLine = (
  sessions: OperatedSessions,
  onTrouble: (reason: string) => void,
) => {
  /** Applies the last commanded state, and polls for commands from now on. */
  start(): void
  stop(): void
}

export interface TradingAccount {
  readonly markets: readonly MarketView[]
  /** The view of one strategy. Call before `begin`. */
  exchangeOf(owner: string, onLimit: OnLimit): ExchangeAdapter
  /**
   * Reconciles outcomes that earlier sessions left unknown, takes over their open orders, and reads the balances.
   * @param symbols  of the markets that will be traded, as far as they are known
   * @throws {ExchangeError} if the account cannot be read
   */
  begin(symbols: readonly string[]): Promise<void>
  /** Resolves when no later trade of a requested market can be missed; undefined if that is always the case. */
  readonly followed?: () => Promise<void>
  /** Reads everything now, for example because the machine has slept. */
  look(): void
  /** Refuses requests of an owner that were not sent yet. */
  dropWaiting(owner: string): void
  /**
   * Enters the mode of ending sessions: cancels and reads under a long hold of the service are tried anyway.
   * @param withinMs  milliseconds until the end is over
   * @returns leaves that mode
   */
  tryHeld(withinMs: number): () => void
  /** Milliseconds for which cancels are held, by the service or by the budget of the key; 0 if they are not. */
  cancelsHeldForMs(): number
  /** Resolves when no request has an unknown outcome. */
  settled(): Promise<void>
  /** Resolves when everything known at the time of the call was read again. @throws {ExchangeError} */
  audited(): Promise<void>
  /** Orders of an owner that can still be filled, as far as is known. */
  openOrderIds(owner: string): readonly string[]
  /** Order creations of an owner with an unknown outcome, each described in a few words. */
  undecided(owner: string): readonly string[]
  /** Id of the user on the service; undefined before the first order of the account. */
  readonly userId?: () => string | undefined
  /** Owners of open orders without a view. */
  readonly absentOwners: readonly string[]
  /**
   * Saves the directory of an owner's session before anything is written to it; undefined if nothing is recovered from
   * it.
   */
  readonly saveFiles?: (owner: string, directory: string) => void
  /** A file of an owner's session failed: later updates are left for its next session. */
  readonly loseFiles?: (owner: string) => void
  /** The session of an owner has ended: its files are complete, unless one failed. */
  readonly leave?: (owner: string) => void
  /** Store of an owner's conditional orders; undefined if nothing is persisted. */
  readonly waitsOf?: (owner: string) => PersistedConditionals
  /** Store of the state that an owner's strategy keeps; undefined if nothing is persisted. */
  readonly strategyStateOf?: (owner: string) => StrategyStateStore
  /** Store of how far series were delivered; undefined if nothing is persisted. */
  readonly seriesStore?: SeriesStore
  /**
   * Store of an owner's risk state; undefined if nothing is persisted.
   * @param owner  undefined for all strategies together
   */
  readonly riskStoreOf?: (owner: string | undefined) => RiskStore
  /** The parameters with an operator's changes of earlier sessions; undefined if nothing is persisted. */
  readonly paramsOf?: ContinueParams
  /** Owners of conditional orders. */
  readonly conditionalOwners?: () => readonly string[]
  /** Markets that take no orders until an operator resumes them. */
  readonly blockedMarkets: () => readonly { readonly symbol: string; readonly why: string; readonly reason: string }[]
  /** Access for flattening; undefined if a session may only sell what its fills bought. */
  readonly flattening?: FlattenAccess
  /** Books of strategies that share the account; undefined if they cannot have any. */
  readonly capital?: AccountBooks | undefined
  /** Command channel for operators; undefined if there is none. */
  readonly operators: OperatorLine | undefined
  /** Source of the account's status; undefined if there is none. */
  readonly statusSource?: LiveStatusSource
  /**
   * Recorders of the public trades of markets, already subscribed. Call before `begin`, and start them after it;
   * undefined if nothing can be recorded.
   * @throws {InputError} for a file that cannot be continued
   */
  readonly recordings?: (options: RecordingRequest) => Recordings
  close(): Promise<void>
}

/** Books of the strategies of an account. */
export interface AccountBooks {
  /** Owners of books of earlier sessions. */
  readonly owners: readonly string[]
  /**
   * Gives each strategy a book, or continues its book. From now on it sees and spends its book alone. Call after
   * `begin`.
   * @throws {InputError} for an invalid capital, and for more than is free
   */
  open(asked: readonly AskedCapital[]): CapitalPlan
  /** Holdings of a book. */
  held(owner: string): Amounts
  /** Amounts of a book that no order locks, with every order that may exist or still appear counted. */
  free(owner: string): Amounts
  /** Transfers between books, over all sessions. */
  readonly transfers: DurableTransfers
  /**
   * Moves an asset between books: on disk before the strategies receive it.
   * @throws {InputError} if it cannot be saved, so that nothing has moved
   */
  move(moment: Moment): void
  /** Books plus reserve, and the account as it was read last. */
  total(): { readonly expected: Amounts; readonly balances: OwnBalances }
}

export interface RecordingRequest {
  /** Path of a folder, or of a database if the name ends in `.db`. */
  readonly path: string
  readonly symbols: readonly string[]
  /** The recording of a market has stopped. */
  readonly onFailure: (error: unknown) => void
}
