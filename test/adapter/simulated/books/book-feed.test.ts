/**
 * The recorded book of a simulated market as a client is reported of it.
 */
import { describe, expect, it } from 'vitest'
import { BookStage, BTC, depthText, levelsText, quoteText, type BookStageOptions } from './rig/book-stage.ts'

const SNAPSHOT = '999x500 998x400 997x300 | 1001x500 1002x400 1003x300'

interface Heard {
  readonly stage: BookStage
  readonly texts: string[]
}

function hearingQuotes(options?: BookStageOptions): Heard {
  const stage = new BookStage(options)
  const texts: string[] = []
  stage.books.quotes(BTC).subscribe((quote) => texts.push(`${stage.queue.now()}; ${quoteText(quote)}`))
  return { stage, texts }
}

function hearingDepth(
  terms: { readonly levels: number; readonly everyMs?: number },
  options?: BookStageOptions,
): Heard {
  const stage = new BookStage(options)
  const texts: string[] = []
  stage.books
    .depth(BTC, { everyMs: undefined, ...terms })
    .subscribe((depth) => texts.push(`${stage.queue.now()}; ${depthText(depth)}`))
  return { stage, texts }
}

describe('quotes', () => {
  it('are emitted when a price or a size of the touch changes, by a quote or by a frame, and not otherwise', () => {
    const { stage, texts } = hearingQuotes()
    stage.snapshot(10, SNAPSHOT)
    stage.frame(20, '998x100 |')
    stage.frame(30, '999x200 |')
    stage.quote(40, 999, 200, 1_001, 500)
    stage.quote(50, 1_000, 7, 1_001, 500)
    stage.frame(60, '1000x0 |')
    expect(texts).toEqual([
      '10; 10: 99.9x5 | 100.1x5',
      '30; 30: 99.9x2 | 100.1x5',
      '50; 50: 100x0.07 | 100.1x5',
      '60; 60: 99.9x2 | 100.1x5',
    ])
  })

  it('report neither price nor size of a side on which no one is, and no middle then', () => {
    const stage = new BookStage({ hasLevels: false })
    const reported: unknown[] = []
    stage.books
      .quotes(BTC)
      .subscribe(({ bid, bidQty, ask, askQty, mid, midNumber, bidNumber, askQtyNumber }) =>
        reported.push(
          [bid, bidQty, ask, askQty, mid, midNumber, bidNumber, askQtyNumber].map((each) => each?.toString()),
        ),
      )
    stage.quote(10, 999, 5, 0, 0)
    stage.quote(20, 0, 0, 1_000, 5)
    stage.quote(30, 999, 5, 1_000, 5)
    expect(reported).toEqual([
      ['99.9', '0.05', undefined, undefined, undefined, undefined, '99.9', undefined],
      [undefined, undefined, '100', '0.05', undefined, undefined, undefined, '0.05'],
      ['99.9', '0.05', '100', '0.05', '99.95', '99.95', '99.9', '0.05'],
    ])
  })

  it('say nothing of a frame while the touch is not known, and are reported by the next quote', () => {
    const { stage, texts } = hearingQuotes()
    stage.frame(5, '998x100 |')
    stage.snapshot(10, SNAPSHOT)
    stage.frame(20, '999x100 |', { hasGap: true })
    stage.quote(30, 998, 1, 1_001, 1)
    expect(texts).toEqual(['10; 10: 99.9x5 | 100.1x5', '30; 30: 99.8x0.01 | 100.1x0.01'])
  })

  it('come after the feed latency, with the time at which they were reported', () => {
    const { stage, texts } = hearingQuotes({ feedMs: 30 })
    stage.snapshot(10, SNAPSHOT)
    stage.quote(25, 999, 7, 1_001, 500)
    stage.end(39)
    expect(texts).toEqual([])
    stage.end(55)
    expect(texts).toEqual(['40; 10: 99.9x5 | 100.1x5', '55; 25: 99.9x0.07 | 100.1x5'])
  })

  it('begin with the first change behind the moment at which somebody listens', () => {
    const { stage, texts } = hearingQuotes()
    stage.snapshot(10, SNAPSHOT)
    const later: string[] = []
    const other = new BookStage()
    other.snapshot(10, SNAPSHOT)
    other.books.quotes(BTC).subscribe((quote) => later.push(quoteText(quote)))
    for (const each of [stage, other]) {
      each.frame(20, '998x1 |')
      each.frame(30, '999x1 |')
    }
    expect(texts).toHaveLength(2)
    expect(later).toEqual(['30: 99.9x0.01 | 100.1x5'])
  })
})

describe('depth', () => {
  it('reports the best levels after each frame, as values that stay what they are', () => {
    const stage = new BookStage()
    const reported: Parameters<typeof depthText>[0][] = []
    stage.books.depth(BTC, { levels: 2, everyMs: undefined }).subscribe((depth) => reported.push(depth))
    stage.snapshot(10, SNAPSHOT)
    stage.quote(15, 999, 1, 1_001, 1)
    stage.frame(20, '999x0 | 1000x3')
    expect(reported.map(depthText)).toEqual([
      '10: 99.9x5 99.8x4 | 100.1x5 100.2x4',
      '20: 99.8x4 99.7x3 | 100x0.03 100.1x0.01',
    ])
    expect(reported[0]?.bids[0]).toBe(reported[0]?.bids[0])
    expect([reported[0]?.asks[0]?.priceNumber, reported[0]?.asks[0]?.qtyNumber]).toEqual([100.1, 5])
    expect(Object.isFrozen(reported[0]?.bids)).toBe(true)
  })

  it('with a span reports the last state at each of its boundaries at which there is something new', () => {
    const { stage, texts } = hearingDepth({ levels: 1, everyMs: 1_000 })
    stage.snapshot(10, SNAPSHOT)
    stage.frame(700, '999x1 |')
    stage.frame(1_000, '999x2 |')
    stage.frame(3_000, '999x3 |')
    stage.frame(3_001, '999x4 |')
    stage.end(9_000)
    expect(texts).toEqual([
      '1000; 1000: 99.9x0.02 | 100.1x5',
      '3000; 3000: 99.9x0.03 | 100.1x5',
      '4000; 3001: 99.9x0.04 | 100.1x5',
    ])
  })

  it('with a span and a feed latency reports at boundaries what has arrived by then', () => {
    const { stage, texts } = hearingDepth({ levels: 1, everyMs: 1_000 }, { feedMs: 300 })
    stage.snapshot(700, SNAPSHOT)
    stage.frame(701, '999x1 |')
    stage.end(9_000)
    expect(texts).toEqual(['1000; 700: 99.9x5 | 100.1x5', '2000; 701: 99.9x0.01 | 100.1x5'])
  })

  it('is silent while levels are not known: before a snapshot, and behind a gap, whatever quotes report', () => {
    const { stage, texts } = hearingDepth({ levels: 1 })
    stage.frame(5, '999x1 |')
    stage.snapshot(10, SNAPSHOT)
    stage.frame(20, '999x1 |', { hasGap: true })
    stage.quote(25, 999, 1, 1_001, 1)
    stage.frame(30, '999x2 |')
    stage.snapshot(40, '990x1 | 1010x1')
    expect(texts).toEqual(['10; 10: 99.9x5 | 100.1x5', '40; 40: 99x0.01 | 101x0.01'])
  })

  it('of a gap that comes before the boundary reports nothing there', () => {
    const { stage, texts } = hearingDepth({ levels: 1, everyMs: 1_000 })
    stage.snapshot(10, SNAPSHOT)
    stage.frame(20, '999x1 |', { hasGap: true })
    stage.end(2_000)
    expect(texts).toEqual([])
  })
})

describe('the book', () => {
  it('is read as it is now', () => {
    const stage = new BookStage()
    const book = stage.books.book(BTC)
    expect([book.symbol, book.isKnown, book.time, book.bestBid, book.bestAsk]).toEqual([
      BTC,
      false,
      undefined,
      undefined,
      undefined,
    ])
    stage.snapshot(10, SNAPSHOT)
    expect([book.isKnown, book.time, book.bestBid?.toString(), book.bestAsk?.toString()]).toEqual([
      true,
      10,
      '99.9',
      '100.1',
    ])
    expect(levelsText(book.levels(2).asks)).toBe('100.1x5 100.2x4')
    stage.trade(20, 1_001, 450, 'buy')
    expect(levelsText(book.levels(2).asks)).toBe('100.1x0.5 100.2x4')
    stage.frame(30, '999x1 |', { hasGap: true })
    expect([book.isKnown, book.time, book.bestBid?.toString()]).toEqual([false, 30, '99.9'])
  })

  it.each`
    side      | price       | qty    | why
    ${'BUY'}  | ${'99.9'}   | ${'5'} | ${'a bid'}
    ${'SELL'} | ${'100.20'} | ${'4'} | ${'an ask'}
    ${'SELL'} | ${'99.9'}   | ${'0'} | ${'a bid is no ask'}
    ${'BUY'}  | ${'99.95'}  | ${'0'} | ${'between two ticks'}
    ${'BUY'}  | ${'1e300'}  | ${'0'} | ${'beyond everything'}
  `('at $price has $qty on the side $side: $why', ({ side, price, qty }) => {
    const stage = new BookStage()
    stage.snapshot(10, SNAPSHOT)
    expect(stage.books.book(BTC).qtyAt(side, price).toString()).toBe(qty)
  })

  it.each`
    side      | qty        | expected                                | why
    ${'BUY'}  | ${'5'}     | ${['5', '500.5', '100.1', '100.1']}     | ${'the best asks'}
    ${'BUY'}  | ${'10'}    | ${['10', '1001.6', '100.16', '100.3']}  | ${'three levels'}
    ${'SELL'} | ${'8'}     | ${['8', '798.9', '99.8625', '99.8']}    | ${'what is bid'}
    ${'BUY'}  | ${'1e30'}  | ${['12', '1202.2', undefined, '100.3']} | ${'all there is, and no more'}
    ${'BUY'}  | ${'0.019'} | ${['0.01', '1.001', '100.1', '100.1']}  | ${'whole lots'}
    ${'BUY'}  | ${0}       | ${['0', '0', 'none', 'none']}           | ${'nothing'}
  `('has $expected for a $side of $qty: $why', ({ side, qty, expected }) => {
    const stage = new BookStage()
    stage.snapshot(10, SNAPSHOT)
    const cost = stage.books.book(BTC).costOf(side, qty)
    const [filled, notional, average, worst] = expected as readonly (string | undefined)[]
    expect([cost.qty.toString(), cost.notional.toString()]).toEqual([filled, notional])
    expect(cost.worstPrice?.toString() ?? 'none').toBe(worst)
    if (average !== undefined) expect(cost.averagePrice?.toString() ?? 'none').toBe(average)
  })

  it('after the feed latency is what it was then, recorded trades and the pieces that ours had of them included', () => {
    const stage = new BookStage({ feedMs: 100 })
    const book = stage.books.book(BTC)
    stage.snapshot(10, SNAPSHOT)
    stage.end(109)
    expect([book.isKnown, book.time]).toEqual([false, undefined])
    stage.order('BUY', 100, 999)
    stage.trade(150, 998, 600, 'sell')
    stage.end(249)
    expect([book.isKnown, book.bestBid?.toString()]).toEqual([true, '99.9'])
    stage.end(250)
    expect(levelsText(book.levels(9).bids)).toBe('99.7x3')
    expect(stage.depth.book.levels(9).bids).toEqual([{ price: 997, qty: 300 }])
  })

  it('that is asked for in the middle knows nothing until the state of that moment has come', () => {
    const stage = new BookStage({ feedMs: 100 })
    stage.snapshot(10, SNAPSHOT)
    stage.end(1_000)
    const book = stage.books.book(BTC)
    stage.frame(1_050, '999x1 |')
    stage.end(1_099)
    expect(book.isKnown).toBe(false)
    stage.end(1_100)
    expect([book.isKnown, book.time, book.qtyAt('BUY', '99.9').toString()]).toEqual([true, 10, '5'])
    stage.end(1_150)
    expect([book.time, book.qtyAt('BUY', '99.9').toString()]).toEqual([1_050, '0.01'])
  })

  it('refuses what is no count of levels, no quantity, and no side', () => {
    const book = new BookStage().books.book(BTC)
    expect(() => book.levels(0)).toThrow("book('BTC_USD').levels: expected levels of 1 to 1000, a whole number, got 0")
    expect(() => book.costOf('BUY', -1)).toThrow("book('BTC_USD').costOf: expected a quantity of 0 or more, got -1")
    expect(() => book.costOf('BUY', Number.NaN)).toThrow('got NaN')
    const noSide = 'buy' as 'BUY'
    expect(() => book.costOf(noSide, 1)).toThrow("book('BTC_USD').costOf: expected BUY or SELL, got 'buy'")
    expect(() => book.qtyAt(noSide, 1)).toThrow("book('BTC_USD').qtyAt: expected BUY or SELL, got 'buy'")
  })
})

describe('what no one asks for costs nothing', () => {
  const listeners = (stage: BookStage): number =>
    stage.market.listeners.filter((each) => 'onDepth' in each || 'onQuote' in each).length

  it('until a word is used no one listens to the book, and a book that does not travel needs no one', () => {
    const stage = new BookStage()
    const before = listeners(stage)
    const { books } = stage
    books.book(BTC)
    expect([before, listeners(stage)]).toEqual([0, 0])
    books.quotes(BTC)
    books.depth(BTC, { levels: 1, everyMs: undefined })
    books.depth(BTC, { levels: 2, everyMs: 1_000 })
    expect(listeners(stage)).toBe(1)
  })

  it('one listener keeps the book that travels, for all words', () => {
    const stage = new BookStage({ feedMs: 5 })
    expect(listeners(stage)).toBe(0)
    stage.books.book(BTC)
    stage.books.quotes(BTC)
    expect(listeners(stage)).toBe(1)
  })

  it('streams are the same for all who ask for the same, and are not fed while no one listens', () => {
    const stage = new BookStage()
    const [one, same, other] = [10, 10, 20].map((levels) => stage.books.depth(BTC, { levels, everyMs: undefined }))
    expect([one === same, one === other]).toEqual([true, false])
    const quotes = stage.books.quotes(BTC)
    stage.snapshot(10, SNAPSHOT)
    expect(quotes).toMatchObject({ count: 0 })
    expect(one).toMatchObject({ count: 0 })
  })
})

describe('a market says what is reported of its book', () => {
  it.each`
    hasLevels | hasQuotes | reported         | why
    ${true}   | ${true}   | ${[true, true]}  | ${'both'}
    ${true}   | ${false}  | ${[true, true]}  | ${'levels tell the best prices'}
    ${false}  | ${true}   | ${[true, false]} | ${'quotes tell no levels'}
  `('$reported: $why', ({ hasLevels, hasQuotes, reported }) => {
    const { view } = new BookStage({ hasLevels, hasQuotes })
    expect([view.hasQuotes, view.hasBook]).toEqual(reported)
  })
})
