/**
 * What goes of single orders, as recordings report it that know each by its id: since when it rested, how much, and
 * whether it was traded.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { longCsvHeader, LongCsvText } from '../../../src/store/books/long-csv-text.ts'
import { BID, SEEN_TO_COME, TRADED, type DepthBlock } from '../../../src/tape/depth-block.ts'
import { runs, needed } from '../../property/property.ts'
import { booksOf, eventsOf, type ReadBooks } from './rig/book-texts.ts'
import { DATABENTO_HEADER, LOBSTER_NAMES, orderTexts, T, type WentOf } from './rig/order-texts.ts'

const blocksOf = ({ parts }: ReadBooks): readonly (DepthBlock & { readonly units: readonly [number, number] })[] =>
  parts.flatMap((part) =>
    part.kind === 'depth'
      ? [{ ...part.block, units: [10 ** part.pricePrecision, 10 ** part.qtyPrecision] as const }]
      : [],
  )

/** In whole prices and lots. */
const wentIn = (books: ReadBooks): readonly WentOf[] =>
  blocksOf(books).flatMap(({ falls, time, units: [price, qty] }): readonly WentOf[] => {
    if (falls === undefined) throw new Error('it tells orders')
    return Array.from({ length: falls.length }, (_, at) => ({
      time: time[falls.row[at] ?? -1] ?? Number.NaN,
      side: falls.side[at] === BID ? 'bid' : 'ask',
      price: (falls.price[at] ?? 0) / price,
      since: falls.since[at] ?? 0,
      lots: (falls.lots[at] ?? 0) / qty,
      isTraded: ((falls.kind[at] ?? 0) & TRADED) !== 0,
      isSeenToCome: ((falls.kind[at] ?? 0) & SEEN_TO_COME) !== 0,
    }))
  })

const text = (reported: readonly WentOf[]): readonly string[] => reported.map((each) => JSON.stringify(each))

const readLobster = async (messages: readonly string[], books: readonly string[]): Promise<ReadBooks> => {
  const { file } = await booksOf({ names: LOBSTER_NAMES, files: [] }, messages, books)
  return booksOf({ files: [file] })
}

it('is read from Databento and from LOBSTER as it was in the market, whatever happens in a millisecond', async () => {
  let count = 0
  await fc.assert(
    fc.asyncProperty(orderTexts, async ({ databento, lobster, went }) => {
      expect(text(wentIn(await eventsOf([DATABENTO_HEADER, ...databento])))).toEqual(text(went))
      const read = await readLobster(lobster.messages, lobster.books)
      expect(read.tally.gapCount).toBe(0)
      expect(text(wentIn(read))).toEqual(text(went))
      count += went.length
    }),
    { numRuns: runs(60) },
  )
  expect(count).toBeGreaterThan(needed(200))
})

it('is the same once it was written as CSV and read again', async () => {
  await fc.assert(
    fc.asyncProperty(orderTexts, async ({ databento }) => {
      const first = await eventsOf([DATABENTO_HEADER, ...databento])
      const writer = new LongCsvText(true)
      const lines = first.parts.flatMap((part) => (part.kind === 'depth' ? [...writer.add(part)] : []))
      const again = await eventsOf([longCsvHeader(true), ...lines, ...writer.end()])
      expect(text(wentIn(again))).toEqual(text(wentIn(first)))
    }),
    { numRuns: runs(60) },
  )
})

describe('Databento mbo', () => {
  const row = (ms: number, action: string, side: string, level: string, order: number, flags = 128): string =>
    `${T},${T + ms}000000,${action},${side},${level.replace('x', '000000000,')},${order},${flags},ES`
  const BOOK = [row(0, 'R', 'N', '0x0', 0, 32), row(0, 'A', 'B', '9x2', 1, 32), row(0, 'A', 'B', '9x3', 2, 160)]
  const short = ({ time, price, since, lots, isTraded, isSeenToCome }: WentOf): string =>
    `${time - T} ${isTraded ? 'traded' : 'gone'} ${price}x${lots} ${isSeenToCome ? 'of' : 'by'} ${since - T}`

  it.each`
    rows                                                                                                                             | expected                                    | why
    ${[row(1, 'A', 'B', '9x4', 4), row(5, 'C', 'B', '9x1', 4)]}                                                                      | ${['5 gone 9x1 of 1']}                      | ${'a part of one keeps its place'}
    ${[row(1, 'M', 'B', '9x1', 2), row(5, 'C', 'B', '9x1', 2)]}                                                                      | ${['1 gone 9x2 by 0', '5 gone 9x1 by 0']}   | ${'so does one that becomes smaller'}
    ${[row(1, 'M', 'B', '9x7', 2), row(5, 'C', 'B', '9x7', 2)]}                                                                      | ${['1 gone 9x3 by 0', '5 gone 9x7 of 1']}   | ${'one that grows goes to the end'}
    ${[row(1, 'M', 'B', '8x3', 2), row(5, 'C', 'B', '8x3', 2)]}                                                                      | ${['1 gone 9x3 by 0', '5 gone 8x3 of 1']}   | ${'so does one at another price'}
    ${[row(1, 'M', 'B', '9x3', 2), row(5, 'C', 'B', '9x3', 2)]}                                                                      | ${['5 gone 9x3 by 0']}                      | ${'one that stays as it is stays where it is'}
    ${[row(1, 'T', 'A', '9x2', 0, 0), row(1, 'F', 'B', '9x2', 1, 0), row(1, 'C', 'B', '9x2', 1)]}                                    | ${['1 traded 9x2 by 0']}                    | ${'what was filled and then taken away was traded'}
    ${[row(1, 'F', 'B', '9x1', 1, 0), row(1, 'C', 'B', '9x2', 1)]}                                                                   | ${['1 traded 9x1 by 0', '1 gone 9x1 by 0']} | ${'the rest of it was cancelled'}
    ${[row(1, 'F', 'B', '9x9', 77, 0), row(1, 'C', 'B', '9x2', 1)]}                                                                  | ${['1 gone 9x2 by 0']}                      | ${'a fill of an order that nobody knows is none'}
    ${[row(1, 'A', 'B', '9x4', 4, 0), row(1, 'C', 'B', '9x4', 4)]}                                                                   | ${[]}                                       | ${'one that comes and is cancelled at once was seen by nobody'}
    ${[row(1, 'R', 'N', '0x0', 0, 32), row(1, 'A', 'B', '9x3', 2, 160), row(2, 'C', 'B', '9x3', 2)]}                                 | ${['2 gone 9x3 by 0']}                      | ${'who is reported again by a snapshot has not moved'}
    ${[row(1, 'R', 'N', '0x0', 0, 32), row(1, 'A', 'B', '9x4', 2, 160), row(2, 'C', 'B', '9x4', 2)]}                                 | ${['2 gone 9x4 by 1']}                      | ${'unless there is more of it'}
    ${[row(1, 'A', 'B', '9x4', 4), row(0, 'A', 'B', '9x5', 5), row(1, 'C', 'B', '9x5', 5)]}                                          | ${['1 gone 9x5 of 1']}                      | ${'times never go back'}
    ${[row(1, 'T', 'A', '9x2', 0, 0), row(1, 'C', 'B', '9x2', 1)]}                                                                   | ${['1 traded 9x2 by 0']}                    | ${'where no fill is reported, whoever goes at the price of a trade was traded'}
    ${[row(1, 'T', 'A', '9x1', 0, 0), row(1, 'C', 'B', '9x2', 1)]}                                                                   | ${['1 traded 9x1 by 0', '1 gone 9x1 by 0']} | ${'as much as it traded'}
    ${[row(1, 'T', 'A', '9x2', 0, 0), row(1, 'C', 'B', '9x2', 1, 0), row(1, 'F', 'B', '9x2', 1)]}                                    | ${['1 traded 9x2 by 0']}                    | ${'a fill may come behind its cancel'}
    ${[row(1, 'T', 'A', '9x2', 0, 0), row(1, 'C', 'B', '9x3', 2, 0), row(1, 'F', 'B', '9x2', 1, 0), row(1, 'C', 'B', '9x2', 1)]}     | ${['1 gone 9x3 by 0', '1 traded 9x2 by 0']} | ${'where it is reported, nobody else was'}
    ${[row(1, 'T', 'B', '9x2', 0, 0), row(1, 'C', 'B', '9x2', 1)]}                                                                   | ${['1 gone 9x2 by 0']}                      | ${'a buyer trades with no bid'}
    ${[row(1, 'R', 'N', '0x0', 0, 32), row(1, 'R', 'N', '0x0', 0, 32), row(1, 'A', 'B', '9x3', 2, 160), row(2, 'C', 'B', '9x3', 2)]} | ${['2 gone 9x3 by 0']}                      | ${'a book may be cleared twice'}
    ${[row(1, 'M', 'B', '9x4', 77), row(2, 'C', 'B', '9x4', 77)]}                                                                    | ${['2 gone 9x4 by 1']}                      | ${'one that is changed and that nobody knows was there before'}
    ${[row(1, 'A', 'B', '9x4', 4), row(2, 'R', 'N', '0x0', 0, 32), row(2, 'A', 'B', '9x4', 4, 160), row(3, 'C', 'B', '9x4', 4)]}     | ${['3 gone 9x4 of 1']}                      | ${'who was seen to come stays so'}
  `('$why', async ({ rows, expected }: { rows: string[]; expected: string[] }) => {
    expect(wentIn(await eventsOf([DATABENTO_HEADER, ...BOOK, ...rows])).map((each) => short(each))).toEqual(expected)
  })
})

it('of an order alone is refused by its line where the level is not reported with it', async () => {
  const rows = [longCsvHeader(true), `${T},bid,9,5,1,,,`, `${T + 1},bid,9,2,0,${T},1,1`]
  await expect(eventsOf(rows)).rejects.toThrow(':3: expected the level of what went of an order, at the same time')
  const [, , late] = rows.map((line) => line.replace(`,${T},1`, `,${T + 2},1`))
  await expect(eventsOf([...rows.slice(0, 2), late ?? ''])).rejects.toThrow(
    ':3:6: expected a time that is not behind that of the row',
  )
  await expect(eventsOf([...rows.slice(0, 2), `${T + 1},bid,9,2,0,${T},x,1`])).rejects.toThrow(
    ":3:7: expected true or false, got 'x'",
  )
})

describe('LOBSTER', () => {
  const book = (bids: string): string => {
    const levels = bids.split(' ').map((level) => level.split('x'))
    return levels.map(([price, qty]) => `1000000,5,${price}0000,${qty}`).join(',')
  }
  const short = ({ time, price, since, lots }: WentOf): string =>
    `${(time - T) / 1_000} ${price}x${lots} of ${(since - T) / 1_000}`
  const names = LOBSTER_NAMES.map((name) => name.replace('10.csv', '2.csv'))
  const read = async (rows: readonly (readonly [string, string])[]): Promise<readonly string[]> => {
    const { file } = await booksOf({ names, files: [] }, rows.map(([message]) => message), rows.map(([, levels]) => book(levels))) // prettier-ignore
    return wentIn(await booksOf({ files: [file] })).map((each) => short(each))
  }
  const FIRST = ['36000,1,1,2,90000,1', '9x5 8x4'] as const

  it('an order that was there before the first message rests since that', async () => {
    expect(await read([FIRST, ['36003,3,77,3,90000,1', '9x2 8x4']])).toEqual(['3 9x3 of 0'])
  })

  it('one of a level that came into sight rests since then, as far as anybody knows', async () => {
    const rows = [FIRST, ['36002,3,1,5,90000,1', '8x4 7x6'], ['36005,3,78,6,70000,1', '8x4 6x1']] as const
    expect(await read(rows)).toEqual(['2 9x5 of 0', '5 7x6 of 2'])
  })

  it('one that came in sight and saw its level go out of it and back keeps its moment', async () => {
    const rows = [
      ['36000,1,1,4,80000,1', '9x5 8x4'],
      ['36001,1,2,1,100000,1', '10x1 9x5'],
      ['36002,3,2,1,100000,1', '9x5 8x4'],
      ['36003,3,1,4,80000,1', '9x5 7x1'],
    ] as const
    expect(await read(rows)).toEqual(['2 10x1 of 1', '3 8x4 of 0'])
  })
})
