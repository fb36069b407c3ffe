/**
 * Reads the account's fills and balances, after activity and at intervals in quiet times.
 *
 * Fills are emitted before the balances that they changed. A failed read is retried later: the known state stays.
 */
import { ExchangeError } from '../../../domain/errors.ts'
import type { WireBalances } from '../../../wire/wire-balances.ts'
import { inEvent, type LiveTime } from '../live-time.ts'
import type { AccountReads } from '../rest/service-calls.ts'
import type { OnRead, OnReadFault } from '../read-troubles.ts'
import type { OwnOrders } from './own-orders.ts'

export interface AccountWatchParts {
  readonly time: LiveTime
  readonly calls: AccountReads
  readonly own: OwnOrders
  /** Called as an event. */
  readonly onBalances: (balances: WireBalances) => void
  /** A read failed. */
  readonly onFault: OnReadFault
  readonly onRead: OnRead
  /** Reports an internal error. */
  readonly onError: (error: unknown) => void
}

const FEW_FILLS = 50
const MAX_FILLS = 500
/** Retry interval for fills that an answer counts and that were not read yet. */
const MISSING_WAIT_MS = 500
/** Time after which missing fills are inferred instead. */
const LONGEST_MISSING_MS = 30_000
/** The same limit for callers that wait at the end of a session. */
const CATCH_UP_MS = 10_000

export class AccountWatch {
  readonly #parts: AccountWatchParts
  #running: Promise<ExchangeError | undefined> | undefined
  #areFillsWanted = false
  #areBalancesWanted = false
  #isClosed = false
  #isAgainPlanned = false
  /** Monotonic milliseconds. */
  #missingSince: number | undefined

  constructor(parts: AccountWatchParts) {
    this.#parts = parts
  }

  /**
   * Reads changes. One read at a time; requests made meanwhile follow. Resolves when everything requested was read.
   * @returns the error of a failed read; undefined on success
   */
  refresh(wanted: { readonly fills: boolean }): Promise<ExchangeError | undefined> {
    this.#areFillsWanted ||= wanted.fills
    this.#areBalancesWanted = true
    this.#running ??= this.#read()
    return this.#running
  }

  /**
   * Like `refresh` with fills, until all fills that answers count were reported or inferred.
   * @returns the error of a failed read; undefined on success
   */
  async caughtUp(): Promise<ExchangeError | undefined> {
    const { own, time } = this.#parts
    const until = time.monotonic() + CATCH_UP_MS
    for (;;) {
      const fault = await this.refresh({ fills: true })
      if (fault !== undefined || !own.isEnding || this.#isClosed) return fault
      if (time.monotonic() >= until) {
        await inEvent(time, () => {
          own.reportInferred(time.now())
        })
        return undefined
      }
      await new Promise<void>((resolve) => {
        time.after(MISSING_WAIT_MS, resolve)
      })
    }
  }

  /** Like `refresh`, for callers that do not wait for it. */
  request(wanted: { readonly fills: boolean }): void {
    this.refresh(wanted).catch(this.#parts.onError)
  }

  close(): void {
    this.#isClosed = true
  }

  async #read(): Promise<ExchangeError | undefined> {
    // Requests of the same event share a read.
    await Promise.resolve()
    try {
      await this.#readAll()
      this.#parts.onRead('account')
    } catch (error) {
      if (!(error instanceof ExchangeError)) throw error
      this.#parts.onFault(error, 'account')
      return error
    }
    return undefined
  }

  async #readAll(): Promise<void> {
    try {
      while (!this.#isClosed && this.#isAnythingWanted({ fills: false })) await this.#readOnce()
    } finally {
      // Reset in the same step as the last check: a later caller must not receive a finished read.
      this.#running = undefined
    }
  }

  async #readOnce(): Promise<void> {
    const { time, calls, own, onBalances } = this.#parts
    const wantsFills = this.#areFillsWanted
    this.#areFillsWanted = false
    this.#areBalancesWanted = false
    if (wantsFills) await this.#readFills()
    const balances = await calls.balances('poll')
    // The end of an order precedes the balances that it freed, and its fills are read next.
    if (own.isEnding && this.#isAnythingWanted({ fills: true })) return
    await inEvent(time, () => {
      onBalances(balances)
    })
    if ((own.isMissingFills || own.isEnding) && !this.#isClosed) this.#readAgainLater()
  }

  /** @param fills  true for reads of fills only */
  #isAnythingWanted({ fills }: { readonly fills: boolean }): boolean {
    return this.#areFillsWanted || (!fills && this.#areBalancesWanted)
  }

  #readAgainLater(): void {
    if (this.#isAgainPlanned) return
    this.#isAgainPlanned = true
    this.#parts.time.after(MISSING_WAIT_MS, () => {
      this.#isAgainPlanned = false
      this.request({ fills: true })
    })
  }

  async #readFills(): Promise<void> {
    const { time, calls, own } = this.#parts
    const hadFills = own.hasSeenFills
    const read = own.beginRead()
    let rows = await calls.fills(FEW_FILLS, 'poll')
    const oldest = rows.at(-1)
    // Every row is new: there may be more rows after them.
    if (oldest !== undefined && !own.isKnown(oldest)) rows = await calls.fills(MAX_FILLS, 'poll')
    await inEvent(time, () => {
      // If no row is readable, missing fills cannot be detected.
      const isWhole = own.takeFills(rows, read) || rows.length === 0 || (!hadFills && rows.length < MAX_FILLS)
      this.#inferIfLost(isWhole)
    })
  }

  /**
   * Infers a fill for what an answer counts and no fill shows, once the service has dropped the fills or does not list
   * them in time.
   */
  #inferIfLost(isWhole: boolean): void {
    const { own, time } = this.#parts
    if (!own.isMissingFills) {
      this.#missingSince = undefined
      return
    }
    this.#missingSince ??= time.monotonic()
    if (isWhole && time.monotonic() < this.#missingSince + LONGEST_MISSING_MS) return
    this.#missingSince = undefined
    own.reportInferred(time.now())
  }
}
