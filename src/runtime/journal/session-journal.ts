/**
 * Writes a session's requests and updates as lines of the journal.
 *
 * Invariant: each request has a number, by which its answer refers to it.
 */
import type { AccountUpdate, RequestOutcome, Reconciliation } from '../../adapter/exchange-adapter.ts'
import { assertNever } from '../../domain/errors.ts'
import type { Decimal } from '../../domain/decimal.ts'
import { jsonFields } from '../../domain/json-fault.ts'
import { ExactBalance } from '../../strategy/exact-balance.ts'
import type { PlaceIntent } from '../../strategy/intent.ts'
import type { OwnBalance, OwnBalances, OwnOrder } from '../../strategy/own-order.ts'
import type { StateChange } from '../session-state.ts'
import type { ConditionalTerms } from '../conditional-order-terms.ts'
import { balanceText, quoted } from './journal-text.ts'
import type { Journal, JournalValue } from './journal.ts'
import { ReportedOrders } from './reported-orders.ts'

/** The fields of a request as sent over the wire. */
export interface WrittenRequest {
  readonly symbol: string
  readonly side: string
  readonly type: 'LIMIT' | 'MARKET'
  readonly price?: string
  readonly qty: string
}

/** The last reported balances, so that a line contains only changes. */
class ReportedBalances {
  readonly #reportedByAsset = new Map<string, OwnBalance>()

  /** Changes as a JSON object by asset; empty if nothing changed. */
  changes(balances: OwnBalances): string {
    let text = ''
    for (const [asset, balance] of balances) {
      const reported = this.#reportedByAsset.get(asset)
      if (reported !== undefined && isSame(reported, balance)) continue
      this.#reportedByAsset.set(asset, balance)
      text += `${text === '' ? '' : ','}${quoted(asset)}:${balanceText(balance)}`
    }
    return `{${text}}`
  }
}

function isSame(reported: OwnBalance, now: OwnBalance): boolean {
  if (reported === now) return true
  if (reported instanceof ExactBalance && now instanceof ExactBalance) return reported.equals(now)
  return reported.available.equals(now.available) && reported.locked.equals(now.locked)
}

export class SessionJournal {
  readonly #journal: Journal
  readonly #now: () => number
  readonly #orders = new ReportedOrders()
  readonly #balances = new ReportedBalances()
  #lastReference = 0

  constructor(journal: Journal, now: () => number) {
    this.#journal = journal
    this.#now = now
  }

  /**
   * @param by  the conditional order that placed it, or its bracket
   * @returns   the number of the request
   */
  place({ symbol, side, type, price, qty }: WrittenRequest, { tag }: PlaceIntent, by?: string): number {
    this.#lastReference += 1
    const ref = this.#lastReference
    if (!this.#journal.isOn) return ref
    const limit = price === undefined ? '' : `"price":${json(price)},`
    const request = `{"symbol":${json(symbol)},"side":${json(side)},"type":"${type}",${limit}"qty":${json(qty)}}`
    this.#write(`"type":"place","ref":${ref},"request":${request}${tagText(tag)}${byText(by)}}`)
    return ref
  }

  /**
   * @param by  origin of the cancel, if not the strategy
   * @returns   the number of the request
   */
  cancel(orderId: string, by?: string): number {
    this.#lastReference += 1
    const ref = this.#lastReference
    if (!this.#journal.isOn) return ref
    this.#write(`"type":"cancel","ref":${ref},"orderId":${json(orderId)}${byText(by)}}`)
    return ref
  }

  /**
   * A conditional order becomes active.
   * @param group  its group; its own id if it is alone
   * @param earlier   for one of an earlier session: its present trigger price
   */
  waits(id: string, group: string, terms: ConditionalTerms, earlier?: { readonly at: Decimal | undefined }): void {
    const { type, symbol, side, qty, price, trail, limit, tag } = terms
    const behind =
      trail === undefined ? {} : 'distance' in trail ? { distance: trail.distance } : { percent: trail.percent }
    const amounts = Object.entries({ qty, price, ...behind, limit }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value.toFixed()] as const],
    )
    const belongs = group === id ? {} : { group }
    const tagged = tag === undefined ? {} : { tag }
    const at = trail === undefined ? undefined : earlier?.at?.toFixed()
    const again = earlier === undefined ? {} : { isKept: true, ...(at === undefined ? {} : { at }) }
    const fields = { ...Object.fromEntries(amounts), ...tagged, ...again }
    this.#journal.write(this.#now(), { type: 'wait', id, ...belongs, kind: type, symbol, side, ...fields })
  }

  /** A group of an earlier session continues. @param open  quantity that may be closed */
  takenUp(
    id: string,
    symbol: string,
    open: Decimal,
    orders: readonly { readonly by: string; readonly id: string | undefined }[],
  ): void {
    const own = orders.map((order) => ({ by: order.by, ...(order.id === undefined ? {} : { orderId: order.id }) }))
    this.#journal.write(this.#now(), { type: 'taken-up', id, symbol, open: open.toFixed(), orders: own })
  }

  /** A conditional order was triggered. */
  triggered(id: string, price: Decimal): void {
    this.#journal.write(this.#now(), { type: 'triggered', id, price: price.toFixed() })
  }

  /** A conditional order ended. @param why  one word */
  waitOver(id: string, why: string): void {
    this.#journal.write(this.#now(), { type: 'wait-over', id, why })
  }

  /** An order that was open before the session began. */
  takenOver(order: OwnOrder): void {
    if (this.#journal.isOn) this.#write(`"type":"taken-over",${this.#orders.whole(order)}${tagText(order.tag)}}`)
  }

  /**
   * The strategy's own state.
   * @param text         its JSON
   * @param isContinued  true for the value that an earlier session left
   */
  strategyState(time: number, text: string, isContinued: boolean): void {
    const mark = isContinued ? '"isContinued":true,' : ''
    this.#journal.writeFields(time, `"type":"strategy-state",${mark}"value":${text}}`)
  }

  /** The strategy starts again with other parameters. @param changed  those that differ */
  params(params: Readonly<Record<string, unknown>>, changed: Readonly<Record<string, unknown>>): void {
    const fields = { params: jsonFields(params) as JournalValue, changed: jsonFields(changed) as JournalValue }
    this.#journal.write(this.#now(), { type: 'params', ...fields })
  }

  state({ state, why }: StateChange): void {
    this.#journal.write(this.#now(), { type: 'state', state, why })
  }

  /**
   * @param ref          number of the request that this is the answer to
   * @param isPlacement  false for the answer to a cancel
   */
  outcome(ref: number, outcome: RequestOutcome, isPlacement: boolean): void {
    if (!this.#journal.isOn) return
    const { type } = outcome
    switch (type) {
      case 'acknowledged': {
        const { order } = outcome
        const reported = isPlacement ? `,${this.#orders.placed(this.#now(), order)}` : this.#orders.cancelled(order)
        this.#write(`"type":"acknowledged","ref":${ref}${reported}}`)
        break
      }
      case 'refused': {
        const { code, message } = outcome.refusal
        this.#journal.write(this.#now(), { type, ref, code, message, by: outcome.by ?? 'exchange' })
        break
      }
      case 'withdrawn':
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
        this.#write(`"type":"order",${this.#orders.changed(update.order)}}`)
        break
      case 'fill':
        this.#write(`"type":"fill",${this.#orders.filled(this.#now(), update.fill)}}`)
        break
      case 'balances':
        this.#write(`"type":"balances","balances":${this.#balances.changes(update.balances)}}`)
        break
      case 'transfer':
        this.#write(`"type":"transfer","asset":${quoted(update.asset)},"amount":${quoted(update.amount.toFixed())}}`)
        break
      case 'settled':
        this.#settled(update.reference, update.settlement)
        break
      default:
        assertNever(update)
    }
  }

  #settled(ref: number, settlement: Reconciliation): void {
    if (settlement.type === 'adopted')
      this.#write(`"type":"adopted","ref":${ref},${this.#orders.whole(settlement.order)}}`)
    else this.#journal.write(this.#now(), { ...settlement, ref })
  }

  #write(fields: string): void {
    this.#journal.writeFields(this.#now(), fields)
  }
}

const byText = (by: string | undefined): string => (by === undefined ? '' : `,"by":${quoted(by)}`)

const tagText = (tag: string | undefined): string => (tag === undefined ? '' : `,"tag":${json(tag)}`)

/** A strategy in JavaScript may pass anything; values without JSON become null. */
function json(value: unknown): string {
  if (typeof value === 'string') return quoted(value)
  const text: unknown = JSON.stringify(value)
  return typeof text === 'string' ? text : 'null'
}
