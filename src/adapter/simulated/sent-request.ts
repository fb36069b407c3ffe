/**
 * Requests of one account on their way to a simulated exchange, and their answers.
 */
import type { Command } from '../../domain/command.ts'
import type { Decimal } from '../../domain/decimal.ts'
import { invariant } from '../../domain/errors.ts'
import type { ExchangeEvent } from '../../domain/exchange-event.ts'
import type { Refusal } from '../../domain/refusal.ts'
import type { RequestOutcome } from '../exchange-adapter.ts'

/** A request on its way. */
export interface Sent {
  /** Undefined for that of an unknown order. */
  readonly symbol: string | undefined
  readonly command: (time: number) => Command
  readonly reply: (outcome: RequestOutcome) => void
  readonly tag?: string | undefined
  /** Where it was triggered, in the quote asset; undefined for a request that arrives as any other. */
  readonly inside?: Decimal | undefined
  /** Of a creation. */
  readonly reference?: number
}

/** The market of what happened; undefined for a credit. */
export function symbolOf(events: readonly ExchangeEvent[]): string | undefined {
  for (const event of events) {
    if (event.type === 'traded') return event.trade.symbol
    if (event.type === 'order-accepted' || event.type === 'order-cancelled') return event.order.symbol
  }
  return undefined
}

export const refused = (refusal: Refusal): RequestOutcome => ({ type: 'refused', refusal })

export const OVER_LIMIT = refused({
  code: 'RATE_LIMITED',
  message: 'the exchange counted too many requests in the window',
})
export const TAKEN_BACK: RequestOutcome = {
  type: 'withdrawn',
  reason: 'a stop of its group acted at the open to which it was to come',
}
export const NO_OPEN = refused({ code: 'NO_LIQUIDITY', message: 'the market did not open any more' })

export interface Answer {
  outcome?: RequestOutcome
  readonly tell: () => void
}

export function answerOf(reply: (outcome: RequestOutcome) => void): Answer {
  const answer: Answer = {
    tell: () => {
      invariant(answer.outcome !== undefined, 'a request that arrived has an outcome')
      reply(answer.outcome)
    },
  }
  return answer
}

export function acceptedId(events: readonly ExchangeEvent[]): number {
  const accepted = events.find((event) => event.type === 'order-accepted')
  invariant(accepted !== undefined, 'an order that was not refused was accepted')
  return accepted.order.id
}
