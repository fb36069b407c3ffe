import { describe, expect, it } from 'vitest'
import { compareLogs, marketWords } from '../../../src/runtime/parity/compare-logs.ts'
import { SessionLog } from '../../../src/runtime/parity/session-log.ts'

function logOf(lines: readonly object[], marketData: readonly object[] = []): SessionLog {
  const log = new SessionLog()
  for (const line of marketData) log.onMarketData(JSON.stringify(line))
  for (const line of lines) log.onLine(JSON.stringify(line))
  return log
}

const place = (t: number, qty = '1') => ({ t, type: 'place', request: { qty }, ref: 1 })
const acknowledged = (t: number, ref: number) => ({ t, type: 'acknowledged', ref, order: { id: String(ref) } })
const refused = (t: number, ref: number) => ({ t, type: 'refused', ref, code: 'INSUFFICIENT_BALANCE' })
const order = (t: number, id: string, status: string) => ({ t, type: 'order', order: { id, status } })
const fill = (t: number, tradeId: string, fee: string) => ({ t, type: 'fill', fill: { tradeId, fee, isMaker: false } })
const balances = (t: number, USD: string) => ({ t, type: 'balances', balances: { USD } })
const end = (t: number, USD: string) => ({ t, type: 'end', balances: { USD } })
const candle = (t: number, close: string) => ({ t, type: 'candle', close })

describe('two sessions that are the same', () => {
  it.each([
    [
      'answers and states of one moment in another order',
      [
        acknowledged(5, 1),
        order(5, '1', 'OPEN'),
        balances(5, '9'),
        acknowledged(5, 2),
        order(5, '2', 'OPEN'),
        balances(5, '8'),
      ],
      [acknowledged(5, 1), acknowledged(5, 2), order(5, '2', 'OPEN'), order(5, '1', 'OPEN'), balances(5, '8')],
    ],
    [
      'balances that are reported again',
      [balances(5, '9'), balances(6, '9'), end(7, '9')],
      [balances(5, '9'), end(7, '9')],
    ],
    [
      'balances that came and went within a moment',
      [balances(4, '9'), balances(5, '8'), balances(5, '9')],
      [balances(4, '9')],
    ],
    [
      'ids of ten and more',
      [order(5, '10', 'OPEN'), order(5, '9', 'OPEN')],
      [order(5, '9', 'OPEN'), order(5, '10', 'OPEN')],
    ],
    ['what only a simulated market tells', [{ t: 5, type: 'rested', orderId: '1' }], []],
  ])('%s', (_, inProcess, live) => {
    expect(compareLogs(logOf(inProcess), logOf(live)).difference).toBeUndefined()
  })
})

describe('the first difference', () => {
  it.each([
    ['a request at another time', [place(5)], [place(6)], { cause: 'strategy', time: 5 }],
    ['a request that only one side made', [], [place(6)], { cause: 'strategy', time: 6, inProcess: undefined }],
    [
      'an order that was refused on one side',
      [place(5), acknowledged(5, 1)],
      [place(5), refused(5, 1)],
      { cause: 'refusal', time: 5 },
    ],
    ['an answer at another time', [acknowledged(5, 1)], [acknowledged(6, 1)], { cause: 'order', time: 5 }],
    [
      'states of one order in another order',
      [order(5, '1', 'OPEN'), order(5, '1', 'FILLED')],
      [order(5, '1', 'FILLED'), order(5, '1', 'OPEN')],
      { cause: 'order', time: 5 },
    ],
    [
      'a fee',
      [fill(5, '1', '0.1'), balances(5, '9')],
      [fill(5, '1', '0.2'), balances(5, '8')],
      { cause: 'fill', time: 5, kind: 'fill' },
    ],
    ['balances at the end', [end(7, '9')], [end(7, '8')], { cause: 'balance', time: 7 }],
    ['the earlier of two', [balances(5, '9'), place(6)], [balances(5, '8'), place(7)], { cause: 'balance', time: 5 }],
  ])('%s', (_, inProcess, live, expected) => {
    expect(compareLogs(logOf(inProcess), logOf(live)).difference).toMatchObject(expected)
  })

  it('of a request comes from market data that differed before it', () => {
    const { difference, marketData } = compareLogs(
      logOf([place(6)], [candle(4, '1'), candle(5, '2')]),
      logOf([place(6, '2')], [candle(4, '1'), candle(5, '3')]),
    )
    expect(difference).toMatchObject({ cause: 'market data', time: 6 })
    expect(marketData).toMatchObject({ time: 5, inProcess: JSON.stringify(candle(5, '2')) })
  })

  it('of a request does not come from market data that differed only behind it', () => {
    const { difference } = compareLogs(logOf([place(6)], [candle(7, '1')]), logOf([place(6, '2')], [candle(7, '2')]))
    expect(difference?.cause).toBe('strategy')
  })

  it.each([
    [60_000, 120_000, 'live', '1970-01-01T00:01:00.000Z'],
    [undefined, 120_000, 'in process', '1970-01-01T00:02:00.000Z'],
  ])('of candles that open at %s and %s is one that the run %s lacks', (ours, theirs, side, open) => {
    const opened = (time: number | undefined): readonly object[] =>
      time === undefined ? [] : [{ ...candle(180_000, '1'), time }]
    const { marketData } = compareLogs(logOf([], opened(ours)), logOf([], opened(theirs)))
    expect(marketData && marketWords(marketData)).toBe(`the run ${side} received no candle that opens at ${open}`)
  })

  it('is none where market data alone differs', () => {
    const { difference, marketData } = compareLogs(logOf([], [candle(5, '1')]), logOf([], []))
    expect(difference).toBeUndefined()
    expect(marketData).toMatchObject({ time: 5, live: undefined })
  })
})
