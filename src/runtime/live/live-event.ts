/**
 * Events of a live process that people are told of: on its screen, in its lines, by its webhook.
 *
 * Everything in them can be written as JSON; amounts are decimal strings. Text may come from a strategy or a service,
 * as it was.
 */
import type { Side } from '../../domain/order.ts'
import type { SessionState } from '../session/risk/session-state.ts'

export type LiveEvent = {
  /** Unix milliseconds. */
  readonly time: number
  /** Name of the session; undefined for what concerns all of them. */
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
      /** Only of one of the time before the session. */
      readonly isRecovered?: true
    }
  | { readonly type: 'refusal'; readonly code: string; readonly message: string }
  | { readonly type: 'state'; readonly state: SessionState; readonly why: string }
  | { readonly type: 'halt'; readonly symbol: string; readonly why: string; readonly reason: string }
  | { readonly type: 'fault'; readonly message: string }
  | { readonly type: 'warning'; readonly message: string }
  | { readonly type: 'log'; readonly message: string }
  | { readonly type: 'ended'; readonly exitCode: number; readonly message: string }
)

export type NumberedEvent = LiveEvent & {
  /** From 1 in this process, without a gap. */
  readonly seq: number
}

const KEPT = 200

/** The last of them, for whoever looks, and each of them for whoever listens. */
export class LiveNews {
  readonly #last: NumberedEvent[] = []
  readonly #listeners = new Set<(event: NumberedEvent) => void>()
  #seq = 0

  tell(event: LiveEvent): void {
    this.#seq += 1
    const numbered = { ...event, seq: this.#seq }
    this.#last.push(numbered)
    if (this.#last.length > KEPT) this.#last.shift()
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
