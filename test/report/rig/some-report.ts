/**
 * A report of a run, with something in every field.
 */
import type { BoundingRun } from '../../../src/runtime/backtest/liquidity-bounds.ts'
import type { RunReport, TapeReport } from '../../../src/report/run/run-report.ts'

export const TAPE: TapeReport = {
  symbol: 'BTC_USDT',
  kind: 'trades',
  file: 'btcusdt.csv.gz',
  sha256: 'ab'.repeat(32),
  rows: 65_432,
  emptyCandles: 0,
  from: Date.parse('2024-01-01T10:00:00.123Z'),
  to: Date.parse('2024-01-01T10:10:50.456Z'),
  pricePrecision: 2,
  qtyPrecision: 5,
  rowsAtPricePrecision: 0,
  rowsAtQtyPrecision: 0,
  hasSides: false,
  hasConditions: false,
  notices: [],
  path: '/tapes/btc.csv',
  reading: {},
}

const NO_MARKOUT = { '1s': null, '5s': null, '60s': null }

export const bounding = (finalEquity: string, makerFills: number): BoundingRun => ({
  finalEquity,
  makerFills,
  makerQty: { BTC_USDT: '0.44' },
})

export const REPORT: RunReport = {
  version: '0.1.0',
  strategy: { name: 'sma-cross', sha256: 'cd'.repeat(32), file: 'sma-cross', path: null, imports: [], packages: [] },
  params: { symbol: 'BTC_USDT', interval: '1s', fast: 10, slow: 30 },
  tapes: [TAPE],
  config: {
    credit: { USDT: '10000' },
    makerFeeBps: '1',
    takerFeeBps: '5.5',
    liquidity: 'ideal',
    liquiditySha256: null,
    queueClips: 1,
    depthClips: 1,
    spread: null,
    staleAfterMs: null,
    believe: 'auto',
    orderLatencyMs: 50,
    responseLatencyMs: 0,
    feedLatencyMs: 0,
    onLimit: 'refuse',
    limits: { general: 600, mutations: 30, windowSeconds: 60 },
    maxOrder: null,
    maxPosition: null,
    collarPercent: null,
    ordersPerMinute: null,
    dayLoss: null,
    drawdownPercent: null,
    from: null,
    to: null,
    seed: 1,
  },
  digest: `sha256:${'0123456789abcdef'.repeat(4)}`,
  failure: null,
  audit: {
    assets: {
      BTC: { credited: '0', held: '0', fees: '0', difference: '0' },
      USDT: { credited: '10000', held: '9987.5', fees: '12.5', difference: '0' },
    },
    ok: true,
  },
  initialEquity: '10000',
  finalEquity: '10123.4567',
  quoteAsset: 'USDT',
  partial: false,
  balances: { BTC: { available: '0', locked: '0' }, USDT: { available: '10123.4567', locked: '0' } },
  orders: 24,
  fills: 31,
  unfinishedCandles: 0,
  refusals: { NO_LIQUIDITY: 1, INSUFFICIENT_BALANCE: 2 },
  riskRefusals: 0,
  recovered: 0,
  states: [],
  shortOrders: {},
  fillQuality: {
    BTC_USDT: {
      maker: {
        fills: 22,
        qty: '0.44',
        markoutBps: { '1s': -0.5, '5s': -1.234, '60s': null },
        byQueue: 15,
        byThrough: 7,
      },
      taker: { fills: 9, qty: '0.18', markoutBps: NO_MARKOUT, onOldQuote: 0 },
      ownFills: 0,
      recordedQty: '1234.5',
      shareOfVolume: 0.0005,
      gaps: 0,
      ordersAcrossGaps: 0,
    },
  },
  flattering: [],
  liquidityBounds: {
    through: bounding('10023.45', 7),
    tape: bounding('10123.4567', 22),
    touch: bounding('10456.7', 40),
  },
  statistics: {
    return: 0.01234567,
    buyAndHoldReturn: -0.0034,
    maxDrawdown: 0.0211,
    roundTrips: 12,
    openTrips: [],
    winRate: 7 / 12,
    fees: { USDT: '12.5' },
    exposure: 0.432,
  },
  notices: ['The column is_best_match of btcusdt.csv.gz was ignored.'],
}
