/**
 * Client-side rate limiter of a key: requests that it admits are not refused by the service (section 8, decision 22).
 *
 * Invariant: whatever the phase of the service's windows and however long a request takes, no window holds more
 * requests of ours than its limit. Part of the general bucket is reserved for reconciliation, and part of the mutations
 * for cancels.
 *
 * Cancel reserve: a creation leaves room for a cancel of every open order, up to two thirds of the limit; or, if the
 * busiest recent window needed less than a third, up to twice its need; but at least a third of the limit including
 * cancels already sent. In windows of ten seconds or less a third suffices, because a session's end outlasts them. An
 * order that closes a position leaves only that third, and nothing in such a short window: a stop must not wait for
 * hypothetical cancels.
 *
 * Known limitations: cancelling more open orders than that at once waits for a window; other users of the key, and what
 * an earlier process sent, are known from the headers of answers only.
 */
import { ExchangeError } from '../../../domain/errors.ts'
import { DEFAULT_RATE_LIMITS, type RateLimits } from '../../../domain/rate-window.ts'
import type { Urgency } from '../../../domain/waiting-requests.ts'
import type { LiveTime, LiveTimer } from '../live-time.ts'
import { CancelNeed } from './cancel-need.ts'
import { HeldTries, LAST_TRY_MS } from './held-tries.ts'
import { readRateHeaders, type ReportedLimit } from './rate-headers.ts'
import type { RestAnswer } from './rest-transport.ts'
import { SentLog } from './sent-log.ts'
import type { ReadPurpose } from './service-calls.ts'
import { rateBucketsOf } from './rate-buckets.ts'

type MutationKind = 'create' | 'cancel'
export type RequestKind = 'read' | MutationKind

export interface ClientBudgetOptions {
  readonly time: LiveTime
  readonly limits?: RateLimits
  /** Our orders that are open or may be, including those in flight; estimated from sent requests if undefined. */
  readonly openOrders?: () => number
}

/** State of one bucket, for display. */
export interface BucketState {
  /** Number of requests in a window. */
  readonly limit: number
  /** Number of requests that may be sent now. */
  readonly remaining: number
  /** Milliseconds until the bucket is full again; 0 if it is. */
  readonly resetInMs: number
}

/** State of both buckets of a key. */
export interface BudgetState {
  /** Every request with the key. */
  readonly general: BucketState
  /** Order creations and cancels. */
  readonly mutations: BucketState
}

/** How long an unanswered request may still arrive after it was given up. */
export const LATE_ARRIVAL_MS = 10_000

/** Hold after a 429 that gives no time; doubled by each that follows, up to the window. */
const FIRST_UNREADABLE_MS = 2_000

/** Wait of an ending session for room in a window before it tries a cancel anyway. */
const LONG_WINDOW_MS = 5_000
/** An ending session respects a hold of the service up to this long, if it ends in time. */
const LONG_HOLD_MS = 10_000

/** Maximum number of foreign requests counted from one answer, which may be wrong. */
const MAX_FOREIGN = 10_000

interface Bucket {
  limit: number
  windowMs: number
  /** Monotonic milliseconds; the service asked to send nothing before. */
  blockedUntil: number
}

interface WaitingRead {
  readonly purpose: ReadPurpose
  readonly go: () => void
  readonly fail: (error: ExchangeError) => void
}

const bucketOf = (limit: number, windowSeconds: number): Bucket => ({
  limit,
  windowMs: windowSeconds * 1000,
  blockedUntil: Number.NEGATIVE_INFINITY,
})

const kindOf = (urgency: Urgency): MutationKind => (urgency === 'cancel' ? 'cancel' : 'create')

export class ClientBudget {
  readonly #time: LiveTime
  readonly #openOrders: (() => number) | undefined
  readonly #general: Bucket
  readonly #mutations: Bucket
  readonly #all = new SentLog()
  readonly #creates = new SentLog()
  readonly #cancels = new SentLog()
  readonly #need: CancelNeed
  readonly #reads: WaitingRead[] = []
  readonly #listeners = new Set<() => void>()
  /** Attempts of held cancels and reads while sessions end; undefined before. */
  #tries: { readonly cancel: HeldTries; readonly read: HeldTries } | undefined
  /** Number of ending sessions. */
  #endings = 0
  /** Time at which the last of them ends. */
  #endsAt = Number.NEGATIVE_INFINITY
  /** Consecutive 429 answers. */
  #refusedInRow = 0
  #refusedAt = Number.NEGATIVE_INFINITY
  #timer: LiveTimer | undefined
  #isClosed = false

  constructor({ time, limits = DEFAULT_RATE_LIMITS, openOrders }: ClientBudgetOptions) {
    this.#time = time
    this.#openOrders = openOrders
    this.#general = bucketOf(limits.general, limits.windowSeconds)
    this.#mutations = bucketOf(limits.mutations, limits.windowSeconds)
    this.#need = new CancelNeed(time.monotonic())
  }

  /** Reserves budget for one creation or cancel, which is then sent or given back. */
  takeMutation(urgency: Urgency): boolean {
    const now = this.#time.monotonic()
    if (!this.#allowsMutation(urgency, now)) return false
    if (urgency === 'cancel' && !this.#isWithinLimits(urgency, now)) this.#tries?.cancel.take(now)
    this.#all.send()
    this.#logOf(kindOf(urgency)).send()
    if (urgency === 'cancel') this.#need.note(now, this.#usedBy('cancel', now), this.#mutations)
    return true
  }

  /** Milliseconds until another attempt is worthwhile; 0 if it is allowed now. */
  mutationAllowedInMs(urgency: Urgency): number {
    const now = this.#time.monotonic()
    if (this.#allowsMutation(urgency, now)) return 0
    const blockedFor = this.#heldFor(now)
    const tryInMs = urgency === 'cancel' && this.#isLongWait(now) ? this.#tries?.cancel.dueInMs(now) : undefined
    const limitedFor = blockedFor > 0 ? blockedFor : this.#windowFreeInMs(now)
    return Math.max(1, Math.min(limitedFor, tryInMs ?? limitedFor))
  }

  /** Returns budget of a mutation that was not sent. */
  giveBackMutation(urgency: Urgency): void {
    if (urgency === 'cancel') this.#tries?.cancel.done()
    this.#all.unsend()
    this.#logOf(kindOf(urgency)).unsend()
    this.#changed()
  }

  /**
   * Enters the mode of ending sessions: cancels and reads under a long hold of the service are tried anyway, one at a
   * time, and flow again once one is accepted.
   * @param withinMs  milliseconds until the end is over
   * @returns leaves that mode, for the sessions that go on
   */
  tryHeld(withinMs: number): () => void {
    this.#endings += 1
    this.#endsAt = Math.max(this.#endsAt, this.#time.monotonic() + withinMs)
    this.#tries ??= { cancel: new HeldTries(), read: new HeldTries() }
    this.#tries.cancel.until(this.#endsAt)
    this.#tries.read.until(this.#endsAt)
    this.#changed()
    return () => {
      this.#endings -= 1
      if (this.#endings > 0) return
      this.#tries = undefined
      this.#endsAt = Number.NEGATIVE_INFINITY
    }
  }

  /**
   * Resolves when the read may be sent; rejects when the budget is closed. Reconciliation goes first, then first come,
   * first served.
   */
  read(purpose: ReadPurpose): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#reads.push({ purpose, go: resolve, fail: reject })
      this.#serveReads()
    })
  }

  /** Takes the outcome of a request that was counted here. */
  onAnswer(kind: RequestKind, answer: RestAnswer): void {
    const now = this.#time.monotonic()
    const arrivedBy = answer.type === 'no-answer' ? now + LATE_ARRIVAL_MS : now
    const logs = kind === 'read' ? [this.#all] : [this.#all, this.#logOf(kind)]
    for (const log of logs) {
      if (answer.type === 'no-answer' && answer.isUnsent === true) log.unsend()
      else log.answer(arrivedBy)
    }
    if (answer.type === 'answer') this.#learn(kind, answer.headers, answer.status === 429, now)
    this.#onTried(kind, answer, now)
    this.#changed()
  }

  /** An accepted attempt shows that its kind is no longer held. */
  #onTried(kind: RequestKind, answer: RestAnswer, now: number): void {
    if (this.#tries === undefined || kind === 'create') return
    const isHeld = answer.type !== 'answer' || answer.status === 429 || answer.status >= 500
    if (isHeld) this.#tries[kind].done()
    if (isHeld || !this.#tries[kind].pass(now, this.#refusedAt)) return
    this.#general.blockedUntil = Math.min(this.#general.blockedUntil, now)
    if (kind === 'cancel') this.#mutations.blockedUntil = Math.min(this.#mutations.blockedUntil, now)
  }

  /**
   * Counts creations of an earlier process, and one read for each.
   * @param agoMs  milliseconds since each had certainly arrived
   */
  assumeSent(agoMs: readonly number[]): void {
    const now = this.#time.monotonic()
    for (const ago of agoMs) {
      for (const log of [this.#all, this.#all, this.#creates]) log.count(now - ago)
    }
    this.#changed()
  }

  /** Calls `listener` when a request may be allowed earlier than predicted. Returns the function that unsubscribes. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }

  snapshot(): BudgetState {
    const now = this.#time.monotonic()
    const { windowMs } = this.#mutations
    const state = (bucket: Bucket, used: number, lastInMs: number): BucketState => {
      const blockedFor = Math.max(0, bucket.blockedUntil - now)
      const remaining = blockedFor > 0 ? 0 : Math.max(0, bucket.limit - used)
      return { limit: bucket.limit, remaining, resetInMs: Math.max(blockedFor, lastInMs) }
    }
    return {
      general: state(this.#general, this.#usedBy('read', now), this.#all.lastInMs(now, this.#general.windowMs)),
      mutations: state(
        this.#mutations,
        this.#usedBy('create', now) + this.#usedBy('cancel', now),
        Math.max(this.#creates.lastInMs(now, windowMs), this.#cancels.lastInMs(now, windowMs)),
      ),
    }
  }

  /** Rejects waiting reads and all later ones. */
  close(): void {
    this.#isClosed = true
    this.#timer?.cancel()
    this.#serveReads()
  }

  #logOf(kind: MutationKind): SentLog {
    return kind === 'create' ? this.#creates : this.#cancels
  }

  /** Used part of the general bucket for `read`, otherwise of the mutations. */
  #usedBy(kind: RequestKind, now: number): number {
    return kind === 'read'
      ? this.#all.used(now, this.#general.windowMs)
      : this.#logOf(kind).used(now, this.#mutations.windowMs)
  }

  /** Milliseconds for which the service asked to send no mutation. */
  #heldFor(now: number): number {
    return Math.max(0, this.#general.blockedUntil - now, this.#mutations.blockedUntil - now)
  }

  #allowsMutation(urgency: Urgency, now: number): boolean {
    if (this.#isClosed) return false
    return this.#isWithinLimits(urgency, now) || (urgency === 'cancel' && this.#mayTryCancel(now))
  }

  #mayTryCancel(now: number): boolean {
    return this.#isLongWait(now) && this.#tries?.cancel.dueInMs(now) === 0
  }

  /** Whether a hold is too long for an ending session to respect. */
  #isLongHold(heldFor: number, now: number): boolean {
    return heldFor > LONG_HOLD_MS || now + heldFor > this.#endsAt - LAST_TRY_MS
  }

  /** False if the window soon has room again or the hold is soon over: those are waited for. */
  #isLongWait(now: number): boolean {
    const heldFor = this.#heldFor(now)
    if (heldFor > 0) return this.#isLongHold(heldFor, now)
    const { windowMs } = this.#mutations
    // A read that leaves its window makes no room for a cancel.
    return Math.min(this.#creates.nextInMs(now, windowMs), this.#cancels.nextInMs(now, windowMs)) > LONG_WINDOW_MS
  }

  /** Milliseconds until a mutation of ours leaves its window. */
  #windowFreeInMs(now: number): number {
    const { windowMs } = this.#mutations
    const next = Math.min(
      this.#all.nextInMs(now, this.#general.windowMs),
      this.#creates.nextInMs(now, windowMs),
      this.#cancels.nextInMs(now, windowMs),
    )
    return Math.min(next, windowMs)
  }

  #isWithinLimits(urgency: Urgency, now: number): boolean {
    if (this.#heldFor(now) > 0) return false
    const { limit } = this.#mutations
    const [creates, cancels] = [this.#usedBy('create', now), this.#usedBy('cancel', now)]
    const open = this.#openOrders?.() ?? Math.max(0, creates - cancels)
    const reserved = this.#need.reserved(urgency, { now, open, cancels, ...this.#mutations })
    const reservedForSettling = urgency === 'cancel' ? 0 : Math.floor(this.#general.limit / 10)
    return (
      creates + cancels + 1 + reserved <= limit &&
      this.#usedBy('read', now) + 1 + reservedForSettling <= this.#general.limit
    )
  }

  #allowsRead(purpose: ReadPurpose, now: number): boolean {
    if (now < this.#general.blockedUntil) return this.#heldReadInMs(now) === 0
    const { limit } = this.#general
    const [creates, cancels] = [this.#usedBy('create', now), this.#usedBy('cancel', now)]
    const tenth = Math.floor(limit / 10)
    const cancelsToCome = Math.max(0, Math.floor(this.#mutations.limit / 3) - cancels)
    const mutationsToCome = Math.max(0, this.#mutations.limit - creates - cancels)
    const reserved =
      purpose === 'settle' ? Math.min(tenth, cancelsToCome) : tenth + Math.min(Math.floor(limit / 4), mutationsToCome)
    return this.#usedBy('read', now) + 1 + reserved <= limit
  }

  #serveReads(): void {
    this.#timer?.cancel()
    this.#timer = undefined
    for (;;) {
      const index = Math.max(
        this.#reads.findIndex(({ purpose }) => purpose === 'settle'),
        this.#reads.length > 0 ? 0 : -1,
      )
      const next = this.#reads[index]
      if (next === undefined) return
      const now = this.#time.monotonic()
      if (!this.#isClosed && !this.#allowsRead(next.purpose, now)) {
        this.#serveReadsLater(now)
        return
      }
      this.#reads.splice(index, 1)
      if (this.#isClosed) next.fail(new ExchangeError('NO_ANSWER', 'the connection was closed'))
      else {
        if (now < this.#general.blockedUntil) this.#tries?.read.take(now)
        this.#all.send()
        next.go()
      }
    }
  }

  /** Milliseconds until a held read may be tried anyway. */
  #heldReadInMs(now: number): number {
    const isLong = this.#isLongHold(this.#general.blockedUntil - now, now)
    return (isLong ? this.#tries?.read.dueInMs(now) : undefined) ?? Number.POSITIVE_INFINITY
  }

  #serveReadsLater(now: number): void {
    const blockedFor = Math.min(this.#general.blockedUntil - now, this.#heldReadInMs(now))
    const waitMs = blockedFor > 0 ? blockedFor : this.#all.nextInMs(now, this.#general.windowMs)
    this.#timer = this.#time.after(Math.max(1, Math.min(waitMs, this.#general.windowMs)), () => {
      this.#serveReads()
    })
  }

  #learn(kind: RequestKind, headers: Readonly<Record<string, string>>, isRefused: boolean, now: number): void {
    const reported = readRateHeaders(headers, this.#time.now())
    const { general, mutations } = rateBucketsOf(reported.buckets, kind !== 'read', this.#general.limit)
    this.#correct(this.#general, general, this.#usedBy('read', now), [this.#all], now)
    const used = this.#usedBy('create', now) + this.#usedBy('cancel', now)
    this.#correct(this.#mutations, mutations, used, [this.#creates], now)
    if (!isRefused) {
      this.#refusedInRow = 0
      return
    }
    const isOfMutations = kind !== 'read' && !(general?.remaining === 0 && mutations?.remaining !== 0)
    const bucket = isOfMutations ? this.#mutations : this.#general
    const resetMs = (isOfMutations ? mutations : general)?.resetMs
    const unreadable = Math.min(bucket.windowMs, FIRST_UNREADABLE_MS * 2 ** this.#refusedInRow)
    this.#refusedInRow += 1
    this.#refusedAt = now
    bucket.blockedUntil = Math.max(bucket.blockedUntil, now + (reported.retryAfterMs ?? resetMs ?? unreadable))
  }

  /**
   * Adopts the reported limit and window, and counts the excess of the service's count over ours until its window ends.
   */
  #correct(bucket: Bucket, to: ReportedLimit | undefined, used: number, logs: readonly SentLog[], now: number): void {
    if (to === undefined) return
    if (to.limit !== undefined && to.limit >= 1) bucket.limit = to.limit
    if (to.windowMs !== undefined && to.windowMs >= 1000) bucket.windowMs = to.windowMs
    if (to.remaining === undefined) return
    const foreign = Math.min(bucket.limit - to.remaining - used, MAX_FOREIGN)
    const until = now + (to.resetMs ?? bucket.windowMs)
    for (let index = 0; index < foreign; index += 1) {
      for (const log of logs) log.count(until - bucket.windowMs)
    }
  }

  #changed(): void {
    this.#serveReads()
    for (const listener of this.#listeners) listener()
  }
}
