/**
 * Send queues of order creations: one FIFO per market and side.
 *
 * Invariant: no two requests of one fingerprint are in flight at once, and none is sent while the outcome of another in
 * its queue is unknown.
 */
import { invariant } from '../../../domain/errors.ts'
import { fingerprintOf } from './fingerprint.ts'
import type { IntentBook } from './intent-book.ts'
import type { Placement, RequestOutcome } from '../../exchange-adapter.ts'

export interface WaitingPlacement {
  readonly owner: string
  readonly placement: Placement
  readonly reply: (outcome: RequestOutcome) => void
  /** Sequence number over all placements. */
  readonly turn: number
}

export class SendQueue {
  readonly #intents: IntentBook
  readonly #isReady: (symbol: string) => boolean
  readonly #sendQueue = new Map<string, WaitingPlacement[]>()
  /** Fingerprints of requests that left a queue and are not saved yet. */
  readonly #leaving = new Set<string>()

  /** @param isReady  whether a market's orders are known, so that it may be traded */
  constructor(intents: IntentBook, isReady: (symbol: string) => boolean) {
    this.#intents = intents
    this.#isReady = isReady
  }

  get waiting(): number {
    return [...this.#sendQueue.values()].reduce((sum, lane) => sum + lane.length, 0)
  }

  push(waiting: WaitingPlacement): void {
    const { symbol, side } = waiting.placement.request
    const key = `${symbol} ${side}`
    const lane = this.#sendQueue.get(key)
    if (lane === undefined) this.#sendQueue.set(key, [waiting])
    else lane.push(waiting)
  }

  /** Puts a request back in its position: neither it nor those taken with it may be sent. */
  putBack(waiting: WaitingPlacement): void {
    const { symbol, side } = waiting.placement.request
    this.#leaving.delete(fingerprintOf(waiting.placement.request))
    const lane = this.#sendQueue.get(`${symbol} ${side}`)
    invariant(lane !== undefined, `no lane ${symbol} ${side} to put an order back`)
    const later = lane.findIndex(({ turn }) => turn > waiting.turn)
    lane.splice(later < 0 ? lane.length : later, 0, waiting)
  }

  /** Takes the requests that may be sent now; `left` or `putBack` must be called for each. */
  take(): readonly WaitingPlacement[] {
    const taken: WaitingPlacement[] = []
    for (const lane of this.#sendQueue.values()) {
      for (let [first] = lane; first !== undefined && this.#maySend(first); [first] = lane) {
        this.#leaving.add(fingerprintOf(first.placement.request))
        taken.push(first)
        lane.shift()
      }
    }
    return taken
  }

  /** The request was saved or refused. */
  left({ placement }: WaitingPlacement): void {
    this.#leaving.delete(fingerprintOf(placement.request))
  }

  /** Removes the requests of a market, or of an owner. */
  remove(isMeant: (waiting: WaitingPlacement) => boolean): readonly WaitingPlacement[] {
    const removed: WaitingPlacement[] = []
    for (const [key, lane] of this.#sendQueue) {
      removed.push(...lane.filter(isMeant))
      this.#sendQueue.set(
        key,
        lane.filter((waiting) => !isMeant(waiting)),
      )
    }
    return removed
  }

  /** Checks again a request that left its queue and has waited since. */
  mayStillSend({ placement: { request } }: WaitingPlacement): boolean {
    const isFree = !this.#intents.isInFlight(fingerprintOf(request))
    return isFree && !this.#intents.isBlocked(request.symbol, request.side)
  }

  #maySend(waiting: WaitingPlacement): boolean {
    const { request } = waiting.placement
    return this.#isReady(request.symbol) && !this.#leaving.has(fingerprintOf(request)) && this.mayStillSend(waiting)
  }
}
