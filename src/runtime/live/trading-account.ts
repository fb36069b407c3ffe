/**
 * One account at a service as the sessions that share it need it, whoever keeps it.
 */
import type { ExchangeAdapter } from '../../adapter/exchange-adapter.ts'
import type { MarketView } from '../../strategy/market-view.ts'
import type { Recordings } from '../recording/recordings.ts'
import type { RiskKeep } from '../session/risk/risk-keep.ts'
import type { SessionState } from '../session/risk/session-state.ts'
import type { FlattenAccess, FlattenedSession } from './flatten-account.ts'
import type { LiveStatusSource } from './status-watch.ts'
import type { OnLimit } from '../session/request-queue.ts'
import type { PersistedConditionals } from '../session/conditional/conditional-order-store.ts'

/** The sessions that an operator speaks to. */
export interface OperatedSessions {
  /** Moves every session. */
  setState(state: SessionState, why: string): void
  /** Those that run now. */
  running(): readonly FlattenedSession[]
}

/**
 * Opens the line.
 *
 * @param onTrouble  the line does not work
 */
export type OperatorLine = (
  sessions: OperatedSessions,
  onTrouble: (reason: string) => void,
) => {
  /** Puts the sessions into the state that was said last, and listens from now on. */
  start(): void
  stop(): void
}

export interface TradingAccount {
  readonly markets: readonly MarketView[]
  /** The view of one strategy. Call before `begin`. */
  exchangeOf(owner: string, onLimit: OnLimit): ExchangeAdapter
  /**
   * Settles what earlier sessions left unknown, takes over their open orders, and reads the balances.
   *
   * @param symbols  of the markets that will be traded, as far as they are known
   * @throws {ExchangeError} when the account cannot be read
   */
  begin(symbols: readonly string[]): Promise<void>
  /**
   * Resolves when no trade of a market that was asked for is missed from then on; undefined where that is always so.
   */
  readonly followed?: () => Promise<void>
  /** Looks after everything now: the machine has slept, say. */
  look(): void
  /** Refuses what an owner has asked for and was not sent. */
  dropWaiting(owner: string): void
  /**
   * Sessions end: cancels and reads that the service asked to hold back for long are tried all the same.
   *
   * @param withinMs  milliseconds until the end is over
   * @returns what ends that
   */
  tryHeld(withinMs: number): () => void
  /** Milliseconds for which cancels are held back, by the service or by the budget of the key; 0 when they are not. */
  cancelsHeldForMs(): number
  /** Resolves when of no request it is unknown what became of it. */
  settled(): Promise<void>
  /** Resolves when everything has been read again that was known when it was called. @throws {ExchangeError} */
  audited(): Promise<void>
  /** Orders of an owner that can still be filled, as far as is known. */
  openOrderIds(owner: string): readonly string[]
  /** Order creations of an owner of which nobody knows whether they were executed, each in a few words. */
  undecided(owner: string): readonly string[]
  /** Owners of open orders that have no view. */
  readonly absentOwners: readonly string[]
  /**
   * Remembers the directory of an owner's session before anything is written to it; undefined where nothing is
   * recovered from it.
   */
  readonly keepFiles?: (owner: string, directory: string) => void
  /** A file of an owner's session failed: what it is told from now on is for its next one. */
  readonly loseFiles?: (owner: string) => void
  /** The session of an owner has ended: its files are complete, unless one failed. */
  readonly leave?: (owner: string) => void
  /** Where what waits for an owner is kept; undefined where nothing is. */
  readonly waitsOf?: (owner: string) => PersistedConditionals
  /** Where the limits of an owner's risk keep what they remember; undefined where nothing is kept. */
  readonly riskKeepOf?: (owner: string) => RiskKeep
  /** Owners of which something waits. */
  readonly conditionalOwners?: () => readonly string[]
  /** Markets that take no orders until an operator says so. */
  readonly halts: () => readonly { readonly symbol: string; readonly why: string; readonly reason: string }[]
  /** To get flat; undefined where only the fills of a session say what it may sell. */
  readonly flattening?: FlattenAccess
  /** A line to operators who speak to the account; undefined where there is none. */
  readonly operators: OperatorLine | undefined
  /** What it shows of itself; undefined where there is nothing. */
  readonly statusSource?: LiveStatusSource
  /**
   * Recordings of the public trades of markets, which listen. Call before `begin`, and go on with them behind it;
   * undefined where nothing can be recorded.
   *
   * @throws {InputError} for a file that cannot be gone on with
   */
  readonly recordings?: (options: RecordingWish) => Recordings
  close(): Promise<void>
}

export interface RecordingWish {
  /** Of a folder, or of a store where the name ends in `.db`. */
  readonly path: string
  readonly symbols: readonly string[]
  /** A market is recorded no further. */
  readonly onFailure: (error: unknown) => void
}
