/** Faults of an exchange on purpose, each on one request of the strategy's. */
import { InputError } from '../../domain/errors.ts'
import type { RefusalCode } from '../../domain/refusal.ts'

/** A fault that strikes one request, counted over orders and cancels. */
export type ExchangeFault =
  /** It is refused, and never reaches the exchange. */
  | {
      readonly type: 'refuse'
      /** The number of the request: 1 for the first. */
      readonly request: number
      /** Default: ORDER_REJECTED. */
      readonly code?: RefusalCode | undefined
    }
  /** The reply, and all later account updates, are delayed. */
  | {
      readonly type: 'late'
      /** The number of the request: 1 for the first. */
      readonly request: number
      /** Milliseconds that the answer is held back. */
      readonly lateMs: number
    }
  /** Its answer is lost: the outcome is unknown, and settled later. */
  | {
      readonly type: 'lost'
      /** The number of the request: 1 for the first. */
      readonly request: number
      /** True when the exchange did it all the same. */
      readonly isExecuted: boolean
      /** Milliseconds until the outcome is known to be unknown; default: 10000. */
      readonly unknownAfterMs?: number | undefined
      /** Milliseconds from then until it is settled; default: 20000. */
      readonly settledAfterMs?: number | undefined
    }
  /** It is never answered nor done: the outcome stays unknown, and a person would have to say. */
  | {
      readonly type: 'silence'
      /** The number of the request: 1 for the first. */
      readonly request: number
      /** Milliseconds until the outcome is known to be unknown; default: 10000. */
      readonly unknownAfterMs?: number | undefined
    }

export const UNKNOWN_AFTER_MS = 10_000
export const SETTLED_AFTER_MS = 20_000

/** @throws {InputError} for a time that is no whole number of milliseconds */
export function checkTimes(fault: ExchangeFault): void {
  for (const [name, ms] of Object.entries<string | number | boolean | undefined>({ ...fault })) {
    if (!name.endsWith('Ms') || ms === undefined) continue
    if (typeof ms === 'number' && Number.isSafeInteger(ms) && ms >= 0) continue
    throw new InputError('faults', `${fault.type}: expected ${name} to be whole milliseconds, got ${String(ms)}`)
  }
}
