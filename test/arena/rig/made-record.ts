/** A record of a season with nothing in it, to which a test adds what it needs. */
import type { SeasonFill, SeasonRecord } from '../../../src/arena/season-record.ts'

const START = Date.UTC(2026, 0, 1)
const MINUTE = 60_000

/** @param curves  equity per account, one value per minute */
export function madeRecord(
  curves: Readonly<Record<string, readonly (number | bigint)[]>>,
  change: Partial<SeasonRecord> = {},
): SeasonRecord {
  const accounts = Object.keys(curves)
  const length = Object.values(curves)[0]?.length ?? 0
  return {
    rules: { selfTrading: 'reject', disqualifying: [] },
    markets: [
      {
        id: 'm1',
        name: 'BTC_USD',
        symbol: 'BTC_USD',
        baseAsset: 'BTC',
        quoteAsset: 'USD',
        pricePrecision: 2,
        qtyPrecision: 4,
      },
    ],
    quoteAsset: 'USD',
    valueScale: 6,
    players: accounts.map((account, index) => ({ account, name: account, joined: START, line: index + 2 })),
    orders: [],
    cancels: [],
    fills: [],
    samples: Array.from({ length }, (_, index) => ({
      time: START + index * MINUTE,
      equity: accounts.map((account) => BigInt(curves[account]?.[index] ?? 0)),
    })),
    start: START,
    end: START + (length - 1) * MINUTE,
    credits: new Map(),
    ...change,
  }
}

/** A fill of 1 BTC at 100.00 by a taker who buys. */
export const madeFill = (taker: string, maker: string, change: Partial<SeasonFill> = {}): SeasonFill => ({
  line: 10,
  time: START,
  symbol: 'BTC_USD',
  price: 10_000,
  qty: 10_000,
  maker: { account: maker, orderId: 1 },
  taker: { account: taker, orderId: 2 },
  takerSide: 'BUY',
  ...change,
})
