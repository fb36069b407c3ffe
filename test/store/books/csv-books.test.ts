import { describe, expect, it } from 'vitest'
import { booksOf, eventsOf, shown, type ReadBooks } from './rig/book-texts.ts'

/** Of the first event of each time, in milliseconds behind T. */
const T = 1_704_164_645_000
const reported = ({ events }: ReadBooks): readonly string[] =>
  events.map((event) => `${event.time - T} ${shown(event)}`)

describe('Tardis incremental_book_L2', () => {
  const HEADER = 'exchange,symbol,timestamp,local_timestamp,is_snapshot,side,price,amount'
  const row = (ms: number, received: number, isSnapshot: boolean, side: string, level: string): string =>
    `deribit,BTC-PERPETUAL,${T + ms}000,${T + received}000,${isSnapshot},${side},${level.replace('x', ',')}`

  const BOOK = [row(0, 5, true, 'bid', '9.5x5'), row(0, 5, true, 'ask', '10x1')]

  it.each`
    rows                                                                           | expected                                                  | why
    ${[...BOOK, row(1, 6, false, 'bid', '9.5x0')]}                                 | ${['0 snapshot 9.5x5|10x1', '1 9.5x0|']}                  | ${'a message is all of one receipt'}
    ${[row(0, 4, false, 'bid', '9x1'), ...BOOK]}                                   | ${['0 snapshot 9.5x5|10x1']}                              | ${'what comes before the first snapshot is left out'}
    ${[...BOOK, row(1, 6, false, 'bid', '9x1'), row(2, 7, true, 'bid', '8x1')]}    | ${['0 snapshot 9.5x5|10x1', '1 9x1|', '2 snapshot 8x1|']} | ${'a snapshot may come again'}
    ${[...BOOK, row(2, 7, true, 'bid', '8x1')]}                                    | ${['0 snapshot 9.5x5|10x1', '2 snapshot 8x1|']}           | ${'some venues tell nothing else'}
    ${[...BOOK, row(1, 6, false, 'ask', '11x1'), row(1, 6, false, 'ask', '11x1')]} | ${['0 snapshot 9.5x5|10x1', '1 |11x1 11x1']}              | ${'a row twice is reported twice, and counts once'}
    ${[...BOOK, row(9, 9, false, 'bid', '9x1'), row(8, 10, false, 'bid', '9x2')]}  | ${['0 snapshot 9.5x5|10x1', '9 9x1|', '8 9x2|']}          | ${'a row whose time goes back keeps its place'}
  `('$why', async ({ rows, expected }: { rows: string[]; expected: string[] }) => {
    const books = await eventsOf([HEADER, ...rows])
    expect(reported(books)).toEqual(expected)
    const [depth] = books.parts
    if (depth?.kind !== 'depth') throw new Error('it has a book')
    expect([...depth.block.time]).toEqual([...depth.block.time].sort((a, b) => a - b))
    expect(depth.pricePrecision).toBe(1)
  })

  it('counts what was left out or reported twice', async () => {
    const rows = [
      row(0, 4, false, 'bid', '9x1'),
      ...BOOK,
      row(1, 6, false, 'ask', '11x1'),
      row(1, 6, false, 'ask', '11x2'),
    ]
    const { tally, parts } = await eventsOf([HEADER, ...rows])
    expect([...tally.counts]).toEqual([['rows before the first snapshot', 1], ['levels repeated within a frame', 1]]) // prettier-ignore
    expect(parts.flatMap((part) => (part.kind === 'depth' ? [...part.block.qty] : []))).toEqual([5, 1, 2])
  })

  it.each`
    line                                                      | message
    ${row(0, 5, true, 'bid', '9x1').slice(0, 40)}             | ${':3: expected 8 columns, got 4'}
    ${row(0, 5, true, 'bid', '9x1').replace('true', 'maybe')} | ${":3:5: expected true or false, got 'maybe'"}
    ${row(0, 5, true, 'buy', '9x1')}                          | ${":3:6: expected bid or ask, got 'buy'"}
    ${row(0, 5, true, 'bid', '9,5x1')}                        | ${':3: expected 8 columns, got 9'}
    ${row(0, 5, true, 'bid', 'x1')}                           | ${":3:7: expected a price such as 12.5, got ''"}
    ${row(-2_000, 7, false, 'bid', '9x1')}                    | ${':3: expected times of at most 1000 ms before the latest, got one 2000 ms before it'}
    ${row(0, 5, true, 'bid', '9x1').replace('BTC', 'ETH')}    | ${":3: expected 'BTC-PERPETUAL' as before, got 'ETH-PERPETUAL'"}
    ${'a,b'}                                                  | ${':3: expected 8 columns, got 2'}
    ${row(0, 5, true, 'bid', '9x1').replace('170', 'x')}      | ${':3:3: expected'}
  `('refuses by its line: $message', async ({ line, message }) => {
    await expect(eventsOf([HEADER, row(0, 5, true, 'bid', '9x1'), line])).rejects.toThrow(message)
  })

  it('reads one market of several, where it is named', async () => {
    const rows = [...BOOK, row(1, 6, false, 'bid', '7x1').replace('BTC', 'ETH')]
    const { events, tally } = await booksOf({ market: 'BTC-PERPETUAL' }, [HEADER, ...rows])
    expect(events).toHaveLength(1)
    expect(tally.counts.get('rows of ETH-PERPETUAL')).toBe(1)
  })
})

describe('levels in columns', () => {
  it.each`
    header                                                                                                                                                             | row                                                                                   | expected                                                   | why
    ${'exchange,symbol,timestamp,local_timestamp,asks[0].price,asks[0].amount,bids[0].price,bids[0].amount,asks[1].price,asks[1].amount,bids[1].price,bids[1].amount'} | ${`x,B,${T}000,${T}009,10,1,9,2,11,3,8,4`}                                            | ${'0 snapshot 9x2 8x4|10x1 11x3'}                          | ${'Tardis book_snapshot'}
    ${'time,bid1_price,bid1_qty,ask1_price,ask1_qty,bid2_price,bid2_qty,ask2_price,ask2_qty'}                                                                          | ${`${T},9,2,10,1,8,4,11,3`}                                                           | ${'0 snapshot 9x2 8x4|10x1 11x3'}                          | ${'an export that counts from 1'}
    ${'ts_event,bid_px_00,ask_px_00,bid_sz_00,ask_sz_00,bid_ct_00,ask_ct_00,bid_px_01,ask_px_01,bid_sz_01,ask_sz_01,bid_ct_01,ask_ct_01'}                              | ${`${T}000000,9000000000,10500000000,2,1,1,1,8000000000,9223372036854775807,4,0,1,0`} | ${'0 snapshot 9.000000000x2 8.000000000x4|10.500000000x1'} | ${'Databento mbp in units of 10^-9, a level that is not there'}
    ${'ts_recv,ts_event,action,side,price,size,bid_px_00,ask_px_00,bid_sz_00,ask_sz_00,symbol'}                                                                        | ${'2024-01-02T03:04:05.100Z,2024-01-02T03:04:05Z,A,B,9,1,9.00,10.50,2,1,ES'}          | ${'0 9.00x2|10.50x1'}                                      | ${'of one level they are quotes'}
  `('$why', async ({ header, row, expected }) => {
    expect(reported(await eventsOf([header, row]))).toEqual([expected])
  })

  it('reports the trades among the rows of Databento, and rows that change nothing once', async () => {
    const header = 'ts_recv,ts_event,action,side,price,size,bid_px_00,ask_px_00,bid_sz_00,ask_sz_00'
    const rows = [`${T},${T},A,B,9,1,9,10,2,1`, `${T},${T + 1},T,B,10,1,9,10,2,1`, `${T},${T + 2},C,A,10,1,9,11,2,4`]
    const books = await eventsOf([header, ...rows])
    expect(reported(books)).toEqual(['0 9x2|10x1', '1 buy 10x1', '2 9x2|11x4'])
    expect([...books.tally.counts]).toEqual([['rows with unchanged levels', 1]])
    expect(books.parts.map(({ kind }) => kind)).toEqual(['quotes', 'trades'])
  })

  it('leaves levels where a snapshot does not reach', async () => {
    const header = 'time,bid_price_0,bid_qty_0,ask_price_0,ask_qty_0,bid_price_1,bid_qty_1,ask_price_1,ask_qty_1'
    const { parts } = await eventsOf([header, `${T},9,2,10,1,8,4,11,3`, `${T},9,2,10,1,7,4,11,3`])
    const [depth] = parts
    if (depth?.kind !== 'depth') throw new Error('it has a book')
    expect([...depth.block.price]).toEqual([9, 8, 10, 11, 9, 7, 10, 11])
    expect([...depth.block.flags]).toEqual([1, 0, 0, 2, 1, 0, 0, 2])
  })
})

describe('quotes', () => {
  const HEADER = 'update_id,best_bid_price,best_bid_qty,best_ask_price,best_ask_qty,transaction_time,event_time'
  const row = (id: number, ms: number, bid = '9,2', ask = '10,1'): string =>
    `${id},${bid},${ask},${T + ms},${T + ms + 5}`

  it('of Binance are put into the order of time and number, each once', async () => {
    const rows = [row(1, 0), row(3, 7, '9,3'), row(2, 7, '9,4'), row(3, 7, '9,3'), row(5, 9, '9,5'), row(4, 8, '9,6')]
    const { parts, tally } = await eventsOf([HEADER, ...rows])
    const [quotes] = parts
    if (quotes?.kind !== 'quotes') throw new Error('they are quotes')
    expect([...quotes.block.bidQty]).toEqual([2, 4, 3, 6, 5])
    expect([...quotes.block.time].map((time) => time - T)).toEqual([0, 7, 7, 8, 9])
    expect(Object.fromEntries(tally.counts)).toEqual({
      'repeated quotes': 1,
      'quotes received out of order': 2,
    })
  })

  it('of Tardis may have an empty side', async () => {
    const header = 'exchange,symbol,timestamp,local_timestamp,ask_amount,ask_price,bid_price,bid_amount'
    const books = await eventsOf([header, `x,B,${T}000,${T}001,1,10,9,2`, `x,B,${T + 1}000,${T}002,,,9,2`])
    expect(reported(books)).toEqual(['0 9x2|10x1', '1 9x2|none'])
    const [quotes] = books.parts
    if (quotes?.kind !== 'quotes') throw new Error('they are quotes')
    expect([[...quotes.block.ask], [...quotes.block.askQty]]).toEqual([[10, 0], [1, 0]]) // prettier-ignore
  })

  it.each`
    line                             | message
    ${row(2, -1_500)}                | ${':3: expected times of at most 1000 ms before the latest, got one 1500 ms before it'}
    ${'2,9,2,10'}                    | ${':3: expected 7 columns, got 4'}
    ${row(2, 0).replace('2,', 'x,')} | ${":3:1: expected an integer, got 'x'"}
  `('refuses by its line: $message', async ({ line, message }) => {
    await expect(eventsOf([HEADER, row(1, 0), line])).rejects.toThrow(message)
  })
})

describe('the long form', () => {
  const HEADER = 'time,side,price,qty,snapshot'

  it('has rows of one time as one frame, and snapshots apart', async () => {
    const rows = [`${T},bid,9,5,1`, `${T},ask,10,1,1`, `${T},bid,9,0,0`, `${T + 1},buy,8,1,0`, `${T + 1},sell,10,0,0`]
    expect(reported(await eventsOf([HEADER, ...rows]))).toEqual(['0 snapshot 9x5|10x1', '0 9x0|', '1 8x1|10x0'])
  })

  it.each`
    line                   | message
    ${`${T},bid,9,5`}      | ${':3: expected 5 columns, got 4'}
    ${`${T},middle,9,5,0`} | ${":3:2: expected bid or ask, got 'middle'"}
    ${`${T},bid,9,-5,0`}   | ${":3:4: expected a quantity such as 12.5, got '-5'"}
    ${`then,bid,9,5,0`}    | ${':3:1: expected Unix'}
    ${''}                  | ${':3: expected a row, got an empty line'}
  `('refuses by its line: $message', async ({ line, message }) => {
    await expect(eventsOf([HEADER, `${T},bid,9,5,1`, line, `${T},bid,9,5,0`])).rejects.toThrow(message)
  })
})

it('refuses what no book can be made of by its name', async () => {
  await expect(eventsOf(['timestamp,percentage,depth,notional', '2024-01-01 00:00:08,-5,1,2'])).rejects.toThrow(
    ':1: is a Binance bookDepth file: it has sums in percent bands every 30 seconds, not an order book',
  )
  await expect(eventsOf(['a,b', '1,2'])).rejects.toThrow(
    ':1: unknown header: expected a CSV of books or quotes (Tardis incremental_book_L2, ',
  )
})
