/**
 * Reconciler of order creations with an unknown outcome.
 *
 * Purpose: reads the orders of a market until it is decided which of them are ours, or the settle time is over.
 * Invariants: failed reads are retried indefinitely and decide nothing; an order counts as absent only after a listing
 * that began after the settle time.
 * Known limitations: an operator must decide if several owners' intents share a fingerprint, if there are more matching
 * orders than intents, or if the service no longer lists far enough back. An order that appears after the settle time
 * is late, and blocks its market.
 * Complexity: one listing per market at a time, with waits that double from 250 ms to 5 s; each undecided intent is
 * compared with every listed order.
 * Source: docs/live.md, orders without an answer.
 */
import { ExchangeError } from '../../../domain/errors.ts'
import { escapedExcerpt } from '../../../domain/escape-controls.ts'
import type { WireOrder } from '../../../wire/wire-order.ts'
import { inEvent, type LiveTime } from '../live-time.ts'
import type { OnRead, OnReadFault } from '../read-troubles.ts'
import { couldBeOrderOf, fingerprintOf } from './fingerprint.ts'
import type { Intent } from './intent.ts'
import type { IntentBook } from './intent-book.ts'
import { type KnownOrders, type ListedOrders, type NewestOrder, TIE_MS, watermarkOf } from './known-orders.ts'
import { decide, type Decision } from './reconcile-decision.ts'
import type { SymbolBook } from './symbol-book.ts'

export interface ReconcileTimes {
  /** Milliseconds after which a missing order is assumed not to exist. */
  readonly settleMs: number
  /** Milliseconds for which the number of candidates must equal the number of unknown intents. */
  readonly holdMs: number
}

export interface ReconcilerParts extends ReconcileTimes {
  readonly time: LiveTime
  readonly intents: IntentBook
  readonly known: KnownOrders
  readonly symbols: SymbolBook
  /** Reports an internal error. */
  readonly onError: (error: unknown) => void
  /** A listing failed and is retried. */
  readonly onFault: OnReadFault
  readonly onRead: OnRead
  /** Called as an event; all intents have one fingerprint. */
  readonly onDecision: (decision: Exclude<Decision, { type: 'wait' }>, intents: readonly Intent[]) => void
}

/** Extra wait beyond the settle time for an unreadable order that could be ours. */
const HIDDEN_MS = 60_000
const FIRST_WAIT_MS = 250
const LONGEST_WAIT_MS = 5_000

interface Held {
  readonly ids: string
  /** Monotonic milliseconds. */
  readonly since: number
}

export class Reconciler {
  readonly #parts: ReconcilerParts
  /** Monotonic time from which on an intent may be absent. */
  readonly #untilById = new Map<number, number>()
  readonly #heldByFingerprint = new Map<string, Held>()
  readonly #runningBySymbol = new Map<string, Promise<void>>()
  readonly #nextWaitBySymbol = new Map<string, number>()
  #isClosed = false

  constructor(parts: ReconcilerParts) {
    this.#parts = parts
  }

  /** Starts to reconcile an intent whose outcome is unknown from now on. */
  reconcile({ id, symbol }: Intent): void {
    const { time, settleMs } = this.#parts
    this.#untilById.set(id, time.monotonic() + settleMs)
    this.#nextWaitBySymbol.set(symbol, FIRST_WAIT_MS)
    this.#start(symbol)
  }

  /** Resolves when no outcome is unknown. */
  async idle(): Promise<void> {
    while (this.#runningBySymbol.size > 0) await Promise.all(this.#runningBySymbol.values())
  }

  close(): void {
    this.#isClosed = true
  }

  #start(symbol: string): void {
    if (this.#isClosed || this.#runningBySymbol.has(symbol) || this.#unknown(symbol).length === 0) return
    const running = this.#run(symbol)
      .catch(this.#parts.onError)
      .then(() => {
        this.#runningBySymbol.delete(symbol)
        // An outcome may have become unknown after the last check.
        this.#start(symbol)
      })
    this.#runningBySymbol.set(symbol, running)
  }

  async #run(symbol: string): Promise<void> {
    while (!this.#isClosed && this.#unknown(symbol).length > 0) {
      await this.#look(symbol)
      if (this.#unknown(symbol).length > 0) await this.#sleep(this.#nextWait(symbol))
    }
  }

  async #look(symbol: string): Promise<void> {
    const { time, symbols, onRead, onFault } = this.#parts
    const began = time.monotonic()
    try {
      const listed = await symbols.list(symbol, oldestWatermark(this.#unknown(symbol)))
      onRead('settle')
      await inEvent(time, () => {
        this.#decideAll(symbol, listed, began)
      })
    } catch (error) {
      if (!(error instanceof ExchangeError)) throw error
      if (error.code !== 'HISTORY_CUT') onFault(error, 'settle')
      else {
        await inEvent(time, () => {
          this.#giveUp(symbol, began, error.message)
        })
      }
    }
  }

  #decideAll(symbol: string, listed: ListedOrders, began: number): void {
    // A decision may reconcile other intents of its fingerprint, so each is looked up when it is its turn.
    for (const { id } of this.#unknown(symbol)) {
      const intent = this.#parts.intents.get(id)
      if (intent.state === 'UNKNOWN') this.#decide(intent, listed, began)
    }
  }

  #decide(unknown: Intent, listed: ListedOrders, began: number): void {
    const fingerprint = fingerprintOf(unknown)
    const intents = this.#parts.intents.undecided(fingerprint)
    const candidates = this.#candidates(unknown, listed.orders)
    const until = this.#untilById.get(unknown.id) ?? Number.POSITIVE_INFINITY
    const isOver = began > until
    const isHeld = this.#isHeld(fingerprint, candidates, began)
    const hidden = this.#hidden(unknown, listed)
    const decision = decide({ candidates, intents, isHeld, isOver, hidden, isLongOver: began > until + HIDDEN_MS })
    if (decision.type === 'wait') return
    this.#heldByFingerprint.delete(fingerprint)
    this.#parts.onDecision(decision, intents)
  }

  /** Orders that may belong to the intent, oldest first. */
  #candidates(intent: Intent, rows: readonly WireOrder[]): readonly WireOrder[] {
    const { known, intents } = this.#parts
    const fingerprint = fingerprintOf(intent)
    const watermark = rows.findIndex(({ id }) => id === intent.watermark)
    // The position in the list decides, not the service's clock; but orders of one moment may be unordered.
    const earliest = (intent.watermarkAt ?? Number.NEGATIVE_INFINITY) - TIE_MS
    const isCandidate = (order: WireOrder, index: number): boolean =>
      fingerprintOf(order) === fingerprint &&
      (index < watermark || order.createdAt >= earliest) &&
      !known.wasAmong(order.id, intent.knownCount) &&
      !intents.isOwned(order.id)
    return rows.filter(isCandidate).toReversed()
  }

  /** Description of an unreadable order that could belong to the intent. */
  #hidden(intent: Intent, { orders, unreadable }: ListedOrders): string | undefined {
    const { known, intents } = this.#parts
    const watermark = orders.findIndex(({ id }) => id === intent.watermark)
    const earliest = (intent.watermarkAt ?? Number.NEGATIVE_INFINITY) - TIE_MS
    const hidden = unreadable.find((row) => {
      const { id, place, createdAt } = row
      const isKnown = id !== undefined && (intents.isOwned(id) || known.wasAmong(id, intent.knownCount))
      const isNewer = watermark < 0 || place <= watermark || (createdAt ?? Number.NEGATIVE_INFINITY) >= earliest
      return !isKnown && isNewer && couldBeOrderOf(intent, row)
    })
    if (hidden === undefined) return undefined
    return hidden.id === undefined ? 'an order without an id' : `order ${escapedExcerpt(hidden.id)}`
  }

  /** True if the same orders were present `holdMs` before this read. */
  #isHeld(fingerprint: string, candidates: readonly WireOrder[], began: number): boolean {
    const { time, holdMs } = this.#parts
    const ids = candidates.map(({ id }) => id).join(' ')
    const held = this.#heldByFingerprint.get(fingerprint)
    if (held?.ids === ids) return began >= held.since + holdMs
    this.#heldByFingerprint.set(fingerprint, { ids, since: time.monotonic() })
    return holdMs === 0
  }

  /** The history that would decide is no longer available. */
  #giveUp(symbol: string, began: number, reason: string): void {
    for (const intent of this.#unknown(symbol)) {
      if (began <= (this.#untilById.get(intent.id) ?? Number.POSITIVE_INFINITY)) continue
      const intents = this.#parts.intents.undecided(fingerprintOf(intent))
      this.#parts.onDecision({ type: 'ambiguous', reason }, intents)
    }
  }

  #unknown(symbol: string): readonly Intent[] {
    return this.#parts.intents.inState('UNKNOWN').filter((intent) => intent.symbol === symbol)
  }

  #nextWait(symbol: string): number {
    const wait = this.#nextWaitBySymbol.get(symbol) ?? FIRST_WAIT_MS
    this.#nextWaitBySymbol.set(symbol, Math.min(2 * wait, LONGEST_WAIT_MS))
    return wait
  }

  #sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.#parts.time.after(ms, resolve)
    })
  }
}

/** Undefined if the oldest intent was sent before any order existed. */
function oldestWatermark([oldest]: readonly Intent[]): NewestOrder | undefined {
  return oldest === undefined ? undefined : watermarkOf(oldest)
}
