/**
 * A market that is served in this process under a virtual clock, with what a test of the wire needs: users, calls,
 * prints.
 */
import type { MarketConfig } from '../../../src/domain/market.ts'
import { createExchange } from '../../../src/exchange/create-exchange.ts'
import { SCOPES } from '../../../src/server/service/api-key.ts'
import { seededSecrets } from '../../../src/server/service/secrets.ts'
import { serve, type RunningServer, type ServeOptions } from '../../../src/server/serve.ts'
import { VirtualClock } from '../../../src/simulation/clocks/virtual-clock.ts'
import { EventQueue } from '../../../src/simulation/event-queue.ts'
import { IdealLiquidity } from '../../../src/simulation/liquidity/ideal.ts'
import { SimulatedMarkets } from '../../../src/simulation/simulated-markets.ts'
import { market } from '../../exchange/rig/configs.ts'

export const START = Date.UTC(2025, 0, 1)
const NO_LIMITS = { general: 1e9, mutations: 1e9, windowSeconds: 60 }
const HISTORY = { orders: 1_000, fills: 1_000, trades: 1_000, candles: 1_000 }

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly body: unknown
}

export interface CallOptions {
  readonly key?: string
  /** Sent as JSON; a text as it is. */
  readonly body?: unknown
}

export interface ServedUser {
  readonly id: string
  readonly key: string
}

export class ServedMarket {
  readonly server: RunningServer
  readonly clock: VirtualClock
  /** Errors that are ours: none, unless the test makes one. */
  readonly errors: readonly unknown[]
  #users = 0

  constructor(server: RunningServer, clock: VirtualClock, errors: readonly unknown[]) {
    this.server = server
    this.clock = clock
    this.errors = errors
  }

  get origin(): string {
    return new URL(this.server.baseUrl).origin
  }

  get port(): number {
    return Number(new URL(this.server.baseUrl).port)
  }

  /** @param path  from the root, such as `/v1/orders` */
  async call(method: string, path: string, { key, body }: CallOptions = {}): Promise<Answer> {
    const headers = {
      ...(key === undefined ? {} : { 'x-api-key': key }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    }
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const response = await fetch(this.origin + path, { method, headers, ...(body === undefined ? {} : { body: text }) })
    const answered = await response.text()
    const parsed: unknown = answered === '' ? undefined : JSON.parse(answered)
    return { status: response.status, headers: response.headers, text: answered, body: parsed }
  }

  /** A verified user with a full key. @param credits  by asset */
  async user(credits: Readonly<Record<string, string>> = {}): Promise<ServedUser> {
    this.#users += 1
    const { body: user } = await this.call('POST', '/emulator/users', {
      body: { email: `a${this.#users}@example.com`, verified: true },
    })
    const { id } = user as { id: string }
    const made = await this.call('POST', `/emulator/users/${id}/keys`, { body: { scopes: SCOPES } })
    for (const [asset, amount] of Object.entries(credits)) {
      await this.call('POST', `/emulator/users/${id}/credits`, { body: { asset, amount } })
    }
    return { id, key: (made.body as { key: string }).key }
  }

  async fault(body: object): Promise<Answer> {
    return this.call('POST', '/emulator/faults', { body })
  }

  /** A recorded trade, now: ticks and lots. */
  print(symbol: string, price: number, qty = 1): void {
    const time = this.server.service.catchUp()
    this.server.service.simulated.record(symbol, { time, price, qty, isBuyerMaker: false })
  }
}

export const MARKETS: readonly MarketConfig[] = [
  market('BTC_USD', { pricePrecision: 2, qtyPrecision: 4, makerFeeBps: '5', takerFeeBps: '10' }),
  market('ETH_USD', { pricePrecision: 2, qtyPrecision: 4, selfTrade: 'reject' }),
]

const RECORDED = new Set(MARKETS.map(({ symbol }) => symbol))

/**
 * BTC_USD with fees and ETH_USD without, and as many requests as one likes. The caller closes the server.
 *
 * @param recorded  symbols of the markets that can be printed into; there a match of users is no market data
 */
export async function serveMarket(
  options: ServeOptions = {},
  recorded: ReadonlySet<string> = RECORDED,
): Promise<ServedMarket> {
  const exchange = createExchange({ markets: MARKETS, quoteAsset: 'USD', history: HISTORY })
  const simulated = new SimulatedMarkets(exchange, new EventQueue(START), () => new IdealLiquidity(), recorded)
  const clock = new VirtualClock(START)
  const errors: unknown[] = []
  const onError = (error: unknown): void => void errors.push(error)
  const server = await serve(simulated, { clock, secrets: seededSecrets(1), limits: NO_LIMITS, onError, ...options })
  return new ServedMarket(server, clock, errors)
}

export const LIMIT_BUY = { symbol: 'BTC_USD', side: 'BUY', type: 'LIMIT', price: '100.00', qty: '1' } as const
