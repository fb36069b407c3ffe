/**
 * The emulator with two accounts: the trader's, which a session uses, and a crowd that trades with it.
 */
import { once } from 'node:events'
import { Agent, request, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import type { EmulatorConfigInput } from '../../../../src/server/emulator/emulator-config.ts'
import { startEmulator, type Emulator } from '../../../../src/server/emulator/emulator.ts'

export interface OrderRow {
  readonly id: string
  readonly symbol: string
  readonly side: 'BUY' | 'SELL'
  readonly type: string
  readonly status: string
  readonly price?: string
  readonly qty: string
  readonly filledQty: string
  readonly createdAt: string
}

export interface FillRow {
  readonly id: string
  readonly orderId: string
  readonly symbol: string
  readonly side: 'BUY' | 'SELL'
  readonly price: string
  readonly qty: string
  readonly createdAt: number
}

export interface OrderTerms {
  readonly symbol?: string
  readonly side: 'BUY' | 'SELL'
  readonly type?: string
  readonly price?: string
  readonly qty?: string
}

const SCOPES = ['ACCOUNT_READ', 'ORDER_READ', 'ORDER_CREATE', 'ORDER_CANCEL'] as const
const TRADER_CREDITS: Readonly<Record<string, string>> = { USD: '1000000', BTC: '10' }
/** A key may place 30 orders a minute; the crowd takes its keys in turn. */
const CROWD_KEYS = 60

export class Venue {
  readonly emulator: Emulator
  /** Key of the sessions. */
  readonly key: string
  /** Second key of the same account: a browser, another program. */
  readonly otherKey: string
  readonly #crowd: readonly string[]
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 8 })
  #turn = 0

  private constructor(emulator: Emulator) {
    const [trader, crowd] = emulator.users
    this.emulator = emulator
    this.key = trader?.keys[0] ?? ''
    this.otherKey = trader?.keys[1] ?? ''
    this.#crowd = crowd?.keys ?? []
  }

  static async start(config: EmulatorConfigInput = {}, credits = TRADER_CREDITS): Promise<Venue> {
    const key = { scopes: SCOPES }
    const deep = { USD: '1000000000', BTC: '100000', ETH: '100000' }
    const keys = Array.from({ length: CROWD_KEYS }, () => key)
    const users = [
      { email: 'trader@example.com', credits, keys: [key, key] },
      { email: 'crowd@example.com', credits: deep, keys },
    ]
    return new Venue(await startEmulator({ config: { agents: false, users, ...config } }))
  }

  /** Two orders of the crowd: whatever of the trader's rests at that price or better is met first. */
  async trade(price: string, qty = '0.01', symbol = 'BTC_USD'): Promise<void> {
    const terms = { symbol, type: 'LIMIT', price, qty }
    for (const side of ['SELL', 'BUY']) await this.#call('POST', '/orders', this.#crowdKey(), { ...terms, side })
  }

  crowdOrder(terms: OrderTerms): Promise<OrderRow> {
    return this.#order(this.#crowdKey(), terms)
  }

  /** An order on the trader's account that no session placed. */
  foreignOrder(terms: OrderTerms): Promise<OrderRow> {
    return this.#order(this.otherKey, terms)
  }

  /** Cancels an order of the trader's account, as a browser would. */
  async cancel(id: string): Promise<void> {
    await this.#call('DELETE', `/orders/${id}`, this.otherKey)
  }

  async crowdCancel(id: string): Promise<void> {
    await this.#call('DELETE', `/orders/${id}`, this.#crowdKey())
  }

  openOrders(): Promise<readonly OrderRow[]> {
    return this.#call('GET', '/orders/open', this.otherKey)
  }

  /** Every order of the account, newest first. */
  async allOrders(): Promise<readonly OrderRow[]> {
    const orders: OrderRow[] = []
    for (let page = 1; ; page += 1) {
      const rows = await this.#call<readonly OrderRow[]>('GET', `/orders?limit=500&page=${page}`, this.otherKey)
      orders.push(...rows)
      if (rows.length < 500) return orders
    }
  }

  /** The newest 500 of the account, newest first. */
  fills(): Promise<readonly FillRow[]> {
    return this.#call('GET', '/trades?limit=500', this.otherKey)
  }

  balances(): Promise<Readonly<Record<string, { readonly available: string; readonly locked: string }>>> {
    return this.#call('GET', '/balances', this.otherKey)
  }

  async close(): Promise<void> {
    this.#agent.destroy()
    await this.emulator.close()
  }

  #crowdKey(): string {
    this.#turn = (this.#turn + 1) % this.#crowd.length
    return this.#crowd[this.#turn] ?? ''
  }

  #order(key: string, terms: OrderTerms): Promise<OrderRow> {
    return this.#call('POST', '/orders', key, { symbol: 'BTC_USD', type: 'LIMIT', qty: '0.01', ...terms })
  }

  async #call<Json>(method: string, path: string, key: string, body?: object): Promise<Json> {
    const headers = { 'x-api-key': key, ...(body === undefined ? {} : { 'content-type': 'application/json' }) }
    const asked = request(this.emulator.baseUrl + path, { method, headers, agent: this.#agent })
    asked.end(body === undefined ? undefined : JSON.stringify(body))
    const [response] = (await once(asked, 'response')) as [IncomingMessage]
    const content = await text(response)
    if ((response.statusCode ?? 500) >= 400) throw new Error(`${method} ${path}: ${response.statusCode} ${content}`)
    return (content === '' ? undefined : JSON.parse(content)) as Json
  }
}
