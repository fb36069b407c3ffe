/**
 * The same commands over HTTP and in process leave the same state, to the letter; and money is neither made nor lost on
 * the way.
 */
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { balancesToJson } from '../../src/domain/balances.ts'
import { candleToJson } from '../../src/domain/candle.ts'
import type { Command } from '../../src/domain/command.ts'
import { invariant } from '../../src/domain/errors.ts'
import type { ExchangeEvent } from '../../src/domain/exchange-event.ts'
import { parseAmount } from '../../src/domain/fixed-point.ts'
import { decodeOrderRequest } from '../../src/domain/order-request.ts'
import { orderToJson, type Order } from '../../src/domain/order.ts'
import { portfolioToJson } from '../../src/domain/portfolio.ts'
import { tickerToJson } from '../../src/domain/ticker.ts'
import { fillToJson, tradeToJson } from '../../src/domain/trade.ts'
import { createExchange } from '../../src/exchange/create-exchange.ts'
import type { Exchange } from '../../src/exchange/exchange.ts'
import { MARKETS, serveMarket, START, type Answer, type ServedMarket, type ServedUser } from './rig/served-market.ts'
import { runs, needed } from '../property/property.ts'

const ACCOUNTS = 3
const HISTORY = { orders: 1_000, fills: 1_000, trades: 1_000, candles: 1_000 }

/** What is asked, and by whom; `id` of a cancel is any order's, so often another's or no one's. */
type Ask =
  | { readonly do: 'place'; readonly user: number; readonly body: Readonly<Record<string, string>> }
  | { readonly do: 'cancel'; readonly user: number; readonly id: number }
  | { readonly do: 'credit'; readonly user: number; readonly asset: string; readonly amount: string }
  | { readonly do: 'wait'; readonly ms: number }

const user = fc.nat({ max: ACCOUNTS - 1 })
const symbol = fc.constantFrom('BTC_USD', 'ETH_USD')
const side = fc.constantFrom('BUY', 'SELL')
const qty = fc.integer({ min: 0, max: 30_000 }).map((lots) => (lots / 10_000).toFixed(4))
const price = fc.integer({ min: 9_990, max: 10_010 }).map((ticks) => (ticks / 100).toFixed(2))

const ask: fc.Arbitrary<Ask> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .record({ symbol, side, price, qty })
      .chain((order) => user.map((who) => ({ do: 'place', user: who, body: { ...order, type: 'LIMIT' } }) as const)),
  },
  {
    weight: 2,
    arbitrary: fc
      .record({ symbol, side, qty })
      .chain((order) => user.map((who) => ({ do: 'place', user: who, body: { ...order, type: 'MARKET' } }) as const)),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('cancel' as const), user, id: fc.integer({ min: 1, max: 40 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('credit' as const),
      user,
      asset: fc.constantFrom('USD', 'BTC', 'ETH'),
      amount: fc.integer({ min: -50_000, max: 100_000 }).map((cents) => (cents / 100).toFixed(2)),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(1, 1_000, 61_000, 86_400_000) }),
  },
)

/** The exchange alone, and how its state looks on the wire. */
class InProcess {
  readonly exchange: Exchange = createExchange({ markets: MARKETS, quoteAsset: 'USD', history: HISTORY })
  #now = START

  wait(ms: number): void {
    this.#now += ms
  }

  /** What the request must be answered with: a resource, or the code of an error. */
  answerTo(asked: Exclude<Ask, { do: 'wait' }>, account: string): unknown {
    const command = this.#commandOf(asked, account)
    if (typeof command === 'string') return command
    const events = this.exchange.execute(command)
    const refusal = refusalIn(events)
    if (refusal !== undefined) return refusal
    if (command.type === 'credit') return balancesToJson(this.exchange.balances(account), this.exchange.scales)
    const [first] = events
    invariant(first?.type === 'order-accepted' || first?.type === 'order-cancelled', 'it was not refused')
    const order = this.exchange.order(account, first.order.id)
    invariant(order !== undefined, 'it is there')
    return this.#shown(order)
  }

  /** @param path  as it is asked for over HTTP */
  stateOf(account: string): Readonly<Record<string, unknown>> {
    const { exchange } = this
    return {
      '/v1/orders?limit=500': exchange.orders(account, { limit: 500, page: 1 }).map((order) => this.#shown(order)),
      '/v1/orders/open': exchange.openOrders(account).map((order) => this.#shown(order)),
      '/v1/trades?limit=500': exchange.fills(account, 500).map((fill) => fillToJson(fill, marketOf(fill.trade.symbol))),
      '/v1/balances': balancesToJson(exchange.balances(account), exchange.scales),
      '/v1/portfolio': portfolioToJson(exchange.portfolio(account, this.#now)),
    }
  }

  marketState(): Readonly<Record<string, unknown>> {
    const state = MARKETS.map((market) => {
      const path = `/v1/markets/${market.symbol}`
      const candles = this.exchange.candles(market.symbol, { interval: '1m', limit: 500 })
      return {
        [`${path}/trades?limit=500`]: this.exchange
          .trades(market.symbol, 500)
          .map((trade) => tradeToJson(trade, market)),
        [`${path}/ticker`]: tickerToJson(this.exchange.ticker(market.symbol, this.#now), market),
        [`${path}/candles`]: { data: candles.map((candle) => candleToJson(candle, market)) },
      }
    })
    return Object.assign({}, ...state) as Readonly<Record<string, unknown>>
  }

  /** The code when the request never gets to be a command. */
  #commandOf(asked: Exclude<Ask, { do: 'wait' }>, account: string): Command | string {
    const common = { time: this.#now, account }
    if (asked.do === 'cancel') return { type: 'cancel', orderId: asked.id, ...common }
    if (asked.do === 'credit') {
      const amount = parseAmount(asked.amount, this.exchange.scales.get(asked.asset) ?? 0)
      return amount.ok ? { type: 'credit', asset: asked.asset, amount: amount.value, ...common } : 'VALIDATION_ERROR'
    }
    const decoded = decodeOrderRequest(asked.body, marketOf)
    return decoded.ok ? { type: 'place', request: decoded.request, ...common } : decoded.refusal.code
  }

  #shown(order: Order): unknown {
    return orderToJson(order, marketOf(order.symbol))
  }
}

function marketOf(name: string): (typeof MARKETS)[number] {
  const market = MARKETS.find((each) => each.symbol === name)
  invariant(market !== undefined, 'it is one of the markets')
  return market
}

function refusalIn([first]: readonly ExchangeEvent[]): string | undefined {
  const isRefused =
    first?.type === 'order-refused' || first?.type === 'cancel-refused' || first?.type === 'credit-refused'
  return isRefused ? first.refusal.code : undefined
}

let served: ServedMarket | undefined
afterEach(() => served?.server.close())

async function overHttp(
  market: ServedMarket,
  { id, key }: ServedUser,
  asked: Exclude<Ask, { do: 'wait' }>,
): Promise<Answer> {
  if (asked.do === 'place') return market.call('POST', '/v1/orders', { key, body: asked.body })
  if (asked.do === 'cancel') return market.call('DELETE', `/v1/orders/${asked.id}`, { key })
  const { asset, amount } = asked
  return market.call('POST', `/emulator/users/${id}/credits`, { body: { asset, amount } })
}

/** An answer as `InProcess.answerTo` has it. */
const reported = ({ status, body }: Answer): unknown =>
  status < 300 ? body : (body as { error: { code: string } }).error.code

async function expectSound(market: ServedMarket): Promise<void> {
  const { body } = await market.call('GET', '/emulator/audit')
  const { assets, ok } = body as { assets: Record<string, { difference: string }>; ok: boolean }
  expect([ok, Object.values(assets).map(({ difference }) => difference)]).toEqual([true, ['0', '0', '0']])
}

describe('commands over HTTP', () => {
  it('do what they do in process', async () => {
    let trades = 0
    const property = fc.asyncProperty(fc.array(ask, { minLength: 20, maxLength: 60 }), async (script) => {
      // A run that failed has left its own.
      await served?.server.close()
      // No tape is played into these markets: what users do is their market data.
      served = await serveMarket({}, new Set())
      const inProcess = new InProcess()
      const users: ServedUser[] = []
      for (let count = 0; count < ACCOUNTS; count += 1) {
        const made = await served.user()
        users.push(made)
        for (const asset of ['USD', 'BTC', 'ETH']) {
          const credit = { do: 'credit', user: count, asset, amount: '1000' } as const
          expect(reported(await overHttp(served, made, credit))).toEqual(inProcess.answerTo(credit, made.id))
        }
      }
      for (const asked of script) {
        if (asked.do === 'wait') {
          inProcess.wait(asked.ms)
          await served.call('POST', '/emulator/clock', { body: { advanceMs: asked.ms } })
          continue
        }
        const made = users[asked.user]
        invariant(made !== undefined, 'there are as many users')
        expect(reported(await overHttp(served, made, asked))).toEqual(inProcess.answerTo(asked, made.id))
        await expectSound(served)
      }
      for (const { id, key } of users) {
        for (const [path, state] of Object.entries(inProcess.stateOf(id))) {
          expect((await served.call('GET', path, { key })).body, path).toEqual(state)
        }
      }
      for (const [path, state] of Object.entries(inProcess.marketState())) {
        expect((await served.call('GET', path)).body, path).toEqual(state)
      }
      trades += inProcess.exchange.trades('BTC_USD', 500).length
      expect(served.errors).toEqual([])
      await served.server.close()
    })
    await fc.assert(property, { numRuns: runs(40) })
    expect(trades).toBeGreaterThan(needed(100))
  })
})
