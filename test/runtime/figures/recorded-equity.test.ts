/**
 * What an account is worth while a tape is played, in figures by hand.
 */
import { describe, expect, it } from 'vitest'
import { formatTrimmed } from '../../../src/domain/fixed-point.ts'
import type { MarketConfig } from '../../../src/domain/market.ts'
import { accountFills } from '../../../src/runtime/backtest/account-fills.ts'
import { RecordedEquity } from '../../../src/runtime/figures/recorded-equity.ts'
import { market } from '../../exchange/rig/configs.ts'
import { MarketStage } from '../../simulation/rig/market-stage.ts'

const ME = 'me'
const MINUTE = 60_000

interface Terms {
  readonly markets?: readonly MarketConfig[]
  /** Ledger units. */
  readonly credit: Readonly<Record<string, bigint>>
  readonly to?: number
}

/** A stage whose recorded trades and events are asked to an equity, as a backtest does. */
class EquityStage extends MarketStage {
  readonly equity: RecordedEquity

  constructor({ markets = [market('BTC_USD')], credit, to = 10 * MINUTE }: Terms) {
    super({ markets })
    for (const [asset, amount] of Object.entries(credit)) this.credit(ME, asset, amount)
    const { exchange } = this
    const { scales } = exchange
    const balances = exchange.balances(ME)
    this.equity = new RecordedEquity({ markets, scales, balances, quoteAsset: 'USD', from: 0, to })
    this.simulated.onEvents((events) => this.equity.onFills(accountFills(ME, events), exchange.balances(ME)))
  }

  override record(time: number, price: number, qty = 1, side: 'buy' | 'sell' = 'buy', symbol = 'BTC_USD'): void {
    this.equity.mark(symbol).onRecorded(time, price)
    super.record(time, price, qty, side, symbol)
  }

  get text(): string {
    return formatTrimmed(this.equity.equity(), this.equity.scale)
  }
}

describe('equity', () => {
  it('is cash and holdings at the last recorded price', () => {
    const stage = new EquityStage({ credit: { USD: 10_000n } })
    const texts = [stage.text]
    stage.record(0, 100)
    stage.market(ME, 'BUY', 30)
    texts.push(stage.text)
    for (const price of [110, 90]) {
      stage.record(1, price)
      texts.push(stage.text)
    }
    stage.market(ME, 'SELL', 30)
    stage.record(2, 500)
    texts.push(stage.text)
    expect(texts).toEqual(['10000', '10000', '10300', '9700', '9700'])
  })

  it('counts what an open order has locked', () => {
    const stage = new EquityStage({ credit: { USD: 10_000n, BTC: 5n } })
    stage.record(0, 100)
    stage.limit(ME, 'BUY', 50, 100)
    stage.limit(ME, 'SELL', 200, 5)
    expect(stage.text).toBe('10500')
  })

  it('is marked at what was recorded, and never at our own trades', () => {
    const stage = new EquityStage({ credit: { USD: 0n, BTC: 10n } })
    stage.record(0, 100)
    stage.limit(ME, 'SELL', 120, 4)
    // It fills at 120; the tape says 130.
    stage.record(1, 130)
    expect(stage.text).toBe(String(4 * 120 + 6 * 130))
    stage.credit('other', 'USD', 1_000n)
    stage.limit(ME, 'SELL', 125, 1)
    stage.limit('other', 'BUY', 125, 1)
    expect(stage.text).toBe(String(4 * 120 + 1 * 130 + 5 * 130))
  })

  it('is less by the fees, to the last ledger digit', () => {
    const rules = { pricePrecision: 2, qtyPrecision: 3, takerFeeBps: '33.3333' }
    const stage = new EquityStage({ markets: [market('BTC_USD', rules)], credit: { USD: 10_000_00000n } })
    stage.record(0, 101_01)
    stage.market(ME, 'BUY', 1_001)
    // 101.01 x 1.001 = 101.11101; 33.3333 basis points of it are 0.33703666..., up to 0.33704.
    expect(stage.text).toBe('9999.66296')
  })

  it('is exact where a double is not', () => {
    const rules = { pricePrecision: 12, qtyPrecision: 12 }
    const huge = 9_007_199_254_740_993n
    const stage = new EquityStage({ markets: [market('BTC_USD', rules)], credit: { USD: 1n, BTC: huge } })
    stage.record(0, 9_007_199_254_740_991)
    expect(stage.equity.equity()).toBe(9_007_199_254_740_991n * huge + 1n)
  })

  it('adds up assets of different precisions', () => {
    const markets = [
      market('BTC_USD', { pricePrecision: 2, qtyPrecision: 8 }),
      market('ETH_USD', { pricePrecision: 5, qtyPrecision: 1 }),
    ]
    const stage = new EquityStage({ markets, credit: { USD: 10_000_000_000n, BTC: 150_000_000n, ETH: 25n } })
    stage.record(0, 100_01)
    stage.record(0, 3_00001, 1, 'buy', 'ETH_USD')
    expect([stage.text, stage.equity.scale]).toEqual([String(1 + 1.5 * 100.01 + 2.5 * 3.00001), 10])
  })

  it('knows an asset of a finer market beside it to its last digit', () => {
    const markets = [
      market('BTC_USD', { pricePrecision: 2, qtyPrecision: 2 }),
      market('BTC_EUR', { pricePrecision: 0, qtyPrecision: 8 }),
    ]
    const stage = new EquityStage({ markets, credit: { BTC: 1n } })
    stage.record(0, 300)
    expect([stage.text, stage.equity.scale]).toEqual(['0.00000003', 10])
  })
})

describe('before the first recorded trade', () => {
  it('a holding is worth nothing yet, and what it began with is known afterwards', () => {
    const stage = new EquityStage({ credit: { USD: 1_000n, BTC: 3n } })
    expect([stage.text, stage.equity.isPartial]).toEqual(['1000', true])
    stage.record(0, 100)
    stage.record(1, 150)
    expect([stage.text, stage.equity.isPartial]).toEqual(['1450', false])
    expect(stage.equity.initialEquity()).toBe(1_300n)
  })

  it('no holding makes nothing partial', () => {
    expect(new EquityStage({ credit: { USD: 1n } }).equity.isPartial).toBe(false)
  })

  it('of each market apart', () => {
    const markets = [market('BTC_USD'), market('ETH_USD')]
    const stage = new EquityStage({ markets, credit: { USD: 0n, BTC: 1n, ETH: 1n } })
    stage.record(0, 100)
    stage.record(1, 110)
    expect(stage.equity.isPartial).toBe(true)
    stage.record(2, 10, 1, 'buy', 'ETH_USD')
    stage.record(3, 20, 1, 'buy', 'ETH_USD')
    expect([stage.equity.isPartial, stage.text, stage.equity.initialEquity()]).toEqual([false, '130', 110n])
  })
})

it('an asset without a market against the quote asset is never priced, and makes it partial', () => {
  const stage = new EquityStage({ markets: [market('ETH_BTC'), market('BTC_USD')], credit: { USD: 1n, ETH: 5n } })
  stage.record(0, 2, 1, 'buy', 'ETH_BTC')
  stage.record(0, 100)
  expect([stage.text, stage.equity.isPartial]).toEqual(['1', true])
})

describe('the curve', () => {
  it('has the equity after everything that happened up to each of its times', () => {
    const stage = new EquityStage({ credit: { USD: 0n, BTC: 1n }, to: 4_000 })
    for (const [time, price] of [
      [0, 100],
      [500, 110],
      [1_000, 120],
      [1_000, 130],
      [1_001, 140],
      [3_000, 150],
    ] as const) {
      stage.record(time, price)
    }
    stage.equity.finish()
    expect(stage.equity.samples.map(({ time, equity }) => `${time} ${equity}`)).toEqual([
      ...['0 100', '1000 130', '2000 140', '3000 150', '4000 150'],
    ])
  })

  it('sees a fill at its time', () => {
    const stage = new EquityStage({
      markets: [market('BTC_USD', { takerFeeBps: '1000' })],
      credit: { USD: 1_000n },
      to: 3_000,
    })
    stage.record(0, 100)
    stage.queue.advance(1_500)
    stage.market(ME, 'BUY', 5)
    stage.equity.finish()
    expect(stage.equity.samples.map(({ equity }) => equity)).toEqual([1_000n, 1_000n, 950n, 950n])
  })
})

describe('the largest fall', () => {
  it('is from the highest equity before it, at any recorded trade', () => {
    const stage = new EquityStage({ credit: { USD: 0n, BTC: 1n } })
    for (const price of [100, 200, 150, 180, 120, 400]) stage.record(0, price)
    expect(stage.equity.maxDrawdown).toBeCloseTo(0.4)
  })

  it('counts what it began with: a fee of the first fill is a fall', () => {
    const stage = new EquityStage({ markets: [market('BTC_USD', { takerFeeBps: '1000' })], credit: { USD: 1_000n } })
    stage.record(0, 100)
    stage.market(ME, 'BUY', 5)
    expect(stage.equity.maxDrawdown).toBeCloseTo(0.05)
  })

  it('does not count what was paid for a holding that has no price yet', () => {
    const stage = new EquityStage({ markets: [market('BTC_USD', { takerFeeBps: '1000' })], credit: { USD: 1_000n } })
    stage.credit('other', 'BTC', 5n)
    stage.limit('other', 'SELL', 100, 5)
    stage.market(ME, 'BUY', 5)
    stage.limit(ME, 'SELL', 110, 1)
    stage.market('other', 'BUY', 1)
    expect([stage.text, stage.equity.maxDrawdown]).toEqual(['560', 0])
    stage.record(1, 100)
    stage.record(2, 90)
    // 960 with the fee, and 40 less at the second price.
    expect([stage.text, stage.equity.maxDrawdown]).toEqual(['920', 0.08])
  })

  it('is none while a holding has no price yet', () => {
    const stage = new EquityStage({ credit: { USD: 0n, BTC: 1n } })
    stage.record(0, 100)
    expect(stage.equity.maxDrawdown).toBe(0)
  })
})

it('knows the share of time in which something was held, and the span of prices of each market', () => {
  const stage = new EquityStage({ credit: { USD: 1_000n }, to: 10_000 })
  stage.record(0, 100)
  stage.queue.advance(2_000)
  stage.market(ME, 'BUY', 5)
  stage.record(4_500, 120)
  stage.market(ME, 'SELL', 5)
  expect(stage.equity.exposure).toBe(0.25)
  expect(stage.equity.prices).toEqual([{ firstPrice: 100, lastPrice: 120 }])
})
