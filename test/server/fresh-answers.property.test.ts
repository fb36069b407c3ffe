/**
 * Every read is of the present, whatever was read before: answers equal those of a service that was restored from the
 * same state and has answered nothing yet. Keys count from the moment when they are made, and until they are revoked.
 */
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { invariant } from '../../src/domain/errors.ts'
import { DEFAULT_RATE_LIMITS } from '../../src/domain/rate-window.ts'
import { restoreExchange } from '../../src/exchange/restore-exchange.ts'
import type { SnapshotExchange } from '../../src/exchange/exchange.ts'
import { SERVICE_ROUTES } from '../../src/server/served-routes.ts'
import { keyIdOf } from '../../src/server/service/api-key.ts'
import { Service } from '../../src/server/service/service.ts'
import { EventQueue } from '../../src/simulation/event-queue.ts'
import { IdealLiquidity } from '../../src/simulation/liquidity/ideal.ts'
import { SimulatedMarkets } from '../../src/simulation/simulated-markets.ts'
import { needed, runs } from '../property/property.ts'
import { LIMIT_BUY, serveMarket, type ServedMarket, type ServedUser } from './rig/served-market.ts'
import { listenTo } from './rig/stream-listener.ts'

const SCOPES = ['ORDER_READ', 'ORDER_CREATE', 'ORDER_CANCEL', 'ACCOUNT_READ']

type Step =
  | { readonly do: 'place'; readonly user: number; readonly price: number; readonly isBuy: boolean }
  | { readonly do: 'print'; readonly price: number }
  | { readonly do: 'cancel' | 'credit' | 'revoke' | 'verify' | 'unverify'; readonly user: number }
  | { readonly do: 'fault' }
  | { readonly do: 'wait'; readonly ms: number }

const user = fc.nat(1)
const price = fc.integer({ min: 9_995, max: 10_005 })
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('place' as const), user, price, isBuy: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('print' as const), price }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constantFrom('cancel', 'credit', 'revoke', 'verify', 'unverify'), user }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('fault' as const) }) },
  {
    weight: 3,
    // Trades leave the ticker after a day, with no event but time.
    arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(1, 60_000, 86_399_999, 86_400_000) }),
  },
)

const PUBLIC = [
  ['/markets', 'listMarkets', {}],
  ['/markets/tickers', 'listTickers', {}],
  ['/markets/BTC_USD/ticker', 'getTicker', { symbol: 'BTC_USD' }],
  ['/markets/ETH_USD/ticker', 'getTicker', { symbol: 'ETH_USD' }],
  ['/markets/BTC_USD/trades', 'listMarketTrades', { symbol: 'BTC_USD' }],
  ['/markets/BTC_USD/candles', 'listCandles', { symbol: 'BTC_USD' }],
] as const
const PRIVATE = [
  ['/orders', 'listOrders'],
  ['/orders/open', 'listOpenOrders'],
  ['/trades', 'listOwnTrades'],
  ['/balances', 'getBalances'],
  ['/portfolio', 'getPortfolio'],
] as const

interface Read {
  readonly path: string
  readonly operationId: string
  readonly params?: Record<string, string>
  /** User who asks; undefined without a key. */
  readonly at: number | undefined
}

/** The same state in a service that has answered nothing. */
function untouched({ server }: ServedMarket): Service {
  const { service } = server
  const now = service.catchUp()
  const exchange = restoreExchange((service.exchange as SnapshotExchange).snapshot())
  const simulated = new SimulatedMarkets(exchange, new EventQueue(now), () => new IdealLiquidity())
  return new Service({ simulated, users: service.users, clock: { now: () => now }, limits: DEFAULT_RATE_LIMITS })
}

function answerOf(service: Service, operationId: string, params: Record<string, string>, id?: string): string {
  const route = SERVICE_ROUTES.find((each) => each.operationId === operationId)
  invariant(route !== undefined, operationId)
  const caller = id === undefined ? undefined : service.users.user(id)
  return JSON.stringify(
    route.handle({ service, now: service.catchUp(), user: caller, params, query: {}, body: undefined }),
  )
}

let served: ServedMarket | undefined
afterEach(() => served?.server.close())

class Script {
  readonly market: ServedMarket
  readonly users: ServedUser[]
  /** By user; undefined for one whose key was revoked. */
  readonly keys: (string | undefined)[]
  readonly isVerified = [true, true]
  /** True while the next ticker fails. */
  isFaulty = false
  readonly seen = { revoked: 0, unverified: 0, faults: 0 }

  constructor(market: ServedMarket, users: ServedUser[]) {
    this.market = market
    this.users = users
    this.keys = users.map(({ key }) => key)
  }

  async run(step: Step): Promise<void> {
    const { market } = this
    if (step.do === 'print') market.print('BTC_USD', step.price)
    else if (step.do === 'wait') await market.call('POST', '/emulator/clock', { body: { advanceMs: step.ms } })
    else if (step.do === 'fault') {
      await market.fault({ fault: 'engine-unavailable', route: 'GET /markets/{symbol}/ticker', count: 1 })
      this.isFaulty = true
    } else await this.#runOf(step)
  }

  async #runOf(step: Extract<Step, { user: number }>): Promise<void> {
    const { market } = this
    const { id } = this.users[step.user] ?? { id: '' }
    const key = this.keys[step.user]
    if (step.do === 'place') {
      const side = step.isBuy ? 'BUY' : 'SELL'
      const body = { ...LIMIT_BUY, symbol: 'ETH_USD', side, price: (step.price / 100).toFixed(2), qty: '0.5' }
      const { status } = await market.call('POST', '/v1/orders', { key: key ?? '', body })
      const isAllowed = this.isVerified[step.user] === true
      if (key !== undefined) expect(status === 403).toBe(!isAllowed)
      if (key !== undefined && !isAllowed) this.seen.unverified += 1
    } else if (step.do === 'credit') {
      await market.call('POST', `/emulator/users/${id}/credits`, { body: { asset: 'USD', amount: '7.5' } })
    } else if (step.do === 'cancel') await market.call('DELETE', '/v1/orders/1', { key: key ?? '' })
    else if (step.do === 'revoke') await this.#replaceKey(step.user, id)
    else {
      const verified = (this.isVerified[step.user] = step.do === 'verify')
      await market.call('PATCH', `/emulator/users/${id}`, { body: { verified } })
    }
  }

  /** Revokes the key, or makes a new one. */
  async #replaceKey(at: number, id: string): Promise<void> {
    const key = this.keys[at]
    if (key !== undefined) {
      await this.market.call('DELETE', `/emulator/keys/${keyIdOf(key) ?? ''}`)
      expect((await this.market.call('GET', '/v1/balances', { key })).status).toBe(401)
      // Nor does it count at a public route.
      expect((await this.market.call('GET', '/v1/markets', { key })).headers.get('ratelimit')).toBeNull()
      this.keys[at] = undefined
      this.seen.revoked += 1
      return
    }
    const { body } = await this.market.call('POST', `/emulator/users/${id}/keys`, { body: { scopes: SCOPES } })
    this.keys[at] = (body as { key: string }).key
  }

  /** Asks everything twice, so that what the first answer left is found. */
  async check(): Promise<void> {
    if (this.isFaulty) {
      expect((await this.market.call('GET', '/v1/markets/BTC_USD/ticker')).status).toBe(503)
      this.isFaulty = false
      this.seen.faults += 1
    }
    const plain = untouched(this.market)
    const asked = PUBLIC.map(([path, operationId, params]) => ({ path, operationId, params, at: undefined }))
    const own = this.users.flatMap((_, at) => PRIVATE.map(([path, operationId]) => ({ path, operationId, at })))
    for (let time = 0; time < 2; time += 1) {
      await Promise.all([...asked, ...own].map((each) => this.#compare(plain, each)))
    }
  }

  async #compare(plain: Service, { path, operationId, params = {}, at }: Read): Promise<void> {
    const key = at === undefined ? undefined : this.keys[at]
    if (at !== undefined && key === undefined) return
    const { text } = await this.market.call('GET', `/v1${path}`, key === undefined ? {} : { key })
    expect(text, path).toBe(answerOf(plain, operationId, params, at === undefined ? undefined : this.users[at]?.id))
  }
}

describe('answers', () => {
  it('are never those of an earlier state, key or fault', async () => {
    const seen = { revoked: 0, unverified: 0, faults: 0 }
    const property = fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 30, size: 'max' }), async (steps) => {
      await served?.server.close()
      served = await serveMarket({}, new Set(['BTC_USD']))
      const credits = { USD: '100000', BTC: '100', ETH: '100' }
      const script = new Script(served, [await served.user(credits), await served.user(credits)])
      const stream = await listenTo(served.server.streamUrl)
      await stream.subscribe('ticker:BTC_USD', 'trade:BTC_USD')
      let prints = 0
      for (const each of steps) {
        await script.run(each)
        if (each.do === 'print') prints += 1
        await stream.until(() => stream.of('ticker:BTC_USD').length === prints)
        if (each.do === 'print') {
          const plain = untouched(served)
          const [trade] = JSON.parse(answerOf(plain, 'listMarketTrades', { symbol: 'BTC_USD' })) as unknown[]
          expect(stream.of('trade:BTC_USD').at(-1)?.data).toEqual(trade)
          const ticker: unknown = JSON.parse(answerOf(plain, 'getTicker', { symbol: 'BTC_USD' }))
          expect(stream.of('ticker:BTC_USD').at(-1)?.data).toEqual(ticker)
        }
        await script.check()
      }
      for (const name of ['revoked', 'unverified', 'faults'] as const) seen[name] += script.seen[name]
      expect(served.errors).toEqual([])
    })
    await fc.assert(property, { numRuns: runs(40) })
    for (const times of Object.values(seen)) expect(times).toBeGreaterThan(needed(10))
  })
})
