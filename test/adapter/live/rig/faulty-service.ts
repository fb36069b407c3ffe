/**
 * A service behind a bad network, on a fake clock: what it executed is known to the test, what it says may be lost,
 * late or cut.
 *
 * An order rests, or is filled at once when its price is even; a resting one may be filled later. Nothing here is ever
 * retried: it stands where the client has done that.
 */
import { ExchangeError } from '../../../../src/domain/errors.ts'
import type { Market } from '../../../../src/domain/market.ts'
import { isOpen, type OrderRequest } from '../../../../src/domain/order.ts'
import type {
  CancelAnswer,
  CreateAnswer,
  OrderPage,
  ServiceCalls,
} from '../../../../src/adapter/live/rest/service-calls.ts'
import type { LiveTime } from '../../../../src/adapter/live/live-time.ts'
import type { WireBalances } from '../../../../src/wire/wire-balances.ts'
import type { WireOrder } from '../../../../src/wire/wire-order.ts'
import type { WireFill } from '../../../../src/wire/wire-trade.ts'

export interface FaultTerms {
  /** In [0, 1): of a request, that something goes wrong with it. */
  readonly share: number
  /** The longest that an order is executed after its answer was given up. */
  readonly latestMs: number
  /** Rows of a page at most. */
  readonly pageCap: number
  /** Whether times are reported in whole seconds. */
  readonly isCoarse: boolean
  /** In [0, 1): of answers, that they are as of some seconds ago. Default: none. */
  readonly staleShare?: number
}

export const NO_FAULTS: FaultTerms = { share: 0, latestMs: 0, pageCap: 500, isCoarse: false }

/** An order and the creation request that made it. */
export interface ServedOrder {
  readonly order: WireOrder
  readonly call: number
}

const ME = 'u1'
const STALE_MS = 3_000
const TIME_OUT_MS = 10_000

export class FaultyService implements ServiceCalls {
  faults: FaultTerms
  /** Added to the machine's time for what the service writes. */
  skewMs = 0
  readonly served: ServedOrder[] = []
  readonly fillRows: WireFill[] = []
  /** Creation requests that arrived or were lost on their way, one a POST. */
  readonly posts: OrderRequest[] = []
  readonly #time: LiveTime
  readonly #random: () => number
  readonly #markets: readonly Market[]
  #lastTrade = 0
  readonly #statesById = new Map<string, { readonly time: number; readonly order: WireOrder }[]>()

  constructor(time: LiveTime, markets: readonly Market[], random: () => number, faults: FaultTerms = NO_FAULTS) {
    this.#time = time
    this.#markets = markets
    this.#random = random
    this.faults = faults
  }

  markets(): Promise<readonly Market[]> {
    return Promise.resolve(this.#markets)
  }

  trades = (): Promise<never[]> => Promise.resolve([])
  candles = (): Promise<never[]> => Promise.resolve([])
  ticker = (): Promise<never> => Promise.reject(new Error('no ticker'))

  async create(request: OrderRequest): Promise<CreateAnswer> {
    const call = this.posts.length
    this.posts.push(request)
    await this.#pause(this.#between(1, 40))
    if (!this.#fails()) {
      if (this.#random() < 0.05)
        return { type: 'refused', refusal: { code: 'INSUFFICIENT_BALANCE', message: 'too little' } }
      const order = this.execute(request, call)
      await this.#pause(this.#between(1, 40))
      return { type: 'created', order: this.#shown(order.id) }
    }
    const isTimeOut = this.#random() < 0.3
    const kind = this.#random()
    if (kind < 0.35) this.execute(request, call)
    else if (kind < 0.7) {
      const given = isTimeOut ? TIME_OUT_MS : 0
      this.#time.after(given + this.#random() * this.faults.latestMs, () => void this.execute(request, call))
    }
    await this.#pause(isTimeOut ? TIME_OUT_MS : this.#between(1, 40))
    return { type: 'unknown', reason: 'no answer' }
  }

  async cancel(orderId: string): Promise<CancelAnswer> {
    await this.#pause(this.#between(1, 40))
    const kind = this.#fails() ? this.#random() : 1
    if (kind < 0.5) return { type: 'unknown', reason: 'no answer' }
    const row = this.served.findIndex(({ order }) => order.id === orderId)
    const found = this.served[row]
    if (found === undefined) return { type: 'refused', refusal: { code: 'ORDER_NOT_FOUND', message: 'no' } }
    if (!isOpen(found.order.status))
      return { type: 'refused', refusal: { code: 'ORDER_NOT_CANCELLABLE', message: 'no' } }
    this.served[row] = { ...found, order: { ...found.order, status: 'CANCELLED' } }
    await this.#pause(this.#between(1, 40))
    if (kind < 1) return { type: 'unknown', reason: 'no answer' }
    return {
      type: 'cancelled',
      order: this.#random() < 0.5 ? undefined : { ...this.#shown(orderId), status: 'CANCELLED' },
    }
  }

  async orders({ symbol, limit, page }: { symbol: string; limit: number; page: number }): Promise<OrderPage> {
    await this.#read()
    const rows = this.served.filter(({ order }) => order.symbol === symbol).toReversed()
    const size = Math.min(limit, this.faults.pageCap)
    const shown = rows.slice((page - 1) * size, page * size).map(({ order }) => this.#shown(order.id))
    await this.#pause(this.#between(1, 40))
    return { orders: shown, unreadable: [] }
  }

  async openOrders(): Promise<WireOrder[]> {
    await this.#read()
    const rows = this.served.filter(({ order }) => isOpen(order.status))
    return rows.map(({ order }) => this.#shown(order.id))
  }

  async order(orderId: string): Promise<WireOrder | undefined> {
    await this.#read()
    const isThere = this.served.some(({ order }) => order.id === orderId)
    return isThere ? this.#shown(orderId) : undefined
  }

  async fills(limit: number): Promise<WireFill[]> {
    await this.#read()
    const since = this.#isStale() ? this.#time.now() - STALE_MS : Number.POSITIVE_INFINITY
    const rows = this.fillRows.filter(({ createdAt }) => createdAt < since).toReversed().slice(0, limit) // prettier-ignore
    await this.#pause(this.#between(1, 40))
    return rows
  }

  async balances(): Promise<WireBalances> {
    await this.#read()
    return new Map([['USD', { available: '1000', locked: '0' }]])
  }

  /** An order comes into being, ours or a foreign order's. */
  execute(request: OrderRequest, call = -1): WireOrder {
    const order: WireOrder = {
      id: `o${this.served.length + 1}`,
      userId: ME,
      symbol: request.symbol,
      side: request.side,
      type: request.type,
      status: 'OPEN',
      price: request.type === 'LIMIT' ? request.price : undefined,
      qty: request.qty,
      filledQty: 0,
      averagePrice: undefined,
      createdAt: this.#time.now() + this.skewMs,
    }
    this.served.push({ order, call })
    if (request.type === 'MARKET' || request.price % 2 === 0) this.fill(order.id, request.qty)
    else if (this.#random() < 0.3) this.#time.after(this.#between(100, 20_000), () => this.fill(order.id, 1))
    return order
  }

  /** An order meets another for so many lots. */
  fill(orderId: string, qty: number): void {
    const row = this.served.findIndex(({ order }) => order.id === orderId)
    const found = this.served[row]
    if (found === undefined || !isOpen(found.order.status)) return
    const { order } = found
    const price = order.price ?? 100
    const filledQty = order.filledQty + qty
    this.#lastTrade += 1
    this.fillRows.push({
      id: `t${this.#lastTrade}`,
      symbol: order.symbol,
      price,
      qty,
      buyOrderId: orderId,
      sellOrderId: 'x',
      buyerId: ME,
      sellerId: 'u2',
      isBuyerMaker: false,
      createdAt: this.#time.now(),
      side: order.side,
      orderId,
      isMaker: false,
    })
    const status = filledQty >= order.qty ? 'FILLED' : 'PARTIALLY_FILLED'
    this.served[row] = { ...found, order: { ...order, filledQty, status, averagePrice: String(price) } }
  }

  /** An order of the account that is not ours meets another. */
  foreignFill(): void {
    this.#lastTrade += 1
    this.fillRows.push({
      id: `t${this.#lastTrade}`,
      symbol: 'BTC_USD',
      price: 99,
      qty: 1,
      buyOrderId: 's',
      sellOrderId: 'x',
      buyerId: ME,
      sellerId: 'u2',
      isBuyerMaker: false,
      createdAt: this.#time.now(),
      side: 'BUY',
      orderId: 's',
      isMaker: false,
    })
  }

  #shown(id: string): WireOrder {
    const found = this.served.find(({ order }) => order.id === id)
    if (found === undefined) throw new Error(`no order ${id}`)
    const { createdAt } = found.order
    const since = this.#time.now() - STALE_MS
    const states = this.#statesById.get(id) ?? []
    const last = states.at(-1)?.order
    if (last?.filledQty !== found.order.filledQty || last.status !== found.order.status) {
      states.push({ time: this.#time.now(), order: found.order })
      this.#statesById.set(id, states)
    }
    const old = (states.findLast(({ time }) => time <= since) ?? states[0])?.order
    const shown = this.#isStale() ? (old ?? found.order) : found.order
    return { ...shown, createdAt: this.faults.isCoarse ? createdAt - (createdAt % 1000) : createdAt }
  }

  async #read(): Promise<void> {
    await this.#pause(this.#between(1, 40))
    if (this.#fails()) throw new ExchangeError('NO_ANSWER', 'the connection was cut', { isRetryable: true })
  }

  #isStale(): boolean {
    const { staleShare = 0 } = this.faults
    return staleShare > 0 && this.#random() < staleShare
  }

  #fails(): boolean {
    return this.#random() < this.faults.share
  }

  #between(low: number, high: number): number {
    return low + Math.floor(this.#random() * (high - low))
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.#time.after(ms, resolve)
    })
  }
}
