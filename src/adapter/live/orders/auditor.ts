/**
 * Audits our orders against the service's: finds late orders, foreign orders, and ends of our orders that were not
 * reported.
 *
 * Invariant: only an answer with FILLED or CANCELLED ends an order of ours; a missing one ends nothing. Foreign orders
 * are never touched.
 */
import { ExchangeError } from '../../../domain/errors.ts'
import type { WireOrder } from '../../../wire/wire-order.ts'
import { inEvent, type LiveTime } from '../live-time.ts'
import type { OnRead, OnReadFault } from '../read-troubles.ts'
import { isUnreadableOrder, type OrderCalls } from '../rest/service-calls.ts'
import { fingerprintOf } from './fingerprint.ts'
import type { Intent } from './intent.ts'
import type { IntentBook } from './intent-book.ts'
import type { OwnOrders } from './own-orders.ts'
import type { SymbolBook } from './symbol-book.ts'
import type { TrackedOrder } from './tracked-order.ts'

export interface AuditorParts {
  readonly time: LiveTime
  readonly calls: Pick<OrderCalls, 'openOrders' | 'order'>
  readonly intents: IntentBook
  readonly own: OwnOrders
  readonly symbols: SymbolBook
  /** Milliseconds for which an order that was assumed absent may still appear. */
  readonly quarantineMs: number
  /** A late order appeared after its intent was assumed absent. Called as an event, like the next one. */
  readonly onLateOrder: (intents: readonly Intent[], order: WireOrder) => void
  readonly onForeign: (order: WireOrder) => void
  readonly onWarning: (text: string) => void
  /** An audit failed. */
  readonly onFault: OnReadFault
  readonly onRead: OnRead
}

export class Auditor {
  readonly #parts: AuditorParts
  readonly #suspected = new Set<string>()
  /** Ids of our orders that could not be read: each is reported once. */
  readonly #unreadable = new Set<string>()
  #running: Promise<ExchangeError | undefined> | undefined
  #isWanted = false

  constructor(parts: AuditorParts) {
    this.#parts = parts
  }

  /** Marks a market in which an unknown order of the account was seen. */
  suspect(symbol: string): void {
    this.#suspected.add(symbol)
  }

  /** True if there is anything to audit. */
  get isNeeded(): boolean {
    return this.#suspected.size > 0 || this.#parts.own.all.length > 0 || this.#symbols().length > 0
  }

  /**
   * One audit at a time; requests made meanwhile follow. Resolves when no audit is left to run.
   * @returns the error of a failed audit; undefined on success
   */
  audit(): Promise<ExchangeError | undefined> {
    this.#isWanted = true
    this.#running ??= this.#auditAll()
    return this.#running
  }

  async #auditAll(): Promise<ExchangeError | undefined> {
    try {
      let fault: ExchangeError | undefined
      while (this.#takeWanted()) fault = await this.#auditOnce()
      return fault
    } finally {
      // Reset in the same step as the last check: a later caller must not receive a finished audit.
      this.#running = undefined
    }
  }

  #takeWanted(): boolean {
    const isWanted = this.#isWanted
    this.#isWanted = false
    return isWanted
  }

  /** An unreadable list of all orders does not prevent our own from being read. */
  async #auditOnce(): Promise<ExchangeError | undefined> {
    const unlisted = await faultOf(() => this.#auditSymbols())
    const fault = (await faultOf(() => this.#auditOwn())) ?? unlisted
    if (fault === undefined) this.#parts.onRead('audit')
    else this.#parts.onFault(fault, 'audit')
    return fault
  }

  async #auditSymbols(): Promise<void> {
    for (const symbol of this.#symbols()) {
      await this.#list(symbol)
      await inEvent(this.#parts.time, () => {
        for (const order of this.#parts.symbols.unexplained(symbol)) this.#explain(order)
      })
    }
    // After the audit: an order that appeared while no process ran or the machine slept is late all the same.
    this.#forgetOldQuarantines()
  }

  /** A market suspected during its listing stays suspected: the list may be older. */
  async #list(symbol: string): Promise<void> {
    const wasSuspected = this.#suspected.delete(symbol)
    try {
      await this.#parts.symbols.prepare(symbol)
      await this.#parts.symbols.listNew(symbol)
    } catch (error) {
      if (wasSuspected) this.#suspected.add(symbol)
      throw error
    }
  }

  #explain(order: WireOrder): void {
    const { intents, symbols, onLateOrder, onForeign } = this.#parts
    const fingerprint = fingerprintOf(order)
    if (intents.isOwned(order.id)) symbols.explain(order.id)
    else if (intents.isInFlight(fingerprint)) return
    else {
      symbols.explain(order.id)
      const given = intents
        .undecided(fingerprint)
        .filter((intent) => intent.state === 'QUARANTINED' && !symbols.wasBefore(order, intent))
      if (given.length > 0) onLateOrder(given, order)
      else if (!this.#isAmbiguous(fingerprint)) onForeign(order)
    }
  }

  #isAmbiguous(fingerprint: string): boolean {
    return this.#parts.intents.undecided(fingerprint).some(({ state }) => state === 'AMBIGUOUS')
  }

  async #auditOwn(): Promise<void> {
    const { own, time } = this.#parts
    const ids = own.all.map(({ order }) => order.id)
    if (ids.length === 0) return
    const open = await this.#openOrders()
    const openIds = new Set(open.map(({ id }) => id))
    const answers: WireOrder[] = open.filter(({ id }) => ids.includes(id))
    for (const id of ids) {
      if (openIds.has(id) || own.find(id)?.order.isSeenFinished !== false) continue
      const answer = await this.#order(id)
      if (answer !== undefined) answers.push(answer)
    }
    await inEvent(time, () => {
      // A market order that is still filling is read until an answer adds nothing.
      this.#isWanted ||= answers.some(({ id, filledQty }) => isFilling(own.find(id)?.order, filledQty))
      own.see(answers, true)
    })
  }

  /** Empty if the service answers with an unreadable list: each order of ours is then read by its id. */
  async #openOrders(): Promise<readonly WireOrder[]> {
    try {
      return await this.#parts.calls.openOrders('settle')
    } catch (error) {
      if (error instanceof ExchangeError && error.code === 'SCHEMA_FAULT') return []
      throw error
    }
  }

  /** An unreadable order stays as it was, and does not block the others. */
  async #order(id: string): Promise<WireOrder | undefined> {
    try {
      return await this.#parts.calls.order(id, 'settle')
    } catch (error) {
      if (!isUnreadableOrder(error)) throw error
      if (!this.#unreadable.has(id)) this.#parts.onWarning(`${error.message}; it counts as open until it can be read`)
      this.#unreadable.add(id)
      return undefined
    }
  }

  /** Markets with orders of ours, or in which one may still appear. */
  #symbols(): readonly string[] {
    const { intents, own } = this.#parts
    const symbols = [
      ...this.#suspected,
      ...intents.inState('QUARANTINED').map(({ symbol }) => symbol),
      ...own.all.map(({ order }) => order.symbol),
    ]
    return [...new Set(symbols)]
  }

  #forgetOldQuarantines(): void {
    const { intents, quarantineMs, time } = this.#parts
    for (const intent of intents.inState('QUARANTINED')) {
      if (time.now() < intent.changedAt + quarantineMs) continue
      intents.save({ ...intent, isFinished: true })
      intents.forget(intent)
    }
  }
}

const isFilling = (order: TrackedOrder | undefined, filledQty: number): boolean =>
  order?.isOpenMarket === true && filledQty > order.seenFilledQty

/** The error of a failed read; undefined on success. */
async function faultOf(read: () => Promise<void>): Promise<ExchangeError | undefined> {
  try {
    await read()
    return undefined
  } catch (error) {
    if (error instanceof ExchangeError) return error
    throw error
  }
}
