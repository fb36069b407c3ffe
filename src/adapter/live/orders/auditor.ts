/**
 * Audit of our orders against those of the service: finds orders that came after they were given up, orders of
 * strangers, and ends of ours that nobody told.
 *
 * Invariant: only an answer that says FILLED or CANCELLED ends an order of ours; one that is not there ends nothing. No
 * order of a stranger is touched.
 */
import { ExchangeError } from '../../../domain/errors.ts'
import type { WireOrder } from '../../../wire/wire-order.ts'
import { inEvent } from '../in-event.ts'
import type { LiveTime } from '../live-time.ts'
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
  /** Milliseconds for which an order that was given up may still come. */
  readonly quarantineMs: number
  /** An order came after its intent was given up. Called as an event, as is the one below. */
  readonly onGhost: (intents: readonly Intent[], order: WireOrder) => void
  readonly onStranger: (order: WireOrder) => void
  readonly onWarning: (text: string) => void
  /** An audit failed. */
  readonly onFault: OnReadFault
  readonly onRead: OnRead
}

export class Auditor {
  readonly #parts: AuditorParts
  readonly #suspected = new Set<string>()
  /** Orders of ours that could not be read, by id: each is reported once. */
  readonly #unreadable = new Set<string>()
  #running: Promise<ExchangeError | undefined> | undefined
  #isWanted = false

  constructor(parts: AuditorParts) {
    this.#parts = parts
  }

  /** A market in which an order of the account was seen that is not known. */
  suspect(symbol: string): void {
    this.#suspected.add(symbol)
  }

  /** True when there is something to look after. */
  get isNeeded(): boolean {
    return this.#suspected.size > 0 || this.#parts.own.all.length > 0 || this.#symbols().length > 0
  }

  /**
   * One at a time; one that is asked for meanwhile follows. Resolves when nothing more of it is to do.
   *
   * @returns why it could not be done; undefined when it was
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
      // In the step that looked last: whoever asks behind it is not told of an audit that is over.
      this.#running = undefined
    }
  }

  #takeWanted(): boolean {
    const isWanted = this.#isWanted
    this.#isWanted = false
    return isWanted
  }

  /** A list of all orders that cannot be read does not keep those of ours from being read. */
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
    // Behind the look: what came while nobody looked, because the machine slept or no process ran, is a ghost all the same.
    this.#forgetOldQuarantines()
  }

  /** A market that is suspected while it is listed stays so: the list may be from before. */
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
    const { intents, symbols, onGhost, onStranger } = this.#parts
    const fingerprint = fingerprintOf(order)
    if (intents.isOwned(order.id)) symbols.explain(order.id)
    else if (intents.isInFlight(fingerprint)) return
    else {
      symbols.explain(order.id)
      const given = intents
        .undecided(fingerprint)
        .filter((intent) => intent.state === 'QUARANTINED' && !symbols.wasBefore(order, intent))
      if (given.length > 0) onGhost(given, order)
      else if (!this.#isAmbiguous(fingerprint)) onStranger(order)
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
      // A market order that is still being filled is read until an answer adds nothing.
      this.#isWanted ||= answers.some(({ id, filledQty }) => isFilling(own.find(id)?.order, filledQty))
      own.see(answers, true)
    })
  }

  /** None when the list cannot be read though the service answers: each order of ours is then read by its id. */
  async #openOrders(): Promise<readonly WireOrder[]> {
    try {
      return await this.#parts.calls.openOrders('settle')
    } catch (error) {
      if (error instanceof ExchangeError && error.code === 'SCHEMA_FAULT') return []
      throw error
    }
  }

  /** One that cannot be read stays as it was, and keeps no other from being looked after. */
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

  /** Markets with orders of ours, or of which one may still come. */
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

/** Why a read failed; undefined when it did not. */
async function faultOf(read: () => Promise<void>): Promise<ExchangeError | undefined> {
  try {
    await read()
    return undefined
  } catch (error) {
    if (error instanceof ExchangeError) return error
    throw error
  }
}
