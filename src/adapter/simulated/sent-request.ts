/** Requests of one account in flight to a simulated exchange, and their answers. */
import type { Command } from '../../domain/command.ts'
import type { Decimal } from '../../domain/decimal.ts'
import { invariant } from '../../domain/errors.ts'
import type { ExchangeEvent } from '../../domain/exchange-event.ts'
import type { Refusal } from '../../domain/refusal.ts'
import type { AccountUpdate, RequestOutcome } from '../exchange-adapter.ts'

/** A request in flight. */
export interface Sent {
  /** Undefined for a request about an unknown order. */
  readonly symbol: string | undefined
  readonly command: (time: number) => Command
  readonly reply: (outcome: RequestOutcome) => void
  readonly tag?: string | undefined
  /** Trigger price in the quote asset; undefined for an untriggered request. */
  readonly inside?: Decimal | undefined
  /** Reference of a creation. */
  readonly reference?: number
}

/** An answer or updates, to be emitted at the end of a candle. */
export interface ReportAtEnd {
  readonly updates: readonly AccountUpdate[]
  readonly report: (() => void) | undefined
}

/** The market of the events; undefined for a credit. */
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
  readonly report: () => void
}

export function answerOf(reply: (outcome: RequestOutcome) => void): Answer {
  const answer: Answer = {
    report: () => {
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
