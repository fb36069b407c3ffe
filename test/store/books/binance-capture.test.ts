import { describe, expect, it } from 'vitest'
import { eventsOf, shown } from './rig/book-texts.ts'

/** Spot: ids have no holes. */
const diff = (first: number, last: number, levels = '', asks = ''): string =>
  JSON.stringify({ e: 'depthUpdate', E: 1_000_000_000_000 + last, s: 'BTCUSDT', U: first, u: last, b: levelsOf(levels), a: levelsOf(asks) }) // prettier-ignore

/** Futures: a message names the last id of the one before. */
const perp = (previous: number, first: number, last: number, levels = ''): string =>
  JSON.stringify({ e: 'depthUpdate', E: 1, T: 1_000_000_000_000 + last, s: 'BTCUSDT', U: first, u: last, pu: previous, b: levelsOf(levels), a: [] }) // prettier-ignore

const levelsOf = (text: string): readonly (readonly string[])[] =>
  text === '' ? [] : text.split(' ').map((level) => level.split('x'))

const snapshot = (id: number, bids = '9x5', asks = '11x5'): string =>
  JSON.stringify({ lastUpdateId: id, bids: levelsOf(bids), asks: levelsOf(asks) })

const ticker = (id: number, bid: string, ask: string): string => {
  const [[b, B] = [], [a, A] = []] = [levelsOf(bid)[0], levelsOf(ask)[0]]
  return JSON.stringify({ u: id, s: 'BTCUSDT', b, B, a, A })
}

describe('the sequence of spot', () => {
  it.each`
    lines                                                                                 | expected                                                                   | why
    ${[diff(1, 3), snapshot(3), diff(4, 5, '9x1')]}                                       | ${['3 snapshot 9x5|11x5', '5 9x1|']}                                       | ${'a snapshot of the id of a message stands where that does'}
    ${[diff(1, 3), diff(4, 6, '9x1'), snapshot(3), diff(7, 7)]}                           | ${['6 snapshot 9x1|11x5', '7 |']}                                          | ${'what came behind it is laid over it'}
    ${[diff(1, 3), diff(4, 6, '9x1'), snapshot(4), diff(7, 7)]}                           | ${['6 snapshot 9x1|11x5', '7 |']}                                          | ${'also where it fell in the middle of a message'}
    ${[snapshot(3), diff(2, 5, '9x1'), diff(6, 6)]}                                       | ${['5 snapshot 9x1|11x5', '6 |']}                                          | ${'a snapshot waits for the message that goes on from it'}
    ${[diff(1, 3), snapshot(8), diff(4, 8, '9x1'), diff(9, 9, '8x1')]}                    | ${['8 snapshot 9x5|11x5', '9 8x1|']}                                       | ${'and for all that it has seen'}
    ${[diff(4, 5), snapshot(2), diff(6, 7)]}                                              | ${[]}                                                                      | ${'one that is older than every message that can follow is no beginning'}
    ${[diff(1, 1), snapshot(1), diff(2, 2, '9x1'), diff(4, 4, '9x2'), diff(5, 5, '9x3')]} | ${['1 snapshot 9x5|11x5', '2 9x1|', '4 gap 9x2|', '5 9x3|']}               | ${'a missing message is a gap'}
    ${[diff(1, 1), snapshot(1), diff(3, 3), diff(4, 4), snapshot(3, '8x1'), diff(5, 5)]}  | ${['1 snapshot 9x5|11x5', '3 gap |', '4 |', '4 snapshot 8x1|11x5', '5 |']} | ${'which a snapshot ends'}
    ${[diff(1, 1), snapshot(1), diff(2, 2, '9x1'), diff(2, 2, '9x1'), diff(3, 3)]}        | ${['1 snapshot 9x5|11x5', '2 9x1|', '3 |']}                                | ${'a message that comes twice is reported once'}
    ${[diff(1, 1), snapshot(1), diff(3, 3, '9x3'), diff(2, 2, '9x2'), diff(4, 4)]}        | ${['1 snapshot 9x5|11x5', '3 gap 9x3|', '4 |']}                            | ${'one that comes late is not reported any more, and the gap stays'}
    ${[diff(1, 1), snapshot(1), snapshot(1, '7x1'), diff(2, 2)]}                          | ${['1 snapshot 9x5|11x5', '2 |']}                                          | ${'a known book needs no snapshot'}
    ${[diff(1, 3), diff(4, 6)]}                                                           | ${[]}                                                                      | ${'without a snapshot there is no book'}
  `('$why', async ({ lines, expected }: { lines: string[]; expected: string[] }) => {
    const { events } = await eventsOf(lines)
    expect(events.map((event) => shown(event))).toEqual(expected)
  })

  it('counts its gaps, with their places', async () => {
    const { tally, file } = await eventsOf([diff(1, 1), snapshot(1), diff(4, 5), diff(6, 6), diff(9, 9)])
    expect(tally.gapCount).toBe(2)
    expect(tally.gaps.map(({ where, why }) => `${where.replace(file, 'file')} ${why}`)).toEqual([
      'file:3 updates 2 to 3 are missing',
      'file:5 updates 7 to 8 are missing',
    ])
  })
})

it.each`
  lines                                                                       | expected                                 | why
  ${[perp(0, 2, 4), snapshot(4), perp(4, 7, 9, '9x1')]}                       | ${['4 snapshot 9x5|11x5', '9 9x1|']}     | ${'ids may have holes'}
  ${[perp(0, 2, 4), snapshot(5), perp(4, 7, 9, '9x1')]}                       | ${['9 snapshot 9x1|11x5']}               | ${'and a snapshot may fall into one'}
  ${[perp(0, 2, 4), snapshot(4), perp(5, 6, 9, '9x1')]}                       | ${['4 snapshot 9x5|11x5', '9 gap 9x1|']} | ${'a message that follows another than the last is behind a gap'}
  ${[perp(0, 2, 4), snapshot(4), perp(4, 5, 5, '9x1'), perp(4, 5, 5, '9x1')]} | ${['4 snapshot 9x5|11x5', '5 9x1|']}     | ${'one that comes twice is reported once'}
`('futures: $why', async ({ lines, expected }: { lines: string[]; expected: string[] }) => {
  const { events } = await eventsOf(lines)
  expect(events.map((event) => shown(event))).toEqual(expected)
})

it('goes on from one file to the next', async () => {
  const { events, tally } = await eventsOf([diff(1, 1), snapshot(1)], [diff(2, 2, '9x1'), diff(3, 3)])
  expect(events.map((event) => shown(event))).toEqual(['1 snapshot 9x5|11x5', '2 9x1|', '3 |'])
  expect(tally.gapCount).toBe(0)
})

it('puts quotes without a time between the frames that their ids are between, and never outside', async () => {
  const at = (ms: number, line: string): string => `${1_000_000_000_000 + ms}000000 ${line}`
  const lines = [
    // The clock of the receipt is right here, and a message travels at least a millisecond.
    ...[at(2, diff(1, 1)), at(2, snapshot(1)), at(12, ticker(11, '9x1', '10x1')), at(900, ticker(20, '9x2', '10x1'))],
    ...[at(31, diff(2, 30)), at(31, ticker(30, '9x3', '10x1')), at(95, ticker(40, '9x4', '10x1'))],
  ]
  const { events } = await eventsOf(lines)
  const quotes = events.filter(({ kind }) => kind === 'quotes')
  expect(quotes.map(({ time, ...event }) => [time - 1_000_000_000_000, 'id' in event && event.id])).toEqual([
    [11, 11],
    // It was received long after the frame that had seen it.
    [29, 20],
    [30, 30],
    [94, 40],
  ])
})

it('reports trades by their aggressor, each once', async () => {
  const trade = (id: number, isBuyerMaker: boolean, more = {}): string =>
    JSON.stringify({ e: 'trade', E: 1, T: 1_000_000_000_000, s: 'BTCUSDT', t: id, p: '9.10', q: '0.5', m: isBuyerMaker, ...more }) // prettier-ignore
  const lines = [diff(1, 1), trade(1, true), trade(2, false), trade(2, false), trade(3, true, { X: 'INSURANCE_FUND' })]
  const { events, tally } = await eventsOf(lines)
  expect(events.map((event) => shown(event))).toEqual(['sell 9.10x0.5', 'buy 9.10x0.5'])
  expect([...tally.counts.keys()].sort()).toEqual([
    'frames before the first snapshot',
    'repeated trades',
    'trades of the kind INSURANCE_FUND',
  ])
})

describe('what is wrong is refused by its line', () => {
  it.each`
    line                                                               | message
    ${diff(2, 2).slice(0, 60)}                                         | ${':3:61: expected'}
    ${diff(2, 2).replace('"u":2', '"u":"x"')}                          | ${":3: expected an integer 'u', got 'x'"}
    ${diff(2, 2).replace('"b":[]', '"b":3')}                           | ${":3: expected a list 'b', got a number"}
    ${diff(2, 2).replace('"b":[]', '"b":[["1"]]')}                     | ${":3: expected levels of a price and a quantity in 'b', got an array"}
    ${diff(2, 2, '-1x2')}                                              | ${":3: expected a price such as 12.5, got '-1'"}
    ${diff(2, 2, '0x2')}                                               | ${":3: expected a price above 0, got '0'"}
    ${diff(2, 2, '9x1e40')}                                            | ${":3: expected a quantity of at most 2^53 - 1 units, got '1e40'"}
    ${diff(2, 2, '9x0.1234567890123')}                                 | ${":3: expected a quantity with at most 12 decimals, got '0.1234567890123'"}
    ${'{"e":"trade","E":1,"T":1,"s":"BTCUSDT","t":1,"p":"9","q":"1"}'} | ${":3: expected true or false 'm', got "}
    ${diff(2, 2).replace('BTCUSDT', 'ETHUSDT')}                        | ${":3: expected 'BTCUSDT' as before, got 'ETHUSDT'; choose one with"}
  `('$message', async ({ line, message }) => {
    await expect(eventsOf([diff(1, 1), snapshot(1), line])).rejects.toThrow(message)
  })

  it('also a file of something else', async () => {
    await expect(eventsOf(['{"a":1}'])).rejects.toThrow('expected books or quotes in JSON, of Binance streams')
  })
})
