import { describe, expect, it } from 'vitest'
import { RecordedBook } from '../../../src/tape/book/recorded-book.ts'
import { ASK, BID } from '../../../src/tape/depth-block.ts'
import { depthBlockOf, type MadeFrame, type MadeLevel } from '../rig/depth-of.ts'

type Frame = Partial<MadeFrame>

const levelsOf = (text: string): readonly MadeLevel[] =>
  text === '' ? [] : text.split(' ').map((level) => level.split('x').map(Number) as [number, number])

/** Bids, then asks: `9x1 8x2 | 11x1`. */
const frame = (text: string, more: Frame = {}): MadeFrame => {
  const [bids = '', asks = ''] = text.split('|').map((side) => side.trim())
  return { time: 1, ...more, bids: levelsOf(bids), asks: levelsOf(asks) }
}

const snapshot = (text: string): MadeFrame => frame(text, { isSnapshot: true })

const bookOf = (...frames: readonly MadeFrame[]): RecordedBook => {
  const book = new RecordedBook()
  book.apply(depthBlockOf(frames))
  return book
}

const reported = (book: RecordedBook): string => {
  const { bids, asks } = book.levels(9)
  const text = (levels: typeof bids): string => levels.map(({ price, qty }) => `${price}x${qty}`).join(' ')
  return `${text(bids)} | ${text(asks)}`.trim()
}

const BOOK = snapshot('9x5 8x4 7x3 | 11x5 12x4 13x3')

describe('a frame', () => {
  it.each`
    frames                                   | expected                          | why
    ${[frame('9x2|')]}                       | ${'9x2 8x4 7x3 | 11x5 12x4 13x3'} | ${'tells what rests from here on, not what came'}
    ${[frame('9x0|')]}                       | ${'8x4 7x3 | 11x5 12x4 13x3'}     | ${'tells of a level that has gone'}
    ${[frame('6x0|')]}                       | ${'9x5 8x4 7x3 | 11x5 12x4 13x3'} | ${'may tell of one that nobody knew'}
    ${[frame('10x1|11x0')]}                  | ${'10x1 9x5 8x4 7x3 | 12x4 13x3'} | ${'may make a new best'}
    ${[frame('12x1|')]}                      | ${'12x1 9x5 8x4 7x3 | 13x3'}      | ${'passes the levels of the other side that it meets'}
    ${[frame('|8x1')]}                       | ${'7x3 | 8x1 11x5 12x4 13x3'}     | ${'either way'}
    ${[frame('12x1|'), frame('|11x5 12x4')]} | ${'9x5 8x4 7x3 | 11x5 12x4 13x3'} | ${'has what it tells again of what it passed'}
    ${[frame('12x1|11x9')]}                  | ${'9x5 8x4 7x3 | 13x3'}           | ${'that meets itself is believed on neither side'}
    ${[snapshot('9x5 6x1|11x7')]}            | ${'9x5 6x1 | 11x7'}               | ${'of a snapshot leaves nothing that it does not name'}
    ${[snapshot('1x0|')]}                    | ${'|'}                            | ${'of an empty snapshot leaves nothing'}
  `('$why', ({ frames, expected }: { frames: MadeFrame[]; expected: string }) => {
    expect(reported(bookOf(BOOK, ...frames))).toBe(expected)
  })
})

describe('a trade', () => {
  it.each`
    price | isBuyerMaker | expected                          | why
    ${11} | ${false}     | ${'9x5 8x4 7x3 | 11x5 12x4 13x3'} | ${'at the best price leaves its level, of which some may be left'}
    ${12} | ${false}     | ${'9x5 8x4 7x3 | 12x4 13x3'}      | ${'beyond it has passed what was better'}
    ${10} | ${false}     | ${'9x5 8x4 7x3 | 11x5 12x4 13x3'} | ${'inside of the spread has passed nothing'}
    ${8}  | ${false}     | ${'7x3 | 11x5 12x4 13x3'}         | ${'of a buyer at a price at which nobody can have bid'}
    ${8}  | ${true}      | ${'8x4 7x3 | 11x5 12x4 13x3'}     | ${'of a seller has passed the bids that were better'}
    ${12} | ${true}      | ${'9x5 8x4 7x3 | 13x3'}           | ${'of a seller to a bid at which nobody can have offered'}
  `('$why', ({ price, isBuyerMaker, expected }) => {
    const book = bookOf(BOOK)
    book.traded(price, isBuyerMaker)
    expect(reported(book)).toBe(expected)
  })
})

describe('a book', () => {
  it.each`
    frames                                                       | isKnown  | why
    ${[]}                                                        | ${false} | ${'knows nothing at first'}
    ${[frame('9x1|')]}                                           | ${false} | ${'knows nothing by changes alone'}
    ${[BOOK]}                                                    | ${true}  | ${'knows a snapshot'}
    ${[BOOK, frame('9x1|', { hasGap: true })]}                   | ${false} | ${'does not know what a gap hides'}
    ${[BOOK, frame('9x1|', { hasGap: true }), frame('8x1|')]}    | ${false} | ${'nor after what comes behind it'}
    ${[BOOK, frame('9x1|', { hasGap: true }), BOOK]}             | ${true}  | ${'until a snapshot'}
    ${[BOOK, frame('9x1|', { hasGap: true, isSnapshot: true })]} | ${true}  | ${'which may be that of the gap itself'}
  `('$why', ({ frames, isKnown }: { frames: MadeFrame[]; isKnown: boolean }) => {
    expect(bookOf(...frames).isKnown).toBe(isKnown)
  })

  it('keeps its levels behind a gap, for the snapshot that ends it is compared with them', () => {
    const book = bookOf(BOOK)
    book.gap()
    expect(book.isKnown).toBe(false)
    expect(reported(book)).toBe('9x5 8x4 7x3 | 11x5 12x4 13x3')
  })

  it.each`
    price | isShown  | why
    ${9}  | ${true}  | ${'a level'}
    ${10} | ${true}  | ${'better than the best'}
    ${7}  | ${true}  | ${'the last of the snapshot'}
    ${6}  | ${false} | ${'behind it'}
    ${5}  | ${true}  | ${'behind it, and reported since'}
  `('$price is shown: $isShown, $why', ({ price, isShown }) => {
    expect(bookOf(BOOK, frame('5x1|')).isShown(BID, price)).toBe(isShown)
    expect(bookOf(BOOK, frame('|15x1')).isShown(ASK, 20 - price)).toBe(isShown)
  })

  it('reports what an order would meet, as far as the book goes', () => {
    const book = bookOf(BOOK)
    expect(book.costOf(ASK, 7)).toEqual({ lots: 7, notional: 11n * 5n + 12n * 2n, worst: 12 })
    expect(book.costOf(BID, 100)).toEqual({ lots: 12, notional: 9n * 5n + 8n * 4n + 7n * 3n, worst: 7 })
    expect(book.costOf(BID, 0)).toEqual({ lots: 0, notional: 0n, worst: 9 })
    expect(new RecordedBook().costOf(ASK, 1)).toEqual({ lots: 0, notional: 0n, worst: undefined })
  })

  it('knows the levels behind the best from a snapshot to a gap, and none by quotes', () => {
    const quote = { length: 1, time: Float64Array.of(1), bid: Float64Array.of(9), bidQty: Float64Array.of(1) }
    const [book, asks] = [new RecordedBook(), { ask: Float64Array.of(11), askQty: Float64Array.of(1) }]
    const seen: (readonly [isKnown: boolean, isDeep: boolean])[] = []
    const look = (): unknown => seen.push([book.isKnown, book.isDeep])
    look()
    book.applyQuotes({ ...quote, ...asks })
    look()
    book.apply(depthBlockOf([BOOK]))
    look()
    book.gap()
    look()
    book.applyQuotes({ ...quote, ...asks })
    look()
    expect(seen).toEqual([
      [false, false],
      [true, false],
      [true, true],
      [false, false],
      [true, false],
    ])
  })

  it('reports to its listener what trades did to it, in their order', () => {
    const book = bookOf(BOOK)
    const heard: string[] = []
    book.listeners.push({
      onTraded: (...args) => heard.push(`traded ${args.join(' ')}`),
      onLowered: (...args) => heard.push(`lowered ${args.join(' ')}`),
    })
    book.traded(9, true)
    book.lower(BID, 9, 2)
    expect(heard).toEqual(['traded 9 true', 'lowered 0 9 2'])
  })
})
