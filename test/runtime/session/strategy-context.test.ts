import { NEVER } from 'rxjs'
import { describe, expect, it } from 'vitest'
import type { ExchangeAdapter } from '../../../src/adapter/exchange-adapter.ts'
import { toDecimal } from '../../../src/domain/decimal.ts'
import { Sizing } from '../../../src/runtime/session/targets/sizing.ts'
import { PositionBook } from '../../../src/runtime/session/position-book.ts'
import { KnownRows } from '../../../src/runtime/session/series-call.ts'
import { PersistentState } from '../../../src/runtime/session/persistent-state.ts'
import { UnfilledOrders } from '../../../src/runtime/session/unfilled-orders.ts'
import { createContext, createStreams, portfolioOf } from '../../../src/runtime/session/strategy-context.ts'
import type { StrategyContext } from '../../../src/strategy/context.ts'
import { MarketView } from '../../../src/strategy/market-view.ts'
import type { OwnOrder, OwnPortfolio } from '../../../src/strategy/own-order.ts'
import { market } from '../../exchange/rig/configs.ts'

const order = (id: string, symbol: string): OwnOrder => ({
  id,
  symbol,
  side: 'BUY',
  type: 'LIMIT',
  status: 'OPEN',
  createdAt: 0,
  qty: toDecimal(1),
  filledQty: toDecimal(0),
})

interface Scene {
  readonly available?: Readonly<Record<string, readonly [available: string, locked: string]>>
  readonly prices?: Readonly<Record<string, string>>
  readonly quoteAsset?: string
}

function contextOf({ available = {}, prices = {}, quoteAsset = 'USD' }: Scene = {}): StrategyContext<unknown> {
  const configs = ['BTC_USD', 'ETH_BTC'].map((symbol) => market(symbol))
  const assets = ['BTC', 'ETH', 'USD']
  const adapter: ExchangeAdapter = {
    now: () => 42,
    markets: configs.map((config) => new MarketView(config, config)),
    trades: () => NEVER,
    tickers: () => NEVER,
    prices: () => NEVER,
    candles: () => NEVER,
    gaps: () => NEVER,
    updates$: NEVER,
    reportedCandles: () => [{ interval: '1m' as const, lengthMs: 60_000, isAligned: true }],
    afterCandles: () => undefined,
    at: () => undefined,
    earlierCandles: () => ({ since: 0, candles: [] }),
    connection: 'connected',
    connection$: NEVER,
    faults$: NEVER,
    close: () => Promise.resolve(),
    balances: () =>
      new Map(
        assets.map((asset) => {
          const [free, locked] = available[asset] ?? ['0', '0']
          return [asset, { available: toDecimal(free), locked: toDecimal(locked) }]
        }),
      ),
    openOrders: () =>
      ['2 ETH_BTC', '1 BTC_USD'].map((each) => ({ ...order(...(each.split(' ') as [string, string])), tag: 'mine' })),
    lastPrice: (symbol) => (prices[symbol] === undefined ? undefined : toDecimal(prices[symbol])),
    place: () => undefined,
    cancel: () => undefined,
    after: () => undefined,
  }
  const options = { adapter, params: { fast: 1 }, quoteAsset, random: () => 0.25, log: () => undefined }
  const positions = new PositionBook(adapter, quoteAsset)
  const unfilled = new UnfilledOrders(adapter.markets)
  const portfolio = (): OwnPortfolio => portfolioOf(adapter, quoteAsset)
  const sizing = new Sizing({ adapter, unfilled, held: (symbol) => positions.position(symbol).qty, portfolio })
  positions.start()
  const { open: state } = new PersistentState({
    store: undefined,
    journal: () => undefined,
    isRecorded: () => true,
    log: () => undefined,
    fail: () => undefined,
  })
  return createContext(options, {
    streams: createStreams(),
    positions,
    sizing,
    knownRows: new KnownRows(),
    waitingOrders: () => [],
    own: { plot: () => undefined, note: () => undefined, state },
  })
}

describe('the reads of the present', () => {
  it('are those of the adapter, orders with their tags', () => {
    const context = contextOf({ available: { USD: ['5', '7'] } })
    expect([context.now(), context.random(), context.params]).toEqual([42, 0.25, { fast: 1 }])
    expect(context.balance('USD')).toEqual({ available: toDecimal(5), locked: toDecimal(7) })
    expect(context.openOrders().map(({ id, tag }) => `${id} ${String(tag)}`)).toEqual(['2 mine', '1 mine'])
    expect(context.openOrders('BTC_USD').map(({ id }) => id)).toEqual(['1'])
    expect(context.markets.map(({ symbol }) => symbol)).toEqual(['BTC_USD', 'ETH_BTC'])
    expect(context.market('ETH_BTC').quoteAsset).toBe('BTC')
  })
})

describe('the portfolio', () => {
  it.each`
    available                               | prices                | quoteAsset | equity           | partial  | why
    ${{ USD: ['5', '7'] }}                  | ${{}}                 | ${'USD'}   | ${'12'}          | ${false} | ${'cash, locked or not'}
    ${{ USD: ['1', '0'], BTC: ['2', '1'] }} | ${{ BTC_USD: '100' }} | ${'USD'}   | ${'301'}         | ${false} | ${'a holding at the last price'}
    ${{ USD: ['1', '0'], BTC: ['2', '1'] }} | ${{}}                 | ${'USD'}   | ${'1'}           | ${true}  | ${'a holding without a price yet'}
    ${{ ETH: ['2', '0'] }}                  | ${{ ETH_BTC: '3' }}   | ${'USD'}   | ${'0'}           | ${true}  | ${'a holding without a market against the quote asset'}
    ${{ ETH: ['2', '0'], BTC: ['1', '0'] }} | ${{ ETH_BTC: '3' }}   | ${'BTC'}   | ${'7'}           | ${false} | ${'another quote asset'}
    ${{ BTC: ['0', '0.00000001'] }}         | ${{ BTC_USD: '0.1' }} | ${'USD'}   | ${'0.000000001'} | ${false} | ${'exact'}
  `('is worth $equity: $why', ({ equity, partial, ...scene }) => {
    const portfolio = contextOf(scene as Scene).portfolio()
    expect([portfolio.equity.toFixed(), portfolio.partial]).toEqual([equity, partial])
  })
})
