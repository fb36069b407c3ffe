/**
 * Snapshots: the same bytes whenever they are taken of the same state, and an exchange that goes on as if nothing had
 * been.
 *
 * That a restored exchange answers everything like the one before, after any command, is held by twin.slow.test.ts.
 */
import { describe, expect, it } from 'vitest'
import { CANDLE_INTERVAL_NAMES } from '../../src/domain/candle.ts'
import { createExchange } from '../../src/exchange/create-exchange.ts'
import type { Exchange, HistoryLimits, SnapshotExchange } from '../../src/exchange/exchange.ts'
import type { ExchangeSnapshot } from '../../src/exchange/snapshot/exchange-snapshot.ts'
import { restoreExchange } from '../../src/exchange/restore-exchange.ts'
import { KEEP_ALL, market } from './rig/configs.ts'

const SYMBOL = 'BTC_USD'
const MINUTE = 60_000
const MARKET = market(SYMBOL, { pricePrecision: 2, qtyPrecision: 3, makerFeeBps: '1', takerFeeBps: '2.5' })

const written = (exchange: SnapshotExchange): string => JSON.stringify(exchange.snapshot())
const read = (text: string): ExchangeSnapshot => JSON.parse(text) as ExchangeSnapshot

/** Orders that rest, are filled in part, filled, cancelled; and days of prints, more than a chunk of them. */
function busyExchange(history: HistoryLimits): SnapshotExchange {
  const exchange = createExchange({ markets: [MARKET], quoteAsset: 'USD', history })
  let time = 1
  const place = (account: string, side: 'BUY' | 'SELL', price: number, qty: number): void => {
    exchange.execute({ type: 'place', time, account, request: { symbol: SYMBOL, side, type: 'LIMIT', price, qty } })
  }
  exchange.execute({ type: 'credit', time, account: 'maker', asset: 'BTC', amount: 10n ** 9n })
  exchange.execute({ type: 'credit', time, account: 'taker', asset: 'USD', amount: 10n ** 40n })
  for (let turn = 0; turn < 5_000; turn += 1) {
    time += MINUTE
    exchange.print({
      symbol: SYMBOL,
      time,
      price: 10_000 + (turn % 97),
      qty: 1 + (turn % 7),
      isBuyerMaker: turn % 2 === 0,
    })
    if (turn % 100 !== 0) continue
    place('maker', 'SELL', 10_100 + turn, 10)
    place('maker', 'SELL', 10_100 + turn, 10)
    place('taker', 'BUY', 10_100 + turn, 13)
    place('taker', 'BUY', 9_000, 7)
    exchange.execute({ type: 'cancel', time, account: 'taker', orderId: exchange.lastOrderId })
  }
  return exchange
}

/** What the public sees of it now. */
const shown = (exchange: Exchange, now: number): unknown => ({
  ticker: exchange.ticker(SYMBOL, now),
  candles: CANDLE_INTERVAL_NAMES.map((interval) => exchange.candles(SYMBOL, { interval, limit: 1_000 })),
  trades: exchange.trades(SYMBOL, 1_000),
  depth: exchange.depth(SYMBOL),
})

describe('a snapshot', () => {
  it.each`
    history                                            | why
    ${KEEP_ALL}                                        | ${'Infinity is not in JSON'}
    ${{ orders: 3, fills: 2, trades: 10, candles: 4 }} | ${'lists that have turned over'}
    ${{ orders: 0, fills: 0, trades: 0, candles: 0 }}  | ${'nothing is kept'}
  `('of a restored exchange is the one that it was restored from: $why', ({ history }: { history: HistoryLimits }) => {
    const text = written(busyExchange(history))
    expect(written(restoreExchange(read(text)))).toBe(text)
  })

  it('takes nothing away: the exchange goes on, and so does the restored one, trade by trade', () => {
    const exchange = busyExchange(KEEP_ALL)
    const restored = restoreExchange(read(written(exchange)))
    const { time } = exchange.snapshot()
    for (const later of [0, 30 * MINUTE, 13 * 60 * MINUTE, 25 * 60 * MINUTE]) {
      for (const each of [exchange, restored]) {
        each.print({ symbol: SYMBOL, time: time + later, price: 9_990, qty: 3, isBuyerMaker: false })
      }
      expect(shown(restored, time + later)).toEqual(shown(exchange, time + later))
    }
    expect(written(restored)).toBe(written(exchange))
  })

  it('makes exchanges that go on apart, although they share the candles that both have', () => {
    const history = { ...KEEP_ALL, candles: 4 }
    const snapshot = busyExchange(history).snapshot()
    const text = JSON.stringify(snapshot)
    const goOn = (exchange: SnapshotExchange, price: number): SnapshotExchange => {
      for (let turn = 1; turn <= 20; turn += 1) {
        const time = snapshot.time + turn * MINUTE
        exchange.print({ symbol: SYMBOL, time, price: price + turn, qty: turn, isBuyerMaker: false })
      }
      return exchange
    }
    const [one, other] = [restoreExchange(snapshot), restoreExchange(snapshot)]
    goOn(one, 5_000)
    goOn(other, 20_000)
    expect(written(one)).toBe(written(goOn(restoreExchange(read(text)), 5_000)))
    expect(written(other)).toBe(written(goOn(restoreExchange(read(text)), 20_000)))
    expect(written(restoreExchange(snapshot))).toBe(text)
  })

  it('does not change when the exchange goes on', () => {
    const exchange = createExchange({ markets: [MARKET], quoteAsset: 'USD', history: KEEP_ALL })
    exchange.print({ symbol: SYMBOL, time: 1, price: 1, qty: 1, isBuyerMaker: false })
    const snapshot = exchange.snapshot()
    const before = JSON.stringify(snapshot)
    exchange.print({ symbol: SYMBOL, time: 2, price: 2, qty: 2, isBuyerMaker: false })
    expect(JSON.stringify(snapshot)).toBe(before)
  })

  it('holds the same bytes long after the trades of its window are outside of it', () => {
    const exchange = busyExchange(KEEP_ALL)
    const restored = restoreExchange(read(written(exchange)))
    const { time } = exchange.snapshot()
    for (let turn = 1; turn <= 1_800; turn += 1) {
      const print = { symbol: SYMBOL, time: time + turn * MINUTE, price: 10_000, qty: 1, isBuyerMaker: false }
      for (const each of [exchange, restored]) each.print(print)
    }
    expect(written(restored)).toBe(written(exchange))
  })

  it.each`
    change                                                                                                   | fault                                                  | why
    ${(s: ExchangeSnapshot) => ({ ...s, states: [] })}                                                       | ${'lacks the state of a market'}                       | ${'markets without their state'}
    ${(s: ExchangeSnapshot) => ({ ...s, ledger: { ...s.ledger, credited: ['1', '1'] } })}                    | ${'what was credited of BTC is not all there'}         | ${'money is missing'}
    ${(s: ExchangeSnapshot) => ({ ...s, history: {} })}                                                      | ${'does not say how many orders are kept'}             | ${'limits are missing'}
    ${(s: ExchangeSnapshot) => ({ ...s, accounts: s.accounts.slice(1) })}                                    | ${"states.0.asks.0: its account 'maker' is not there"} | ${'an account is missing'}
    ${(s: ExchangeSnapshot) => ({ ...s, accounts: s.accounts.map((a) => ({ ...a, locked: ['-5', '0'] })) })} | ${'accounts.0: maker owes'}                            | ${'less than nothing'}
  `(
    'is refused when $why',
    ({ change, fault }: { change: (s: ExchangeSnapshot) => ExchangeSnapshot; fault: string }) => {
      const snapshot = read(written(busyExchange({ orders: 0, fills: 0, trades: 0, candles: 0 })))
      expect(() => restoreExchange(change(snapshot))).toThrow(fault)
    },
  )

  it('of another format is refused with both numbers', () => {
    const snapshot = {
      ...createExchange({ markets: [MARKET], quoteAsset: 'USD', history: KEEP_ALL }).snapshot(),
      format: 3,
    }
    expect(() => restoreExchange(snapshot)).toThrow('snapshot: has format 3, this version reads 2')
  })
})
