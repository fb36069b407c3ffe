/**
 * The stages between an intent and its submission. Each passes a request on, now or later, or refuses it.
 *
 * Invariant: each stage passes on or refuses a request once; requests that still wait when the session ends get
 * neither.
 */
import type { OrderRequest } from '../../domain/order.ts'
import type { Refusal, Refuser } from '../../domain/refusal.ts'
import type { CancelIntent, PlaceIntent } from '../../strategy/intent.ts'

/** An order creation or cancel that is journaled and not yet sent. */
export interface PendingRequest {
  /** The session's reference of it. */
  readonly reference: number
  /** The request as sent to the exchange; undefined for a cancel. */
  readonly placed: OrderRequest | undefined
  readonly intent: PlaceIntent | CancelIntent
  /** It closes a position: it is sent before other creations that wait for a rate limit. */
  readonly isExit?: boolean
  readonly send: () => void
  readonly refuse: (by: Refuser, refusal: Refusal) => void
}

export interface RequestStage {
  /** @param pass  takes the request to the next stage, and after the last one to the exchange */
  submit(request: PendingRequest, pass: (request: PendingRequest) => void): void
  /** Number of waiting requests. */
  readonly waiting: number
}

/** Chains all stages, in their order, to the submission. */
export const throughStages = (stages: readonly RequestStage[]): ((request: PendingRequest) => void) =>
  stages.reduceRight<(request: PendingRequest) => void>(
    (pass, stage) => (request) => {
      stage.submit(request, pass)
    },
    (request) => {
      request.send()
    },
  )
