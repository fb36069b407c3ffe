import { describe, expect, it } from 'vitest'
import { accountFills } from '../../../src/runtime/backtest/account-fills.ts'
import { TradedFigures } from '../../../src/runtime/figures/account-figures.ts'
import { market } from '../../exchange/rig/configs.ts'
import { MarketStage } from '../../simulation/rig/market-stage.ts'

function figuresOf(stage: MarketStage): TradedFigures {
  const figures = new TradedFigures(stage.exchange)
  stage.simulated.onEvents((events) => figures.onFills(accountFills('me', events)))
  return figures
}

function stageOf(symbols: readonly string[]): MarketStage {
  const stage = new MarketStage({ markets: symbols.map((symbol) => market(symbol, { takerFeeBps: '100' })) })
  for (const account of ['me', 'other']) stage.credit(account, 'USD', 1_000_000n)
  for (const symbol of symbols) stage.record(0, 100, 1, 'buy', symbol)
  return stage
}

describe('round trips', () => {
  it('are those of the account in all markets', () => {
    const stage = stageOf(['BTC_USD', 'ETH_USD'])
    const figures = figuresOf(stage)
    stage.market('me', 'BUY', 5, 'ETH_USD')
    stage.market('me', 'BUY', 5)
    stage.market('other', 'BUY', 7)
    stage.market('me', 'SELL', 5, 'ETH_USD')
    stage.market('other', 'SELL', 7)
    expect(figures.roundTrips.closed).toBe(1)
    stage.market('me', 'SELL', 5)
    expect(figures.tripStatistics('USD', 2).winRate).toBe(0)
    expect(figures.roundTrips.closed).toBe(2)
  })

  it('that have not ended are reported at the last recorded price, with the fees so far', () => {
    const stage = stageOf(['BTC_USD', 'ETH_USD'])
    const figures = figuresOf(stage)
    stage.market('me', 'BUY', 5, 'ETH_USD')
    stage.market('me', 'BUY', 5)
    stage.market('me', 'SELL', 5)
    const [eth, ...others] = figures.openTrips((symbol) => (symbol === 'ETH_USD' ? 90 : 100))
    expect(others).toEqual([])
    const bought = figures.fees.get('USD') ?? 0n
    expect(bought).toBeGreaterThan(0n)
    expect(eth).toMatchObject({ symbol: 'ETH_USD', side: 'BUY', qty: '5', entryPrice: '100', lastPrice: '90' })
    // Ten a piece, and one percent of the 500 that were paid.
    expect(eth?.unrealizedPnl).toBe('-55')
  })

  it('are also of fills that came to a resting order, and of both sides of a trade with itself', () => {
    const stage = stageOf(['BTC_USD'])
    const figures = figuresOf(stage)
    stage.limit('me', 'BUY', 90, 5)
    stage.record(1, 90, 1)
    stage.limit('me', 'SELL', 110, 5)
    stage.record(2, 110, 1)
    expect(figures.tripStatistics('USD', 2).winRate).toBe(1)
    expect(figures.roundTrips.closed).toBe(1)
  })
})
