/**
 * Order creations that wait to be sent: one lane a market and side, in the order in which they came.
 *
 * Invariant: no two requests of one fingerprint are on their way at once, and none is sent while the outcome of another
 * in its lane is unknown.
 */
import { invariant } from '../../../domain/errors.ts'
import { fingerprintOf } from './fingerprint.ts'
import type { IntentBook } from './intent-book.ts'
import type { Placement, RequestOutcome } from '../../exchange-adapter.ts'

export interface WaitingPlacement {
  readonly owner: string
  readonly placement: Placement
  readonly reply: (outcome: RequestOutcome) => void
  /** Its place among all that were ever placed. */
  readonly turn: number
}

export class SendQueue {
  readonly #intents: IntentBook
  readonly #isReady: (symbol: string) => boolean
  readonly #sendQueue = new Map<string, WaitingPlacement[]>()
  /** Of requests that left a lane and are not written down yet. */
  readonly #leaving = new Set<string>()

  /** @param isReady  whether a market may be traded yet */
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

  /** Back to where it was: it may not be sent after all, nor may others that were taken with it. */
  putBack(waiting: WaitingPlacement): void {
    const { symbol, side } = waiting.placement.request
    this.#leaving.delete(fingerprintOf(waiting.placement.request))
    const lane = this.#sendQueue.get(`${symbol} ${side}`)
    invariant(lane !== undefined, `no lane ${symbol} ${side} to put an order back`)
    const later = lane.findIndex(({ turn }) => turn > waiting.turn)
    lane.splice(later < 0 ? lane.length : later, 0, waiting)
  }

  /** Those that may be sent now, each out of its lane until `left` or `putBack` is called for it. */
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

  /** It is written down, or refused. */
  left({ placement }: WaitingPlacement): void {
    this.#leaving.delete(fingerprintOf(placement.request))
  }

  /** Takes out those of a market, or of an owner. */
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

  /** For one that left its lane and waited since. */
  mayStillSend({ placement: { request } }: WaitingPlacement): boolean {
    const isFree = !this.#intents.isInFlight(fingerprintOf(request))
    return isFree && !this.#intents.isBlocked(request.symbol, request.side)
  }

  #maySend(waiting: WaitingPlacement): boolean {
    const { request } = waiting.placement
    return this.#isReady(request.symbol) && !this.#leaving.has(fingerprintOf(request)) && this.mayStillSend(waiting)
  }
}
