/**
 * `quotes`, `depth` and `book` as a strategy writes them, and what is refused of them.
 */
import { NEVER } from 'rxjs'
import { describe, expect, it } from 'vitest'
import type { RecordedBooks } from '../../../src/adapter/exchange-adapter.ts'
import { InputError } from '../../../src/domain/errors.ts'
import { bookCalls } from '../../../src/runtime/session/book-calls.ts'
import { StreamUsage } from '../../../src/runtime/session/stream-usage.ts'
import type { DepthTerms } from '../../../src/strategy/depth-options.ts'
import { HotStream } from '../../../src/strategy/hot-stream.ts'
import { MarketView } from '../../../src/strategy/market-view.ts'
import { BookStage, BTC } from '../../adapter/simulated/books/rig/book-stage.ts'
import { market } from '../../exchange/rig/configs.ts'
import { strategyContext } from '../../strategy/rig/strategy-context.ts'

const wordsOf = (books?: RecordedBooks): ReturnType<typeof bookCalls> =>
  bookCalls({ books }, (symbol) => new MarketView(market(symbol)))

const faultOf = (ask: () => unknown): string => {
  try {
    ask()
  } catch (error) {
    return error instanceof InputError ? error.message : `not refused as input: ${String(error)}`
  }
  return 'not refused'
}

describe('without any book, as at a service', () => {
  const why =
    'not available live or on paper: the service has no stream of its order book; use a backtest on recorded books'

  it('each word is refused by its name', () => {
    const { quotes, depth, book } = wordsOf()
    expect([() => quotes(BTC), () => depth(BTC), () => book(BTC)].map(faultOf)).toEqual([
      `quotes('BTC_USD'): ${why}`,
      `depth('BTC_USD'): ${why}`,
      `book('BTC_USD'): ${why}`,
    ])
  })
})

describe('on a tape of quotes', () => {
  const { books } = new BookStage({ hasLevels: false })

  it('levels are refused, and the touch is there', () => {
    const { quotes, depth, book } = wordsOf(books)
    expect([() => quotes(BTC), () => depth(BTC), () => book(BTC)].map(faultOf)).toEqual([
      'not refused',
      "depth('BTC_USD'): its tape has only the best prices: use quotes('BTC_USD')",
      "book('BTC_USD'): its tape has only the best prices: use quotes('BTC_USD')",
    ])
  })
})

describe('what depth is asked for', () => {
  const asked: DepthTerms[] = []
  const { depth } = wordsOf({
    quotes: () => NEVER,
    depth: (_, terms) => {
      asked.push(terms)
      return NEVER
    },
    book: () => {
      throw new Error('nobody asks for it')
    },
  })

  it('is 10 levels after each frame, unless given otherwise', () => {
    depth(BTC)
    depth(BTC, { levels: 1, every: '1s' })
    depth(BTC, { levels: 1_000, every: 250 })
    expect(asked).toEqual([
      { levels: 10, everyMs: undefined },
      { levels: 1, everyMs: 1_000 },
      { levels: 1_000, everyMs: 250 },
    ])
  })

  it.each`
    options               | said                                | why
    ${{ levels: 0 }}      | ${/levels of 1 to 1000.*got 0$/}    | ${'none'}
    ${{ levels: 1_001 }}  | ${/levels of 1 to 1000.*got 1001$/} | ${'more than anyone reads'}
    ${{ levels: 2.5 }}    | ${/levels of 1 to 1000.*got 2.5$/}  | ${'half a level'}
    ${{ levels: '5' }}    | ${/levels of 1 to 1000.*got 5$/}    | ${'a text'}
    ${{ every: 0 }}       | ${/expected every .* got 0$/}       | ${'no span'}
    ${{ every: 0.5 }}     | ${/expected every .* got 0.5$/}     | ${'a part of a millisecond'}
    ${{ every: '100ms' }} | ${/expected every .* got '100ms'$/} | ${'no length of a candle'}
    ${{ every: 1e12 }}    | ${/expected every .* got 10+$/}     | ${'longer than a year'}
  `('is refused when it is $options: $why', ({ options, said }) => {
    expect(faultOf(() => depth(BTC, options))).toMatch(said as RegExp)
  })
})

it('streams are counted among those that the strategy saw', () => {
  const [quotes, depth] = [new HotStream<never>(), new HotStream<never>()]
  const context = strategyContext({ params: {}, markets: [market(BTC)], quotes: () => quotes, depth: () => depth })
  const seen = new StreamUsage()
  const noting = seen.noting(context)
  noting.quotes(BTC).subscribe()
  noting.depth(BTC, { levels: 3 })
  expect(seen.report()).toEqual([
    { name: "quotes('BTC_USD')", values: 0, isHeard: true },
    { name: "depth('BTC_USD', ...)", values: 0, isHeard: false },
  ])
})
