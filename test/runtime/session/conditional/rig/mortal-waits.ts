/**
 * Waiting orders in lives that end at any moment, on an exchange and a disk that outlive them.
 *
 * The exchange does what a script says: answers late or refuses, fills in parts, and forgets a request that no one
 * answered.
 */
import { Subscription, type Observable } from 'rxjs'
import type { RequestOutcome } from '../../../../../src/adapter/exchange-adapter.ts'
import type { OrderFate } from '../../../../../src/adapter/live/orders/order-fate.ts'
import { toDecimal, type Decimal } from '../../../../../src/domain/decimal.ts'
import type { RefusalCode } from '../../../../../src/domain/refusal.ts'
import type { OrderFollower } from '../../../../../src/runtime/session/followed-orders.ts'
import { FreshBalances } from '../../../../../src/runtime/session/fresh-balances.ts'
import {
  ConditionalOrderStore,
  type Persistable,
} from '../../../../../src/runtime/session/conditional/conditional-order-store.ts'
import {
  ConditionalOrders,
  type LaterIntent,
} from '../../../../../src/runtime/session/conditional/conditional-orders.ts'
import { readBody, writtenBody, type CheckedBody } from '../../../../../src/store/state/live/live-state.ts'
import { PERSISTED_CONDITIONAL, type PersistedLink } from '../../../../../src/store/state/live/persisted-conditional.ts'
import { MarketView } from '../../../../../src/strategy/market-view.ts'
import type { OwnFill, OwnOrder } from '../../../../../src/strategy/own-order.ts'
import type { PlaceIntent } from '../../../../../src/strategy/place-intent.ts'
import { market } from '../../../../exchange/rig/configs.ts'

const SYMBOL = 'BTC_USD'
const MARKETS = [new MarketView(market(SYMBOL))]

/** The life ends here. */
class Death extends Error {}

interface ServedOrder {
  readonly id: string
  readonly key: string
  readonly intent: PlaceIntent
  readonly qty: number
  filled: number
  isAnswered: boolean
  isOver: boolean
  /** Assumed not to be there. */
  isAbsent: boolean
}

const keyOf = ({ session, reference }: PersistedLink): string => `${session} ${reference}`

export class MortalWaits {
  /** What the journals of all lives report. */
  readonly journal: string[] = []
  readonly served: ServedOrder[] = []
  readonly faults: string[] = []
  readonly #disk = new Map<string, CheckedBody>()
  price = 100
  time = 0
  /** Moments that are left of this life; undefined for as many as it likes. */
  #left: number | undefined
  #lives = 0
  #life = new Life(this, 's0')
  /** Held from the beginning. */
  readonly #held: number
  /** Sold without a group. */
  soldPlainly = 0

  constructor(held = 0) {
    this.#held = held
  }

  get deaths(): number {
    return this.#lives
  }

  get life(): Life {
    return this.#life
  }

  get bought(): number {
    return this.#held + this.#filled('BUY')
  }

  get sold(): number {
    return this.#filled('SELL')
  }

  /** What no order that was sent has reserved. */
  get free(): number {
    const open = this.served.filter(({ intent, isOver, isAbsent }) => intent.side === 'SELL' && !isOver && !isAbsent)
    return this.bought - this.sold - this.soldPlainly - open.reduce((sum, { qty, filled }) => sum + qty - filled, 0)
  }

  /** Ends the life at its n-th moment from now, 0 for at once. */
  dieIn(moments: number): void {
    this.#left = moments
    this.act(() => undefined)
  }

  /** One thing that happens; when the life ends in it, the next one begins. */
  act(action: (life: Life) => void): void {
    let next: (life: Life) => void = action
    while (!this.#outlives(next)) {
      this.#lives += 1
      this.#life = new Life(this, `s${this.#lives}`)
      next = (life) => {
        life.resume()
      }
    }
  }

  #outlives(action: (life: Life) => void): boolean {
    try {
      if (this.#left === 0) this.moment()
      action(this.#life)
      return true
    } catch (error) {
      if (error instanceof Death) return false
      throw error
    }
  }

  /** A moment between two effects. */
  moment(): void {
    if (this.#left === undefined) return
    if (this.#left > 0) this.#left -= 1
    else {
      this.#left = undefined
      throw new Death()
    }
  }

  save(waits: readonly (readonly [id: string, body: CheckedBody])[], over: readonly string[]): void {
    this.moment()
    for (const [id, body] of waits) this.#disk.set(id, body)
    for (const id of over) this.#disk.delete(id)
    this.moment()
  }

  get kept(): readonly (readonly [string, CheckedBody])[] {
    return [...this.#disk]
  }

  send(link: PersistedLink, intent: PlaceIntent): ServedOrder {
    this.moment()
    const key = keyOf(link)
    if (this.served.some((other) => other.key === key)) this.faults.push(`${key} was sent twice`)
    const qty = toDecimal(intent.qty).toNumber()
    const order = {
      id: String(this.served.length + 1),
      key,
      intent,
      qty,
      filled: 0,
      isAnswered: false,
      isOver: false,
      isAbsent: false,
    }
    this.served.push(order)
    if (this.free < 0) this.faults.push(`${-this.free} more are on sale than are held`)
    this.moment()
    return order
  }

  fateOf(link: PersistedLink): OrderFate {
    const order = this.served.find(({ key }) => key === keyOf(link))
    if (order === undefined) return { type: 'unsent' }
    if (order.isAbsent) return { type: 'absent' }
    // A market order that was on its way has found what it found.
    if (order.intent.type === 'market' && !order.isOver) {
      if (!order.isAnswered) order.filled = this.#lives % (order.qty + 1)
      order.isOver = true
    }
    order.isAnswered = true
    const filled = toDecimal(order.filled)
    return { type: order.isOver ? 'over' : 'open', orderId: order.id, filled }
  }

  /** What is on disk is what the groups of a life are now. */
  checkKept(now: readonly Persistable[], before: string): void {
    for (const { id, saved: kept } of now) {
      const [body] = writtenBody(PERSISTED_CONDITIONAL, kept)
      if (this.#disk.get(id)?.body !== body) this.faults.push(`${before} of ${id} is asked for before it is on disk`)
    }
  }

  #filled(side: 'BUY' | 'SELL'): number {
    return this.served.filter(({ intent }) => intent.side === side).reduce((sum, { filled }) => sum + filled, 0)
  }
}

/** One process. */
class Life {
  readonly waiting: ConditionalOrders
  readonly #world: MortalWaits
  readonly #session: string
  readonly #priced = new Set<(price: Decimal) => void>()
  readonly #book: WatchedBook
  readonly #balances = new FreshBalances()
  readonly #listeners = new Map<string, OrderFollower>()
  readonly #cancels: (readonly [string, (outcome: RequestOutcome) => void])[] = []
  #timers: (readonly [number, () => void])[] = []
  #references = 0

  constructor(world: MortalWaits, session: string) {
    this.#world = world
    this.#session = session
    this.#book = new WatchedBook({
      session,
      waits: () => world.kept.map(([id, body]) => readBody(PERSISTED_CONDITIONAL, body, 'disk', id)),
      save: (waits, over) => {
        const rows = waits.map((wait) => {
          const [body, crc] = writtenBody(PERSISTED_CONDITIONAL, wait)
          return [wait.id, { body, crc }] as const
        })
        world.save(rows, over)
      },
      fateOf: (link) => world.fateOf(link),
    })
    this.waiting = new ConditionalOrders({
      book: this.#book,
      balances: this.#balances,
      cancelInside: () => false,
      withdraw: () => false,
      adapter: {
        markets: MARKETS,
        now: () => world.time,
        balances: () =>
          new Map([
            ['BTC', { available: toDecimal(world.bought - world.sold - world.soldPlainly), locked: toDecimal(0) }],
          ]),
        after: (delayMs, action) => void this.#timers.push([world.time + delayMs, action]),
        lastPrice: () => toDecimal(world.price),
        prices: () => this.#prices,
      },
      journal: {
        waits: (id, _, { type }, kept) =>
          void world.journal.push(`${kept === undefined ? 'wait' : 'kept'} ${id} ${type}`),
        takenUp: (id) => void world.journal.push(`taken-up ${id}`),
        triggered: (id, price) => void world.journal.push(`triggered ${id} ${price.toFixed()}`),
        waitOver: (id, why) => void world.journal.push(`over ${id} ${why}`),
      },
      place: (_, intent, listener) => {
        this.#place(intent, listener)
      },
      cancel: (by, orderId, reply) => {
        world.checkKept(this.#book.live, `cancel by ${by}`)
        world.moment()
        this.#cancels.push([orderId, reply])
      },
      follow: (orderId, listener) => void this.#listeners.set(orderId, listener),
      refuse: (_, { message }) => void world.faults.push(message),
    })
  }

  /** As a stream, but what its subscriber throws is thrown. */
  get #prices(): Observable<Decimal> {
    const subscribe = (onPrice: (price: Decimal) => void): Subscription => {
      this.#priced.add(onPrice)
      return new Subscription(() => void this.#priced.delete(onPrice))
    }
    return { subscribe } as unknown as Observable<Decimal>
  }

  resume(): void {
    const waits = this.#book.waits()
    this.waiting.resume(
      waits.filter((wait) => wait.kind === 'group'),
      waits.filter((wait) => wait.kind === 'holdings'),
    )
  }

  take(intent: LaterIntent): void {
    this.waiting.take(intent)
  }

  reportPrice(): void {
    for (const onPrice of this.#priced) onPrice(toDecimal(this.#world.price))
  }

  passTime(): void {
    const due = this.#timers.filter(([time]) => time <= this.#world.time)
    this.#timers = this.#timers.filter(([time]) => time > this.#world.time)
    for (const [, action] of due) action()
  }

  /** The oldest request without an answer: a market order finds at most so much, and no more is sent of it later. */
  answer(most: number, refusal?: RefusalCode | 'absent'): void {
    const order = this.#world.served.find(({ isAnswered, key }) => !isAnswered && key.startsWith(`${this.#session} `))
    if (order === undefined) return
    order.isAnswered = true
    if (refusal !== undefined) {
      order.isOver = refusal !== 'absent'
      order.isAbsent = refusal === 'absent'
      const reported = refusal === 'absent' ? undefined : { code: refusal, message: 'no' }
      this.#listeners
        .get(order.id)
        ?.process({ type: 'refused', refusal: reported, by: refusal === 'ORDER_REJECTED' ? 'settlement' : undefined })
      return
    }
    this.#listeners.get(order.id)?.process({ type: 'accepted', order: asOwn(order) })
    if (order.intent.type !== 'market') return
    this.fill(order, most)
    this.end(order)
  }

  /** An order comes that was assumed absent. */
  appear(order: ServedOrder): void {
    order.isAbsent = false
    this.#listeners.get(order.id)?.process({ type: 'appeared', order: asOwn(order) })
  }

  /** The strategy sells what no group offers. */
  sell(most: number): void {
    const qty = Math.min(most, this.#world.free)
    if (qty <= 0) return
    this.#world.soldPlainly += qty
    this.waiting.onFill({ orderId: 'plain', symbol: SYMBOL, side: 'SELL', qty: toDecimal(qty) } as OwnFill)
  }

  /** An answered order is filled further. */
  fill(order: ServedOrder, most: number): void {
    const lots = Math.min(most, order.qty - order.filled)
    if (order.isOver || order.isAbsent || !order.isAnswered || lots === 0) return
    order.filled += lots
    if (order.filled === order.qty) order.isOver = true
    this.#world.moment()
    this.#balances.onUpdate({ type: 'fill', fill: { qty: toDecimal(lots) } as OwnFill })
    this.#listeners.get(order.id)?.process({ type: 'filled', fill: { qty: toDecimal(lots) } as OwnFill })
    this.#world.moment()
    if (order.isOver) this.#listeners.get(order.id)?.process({ type: 'ended', order: asOwn(order) })
    this.#balances.onUpdate({ type: 'balances', balances: new Map() })
  }

  end(order: ServedOrder): void {
    if (order.isOver) return
    order.isOver = true
    this.#world.moment()
    this.#listeners.get(order.id)?.process({ type: 'ended', order: asOwn(order) })
  }

  /** The oldest cancel is answered. */
  cancelled(isRefused: boolean): void {
    const [asked, ...others] = this.#cancels
    if (asked === undefined) return
    this.#cancels.splice(0, this.#cancels.length, ...others)
    const order = this.#world.served.find(({ id }) => id === asked[0])
    if (order === undefined) return
    if (isRefused || order.isOver) {
      asked[1]({ type: 'refused', refusal: { code: 'RATE_LIMITED', message: 'no' } })
      return
    }
    asked[1]({ type: 'acknowledged', order: asOwn(order) })
    this.end(order)
  }

  #place(intent: PlaceIntent, listener: OrderFollower): void {
    this.#references += 1
    const reference = this.#references
    listener.process({ type: 'requested', reference })
    this.#world.checkKept(this.#book.live, 'an order')
    const order = this.#world.send({ session: this.#session, reference }, intent)
    this.#listeners.set(order.id, listener)
  }
}

/** Knows what is kept in it. */
class WatchedBook extends ConditionalOrderStore {
  readonly #all = new Set<Persistable>()

  get live(): readonly Persistable[] {
    return [...this.#all]
  }

  override change(wait: Persistable): void {
    this.#all.add(wait)
    super.change(wait)
  }

  override end(wait: Persistable): void {
    this.#all.delete(wait)
    super.end(wait)
  }
}

const asOwn = ({ id, qty, filled, isOver }: ServedOrder): OwnOrder =>
  ({ id, qty: toDecimal(qty), filledQty: toDecimal(filled), status: isOver ? 'FILLED' : 'OPEN' }) as OwnOrder
