import { describe, expect, it } from 'vitest'
import { newYorkAheadMs } from '../../../src/import/formats/new-york.ts'
import { booksOf, eventsOf, shown, type ReadBooks } from './rig/book-texts.ts'

const T = 1_704_164_645_000
const reported = ({ events }: ReadBooks): readonly string[] =>
  events.map((event) => `${event.time - T} ${shown(event)}`)

describe('Bybit', () => {
  const message = (type: string, id: number, ms: number, bids: string, more: object = { cts: T + ms }): string => {
    const levels = bids === '' ? [] : bids.split(' ').map((level) => level.split('x'))
    return JSON.stringify({ topic: 'orderbook.500.BTCUSDT', type, ts: T + ms + 3, data: { s: 'BTCUSDT', b: levels, a: [], u: id, seq: 7 }, ...more }) // prettier-ignore
  }
  const BOOK = message('snapshot', 5, 0, '9x5')

  it.each`
    lines                                                                         | expected                                                     | why
    ${[BOOK, message('delta', 6, 1, '9x1')]}                                      | ${['0 5 snapshot 9x5|', '1 6 9x1|']}                         | ${'a change has the next number'}
    ${[message('delta', 4, 0, '9x1'), BOOK, message('delta', 6, 1, '')]}          | ${['0 5 snapshot 9x5|', '1 6 |']}                            | ${'what comes before the first snapshot is left out'}
    ${[BOOK, message('delta', 8, 1, '9x1'), message('delta', 9, 2, '9x2')]}       | ${['0 5 snapshot 9x5|', '1 8 gap 9x1|', '2 9 9x2|']}         | ${'a missing message is a gap'}
    ${[BOOK, message('delta', 6, 1, '9x1'), message('delta', 6, 1, '9x1')]}       | ${['0 5 snapshot 9x5|', '1 6 9x1|']}                         | ${'one that comes twice is reported once'}
    ${[BOOK, message('delta', 7, 2, '9x2'), message('delta', 6, 1, '9x1')]}       | ${['0 5 snapshot 9x5|', '2 7 gap 9x2|']}                     | ${'one that comes late is reported no more'}
    ${[BOOK, message('delta', 1, 1, '8x1'), message('delta', 2, 2, '8x2')]}       | ${['0 5 snapshot 9x5|', '1 1 snapshot 8x1|', '2 2 8x2|']}    | ${'number 1 begins anew'}
    ${[BOOK, message('snapshot', 99, 1, '8x1'), message('delta', 100, 2, '8x2')]} | ${['0 5 snapshot 9x5|', '1 99 snapshot 8x1|', '2 100 8x2|']} | ${'there may be several snapshots'}
    ${[BOOK, message('delta', 6, 1, '9x1', {})]}                                  | ${['0 5 snapshot 9x5|', '4 6 9x1|']}                         | ${'without a time of matching there is that of sending'}
  `('$why', async ({ lines, expected }: { lines: string[]; expected: string[] }) => {
    expect(reported(await eventsOf(lines))).toEqual(expected)
  })

  it.each`
    line                                                        | message
    ${message('delta', 6, 1, '9x1').slice(0, 50)}               | ${':2:51: expected'}
    ${message('delta', 6, 1, '9x1').replace('"u":6', '"u":-6')} | ${":2: expected an integer 'u', got '-6'"}
    ${message('change', 6, 1, '9x1')}                           | ${":2: expected a 'type' of snapshot or delta, got 'change'"}
    ${message('delta', 6, 1, '9').replace('["9"]', '["9"]')}    | ${":2: expected levels of a price and a quantity in 'b', got an array"}
  `('refuses by its line: $message', async ({ line, message: text }) => {
    await expect(eventsOf([BOOK, line])).rejects.toThrow(text)
  })
})

describe('Databento mbo', () => {
  const HEADER = 'ts_recv,ts_event,action,side,price,size,order_id,flags,symbol'
  const row = (ms: number, action: string, side: string, level: string, order: number, flags = 128): string =>
    `${T},${T + ms}000000,${action},${side},${level.replace('x', '000000000,')},${order},${flags},ES`

  /** A snapshot of 5 at 9 by two orders, and 1 at 10. */
  const BOOK = [row(0, 'R', 'N', '0x0', 0, 32), row(0, 'A', 'B', '9x2', 1, 32), row(0, 'A', 'B', '9x3', 2, 32), row(0, 'A', 'A', '10x1', 3, 160)] // prettier-ignore
  const SHOWN = '0 snapshot 9.000000000x5|10.000000000x1'

  it.each`
    rows                                                                                          | expected                                        | why
    ${[row(1, 'A', 'B', '9x4', 4)]}                                                               | ${['1 9.000000000x9|']}                         | ${'an order is added to its level'}
    ${[row(1, 'C', 'B', '9x1', 1)]}                                                               | ${['1 9.000000000x4|']}                         | ${'a part of one is taken away'}
    ${[row(1, 'M', 'B', '8x6', 1)]}                                                               | ${['1 9.000000000x3 8.000000000x6|']}           | ${'one moves to another price'}
    ${[row(1, 'M', 'B', '9x7', 1)]}                                                               | ${['1 9.000000000x10|']}                        | ${'or has another size'}
    ${[row(1, 'T', 'A', '9x2', 0, 0), row(1, 'F', 'B', '9x2', 1, 0), row(1, 'C', 'B', '9x2', 1)]} | ${['1 sell 9.000000000x2', '1 9.000000000x3|']} | ${'a trade changes nothing but by the cancel behind it'}
    ${[row(1, 'A', 'B', '8x1', 4, 0), row(1, 'A', 'B', '7x1', 5)]}                                | ${['1 8.000000000x1 7.000000000x1|']}           | ${'an event is all records up to its last'}
    ${[row(1, 'A', 'B', '8x1', 4, 0)]}                                                            | ${[]}                                           | ${'and none without it'}
    ${[row(1, 'C', 'B', '9x2', 77)]}                                                              | ${['1 gap |']}                                  | ${'an order that nobody knows was in a row that is missing'}
    ${[row(1, 'C', 'B', '9x9', 1)]}                                                               | ${['1 gap 9.000000000x3|']}                     | ${'so was what is more than is left of one'}
    ${[row(1, 'A', 'B', '9x4', 4), row(1, 'A', 'B', '9x4', 4)]}                                   | ${['1 9.000000000x9|']}                         | ${'an order that comes twice counts once'}
    ${[row(1, 'C', 'B', '9x4', 4), row(1, 'A', 'B', '9x4', 4)]}                                   | ${['1 gap |', '1 9.000000000x9|']}              | ${'one whose cancel came first is behind a gap'}
    ${[row(1, 'N', 'N', '0x0', 0, 132)]}                                                          | ${['1 gap |']}                                  | ${'a book that the venue doubts is one too'}
    ${[row(1, 'R', 'N', '0x0', 0, 32), row(1, 'A', 'B', '5x1', 9, 160)]}                          | ${['1 snapshot 5.000000000x1|']}                | ${'a clear begins anew'}
  `('$why', async ({ rows, expected }: { rows: string[]; expected: string[] }) => {
    const books = await eventsOf([HEADER, ...BOOK, ...rows])
    expect(reported(books)).toEqual([SHOWN, ...expected])
    expect(books.tally.gapCount).toBe(expected.filter((text) => text.includes('gap')).length)
  })

  it('leaves out what comes before a snapshot', async () => {
    const books = await eventsOf([HEADER, row(0, 'A', 'B', '1x1', 9), ...BOOK])
    expect(reported(books)).toEqual([SHOWN])
    expect(books.tally.counts.get('rows before the first snapshot')).toBe(1)
  })

  it.each`
    line                           | message
    ${row(1, 'X', 'B', '9x1', 9)}  | ${":6:3: expected A, C, M, R, T, F or N, got 'X'"}
    ${row(1, 'A', 'N', '9x1', 9)}  | ${":6:4: expected A or B, got 'N'"}
    ${row(1, 'T', 'X', '9x1', 9)}  | ${":6:4: expected A, B or N, got 'X'"}
    ${row(1, 'A', 'B', '9x-1', 9)} | ${":6:6: expected an integer, got '-1'"}
    ${'1,2,A'}                     | ${':6: expected 9 columns, got 3'}
  `('refuses by its line: $message', async ({ line, message }) => {
    await expect(eventsOf([HEADER, ...BOOK, line])).rejects.toThrow(message)
  })
})

describe('LOBSTER', () => {
  const names = ['AAPL_2012-06-21_34200000_57600000_message_2.csv', 'AAPL_2012-06-21_34200000_57600000_orderbook_2.csv']
  const MIDNIGHT = Date.parse('2012-06-21T04:00:00Z')
  const messages = ['34200.017459617,1,1,5,90000,1', '34200.2,1,2,3,80000,1', '34200.3,4,1,2,90000,1', '34200.4,3,1,3,90000,1', '34200.5,5,0,7,95000,-1', '34200.6,7,0,0,-1,-1'] // prettier-ignore
  const books = ['100000,1,90000,5,9999999999,0,-9999999999,0', '100000,1,90000,5,9999999999,0,80000,3', '100000,1,90000,3,9999999999,0,80000,3', '100000,1,80000,3,9999999999,0,70000,9', '100000,1,80000,3,9999999999,0,70000,9'] // prettier-ignore

  /** The reading is asked for the file of messages; that of the book is beside it. */
  const read = async (rows: readonly string[], levels: readonly string[]): Promise<ReadBooks> => {
    const { file } = await booksOf({ names: [...names], files: [] }, rows, levels)
    return booksOf({ files: [file] })
  }

  it('takes the book from its file, times and trades from its messages', async () => {
    const { events, tally } = await read(messages.slice(0, 5), books)
    expect(events.map((event) => `${event.time - MIDNIGHT} ${shown(event)}`)).toEqual([
      '34200017 snapshot 9.0000x5|10.0000x1',
      '34200200 snapshot 9.0000x5 8.0000x3|10.0000x1',
      '34200300 sell 9.0000x2',
      '34200300 snapshot 9.0000x3 8.0000x3|10.0000x1',
      // 7.0000 comes into sight, which no message reports.
      '34200400 snapshot 8.0000x3 7.0000x9|10.0000x1',
      '34200500 buy 9.5000x7',
    ])
    expect(tally.gapCount).toBe(0)
  })

  it.each`
    rows                                       | levels                              | gaps | why
    ${[...messages.slice(0, 2), messages[3]]}  | ${[...books.slice(0, 2), books[3]]} | ${1} | ${'a row that is missing in both'}
    ${[messages[0], messages[1], messages[1]]} | ${[books[0], books[1], books[1]]}   | ${1} | ${'one that comes twice'}
  `('reports of $why', async ({ rows, levels, gaps }) => {
    expect((await read(rows, levels)).tally.gapCount).toBe(gaps)
  })

  it.each`
    rows                                      | levels               | message
    ${messages.slice(0, 3)}                   | ${books.slice(0, 2)} | ${'orderbook_2.csv:3: expected a row for each of'}
    ${messages.slice(0, 2)}                   | ${books.slice(0, 3)} | ${'message_2.csv:3: expected a row for each of'}
    ${[messages[0], '34199.0,1,1,5,90000,1']} | ${books.slice(0, 2)} | ${':2: expected times of at most 1000 ms before the latest'}
    ${[messages[0], '34200.1,1,1']}           | ${books.slice(0, 2)} | ${':2: expected 6 columns, got 3'}
    ${[messages[0], '34200.1,9,1,5,90000,1']} | ${books.slice(0, 2)} | ${":2:2: expected a type from 1 to 7, got '9'"}
    ${[messages[0], '34200.1,1,1,5,90000,2']} | ${books.slice(0, 2)} | ${":2:6: expected 1 or -1, got '2'"}
    ${[messages[0], 'x,1,1,5,90000,1']}       | ${books.slice(0, 2)} | ${":2:1: expected seconds since midnight, got 'x'"}
  `('refuses by its line: $message', async ({ rows, levels, message }) => {
    await expect(read(rows, levels)).rejects.toThrow(message)
  })

  it('has the clock of New York, in summer and in winter', () => {
    expect(newYorkAheadMs('2012-06-21T12:00:00Z')).toBe(-4 * 3_600_000)
    expect(newYorkAheadMs('2012-01-21T12:00:00Z')).toBe(-5 * 3_600_000)
  })
})
