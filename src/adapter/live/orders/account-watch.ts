/**
 * Fills and balances of the account, read after activity and in quiet times.
 *
 * Fills come before the balances that they changed. A read that fails is tried again later: what is known stays as it
 * is.
 */
import { ExchangeError } from '../../../domain/errors.ts'
import type { WireBalances } from '../../../wire/wire-balances.ts'
import { inEvent } from '../in-event.ts'
import type { LiveTime } from '../live-time.ts'
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
  /** An error of ours. */
  readonly onError: (error: unknown) => void
}

const FEW_FILLS = 50
const MOST_FILLS = 500
/** Fills that an answer counts and that are not told yet are asked for again after this long. */
const MISSING_WAIT_MS = 500
/** After which they are no longer waited for. */
const LONGEST_MISSING_MS = 30_000
/** The same for whoever waits for them at an end. */
const CATCH_UP_MS = 10_000

export class AccountWatch {
  readonly #parts: AccountWatchParts
  #running: Promise<ExchangeError | undefined> | undefined
  #areFillsWanted = false
  #areBalancesWanted = false
  #isClosed = false
  #isAgainPlanned = false
  /** Monotonic. */
  #missingSince: number | undefined

  constructor(parts: AccountWatchParts) {
    this.#parts = parts
  }

  /**
   * Something may have changed. One read at a time; what is asked for meanwhile follows. Resolves when all of it was
   * read.
   *
   * @returns why it could not be read; undefined when it was
   */
  refresh(wanted: { readonly fills: boolean }): Promise<ExchangeError | undefined> {
    this.#areFillsWanted ||= wanted.fills
    this.#areBalancesWanted = true
    this.#running ??= this.#read()
    return this.#running
  }

  /**
   * As `refresh` with the fills, until those that answers count were reported, or are taken for lost.
   *
   * @returns why they could not be read; undefined when they were
   */
  async caughtUp(): Promise<ExchangeError | undefined> {
    const { own, time } = this.#parts
    const until = time.monotonic() + CATCH_UP_MS
    for (;;) {
      const fault = await this.refresh({ fills: true })
      if (fault !== undefined || !own.isEnding || this.#isClosed) return fault
      if (time.monotonic() >= until) {
        await inEvent(time, () => {
          own.tellInferred(time.now())
        })
        return undefined
      }
      await new Promise<void>((resolve) => {
        time.after(MISSING_WAIT_MS, resolve)
      })
    }
  }

  /** As `refresh`, for whoever does not wait for it. */
  request(wanted: { readonly fills: boolean }): void {
    this.refresh(wanted).catch(this.#parts.onError)
  }

  close(): void {
    this.#isClosed = true
  }

  async #read(): Promise<ExchangeError | undefined> {
    // What is asked for in the same event is read together.
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
      // In the step that looked last: whoever asks behind it is not told of a read that is over.
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
    // The end of an order comes before the balances that it freed, and its fills are read next.
    if (own.isEnding && this.#isAnythingWanted({ fills: true })) return
    await inEvent(time, () => {
      onBalances(balances)
    })
    if ((own.isMissingFills || own.isEnding) && !this.#isClosed) this.#readAgainLater()
  }

  /** @param fills  true for reads of fills alone */
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
    // Full of what is new: there may be more behind.
    if (oldest !== undefined && !own.isKnown(oldest)) rows = await calls.fills(MOST_FILLS, 'poll')
    await inEvent(time, () => {
      // Of none that can be read it is not known what is missing.
      const isWhole = own.takeFills(rows, read) || rows.length === 0 || (!hadFills && rows.length < MOST_FILLS)
      this.#inferIfLost(isWhole)
    })
  }

  /**
   * What an answer counts and no fill tells is told as a sum when the service has forgotten the fills, or does not tell
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
    own.tellInferred(time.now())
  }
}
