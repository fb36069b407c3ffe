/** Limit orders that expire at a given time. */
import type { RequestOutcome } from '../../../adapter/exchange-adapter.ts'
import { assertNever } from '../../../domain/errors.ts'
import type { PersistedExpiry, PersistedLink } from '../../../store/state/live/persisted-conditional.ts'
import type { OrderEvent, OrderFollower } from '../followed-orders.ts'
import type { Persistable, ConditionalOrderStore } from './conditional-order-store.ts'

/** Retry interval for a cancel that could not be sent, and for the lookup of an unknown order. */
const AGAIN_MS = 1_000

export interface ExpiryParts {
  readonly now: () => number
  readonly after: (delayMs: number, action: () => void) => void
  readonly cancel: (orderId: string, reply: (outcome: RequestOutcome) => void) => void
  /** Follows an order that is already open. */
  readonly follow: (orderId: string, follower: OrderFollower) => void
  readonly book: ConditionalOrderStore
}

export class ExpiringOrders {
  readonly #parts: ExpiryParts
  #lastId = 0

  constructor(parts: ExpiryParts) {
    this.#parts = parts
  }

  /** @param expires  Unix milliseconds */
  follower(expires: number): OrderFollower {
    this.#lastId += 1
    const order = new ExpiringOrder(`e${this.#lastId}`, expires, this.#parts)
    order.wait()
    return order
  }

  /** Continues the expiries of an earlier session. */
  resume(saved: readonly PersistedExpiry[]): void {
    this.#lastId = Math.max(this.#lastId, ...saved.map(({ id }) => Number(id.slice(1))))
    for (const { id, expires, link } of saved) new ExpiringOrder(id, expires, this.#parts, link).resume()
  }
}

class ExpiringOrder implements OrderFollower, Persistable {
  readonly id: string
  readonly #parts: ExpiryParts
  readonly #expires: number
  #link: PersistedLink | undefined
  #orderId: string | undefined
  #isOver = false
  #isDue = false

  constructor(id: string, expires: number, parts: ExpiryParts, link?: PersistedLink) {
    this.id = id
    this.#parts = parts
    this.#expires = expires
    this.#link = link
  }

  get saved(): PersistedExpiry {
    return { kind: 'expiry', id: this.id, expires: this.#expires, link: this.#link }
  }

  wait(): void {
    const { after, now } = this.#parts
    after(Math.max(0, this.#expires - now()), () => {
      this.#isDue = true
      this.#giveUp()
    })
  }

  resume(): void {
    this.#find()
    if (!this.#isOver) this.wait()
  }

  process(event: OrderEvent): void {
    switch (event.type) {
      case 'requested':
        this.#store(event.reference)
        break
      case 'accepted':
        this.#found(event.order.id)
        break
      case 'refused':
      case 'ended':
        this.#end()
        break
      case 'filled':
      case 'appeared':
        break
      default:
        assertNever(event)
    }
  }

  #store(reference: number): void {
    const { book } = this.#parts
    this.#link = book.link(reference)
    book.change(this)
    book.save()
  }

  #found(orderId: string): void {
    this.#orderId = orderId
    if (this.#isDue) this.#giveUp()
  }

  #end(): void {
    const { book } = this.#parts
    this.#isOver = true
    book.end(this)
    book.save()
  }

  #giveUp(): void {
    if (this.#orderId === undefined || this.#isOver) return
    const { cancel, after } = this.#parts
    cancel(this.#orderId, (outcome) => {
      if (outcome.type === 'acknowledged') return
      after(AGAIN_MS, () => {
        this.#giveUp()
      })
    })
  }

  /** Looks up an order of an earlier session. */
  #find(): void {
    const { book, follow, after } = this.#parts
    const fate = this.#link === undefined ? ({ type: 'unsent' } as const) : book.fateOf(this.#link)
    if (fate.type === 'open') {
      follow(fate.orderId, this)
      this.#found(fate.orderId)
    } else if (fate.type === 'unknown') {
      after(AGAIN_MS, () => {
        this.#find()
      })
    } else this.#end()
  }
}
