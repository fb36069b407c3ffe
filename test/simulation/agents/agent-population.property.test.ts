/**
 * The agents together, on whatever market they are put, with others in it.
 */
import fc from 'fast-check'
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus'
import { describe, expect, it } from 'vitest'
import { auditDifference } from '../../../src/domain/audit.ts'
import type { ExchangeEvent } from '../../../src/domain/exchange-event.ts'
import type { MarketConfig } from '../../../src/domain/market.ts'
import type { Trade } from '../../../src/domain/trade.ts'
import { createExchange } from '../../../src/exchange/create-exchange.ts'
import { AgentPopulation } from '../../../src/simulation/agents/agent-population.ts'
import { agentTermsOf, type AgentTerms } from '../../../src/simulation/agents/agent-terms.ts'
import { EventQueue } from '../../../src/simulation/event-queue.ts'
import { IdealLiquidity } from '../../../src/simulation/liquidity/ideal.ts'
import { SimulatedMarkets } from '../../../src/simulation/simulated-markets.ts'
import { market } from '../../exchange/rig/configs.ts'
import { runs, needed } from '../../property/property.ts'
import { HOUR_MS, START } from './rig/agent-stage.ts'

const RUNS = runs(20)
const HISTORY = { orders: 100, fills: 100, trades: 0, candles: 1 }
const BTC_USD = market('BTC_USD', { pricePrecision: 2, qtyPrecision: 5 })

class LivingMarket {
  readonly queue = new EventQueue(START)
  readonly market: SimulatedMarkets
  readonly populations: readonly AgentPopulation[]
  readonly trades: Trade[] = []
  commands = 0

  constructor(markets: readonly MarketConfig[], seed: number, terms: Partial<AgentTerms> = {}) {
    const exchange = createExchange({ markets, quoteAsset: 'USD', history: HISTORY })
    this.market = new SimulatedMarkets(exchange, this.queue, () => new IdealLiquidity())
    this.market.onEvents(() => (this.commands += 1))
    this.populations = markets.map((config, index) => {
      this.market.listen(config.symbol, { onTrade: (trade) => this.trades.push(trade) })
      const generator = xoroshiro128plus(seed + index)
      return new AgentPopulation(this.market, config.symbol, { ...agentTermsOf(config), ...terms }, generator)
    })
    for (const population of this.populations) population.start()
  }

  get refusals(): number {
    return this.populations.reduce((sum, { refusals }) => sum + refusals, 0)
  }

  run(ms: number): void {
    const end = this.queue.now() + ms
    while (this.queue.nextTime <= end) this.queue.runNext()
    this.queue.advance(end)
  }

  expectAudited(): void {
    const lines = this.market.exchange.audit()
    expect(lines.map(auditDifference)).toEqual(lines.map(() => 0n))
  }
}

const rows = ({ trades }: LivingMarket): readonly string[] =>
  trades.map(({ createdAt, symbol, price, qty, isBuyerMaker }) => [createdAt, symbol, price, qty, isBuyerMaker].join())

describe('the agents of a market', () => {
  it('give the same trades for a seed, in one go and step by step, and others for another seed', () => {
    const [whole, stepped, other] = [7, 7, 8].map((seed) => new LivingMarket([BTC_USD], seed))
    whole?.run(4 * HOUR_MS)
    other?.run(4 * HOUR_MS)
    for (let step = 0; step < 4 * 3600; step += 1) stepped?.run(1000)
    expect(whole?.trades.length).toBeGreaterThan(300)
    expect(stepped && rows(stepped)).toEqual(whole && rows(whole))
    expect(other && rows(other)).not.toEqual(whole && rows(whole))
  })

  it('do not notice the agents of another market on the same exchange', () => {
    const ethUsd = market('ETH_USD', { pricePrecision: 2, qtyPrecision: 4 })
    const [alone, together] = [[BTC_USD], [BTC_USD, ethUsd]].map((markets) => new LivingMarket(markets, 3))
    alone?.run(4 * HOUR_MS)
    together?.run(4 * HOUR_MS)
    const ofBtc = together && rows(together).filter((row) => row.includes('BTC_USD'))
    expect(ofBtc).toEqual(alone && rows(alone))
    expect(together?.trades.some(({ symbol }) => symbol === 'ETH_USD')).toBe(true)
    together?.expectAudited()
  })

  it('trade on both sides and in sweeps, are hardly ever refused, and the audit holds, whatever the seed', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const living = new LivingMarket([BTC_USD], seed)
        living.run(12 * HOUR_MS)
        const { trades } = living
        const sweeps = trades.filter(
          (trade, index) =>
            trades[index - 1]?.createdAt === trade.createdAt && trades[index - 1]?.price !== trade.price,
        )
        const buys = trades.filter(({ isBuyerMaker }) => !isBuyerMaker).length / trades.length
        expect(trades.length).toBeGreaterThan(800)
        expect(trades.length).toBeLessThan(6000)
        expect(sweeps.length / trades.length).toBeGreaterThan(0.1)
        expect(Math.abs(buys - 0.5)).toBeLessThan(0.25)
        for (const { price } of trades) expect(Math.abs(price / 4_200_000 - 1)).toBeLessThan(0.25)
        expect(living.refusals / living.commands).toBeLessThan(0.001)
        living.expectAudited()
      }),
      { numRuns: RUNS },
    )
  })

  it('can live in any market: with any precisions, with fees, with self-trades allowed or not', () => {
    const precisions = new Set<number>()
    fc.assert(
      fc.property(
        fc.record({
          pricePrecision: fc.nat(12),
          qtyPrecision: fc.nat(12),
          makerFeeBps: fc.constantFrom('0', '2.5'),
          takerFeeBps: fc.constantFrom('0', '10'),
          selfTrade: fc.constantFrom('allow' as const, 'reject' as const),
        }),
        fc.constantFrom('BTC_USD', 'ETH_USD', 'FOO_USD'),
        fc.integer(),
        (rules, symbol, seed) => {
          const living = new LivingMarket([market(symbol, rules)], seed)
          living.run(2 * HOUR_MS)
          expect(living.trades.length).toBeGreaterThan(50)
          expect(living.trades.filter(({ buyerId, sellerId }) => buyerId === sellerId)).toEqual([])
          living.expectAudited()
          precisions.add(rules.pricePrecision)
        },
      ),
      { numRuns: 2 * RUNS },
    )
    expect(precisions.size).toBeGreaterThan(needed(6))
  })

  it('trade with anyone who comes, and carry on whatever that one does', () => {
    let [met, ownOrders] = [0, 0]
    const step = fc.record({
      side: fc.constantFrom('BUY' as const, 'SELL' as const),
      /** Ticks beyond the best price of the other side; undefined for a market order. */
      beyond: fc.option(fc.integer({ min: -100_000, max: 100_000 }), { nil: undefined }),
      qty: fc.oneof(fc.integer({ min: 1, max: 1000 }), fc.integer({ min: 1, max: 2_000_000_000 })),
      waitMs: fc.nat(600_000),
    })
    fc.assert(
      fc.property(fc.integer(), fc.array(step, { minLength: 20, maxLength: 60 }), (seed, steps) => {
        const living = new LivingMarket([BTC_USD], seed)
        const { market: simulated, queue } = living
        const execute = (command: Parameters<SimulatedMarkets['execute']>[0]): readonly ExchangeEvent[] =>
          simulated.execute(command)
        for (const asset of ['BTC', 'USD']) {
          execute({ type: 'credit', time: queue.now(), account: 'visitor', asset, amount: 10n ** 16n })
        }
        for (const { side, beyond, qty, waitMs } of steps) {
          const best = simulated.exchange.bestPrice('BTC_USD', side === 'BUY' ? 'SELL' : 'BUY') ?? 4_200_000
          const price = Math.max(1, best + (beyond ?? 0))
          const request =
            beyond === undefined
              ? ({ symbol: 'BTC_USD', side, type: 'MARKET', qty } as const)
              : ({ symbol: 'BTC_USD', side, type: 'LIMIT', price, qty } as const)
          const events = execute({ type: 'place', time: queue.now(), account: 'visitor', request })
          ownOrders += events.some(({ type }) => type === 'order-accepted') ? 1 : 0
          living.run(waitMs)
        }
        met += living.trades.filter(({ buyerId, sellerId }) => [buyerId, sellerId].includes('visitor')).length
        const before = living.trades.length
        for (const { id } of simulated.exchange.openOrders('visitor')) {
          execute({ type: 'cancel', time: queue.now(), account: 'visitor', orderId: id })
        }
        living.run(HOUR_MS)
        expect(living.trades.length).toBeGreaterThan(before)
        living.expectAudited()
      }),
      { numRuns: RUNS },
    )
    expect(met).toBeGreaterThan(100)
    expect(ownOrders).toBeGreaterThan(100)
  })

  it('are livelier at a higher pace', () => {
    const [usual, lively] = [1, 20].map((pace) => new LivingMarket([BTC_USD], 5, { pace }))
    usual?.run(HOUR_MS)
    lively?.run(HOUR_MS)
    expect(lively?.trades.length).toBeGreaterThan(8 * (usual?.trades.length ?? 0))
    expect((lively?.trades[0]?.createdAt ?? 0) - START).toBeLessThan(10_000)
  })
})
