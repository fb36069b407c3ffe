/**
 * Events of a live process for the operator: on its screen, in its log, and by its webhook.
 *
 * JSON-serialisable; amounts are decimal strings. Text of a strategy or service is unchanged.
 */
import type { Side } from '../../domain/order.ts'
import type { SessionState } from '../session-state.ts'

export type LiveEvent = {
  /** Unix milliseconds. */
  readonly time: number
  /** Name of the session; undefined for an event of all sessions. */
  readonly owner: string | undefined
} & (
  | { readonly type: 'started'; readonly baseUrl: string; readonly runDirectory: string }
  | {
      readonly type: 'fill'
      readonly symbol: string
      readonly side: Side
      readonly price: string
      readonly qty: string
      readonly orderId: string
      readonly tag: string | undefined
      /** Set for an event from before the session. */
      readonly isRecovered?: true
    }
  | { readonly type: 'refusal'; readonly code: string; readonly message: string }
  | { readonly type: 'state'; readonly state: SessionState; readonly why: string }
  | { readonly type: 'halt'; readonly symbol: string; readonly why: string; readonly reason: string }
  | { readonly type: 'fault'; readonly message: string }
  | { readonly type: 'warning'; readonly message: string }
  | {
      /** The session against its own backtest, after a midnight. */
      readonly type: 'twin'
      /** The UTC day that ended. */
      readonly date: string
      readonly message: string
      /** Undefined if the twin failed. */
      readonly total:
        | { readonly quoteAsset: string; readonly gap: string; readonly parts: Readonly<Record<string, string>> }
        | undefined
      readonly change: string | undefined
    }
  | { readonly type: 'log'; readonly message: string }
  | { readonly type: 'ended'; readonly exitCode: number; readonly message: string }
)

export type NumberedEvent = LiveEvent & {
  /** Sequence number in this process from 1, without gaps. */
  readonly seq: number
}

const MAX_LOGGED = 200

/** Event log: the latest events for status displays, and every event for subscribers. */
export class LiveNews {
  readonly #last: NumberedEvent[] = []
  readonly #listeners = new Set<(event: NumberedEvent) => void>()
  #seq = 0

  report(event: LiveEvent): void {
    this.#seq += 1
    const numbered = { ...event, seq: this.#seq }
    this.#last.push(numbered)
    if (this.#last.length > MAX_LOGGED) this.#last.shift()
    for (const listener of this.#listeners) listener(numbered)
  }

  /** The newest 200, oldest first. */
  get last(): readonly NumberedEvent[] {
    return this.#last
  }

  listen(listener: (event: NumberedEvent) => void): void {
    this.#listeners.add(listener)
  }
}
