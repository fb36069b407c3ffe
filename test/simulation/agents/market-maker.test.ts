import { describe, expect, it } from 'vitest'
import { MarketMaker, type MakerStyle } from '../../../src/simulation/agents/market-maker.ts'
import { AgentStage, chanceOf, SYMBOL } from './rig/agent-stage.ts'

const STYLE: MakerStyle = {
  halfSpread: 0.000_001,
  tolerance: 0,
  levels: [
    { distance: 1, size: 10 },
    { distance: 10, size: 100 },
  ],
}
const LONG_MS = 5_000

function stageWithMaker(style = STYLE): { stage: AgentStage; maker: ReturnType<AgentStage['trader']> } {
  const stage = new AgentStage()
  return { stage, maker: stage.start((trader, scene, chance) => new MarketMaker(trader, scene, chance, style)) }
}

const prices = ({ exchange }: AgentStage): { bids: readonly number[]; asks: readonly number[] } => {
  const { bids, asks } = exchange.depth(SYMBOL)
  return { bids: bids.map(({ price }) => price), asks: asks.map(({ price }) => price) }
}

describe('a market maker', () => {
  it('quotes a ladder on both sides of the fair value', () => {
    const { stage } = stageWithMaker()
    expect(prices(stage)).toEqual({ bids: [4_199_995, 4_199_958], asks: [4_200_005, 4_200_042] })
  })

  it('quotes wider when times are wild', () => {
    const stage = new AgentStage()
    stage.worth.volatility = 2
    stage.start((trader, scene, chance) => new MarketMaker(trader, scene, chance, STYLE))
    expect(prices(stage)).toEqual({ bids: [4_199_991, 4_199_916], asks: [4_200_009, 4_200_084] })
  })

  it('takes its quotes away at news before anyone comes back with new ones', () => {
    const { stage } = stageWithMaker()
    stage.worth.become(4_300_000)
    stage.run(8)
    expect(prices(stage)).toEqual({ bids: [], asks: [] })
    stage.run(LONG_MS)
    expect(prices(stage)).toEqual({ bids: [4_299_995, 4_299_957], asks: [4_300_005, 4_300_043] })
  })

  it('does not follow a move that it tolerates', () => {
    const { stage, maker } = stageWithMaker({ ...STYLE, tolerance: 5 })
    const before = maker.restingOrders()
    stage.worth.become(4_200_020)
    stage.run(LONG_MS)
    expect(maker.restingOrders()).toEqual(before)
    stage.worth.become(4_200_022)
    stage.run(LONG_MS)
    expect(prices(stage).bids[0]).toBe(4_200_017)
  })

  it('refills what was taken, and leaves the rest in its place in the queue', () => {
    const { stage, maker } = stageWithMaker()
    const [before] = prices(stage).asks
    const [bid, ask] = maker.restingOrders()
    stage.trader().market('BUY', ask?.remaining ?? 0)
    expect(prices(stage).asks[0]).toBe(4_200_042)
    stage.run(LONG_MS)
    expect(prices(stage).asks[0]).toBe(before)
    expect(maker.restingOrders()[0]?.id).toBe(bid?.id)
  })

  it.each`
    side      | sign  | why
    ${'SELL'} | ${-1} | ${'bought too much, it lowers its quotes'}
    ${'BUY'}  | ${1}  | ${'sold too much, it raises them'}
  `('leans against its position: $why', ({ side, sign }) => {
    const { stage, maker } = stageWithMaker({ ...STYLE, levels: [{ distance: 1, size: 20_000 }] })
    stage.trader().market(side, 900_000)
    stage.run(LONG_MS)
    const [bid] = prices(stage).bids
    expect(Math.abs(maker.position)).toBe(900_000)
    expect(sign * ((bid ?? 0) - 4_199_995)).toBeGreaterThan(80)
    expect(sign * ((bid ?? 0) - 4_199_995)).toBeLessThan(220)
  })

  it('takes a stale order of another that is worth taking, and quotes beside one that is not', () => {
    for (const [price, trades] of [
      [4_199_000, 1],
      [4_199_997, 0],
    ] as const) {
      const stage = new AgentStage()
      stage.trader().limit('SELL', price, 50)
      stage.start((trader, scene, chance) => new MarketMaker(trader, scene, chance, STYLE))
      expect(stage.trades).toHaveLength(trades)
      if (trades === 0) expect(prices(stage).bids[0]).toBe(price - 2)
    }
  })

  it('quotes beside a maker who leans the other way', () => {
    const { stage, maker } = stageWithMaker({ ...STYLE, levels: [{ distance: 1, size: 20_000 }] })
    stage.trader('seller').market('SELL', 900_000)
    stage.run(LONG_MS)
    const [lowAsk] = prices(stage).asks
    expect(lowAsk).toBeLessThan(4_199_995)
    const other = stage.start((trader, scene, chance) => new MarketMaker(trader, scene, chance, STYLE), 2)
    expect(other.restingOrders().find(({ side }) => side === 'BUY')?.price).toBe((lowAsk ?? 0) - 1)
    expect([maker.position, other.position]).toEqual([900_000, 0])
  })

  it('does not trade with other makers, whatever their positions', () => {
    const stage = new AgentStage()
    const makers = [1, 2, 3].map((seed) => {
      const trader = stage.trader()
      const maker = new MarketMaker(trader, stage.scene, chanceOf(seed), STYLE)
      maker.listen()
      maker.start()
      return trader
    })
    const taker = stage.trader('taker')
    const chance = chanceOf(9)
    for (let step = 0; step < 400; step += 1) {
      if (chance.happens(0.2)) stage.worth.become(stage.worth.price * (1 + 0.001 * chance.bell()))
      taker.market(chance.happens(0.5) ? 'BUY' : 'SELL', chance.between(1, 5000))
      stage.run(chance.between(1, 3000))
    }
    expect(stage.trades.length).toBeGreaterThan(300)
    expect(stage.trades.filter(({ buyerId, sellerId }) => ![buyerId, sellerId].includes('taker'))).toEqual([])
    expect(makers.every((maker) => maker.refusals === 0 && maker.position !== 0)).toBe(true)
  })
})
