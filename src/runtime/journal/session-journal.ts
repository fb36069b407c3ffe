/**
 * Requests of a session, and all that it is told, as lines of the journal.
 *
 * Invariant: each request has a number, by which its answer names it.
 */
import type { AccountUpdate, RequestOutcome, Settlement } from '../../adapter/exchange-adapter.ts'
import { assertNever } from '../../domain/errors.ts'
import type { PlaceIntent } from '../../strategy/intent.ts'
import type { OwnOrder } from '../../strategy/own-order.ts'
import type { StateChange } from '../session/risk/session-state.ts'
import { balancesText, fillText, orderText } from './journal-text.ts'
import type { Journal } from './journal.ts'

/** The fields of a request as they go over the wire. */
export interface WrittenRequest {
  readonly symbol: string
  readonly side: string
  readonly type: 'LIMIT' | 'MARKET'
  readonly price?: string
  readonly qty: string
}

export class SessionJournal {
  readonly #journal: Journal
  readonly #now: () => number
  #lastReference = 0

  constructor(journal: Journal, now: () => number) {
    this.#journal = journal
    this.#now = now
  }

  /** @returns the number of the request */
  place(request: WrittenRequest, { tag }: PlaceIntent): number {
    this.#lastReference += 1
    this.#journal.write(this.#now(), { type: 'place', request: { ...request }, tag, ref: this.#lastReference })
    return this.#lastReference
  }

  /**
   * @param by  whose cancel it is, if not the strategy's
   * @returns   the number of the request
   */
  cancel(orderId: string, by?: string): number {
    this.#lastReference += 1
    this.#journal.write(this.#now(), { type: 'cancel', orderId, by, ref: this.#lastReference })
    return this.#lastReference
  }

  /** An order that was open before the session began. */
  takenOver(order: OwnOrder): void {
    if (!this.#journal.isOn) return
    const tag = order.tag === undefined ? '' : `,"tag":${JSON.stringify(order.tag)}`
    this.#text(`{"type":"taken-over","order":${orderText(order)}${tag}}`)
  }

  state({ state, why }: StateChange): void {
    this.#journal.write(this.#now(), { type: 'state', state, why })
  }

  /**
   * @param ref  number of the request that this is the answer to
   */
  outcome(ref: number, outcome: RequestOutcome): void {
    if (!this.#journal.isOn) return
    const { type } = outcome
    switch (type) {
      case 'acknowledged':
        this.#text(`{"type":"${type}","ref":${ref},"order":${orderText(outcome.order)}}`)
        break
      case 'refused': {
        const { code, message } = outcome.refusal
        this.#journal.write(this.#now(), { type, ref, code, message, by: outcome.by ?? 'exchange' })
        break
      }
      case 'unknown':
        this.#journal.write(this.#now(), { type, ref, reason: outcome.reason })
        break
      default:
        assertNever(outcome)
    }
  }

  update(update: AccountUpdate): void {
    if (!this.#journal.isOn) return
    const { type } = update
    switch (type) {
      case 'order':
        this.#text(`{"type":"${type}","order":${orderText(update.order)}}`)
        break
      case 'fill':
        this.#text(`{"type":"${type}","fill":${fillText(update.fill)}}`)
        break
      case 'balances':
        this.#text(`{"type":"${type}","balances":${balancesText(update.balances)}}`)
        break
      case 'settled':
        this.#settled(update.reference, update.settlement)
        break
      default:
        assertNever(update)
    }
  }

  #settled(ref: number, settlement: Settlement): void {
    const { type } = settlement
    if (type === 'adopted') this.#text(`{"type":"${type}","ref":${ref},"order":${orderText(settlement.order)}}`)
    else this.#journal.write(this.#now(), { ...settlement, ref })
  }

  #text(entry: string): void {
    this.#journal.writeText(this.#now(), entry)
  }
}
