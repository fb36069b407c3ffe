/**
 * A recorded market in memory, and a backtest made ready on it without a file: what benchmarks of a whole run play.
 */
import { z } from 'zod'
import type { MarketConfig } from '../src/domain/market.ts'
import type { PreparedBacktest } from '../src/runtime/backtest/prepared-backtest.ts'
import { liquidity } from '../src/simulation/liquidity/liquidity-models.ts'
import type { Strategy } from '../src/strategy/strategy.ts'
import { SIDE_BUY, SIDE_SELL, type Tape, type TapeBlock } from '../src/tape/tape.ts'

export const SYMBOL = 'BTC_USD'
const PRICE_PRECISION = 2
const QTY_PRECISION = 5

const BLOCK_ROWS = 65_536

/** A walk of prices, half of the trades in the millisecond of the one before, from a generator of Lehmer's kind. */
export function recordedBlocks(rows: number): readonly TapeBlock[] {
  let state = 1
  const below = (limit: number): number => {
    state = (state * 48_271) % 2_147_483_647
    return state % limit
  }
  let time = 1_723_161_255_342
  let price = 6_183_763
  const blocks: TapeBlock[] = []
  for (let start = 0; start < rows; start += BLOCK_ROWS) {
    const block = emptyBlock(Math.min(BLOCK_ROWS, rows - start))
    for (let row = 0; row < block.length; row += 1) {
      if (below(2) === 0) time += below(80)
      price += below(5) - 2
      block.time[row] = time
      block.price[row] = price
      block.qty[row] = 1 + below(99_999)
      block.side[row] = below(2) === 0 ? SIDE_SELL : SIDE_BUY
    }
    blocks.push(block)
  }
  return blocks
}

const emptyBlock = (length: number): TapeBlock => ({
  length,
  time: new Float64Array(length),
  price: new Float64Array(length),
  qty: new Float64Array(length),
  side: new Uint8Array(length),
  ids: undefined,
})

function tapeOf(blocks: readonly TapeBlock[]): Tape {
  const last = blocks.at(-1)
  return {
    info: {
      symbol: SYMBOL,
      kind: 'trades',
      file: 'memory',
      sha256: '',
      rows: blocks.reduce((rows, { length }) => rows + length, 0),
      emptyCandles: 0,
      from: blocks[0]?.time[0] ?? 0,
      to: last?.time[last.length - 1] ?? 0,
      pricePrecision: PRICE_PRECISION,
      qtyPrecision: QTY_PRECISION,
      rowsAtPricePrecision: 0,
      rowsAtQtyPrecision: 0,
      hasSides: true,
      hasConditions: false,
      notices: [],
    },
    // eslint-disable-next-line @typescript-eslint/require-await -- a tape is read asynchronously, also one that is there already
    blocks: async function* () {
      yield* blocks
    },
  }
}

/** No fees, no limits, the product's latencies and liquidity, and as much money and stock as a strategy may need. */
export function prepared(run: Strategy['run'], blocks: readonly TapeBlock[]): PreparedBacktest {
  const tape = tapeOf(blocks)
  const market: MarketConfig = {
    id: SYMBOL,
    name: SYMBOL,
    symbol: SYMBOL,
    baseAsset: 'BTC',
    quoteAsset: 'USD',
    pricePrecision: PRICE_PRECISION,
    qtyPrecision: QTY_PRECISION,
    makerFeeBps: '0',
    takerFeeBps: '0',
    selfTrade: 'allow',
  }
  const terms = { queueSize: 1, levelSize: 1, staleAfterMs: 600_000 }
  return {
    settings: {
      strategy: 'bench',
      paramTexts: {},
      params: {},
      tapes: [],
      books: [],
      credit: {},
      makerFeeBps: '0',
      takerFeeBps: '0',
      liquidity: 'tape',
      ...terms,
      spread: null,
      staleAfterMs: null,
      printFilter: 'auto',
      orderLatencyMs: 50,
      responseLatencyMs: 0,
      feedLatencyMs: 0,
      onLimit: 'refuse',
      rounding: null,
      maxOrdersAtOnce: null,
      limits: null,
      ...{ maxOrder: null, maxPosition: null, collarPercent: null },
      ...{ ordersPerMinute: null, dayLoss: null, drawdownPercent: null, atLimit: null },
      ...{ statsPeriod: '1d', periodsPerYear: null, riskFreeRate: 0 },
      from: null,
      warmupMs: null,
      to: null,
      seed: 1,
    },
    loaded: {
      strategy: { name: 'bench', params: z.object({}), run },
      reference: 'bench',
      path: '',
      isReady: false,
      sha256: '',
    },
    params: {},
    liquidity: { reference: 'tape', ...liquidity('tape'), sha256: null },
    candleTapes: new Map(),
    liquiditySetups: new Map([[SYMBOL, { symbol: SYMBOL, recorded: 'trades', spread: undefined, terms }]]),
    inspected: [],
    inspectedBooks: [],
    inspectedSeries: [],
    tapes: [tape],
    books: [],
    markets: [market],
    quoteAsset: 'USD',
    credit: new Map([
      ['USD', 10n ** 14n],
      ['BTC', 10n ** 8n],
    ]),
    creditTexts: { USD: '10000000', BTC: '1000' },
    from: tape.info.from,
    to: tape.info.to,
  }
}
