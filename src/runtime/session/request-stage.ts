/**
 * The stages between an intent and its submission. Each passes a request on, now or later, or refuses it.
 *
 * Invariant: a request is passed on or refused once by each stage that it comes to; what still waits when the session
 * ends is neither.
 */
import type { OrderRequest } from '../../domain/order.ts'
import type { Refusal, Refuser } from '../../domain/refusal.ts'
import type { CancelIntent, PlaceIntent } from '../../strategy/intent.ts'

/** One order creation or cancel, written into the journal and not yet sent. */
export interface PendingRequest {
  /** The session's own number of it. */
  readonly reference: number
  /** As the exchange is asked for it; undefined for a cancel. */
  readonly placed: OrderRequest | undefined
  readonly intent: PlaceIntent | CancelIntent
  /** It closes a position: of creations that wait for a rate limit it goes first. */
  readonly isExit?: boolean
  readonly send: () => void
  readonly refuse: (by: Refuser, refusal: Refusal) => void
}

export interface RequestStage {
  /** @param pass  takes the request to the next stage, and behind the last one to the exchange */
  submit(request: PendingRequest, pass: (request: PendingRequest) => void): void
  /** Requests that it holds. */
  readonly waiting: number
}

/** The way through all stages, in their order, to where a request is sent. */
export const throughStages = (stages: readonly RequestStage[]): ((request: PendingRequest) => void) =>
  stages.reduceRight<(request: PendingRequest) => void>(
    (pass, stage) => (request) => {
      stage.submit(request, pass)
    },
    (request) => {
      request.send()
    },
  )
